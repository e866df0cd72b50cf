import * as univer from '@univerjs/engine-formula'
import {
  type CellsOf,
  eachOf,
  fromScalar,
  type OfScalars,
  resultOf,
  toArgument,
  toScalar,
} from './bridge.ts'
import { AGGREGATES } from './functions/aggregates.ts'
import { ANNUITIES } from './functions/annuities.ts'
import { CASHFLOWS, PDURATION } from './functions/cashflows.ts'
import { areEqual, compare } from './functions/comparison.ts'
import { CRITERIA } from './functions/criteria.ts'
import { DATABASE } from './functions/database.ts'
import { DATES } from './functions/dates.ts'
import { DISTRIBUTIONS } from './functions/distributions.ts'
import { LOGIC, NOT } from './functions/logic.ts'
import { LOOKUPS } from './functions/lookups.ts'
import { NUMBERS } from './functions/numbers.ts'
import { PAIRS } from './functions/pairs.ts'
import { TEXTS } from './functions/texts.ts'
import { type Argument, type Scalar, toNumber, toTruth } from './functions/values.ts'

/** Of arguments as they are: ranges, lists and single values. */
const OF_ARGUMENTS: Readonly<Record<string, (...given: readonly Argument[]) => Scalar>> = {
  ...AGGREGATES,
  ...CASHFLOWS,
  ...CRITERIA,
  ...DATABASE,
  ...DISTRIBUTIONS,
  ...LOGIC,
  ...LOOKUPS,
  ...PAIRS,
}

/** Of single values: given several, they compute each. */
const OF_SCALARS: Readonly<Record<string, OfScalars>> = {
  ...ANNUITIES,
  ...DATES,
  ...NUMBERS,
  ...TEXTS,
  NOT,
  PDURATION,
}

/** Their arguments are single numbers: what a text is to them does not depend on the function. */
const OF_NUMBERS =
  'ABS ACOS ACOSH ACOT ACOTH ASIN ASINH ATAN ATANH BETA.DIST BETADIST BINOM.DIST BINOMDIST CHISQ.DIST COMBIN COMBINA COS COSH COT COTH COUPNCD COUPNUM COUPPCD CSC CSCH DEGREES EVEN EXP EXPON.DIST F.DIST FACT FACTDOUBLE FISHER FISHERINV GAMMA.DIST GAMMADIST HYPGEOM.DIST HYPGEOMDIST INT LN LOG LOG10 LOGNORM.DIST LOGNORMDIST MOD NEGBINOM.DIST NEGBINOMDIST NOMINAL NORM.DIST NORM.INV NORM.S.DIST NORM.S.INV NORMDIST NORMINV NORMSDIST NORMSINV ODD PERMUT POWER QUOTIENT RADIANS ROUND ROUNDDOWN ROUNDUP SEC SECH SIGN SIN SINH SLN SQRT SQRTPI T.DIST TAN TANH WEIBULL WEIBULL.DIST'.split(
    ' ',
  )

const ARITHMETIC: Readonly<Record<string, 'plus' | 'minus' | 'multiply' | 'divided'>> = {
  PLUS: 'plus',
  MINUS: 'minus',
  MULTIPLY: 'multiply',
  DIVIDED: 'divided',
}

/** Puts our own functions in the place of the library's. */
export function replaceFunctions(functions: univer.FunctionService, cellsOf: CellsOf): void {
  const replace = (name: string, compute: (given: readonly Argument[]) => ValueObject) => {
    const executor = functions.getExecutor(name)
    if (!executor) throw new Error(`The library has no ${name}`)
    executor.needsReferenceObject = true
    executor.needsExpandParams = false
    executor.calculate = (...given) => compute(given.map(own => toArgument(own, cellsOf)))
  }
  for (const [name, own] of Object.entries(OF_ARGUMENTS))
    replace(name, given => fromScalar(resultOf(() => own(...given))))
  for (const [name, own] of Object.entries(OF_SCALARS)) replace(name, given => eachOf(given, own))
  for (const [name, method] of Object.entries(ARITHMETIC))
    replace(name, given =>
      eachOf(given, (a, b) => {
        const [left, right] = [toNumber(a!), toNumber(b!)]
        const { create } = univer.NumberValueObject
        return toScalar(create(left)[method](create(right)))
      }),
    )
  const comparing = functions.getExecutor('COMPARE') as unknown as { readonly _compareType: string }
  replace('COMPARE', given => {
    const compared = COMPARISONS[comparing._compareType]!
    return eachOf(given, (a, b) => compared(a!, b!))
  })
  for (const name of OF_NUMBERS) convertFirst(functions.getExecutor(name))
}

type ValueObject = univer.BaseValueObject

const COMPARISONS: Readonly<Record<string, (a: Scalar, b: Scalar) => boolean>> = {
  '=': areEqual,
  '<>': (a, b) => !areEqual(a, b),
  '<': (a, b) => compare(a, b) < 0,
  '<=': (a, b) => compare(a, b) <= 0,
  '>': (a, b) => compare(a, b) > 0,
  '>=': (a, b) => compare(a, b) >= 0,
}

/** The library has its own ideas of what number a text is. */
function convertFirst(executor: univer.BaseFunction | undefined): void {
  if (!executor) return
  const own = executor.calculate.bind(executor)
  executor.calculate = (...given) => {
    const made: univer.FunctionVariantType[] = []
    for (const one of given) {
      const value = singleOf(one)
      const number = typeof value === 'string' ? resultOf(() => numberOrTruth(value)) : undefined
      const now = number === undefined ? one : fromScalar(number)
      if (now.isError()) return now as ValueObject
      if (typeof value === 'object' && value !== null) return fromScalar(value)
      made.push(now)
    }
    return own(...(made as Parameters<typeof own>))
  }
}

const numberOrTruth = (text: string) =>
  /^(true|false)$/i.test(text) ? toTruth(text) : toNumber(text)

/** The value of an argument; undefined where there are several. */
export function singleOf(given: univer.FunctionVariantType): Scalar | undefined {
  if (given.isReferenceObject()) {
    const reference = given as univer.BaseReferenceObject
    const { startRow, endRow, startColumn, endColumn } = reference.getRangePosition()
    if (startRow !== endRow || startColumn !== endColumn) return undefined
    const cell = reference.getCellData(startRow, startColumn)
    return cell ? toScalar(reference.getCellValueObject(cell)) : null
  }
  const value = given as ValueObject
  if (!value.isArray()) return toScalar(value)
  const array = value as univer.ArrayValueObject
  if (array.getRowCount() !== 1 || array.getColumnCount() !== 1) return undefined
  return toScalar(array.getFirstCell())
}

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
import { CHOICES } from './functions/choices.ts'
import { areEqual, compare } from './functions/comparison.ts'
import { CRITERIA } from './functions/criteria.ts'
import { DATABASE } from './functions/database.ts'
import { DATES } from './functions/dates.ts'
import { DISTRIBUTIONS } from './functions/distributions.ts'
import { LOGIC, NOT } from './functions/logic.ts'
import { LOOKUPS } from './functions/lookups.ts'
import { NORMAL } from './functions/normal.ts'
import { NUMBERS } from './functions/numbers.ts'
import { PAIRS } from './functions/pairs.ts'
import { TEXTS } from './functions/texts.ts'
import { TIMES } from './functions/times.ts'
import { type Argument, isMatrix, type Scalar, toNumber, toTruth } from './functions/values.ts'

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
  ...NORMAL,
  ...NUMBERS,
  ...TEXTS,
  ...TIMES,
  NOT,
  PDURATION,
}

/** Their arguments are single numbers: what a text is to them does not depend on the function. */
const OF_NUMBERS =
  'ACOS ACOSH ACOT ACOTH ASIN ASINH ATAN ATANH BETA.DIST BETADIST BINOM.DIST BINOMDIST CHISQ.DIST COMBIN COMBINA COS COSH COT COTH COUPNCD COUPNUM COUPPCD CSC CSCH DEGREES EVEN EXP EXPON.DIST F.DIST FACT FACTDOUBLE FISHER FISHERINV GAMMA.DIST GAMMADIST HYPGEOM.DIST HYPGEOMDIST LN LOG LOG10 LOGNORM.DIST LOGNORMDIST MOD NEGBINOM.DIST NEGBINOMDIST NOMINAL ODD PERMUT POWER QUOTIENT RADIANS ROUNDDOWN ROUNDUP SEC SECH SIGN SIN SINH SLN SQRT SQRTPI T.DIST TAN TANH WEIBULL WEIBULL.DIST'.split(
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
    replace(name, given => lifted(name, given, own))
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
  for (const [name, own] of Object.entries(CHOICES))
    forLists(functions.getExecutor(name)!, own, cellsOf)
}

/** Arguments that are single by nature, from the first and then every so many; given several, each counts for itself. */
const SINGLE: Readonly<Record<string, readonly [from: number, every: number]>> = {
  AVERAGEIF: [1, 9],
  AVERAGEIFS: [2, 2],
  COUNTIF: [1, 9],
  COUNTIFS: [1, 2],
  HLOOKUP: [0, 9],
  LARGE: [1, 9],
  LOOKUP: [0, 9],
  MATCH: [0, 9],
  MAXIFS: [2, 2],
  MINIFS: [2, 2],
  SMALL: [1, 9],
  SUMIF: [1, 9],
  SUMIFS: [2, 2],
  VLOOKUP: [0, 9],
}

function lifted(
  name: string,
  given: readonly Argument[],
  own: (...given: readonly Argument[]) => Scalar,
): ValueObject {
  const [from, every] = SINGLE[name] ?? [given.length, 1]
  const isLifted = (own: Argument, at: number) =>
    at >= from && (at - from) % every === 0 && isMatrix(own) && own.rows * own.columns > 1
  const places = [...given.keys()].filter(at => isLifted(given[at]!, at))
  if (places.length === 0) return fromScalar(resultOf(() => own(...given)))
  const lists = places.map(at => given[at]!)
  return eachOf(lists, (...values) =>
    own(
      ...given.map((one, at) => (places.includes(at) ? (values[places.indexOf(at)] ?? null) : one)),
    ),
  )
}

/** Given single values, the library is right, and keeps references; several are computed each for itself. */
function forLists(executor: univer.BaseFunction, own: OfScalars, cellsOf: CellsOf): void {
  const calculate = executor.calculate.bind(executor)
  executor.calculate = (...given) => {
    const isMany = given.some(one => singleOf(one) === undefined)
    // a single condition chooses a list as it is
    const isOne = executor.name === 'IF' && given[0] && singleOf(given[0]) !== undefined
    return isMany && !isOne
      ? eachOf(
          given.map(one => toArgument(one, cellsOf)),
          own,
        )
      : calculate(...given)
  }
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

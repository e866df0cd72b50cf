import { type Call, VARIADIC } from './calls.ts'
import { DOUBTFUL_KINDS } from './doubtful-kinds.ts'
import { EXCEL_PROOFS } from './excel-proofs.ts'
import type { PlainFormula } from './plain-formula.ts'
import { PROVEN_CALLS } from './proven-calls.ts'

const proven: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(PROVEN_CALLS).map(([name, shapes]) => [name, new Set(shapes)]),
)

interface Excel {
  readonly shapes: ReadonlySet<string>
  /** `place kind` of what it was given. */
  readonly kinds: ReadonlySet<string>
}

const excel: ReadonlyMap<string, Excel> = new Map(
  Object.entries(EXCEL_PROOFS).map(([name, proof]) => {
    const [shapes = '', kinds = ''] = proof.split(' : ')
    return [name, { shapes: new Set(shapes.split(' | ')), kinds: new Set(kinds.split(', ')) }]
  }),
)

/** Whether a function with arguments of these shapes gave what Excel, or another program, gives. */
export function isProven(call: Call): boolean {
  return isProvenForAll(call) || has(call, excel.get(call.name)?.shapes)
}

/** Not only for the kinds of values that Excel's workbooks gave it. */
export function isProvenForAll(call: Call): boolean {
  return has(call, proven.get(call.name))
}

/** With arguments of some shapes. */
export function hasProofForAll(name: string): boolean {
  return proven.has(name)
}

const words = (text: string) => new Set(text.split(' '))

/** They compute each of several values by itself, as they compute one. */
const EACH = words(
  '+ - * / ^ = <> < > <= >= & ABS INT ROUND YEAR MONTH DAY WEEKDAY LEN LEFT RIGHT MID UPPER LOWER PROPER TRIM EXACT SEARCH CODE CHAR ISNUMBER ISTEXT ISNONTEXT ISLOGICAL ISBLANK ISERROR ISERR ISNA IF IFERROR IFNA EDATE EOMONTH DATE TRUNC CEILING FLOOR MROUND NOT HOUR MINUTE SECOND VALUE',
)

/** To them a list is what a range is. */
const OF_LISTS = words(
  'SUM AVERAGE MIN MAX COUNT PRODUCT MEDIAN STDEV STDEV.S VAR VAR.S LARGE SMALL LOOKUP MATCH SUMPRODUCT AND OR',
)

/** They take several criteria or searched values for one, and give a result for each. */
const OF_CRITERIA = words(
  'COUNTIF COUNTIFS SUMIF SUMIFS AVERAGEIF AVERAGEIFS MAXIFS MINIFS MATCH LARGE SMALL',
)
const CRITERION: Readonly<Record<string, number>> = {
  COUNTIF: 1,
  COUNTIFS: 1,
  MATCH: 0,
  LARGE: 1,
  SMALL: 1,
  SUMIF: 1,
  AVERAGEIF: 1,
}

/** With single values in the place of lists that make no difference. */
function plainShape({ name, shape }: Call): string {
  if (EACH.has(name)) return shape.replace(/\b[ar]\b/g, 's')
  const parts = shape.split(',').map((own, at) => {
    const isSingle = OF_CRITERIA.has(name) && at === (CRITERION[name] ?? 2)
    if (isSingle && (own === 'a' || own === 'r')) return 's'
    return own === 'a' && OF_LISTS.has(name) ? 'r' : own
  })
  return parts.join(',')
}

function has({ name, shape }: Call, shapes: ReadonlySet<string> | undefined): boolean {
  if (!shapes) return false
  if (shapes.has(shape) || shapes.has(plainShape({ name, shape }))) return true
  // each kind of argument was proven, with others or alone
  return (
    VARIADIC.has(name) &&
    shape.split(',').every(own => [...shapes].some(known => known.split(',').includes(own)))
  )
}

/** Of `NAME place kind`: whether Excel's workbooks gave it that, and it was right. */
export function isKnownToExcel(seen: string): boolean {
  const at = seen.indexOf(' ')
  return excel.get(seen.slice(0, at))?.kinds.has(seen.slice(at + 1)) ?? false
}

const DOUBTFUL = Object.entries(DOUBTFUL_KINDS).flatMap(([name, kinds]) =>
  kinds.map(kind => `${name} ${kind}`),
)

/** Over a range with a text in it, operators differ from what they do with one value. */
const OVER_TEXTS = ['PLUS', 'MINUS', 'MULTIPLY', 'DIVIDED', 'POWER'].flatMap(name => [
  `${name} 0 texts`,
  `${name} 1 texts`,
])

const always: ReadonlySet<string> = new Set([...DOUBTFUL, ...OVER_TEXTS])

/** A kind of values that is doubtful whatever proves the function. */
export function isDoubtful(seen: string): boolean {
  return always.has(seen)
}

/** What an evaluator is to look for: doubtful kinds of values, and all kinds where only some are proven. */
export function watchedKinds(formulas: readonly Pick<PlainFormula, 'calls'>[]): readonly string[] {
  const calls = formulas.flatMap(own => own.calls)
  const names = calls.flatMap(call => (isProvenForAll(call) ? [] : call.name))
  return [...always, ...new Set(names.filter(name => /^[A-Z]/.test(name)))]
}

import { compareTexts, sameText, wildcardPattern } from './comparison.ts'
import {
  type Argument,
  Fault,
  fail,
  isError,
  isMatrix,
  type Matrix,
  matrixOf,
  numberOfText,
  one,
  type Scalar,
  Uncertain,
} from './values.ts'

/** Whether a cell is one of those that a criterion means. */
export type Test = (value: Scalar) => boolean

const OPERATOR = /^(<=|>=|<>|=|<|>)?(.*)$/s

/** Of COUNTIF and its like: `">5"`, `"<>x"`, `"a*"`, 5, TRUE, an empty cell. */
export function criterionOf(given: Scalar): Test {
  if (given === null) return value => isNumber(value, 0)
  if (typeof given === 'number') return value => isNumber(value, given)
  if (typeof given === 'boolean') return value => value === given
  if (typeof given === 'object') return value => isError(value) && value.error === given.error
  const [, sign = '', rest = ''] = OPERATOR.exec(given)!
  if (sign === '' || sign === '=') return rest === '' ? emptiness(sign) : equalTo(rest)
  if (sign === '<>') return differentFrom(rest)
  return ordered(sign, rest)
}

/** A number, or a text that reads as it. */
function isNumber(value: Scalar, wanted: number): boolean {
  if (typeof value === 'string') return value.trim() !== '' && numberOfText(value) === wanted
  return value === wanted
}

const emptiness = (sign: string): Test =>
  sign === '=' ? value => value === null : value => value === null || value === ''

/** What a criterion's text says: a number, TRUE, an error, or a text. */
function meaningOf(text: string): Exclude<Scalar, null> {
  if (/^(true|false)$/i.test(text)) return /^true$/i.test(text)
  if (/^#(N\/A|[A-Z]+[!?]|DIV\/0!)$/i.test(text)) return { error: text.toUpperCase() }
  return numberOfText(text) ?? text
}

function equalTo(text: string): Test {
  const meant = meaningOf(text)
  if (typeof meant !== 'string') return criterionOf(meant)
  const pattern = wildcardPattern(meant)
  if (pattern) return value => typeof value === 'string' && pattern.test(value)
  return value => typeof value === 'string' && sameText(value, meant)
}

function differentFrom(text: string): Test {
  if (text === '') return value => value !== null
  const meant = meaningOf(text)
  // other than for what equals it, the text of a number is no number here
  if (typeof meant === 'number') return value => value !== meant
  const equal = equalTo(text)
  return value => !equal(value)
}

function ordered(sign: string, text: string): Test {
  if (text === '') return () => false
  const meant = meaningOf(text)
  if (typeof meant === 'object') return () => false
  const accepts = (order: number) =>
    sign === '<' ? order < 0 : sign === '<=' ? order <= 0 : sign === '>' ? order > 0 : order >= 0
  if (typeof meant === 'number') return value => typeof value === 'number' && accepts(value - meant)
  if (typeof meant === 'boolean') throw new Uncertain('an order of TRUE and FALSE')
  if (/[?*~]/.test(meant)) throw new Uncertain('an order of patterns')
  return value => typeof value === 'string' && accepts(compareTexts(value, meant))
}

interface Condition {
  readonly range: Matrix
  readonly accepts: Test
}

function rangeOf(argument: Argument | undefined): Matrix {
  return isMatrix(argument) ? argument : matrixOf(1, 1, [argument ?? null])
}

function conditionsOf(given: readonly (Argument | undefined)[]): Condition[] {
  const found: Condition[] = []
  for (let at = 0; at < given.length; at += 2)
    found.push({ range: rangeOf(given[at]), accepts: criterionOf(one(given[at + 1])) })
  const [first] = found
  const isEven = found.every(
    ({ range }) => range.rows === first!.range.rows && range.columns === first!.range.columns,
  )
  return isEven ? found : fail('#VALUE!')
}

/** Calls back for each place where every condition holds. */
function places(
  conditions: readonly Condition[],
  visitor: (row: number, column: number) => void,
): void {
  const { rows, columns } = conditions[0]!.range
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      if (conditions.every(({ range, accepts }) => accepts(range.at(row, column))))
        visitor(row, column)
}

function count(conditions: readonly Condition[]): number {
  let found = 0
  places(conditions, () => {
    found++
  })
  return found
}

/** The numbers of a range where every condition holds. */
function numbers(range: Matrix, conditions: readonly Condition[]): number[] {
  const found: number[] = []
  places(conditions, (row, column) => {
    const value = range.at(row, column)
    if (isError(value)) throw new Fault(value.error)
    if (typeof value === 'number') found.push(value)
  })
  return found
}

type Of = (values: readonly number[]) => number

const sum: Of = values => values.reduce((a, b) => a + b, 0)
const mean: Of = values => (values.length === 0 ? fail('#DIV/0!') : sum(values) / values.length)
const most: Of = values => (values.length === 0 ? 0 : values.reduce((a, b) => Math.max(a, b)))
const least: Of = values => (values.length === 0 ? 0 : values.reduce((a, b) => Math.min(a, b)))

/** One range asked, and perhaps another of the same shape to take the values of. */
const ofOne =
  (of: Of) =>
  (...given: readonly Argument[]) => {
    const [asked, criterion, taken] = given
    const conditions = conditionsOf([asked, criterion])
    const range = taken === undefined || taken === null ? conditions[0]!.range : rangeOf(taken)
    const { rows, columns } = conditions[0]!.range
    if (range.rows !== rows || range.columns !== columns)
      throw new Uncertain('ranges of different sizes')
    return of(numbers(range, conditions))
  }

const ofMany =
  (of: Of) =>
  (...given: readonly Argument[]) => {
    const range = rangeOf(given[0])
    const conditions = conditionsOf(given.slice(1))
    const { rows, columns } = conditions[0]!.range
    if (range.rows !== rows || range.columns !== columns) return fail('#VALUE!')
    return of(numbers(range, conditions))
  }

export const CRITERIA: Readonly<Record<string, (...given: readonly Argument[]) => number>> = {
  COUNTIF: (...given) => count(conditionsOf(given)),
  COUNTIFS: (...given) => count(conditionsOf(given)),
  SUMIF: ofOne(sum),
  AVERAGEIF: ofOne(mean),
  SUMIFS: ofMany(sum),
  AVERAGEIFS: ofMany(mean),
  MAXIFS: ofMany(most),
  MINIFS: ofMany(least),
}

import { type Fields, isFields } from '@filewright/protocol'
import { encodeAttribute } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import { showCell } from '../../book/show.ts'
import type { CellNow } from '../../cell/cells.ts'
import type { Editor } from '../editor.ts'

/** What a column of a filter shows: as it is written, in words, and whether a cell passes. */
export interface Criterion {
  readonly xml: string
  readonly words: string
  readonly passes: (cell: CellNow | undefined) => boolean
}

const TESTS = [
  ...['equals', 'not_equals', 'above', 'below', 'at_least', 'at_most'],
  ...['contains', 'not_contains', 'begins_with', 'ends_with', 'between', 'empty'],
]

/** `["North", "South"]`, `"North"`, or one of the tests: `{above: 5}`. */
export function readCriterion(editor: Editor, given: unknown, prefix: string): Criterion {
  const book = editor.book
  const textOf = (cell: CellNow | undefined) => (cell ? showCell(book, cell).text : '')
  if (!isFields(given))
    return valuesCriterion(Array.isArray(given) ? given : [given], textOf, prefix)
  const tests = Object.keys(given)
  const [test] = tests
  if (tests.length !== 1 || !TESTS.includes(test!))
    throw new Refusal(
      'INVALID_ARGUMENT',
      `a column is filtered by a list of values or by one of ${TESTS.join(', ')}, such as {"above": 5}`,
    )
  return testCriterion(test!, given, textOf, prefix)
}

function valuesCriterion(
  values: readonly unknown[],
  textOf: (cell: CellNow | undefined) => string,
  prefix: string,
): Criterion {
  const isText = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
  if (values.length === 0 || !values.every(value => value === null || isText(value)))
    throw new Refusal('INVALID_ARGUMENT', 'the values of a column are texts or numbers')
  const texts = values
    .filter(isText)
    .map(value => asShown(value))
    .filter(text => text !== '')
  const hasBlank = texts.length < values.length
  const wanted = new Set(texts.map(text => text.toLowerCase()))
  const list = texts.map(text => `<${prefix}filter val="${encodeAttribute(text)}"/>`).join('')
  return {
    xml: `<${prefix}filters${hasBlank ? ' blank="1"' : ''}>${list}</${prefix}filters>`,
    words: values.map(value => JSON.stringify(value)).join(' or '),
    passes(cell) {
      const text = textOf(cell).trim().toLowerCase()
      if (text === '') return hasBlank
      return wanted.has(text) || wanted.has(String(cell?.content.value).toLowerCase())
    },
  }
}

function asShown(value: unknown): string {
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value)
}

const OPERATORS: Readonly<Record<string, string>> = {
  not_equals: 'notEqual',
  above: 'greaterThan',
  below: 'lessThan',
  at_least: 'greaterThanOrEqual',
  at_most: 'lessThanOrEqual',
  not_contains: 'notEqual',
}

function testCriterion(
  test: string,
  given: Fields,
  textOf: (cell: CellNow | undefined) => string,
  prefix: string,
): Criterion {
  const wanted = given[test]
  const custom = (list: readonly (readonly [string | undefined, unknown])[]) =>
    `<${prefix}customFilters${list.length > 1 ? ' and="1"' : ''}>${list
      .map(
        ([operator, value]) =>
          `<${prefix}customFilter${operator ? ` operator="${operator}"` : ''} val="${encodeAttribute(String(value))}"/>`,
      )
      .join('')}</${prefix}customFilters>`
  const words = `${test.replaceAll('_', ' ')} ${JSON.stringify(wanted)}`
  if (test === 'empty')
    return wanted === false
      ? { xml: custom([['notEqual', ' ']]), words, passes: cell => textOf(cell).trim() !== '' }
      : {
          xml: `<${prefix}filters blank="1"/>`,
          words,
          passes: cell => textOf(cell).trim() === '',
        }
  if (test === 'between') {
    const [low, high] = pair(wanted)
    return {
      xml: custom([
        ['greaterThanOrEqual', low],
        ['lessThanOrEqual', high],
      ]),
      words,
      passes: cell => isNumber(cell, value => value >= low && value <= high),
    }
  }
  if (['above', 'below', 'at_least', 'at_most'].includes(test)) {
    const limit = numberOf(wanted, test)
    const passes = (cell: CellNow | undefined) => isNumber(cell, COMPARED[test]!(limit))
    return { xml: custom([[OPERATORS[test], limit]]), words, passes }
  }
  return textCriterion(test, String(wanted), { textOf, custom, words })
}

const COMPARED: Readonly<Record<string, (limit: number) => (value: number) => boolean>> = {
  above: limit => value => value > limit,
  below: limit => value => value < limit,
  at_least: limit => value => value >= limit,
  at_most: limit => value => value <= limit,
}

interface TextPorts {
  readonly textOf: (cell: CellNow | undefined) => string
  readonly custom: (list: readonly (readonly [string | undefined, unknown])[]) => string
  readonly words: string
}

function textCriterion(
  test: string,
  wanted: string,
  { textOf, custom, words }: TextPorts,
): Criterion {
  const pattern = wanted.replace(/[~*?]/g, '~$&')
  const patterns: Readonly<Record<string, string>> = {
    equals: pattern,
    not_equals: pattern,
    contains: `*${pattern}*`,
    not_contains: `*${pattern}*`,
    begins_with: `${pattern}*`,
    ends_with: `*${pattern}`,
  }
  const text = wanted.toLowerCase()
  const meets: Readonly<Record<string, (own: string) => boolean>> = {
    equals: own => own === text,
    not_equals: own => own !== text,
    contains: own => own.includes(text),
    not_contains: own => !own.includes(text),
    begins_with: own => own.startsWith(text),
    ends_with: own => own.endsWith(text),
  }
  return {
    xml: custom([[OPERATORS[test], patterns[test]]]),
    words,
    passes: cell => {
      const own = textOf(cell).trim().toLowerCase()
      const value = String(cell?.content.value ?? '').toLowerCase()
      if (test === 'equals') return own === text || value === text
      return test === 'not_equals' ? own !== text && value !== text : meets[test]!(own)
    },
  }
}

function isNumber(cell: CellNow | undefined, test: (value: number) => boolean): boolean {
  return cell?.content.type === 'number' && test(cell.content.value)
}

function numberOf(value: unknown, test: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new Refusal('INVALID_ARGUMENT', `${test} is a number, not ${JSON.stringify(value)}`)
}

function pair(value: unknown): [number, number] {
  if (Array.isArray(value) && value.length === 2)
    return [numberOf(value[0], 'between'), numberOf(value[1], 'between')]
  throw new Refusal('INVALID_ARGUMENT', 'between is two numbers, such as [1, 5]')
}

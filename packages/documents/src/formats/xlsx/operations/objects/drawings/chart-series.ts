import { type Fields, isFields } from '@filewright/protocol'
import {
  CHART_KINDS,
  type ChartKind,
  type PlannedSeries,
} from '../../../../../charts/chart-plan.ts'
import type { Book } from '../../../book/book.ts'
import type { Sheet } from '../../../book/sheet.ts'
import { showCell } from '../../../book/show.ts'
import { boxName } from '../../../cell/address.ts'
import type { Editor } from '../../editor.ts'
import { optionalFlag, optionalText, wordField, wrong } from '../object-fields.ts'
import { findRange, fixedReference, rangeField, type SheetRange } from '../references.ts'
import { blockSeries } from './chart-block.ts'
import { cellsOf, closedRange, valuesOf } from './chart-values.ts'

const MOST_SERIES = 255
const SERIES_KEYS: ReadonlySet<string> = new Set([
  'values',
  'name',
  'categories',
  'x',
  'type',
  'secondary',
])

export const KIND_WORDS = [...CHART_KINDS, 'combined', 'combo'] as const

/** The series that a call asks for; undefined: it names none. */
export function seriesField(
  editor: Editor,
  sheet: Sheet,
  fields: Fields,
  kind: ChartKind,
): readonly PlannedSeries[] | undefined {
  const list = fields.series
  const found = Array.isArray(list)
    ? list.map((own, index) => oneSeries(editor, sheet, fields, kind, own, index))
    : blockSeries(editor, sheet, fields, kind)
  if (!found) return undefined
  refuseMix(fields, found)
  return found
}

/** Names what a series does not have, and what it may have. */
export function warnOfStrange({ warnings }: Editor, { series }: Fields): void {
  for (const [index, own] of Array.isArray(series) ? series.entries() : []) {
    const strange = isFields(own) ? Object.keys(own).filter(key => !SERIES_KEYS.has(key)) : []
    if (strange.length > 0)
      warnings.push(
        `series[${index}] has no ${strange.join(', ')}, so that was not used; it is {values, name?, categories?, type?, secondary?}, and secondary: true puts it on the second axis.`,
      )
  }
}

/** A chart draws text as zero. */
export function warnOfText({ warnings }: Editor, series: readonly PlannedSeries[]): void {
  const texts = series.filter(
    ({ values: { values } }) =>
      values.some(own => typeof own === 'string') && !values.some(own => typeof own === 'number'),
  )
  if (texts.length === 0) return
  const named = texts.map(({ name, values }) => name?.text || values.formula || '').slice(0, 5)
  const isOne = texts.length === 1
  warnings.push(
    `The series ${named.join(', ')} ${isOne ? 'has' : 'have'} no numbers, only text, which a chart draws as zero; name the series, or send text as categories.`,
  )
}

function refuseMix(fields: Fields, series: readonly PlannedSeries[]): void {
  if (series.length === 0) throw wrong(fields, 'a chart needs a series')
  if (series.length > MOST_SERIES)
    throw wrong(fields, `a chart has at most ${MOST_SERIES} series, and these are ${series.length}`)
  const kinds = new Set(series.map(({ kind }) => kind))
  const alone = ['bar', 'pie', 'doughnut', 'scatter'].find(own => kinds.has(own as ChartKind))
  if (alone !== undefined && kinds.size > 1)
    throw wrong(fields, `${alone} does not combine with others; column, line and area do`)
  if (kinds.has('pie') && series.length > 1)
    throw wrong(fields, 'a pie shows one series; use column for several, or doughnut')
  if (series.every(({ isSecondary }) => isSecondary))
    throw wrong(fields, 'one series at least is on the first axis')
}

function oneSeries(
  editor: Editor,
  sheet: Sheet,
  fields: Fields,
  usual: ChartKind,
  own: unknown,
  index: number,
): PlannedSeries {
  const given: Fields = typeof own === 'string' ? { values: own } : isFields(own) ? own : {}
  const asked = { ...given, op: fields.op }
  if (typeof given.values !== 'string')
    throw wrong(
      fields,
      `series[${index}] is {values: "Sales!B2:B9", name?, categories?, type?, secondary?}, with cells for values`,
    )
  const range = lineField(editor.book, asked, 'values', given.values, sheet)
  const categories = given.categories ?? given.x ?? fields.categories
  const across =
    typeof categories === 'string'
      ? lineField(editor.book, asked, 'categories', categories, sheet)
      : undefined
  const word = wordField(asked, 'type', CHART_KINDS)
  const name = optionalText(asked, 'name')
  const isSecondary = optionalFlag(asked, 'secondary')
  return {
    kind: word ?? usual,
    ...(name !== undefined && { name: nameOf(editor, sheet, name) }),
    ...(across && { categories: valuesOf(editor, across) }),
    values: valuesOf(editor, range),
    ...(isSecondary && { isSecondary }),
  }
}

/** One row or one column of cells. */
function lineField(
  book: Book,
  fields: Fields,
  name: string,
  text: string,
  sheet: Sheet,
): SheetRange {
  const range = closedRange(rangeField(book, fields, name, text, sheet))
  const { top, bottom, left, right } = range.box
  if (top === bottom || left === right) return range
  throw wrong(fields, `${name} ${boxName(range.box)} is more than one row or column`)
}

/** A cell where the name stands, or the name itself. */
function nameOf(editor: Editor, sheet: Sheet, text: string): NonNullable<PlannedSeries['name']> {
  const range = /[A-Za-z]\$?\d+$/.test(text.trim())
    ? findRange(editor.book, text, sheet)
    : undefined
  if (!range) return { text }
  const cell = cellsOf(editor, range.sheet, range.box).at(0)
  return { text: cell ? showCell(editor.book, cell).text : '', formula: fixedReference(range) }
}

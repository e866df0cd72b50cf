import { counted, type Fields } from '@filewright/protocol'
import {
  type ChartKind,
  type ChartPlan,
  LEGEND_PLACES,
  type LegendPlace,
  PLAIN_PALETTE,
} from '../../../../../charts/chart-plan.ts'
import { CHART_TYPE, chartXml } from '../../../../../charts/chart-xml.ts'
import type { OperationResult } from '../../../../../format.ts'
import { Refusal } from '../../../../../refusal.ts'
import type { Book } from '../../../book/book.ts'
import type { Sheet } from '../../../book/sheet.ts'
import { usedBox } from '../../../book/used.ts'
import { type CellAddress, cellName, placeOf } from '../../../cell/address.ts'
import { addAnchored, chartFrameXml, ensureDrawing, removeDrawn } from '../../../objects/drawing.ts'
import { LiveBook } from '../../../objects/live-book.ts'
import { freeObjectName } from '../../../objects/object-names.ts'
import { parseOwnCell, sheetField } from '../../arguments.ts'
import type { Editor } from '../../editor.ts'
import { changeParts, settledBook } from '../change-parts.ts'
import { optionalFlag, optionalSize, optionalText, wordField, wrong } from '../object-fields.ts'
import { KIND_WORDS, seriesField, warnOfStrange, warnOfText } from './chart-series.ts'
import { describePlan } from './describe-chart.ts'
import { chosenObject, namesOf, withName } from './drawn-fields.ts'

const USUAL_WIDTH = 600 // pixels
const USUAL_HEIGHT = 360
const LIGHT_GREY = 'D9D9D9'
export const MOST_PIXELS = 8_000

/** A chart of cells, beside them unless a cell is named. */
export function addChart(editor: Editor, fields: Fields): OperationResult {
  const book = settledBook(editor)
  const sheet = worksheetField(book, fields)
  const kind = kindField(fields) ?? 'column'
  const series = seriesField(editor, sheet, fields, kind)
  if (!series)
    throw wrong(
      fields,
      'needs source, such as "A1:C9" or a table, or series: [{name, values: "Sales!B2:B9", categories}]',
    )
  const plan: ChartPlan = { series, ...looksField(fields, series.length), ...paletteFor(book) }
  const at = anchorField(sheet, fields) ?? editor.resolve('cell', () => besideData(sheet))
  const size = {
    width: optionalSize(fields, 'width', MOST_PIXELS) ?? USUAL_WIDTH,
    height: optionalSize(fields, 'height', MOST_PIXELS) ?? USUAL_HEIGHT,
  }
  const asked = optionalText(fields, 'name', 255)
  const taken = namesOf(book, sheet)
  if (asked !== undefined && taken.includes(asked.toLowerCase()))
    throw new Refusal('CONFLICT', `there is ${JSON.stringify(asked)} on the sheet already`)
  const name =
    asked ??
    editor.resolve('name', () => freeObjectName('Chart ', own => taken.includes(own.toLowerCase())))
  const cell = cellName(at.row, at.column)
  const place = `${placeOf(sheet.name, cell)} chart${asked === undefined ? '' : ` ${asked}`}`
  const result = {
    op: 'add_chart',
    sheet: sheet.name,
    chart: name,
    cell,
    message: `Added ${name} at ${placeOf(sheet.name, cell)}: ${counted(series.length, 'series', 'series')}.`,
  }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  changeParts(editor, live => {
    const drawing = ensureDrawing(live, live.sheet(sheet))
    const part = live.package.freeName(`${live.folder}charts/chart`, '.xml')
    live.package.addPart(part, CHART_TYPE, chartXml(plan, live.package.isStrict))
    const link = live.package.addLink(drawing.part, 'chart', part)
    addAnchored(drawing, at, size, id => chartFrameXml(id, name, link))
  })
  warnOfText(editor, series)
  warnOfStrange(editor, fields)
  editor.recordObject(place, {
    before: null,
    after: { text: describePlan(name, plan) },
    objects: [{ kind: 'drawing', sheet: sheet.id, name }],
    sheet: book.sheets[sheet.id]!,
  })
  return result
}

/** The colours of a chart: its own in a workbook without a theme. */
export function paletteFor({ part }: Book): Pick<ChartPlan, 'palette' | 'lines'> {
  const hasTheme = part.relationships.some(({ kind }) => kind === 'theme')
  return { lines: LIGHT_GREY, ...(!hasTheme && { palette: PLAIN_PALETTE }) }
}

/** A sheet that can have a drawing: a chart sheet has its own. */
export function worksheetField(book: Book, fields: Fields): Sheet {
  const sheet = sheetField(book, fields)
  if (sheet.kind === 'worksheet') return sheet
  throw wrong(
    fields,
    `the sheet ${JSON.stringify(sheet.name)} is a ${sheet.kind}; name a worksheet`,
  )
}

export function kindField(fields: Fields): ChartKind | undefined {
  const { type } = fields
  const plain = typeof type === 'string' ? type.replace(/[\s_-]*(?:chart|plot)$/i, '') : type
  const word = wordField({ ...fields, type: plain }, 'type', KIND_WORDS)
  return word === 'combined' || word === 'combo' ? 'column' : word
}

/** Titles, legend and stacking; what is not given is absent. */
export function looksField(fields: Fields, count: number): Omit<ChartPlan, 'series'> {
  const title = optionalText(fields, 'title', 255)
  const xTitle = optionalText(fields, 'x_title', 255)
  const yTitle = optionalText(fields, 'y_title', 255)
  const kind = kindField(fields)
  const isRound = kind === 'pie' || kind === 'doughnut'
  const legend = legendField(fields) ?? (count > 1 || isRound ? 'bottom' : 'none')
  // areas that do not stand on each other hide each other
  const grouping = groupingField(fields) ?? (kind === 'area' ? 'stacked' : undefined)
  return {
    ...(title && { title }),
    ...(xTitle && { xTitle }),
    ...(yTitle && { yTitle }),
    ...(legend !== 'none' && { legend }),
    ...(grouping && { grouping }),
  }
}

export function legendField(fields: Fields): LegendPlace | 'none' | undefined {
  if (typeof fields.legend === 'boolean') return fields.legend ? 'bottom' : 'none'
  const places = [...(Object.keys(LEGEND_PLACES) as LegendPlace[]), 'none'] as const
  return wordField(fields, 'legend', places)
}

export function groupingField(fields: Fields): ChartPlan['grouping'] {
  if (typeof fields.stacked === 'boolean')
    return optionalFlag(fields, 'stacked') ? 'stacked' : 'clustered'
  const word = wordField(fields, 'stacked', ['stacked', 'percent', 'none'] as const)
  return word === 'percent' ? 'percentStacked' : word === 'none' ? 'clustered' : word
}

export function anchorField(sheet: Sheet, fields: Fields): CellAddress | undefined {
  const text = optionalText(fields, 'cell')
  if (text === undefined) return undefined
  const at = parseOwnCell(sheet, text.split(':')[0]!)
  if (typeof at !== 'string') return at
  throw wrong(fields, `cell ${at}`)
}

/** Right of all that the sheet holds. */
function besideData(sheet: Sheet): CellAddress {
  const used = usedBox(sheet)
  const right = used.ok && used.value ? used.value.right : 0
  return { row: 2, column: Math.min(right + 2, 16_000) }
}

export function removeChart(editor: Editor, sent: Fields): OperationResult {
  const book = settledBook(editor)
  const sheet = worksheetField(book, sent)
  const now = new LiveBook(book)
  const fields = withName(editor, now, sheet, sent, 'chart')
  const found = chosenObject(now, sheet, fields, 'chart')
  const place = `${placeOf(sheet.name, found.name)} chart`
  const result = {
    op: 'remove_chart',
    sheet: sheet.name,
    message: `Removed ${found.name} from ${JSON.stringify(sheet.name)}.`,
  }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  changeParts(editor, live =>
    removeDrawn(live, live.sheet(sheet), chosenObject(live, sheet, fields, 'chart')),
  )
  editor.recordObject(place, {
    before: { text: `${found.name}${found.cell ? ` at ${found.cell}` : ''}` },
    after: null,
    objects: [{ kind: 'drawing', sheet: sheet.id, name: found.name }],
    sheet: book.sheets[sheet.id]!,
  })
  return result
}

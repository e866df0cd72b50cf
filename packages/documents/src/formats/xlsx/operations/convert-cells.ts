import { type Box, counted, type Fields, isFields } from '@filewright/protocol'
import type { OperationResult } from '../../../format.ts'
import { Refusal } from '../../../refusal.ts'
import type { Sheet } from '../book/sheet.ts'
import { showCell } from '../book/show.ts'
import { usedBox } from '../book/used.ts'
import { boxName, cellKey, cellName, placeOf } from '../cell/address.ts'
import { type CellData, EMPTY_CONTENT, serialOfDate } from '../cell/cells.ts'
import { boxField, gridField, textField } from './arguments.ts'
import { cellsIn, type Editor } from './editor.ts'
import { refuseInsideArrays } from './guards.ts'
import {
  dateOf,
  decimalComma,
  doubtfulNumbers,
  inOrder,
  numberOf,
  numberStyle,
} from './in-place/text-values.ts'
import { listed } from './write-hints.ts'

const NONE: ReadonlySet<CellData> = new Set()
const TO = ['number', 'date', 'text', 'trim', 'split'] as const

/** Text that is a number or a date becomes one; numbers become text; spaces around text go; a column is split. */
export function convertCells(editor: Editor, fields: Fields): OperationResult {
  const sheet = gridField(editor.book, fields)
  const box = boxField(sheet, fields)
  const to = TO.find(own => own === fields.to)
  if (!to) throw new Refusal('INVALID_ARGUMENT', `convert_cells needs to, one of ${TO.join(', ')}`)
  refuseInsideArrays(sheet, box)
  if (to === 'split') return splitColumn(editor, sheet, box, fields)
  const comma = decimalComma(fields)
  const skipped: string[] = []
  let count = 0
  const cells = inOrder(cellsIn(editor.book, sheet, box))
  const doubtful =
    to === 'number' && fields.locale === undefined
      ? doubtfulNumbers(cells.filter(own => !own.formula))
      : NONE
  for (const cell of cells) {
    if (cell.formula || cell.content.type === 'empty') continue
    const made = doubtful.has(cell) ? 'skip' : converted(editor, cell, to, comma, fields)
    if (made === 'skip') skipped.push(cellName(cell.row, cell.column))
    else if (made && editor.writeCell(sheet, cell, made)) count++
  }
  if (skipped.length > 0)
    editor.warnings.push(
      `Left as they are, because their text is not certainly a ${to}: ${listed(skipped)}.${fields.locale === undefined ? ' A locale, such as "de-DE" or "en-US", says how to read them.' : ''}`,
    )
  return {
    op: 'convert_cells',
    sheet: sheet.name,
    range: boxName(box),
    cellCount: count,
    message: `Converted ${counted(count, 'cell')} of ${placeOf(sheet.name, boxName(box))} (${to}).`,
  }
}

type Edit = Parameters<Editor['writeCell']>[2]

function converted(
  editor: Editor,
  cell: CellData,
  to: Exclude<(typeof TO)[number], 'split'>,
  comma: boolean,
  fields: Fields,
): Edit | 'skip' | undefined {
  const { content, style } = cell
  if (to === 'trim') {
    if (content.type !== 'text') return undefined
    const value = content.value.replace(/[\s\u00a0]+/g, ' ').trim()
    return value === content.value ? undefined : { content: { type: 'text', value }, style }
  }
  if (to === 'text') {
    if (content.type === 'text') return undefined
    return { content: { type: 'text', value: showCell(editor.book, cell).text }, style }
  }
  if (content.type === 'number') return undefined
  if (content.type !== 'text') return 'skip'
  if (to === 'number') {
    const value = numberOf(content.value, comma)
    return value === undefined
      ? 'skip'
      : {
          content: { type: 'number', value },
          style: numberStyle(editor, style, content.value.includes('%') ? value : undefined),
        }
  }
  const iso = dateOf(content.value, fields)
  const serial = iso && serialOfDate(iso, editor.book.part.is1904)
  if (serial === undefined) return 'skip'
  const styles = editor.book.part.styles()
  const shown = styles.isDate(style) ? style : styles.derive(style, 'yyyy-mm-dd')
  return { content: { type: 'number', value: serial as number }, style: shown ?? style }
}

/** The parts of each text go to the cell and those right of it, which must be empty. */
function splitColumn(editor: Editor, sheet: Sheet, box: Box, fields: Fields): OperationResult {
  if (box.left !== box.right)
    throw new Refusal('INVALID_ARGUMENT', 'convert_cells: split takes one column, such as "B2:B20"')
  const separator = textField(fields, 'separator', ',')
  const cells = inOrder(cellsIn(editor.book, sheet, box))
  const split = cells.flatMap(cell =>
    cell.content.type === 'text' && !cell.formula && cell.content.value.includes(separator)
      ? [{ cell, parts: cell.content.value.split(separator).map(part => part.trim()) }]
      : [],
  )
  const width = Math.max(1, ...split.map(({ parts }) => parts.length))
  const wide = { ...box, right: box.left + width - 1 }
  const now = cellsIn(editor.book, sheet, wide)
  const full = [...now.values()].find(
    own => own.column > box.left && (own.content.type !== 'empty' || own.formula),
  )
  if (full)
    throw new Refusal(
      'CONFLICT',
      `the parts need ${counted(width, 'column')}, and ${cellName(full.row, full.column)} has content; insert ${counted(width - 1, 'column')} right of the column first (insert_columns)`,
    )
  let count = 0
  for (const { cell, parts } of split)
    for (const [index, value] of parts.entries()) {
      const column = box.left + index
      const before = now.get(cellKey(cell.row, column)) ?? {
        row: cell.row,
        column,
        style: cell.style,
        content: EMPTY_CONTENT,
      }
      if (
        editor.writeCell(sheet, before, {
          content: value === '' ? null : { type: 'text', value },
          style: before.style,
        })
      )
        count++
    }
  return {
    op: 'convert_cells',
    sheet: sheet.name,
    range: boxName(wide),
    cellCount: count,
    message: `Split ${counted(split.length, 'cell')} of ${placeOf(sheet.name, boxName(box))} into ${counted(width, 'column')}.`,
  }
}

/** Whole cells by their value: `{old: new}`. */
export function replaceValues(editor: Editor, fields: Fields): OperationResult {
  const { values } = fields
  const map = isFields(fields.map) ? fields.map : isFields(values) ? values : undefined
  if (!map || Object.keys(map).length === 0)
    throw new Refusal(
      'INVALID_ARGUMENT',
      'replace_values needs map, such as {"Nord": "North", "Süd": "South"}',
    )
  const sheets =
    fields.sheet === undefined
      ? editor.book.sheets.filter(own => own.kind === 'worksheet' && own.isInFile)
      : [gridField(editor.book, fields)]
  const counts = new Map(Object.keys(map).map(key => [key, 0]))
  const places: string[] = []
  for (const sheet of sheets) {
    const used = usedBox(sheet)
    const box =
      fields.range === undefined ? (used.ok ? used.value : undefined) : boxField(sheet, fields)
    if (!box) continue
    const cells = inOrder(cellsIn(editor.book, sheet, box)).filter(cell => {
      const { value } = cell.content
      return !cell.formula && value !== null && Object.hasOwn(map, String(value))
    })
    if (cells.length > 0) editor.guard(sheet)
    for (const cell of cells) {
      const key = String(cell.content.value)
      const to = map[key]
      const content = to === null ? null : toContent(to, key)
      refuseInsideArrays(sheet, {
        top: cell.row,
        bottom: cell.row,
        left: cell.column,
        right: cell.column,
      })
      if (!editor.writeCell(sheet, cell, { content, style: cell.style })) continue
      counts.set(key, counts.get(key)! + 1)
      if (places.length < 100) places.push(placeOf(sheet.name, cellName(cell.row, cell.column)))
    }
  }
  const missing = [...counts].filter(([, count]) => count === 0).map(([key]) => key)
  if (missing.length > 0)
    editor.warnings.push(`In no cell, so nothing was replaced: ${listed(missing)}.`)
  const count = [...counts.values()].reduce((sum, own) => sum + own, 0)
  return {
    op: 'replace_values',
    cellCount: count,
    cells: places,
    message: `Replaced ${counted(count, 'cell')} by their whole values.`,
  }
}

function toContent(value: unknown, key: string) {
  if (typeof value === 'number') return { type: 'number', value } as const
  if (typeof value === 'boolean') return { type: 'boolean', value } as const
  if (typeof value === 'string') return { type: 'text', value } as const
  throw new Refusal(
    'INVALID_ARGUMENT',
    `replace_values: the value for ${JSON.stringify(key)} is a number, text, true, false or null`,
  )
}

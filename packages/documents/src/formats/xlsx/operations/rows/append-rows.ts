import { type Box, counted, type Fields, isFields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { Refusal } from '../../../../refusal.ts'
import type { CellEdit, Sheet } from '../../book/sheet.ts'
import { showCell } from '../../book/show.ts'
import {
  boxName,
  cellKey,
  cellName,
  columnName,
  intersects,
  MAX_ROW,
  placeOf,
} from '../../cell/address.ts'
import { type CellData, EMPTY_CONTENT } from '../../cell/cells.ts'
import { foldedName } from '../../cell/same-name.ts'
import { PlacedFormulas } from '../../formula/placed-formulas.ts'
import { isForeign, parseValue } from '../../formula/values.ts'
import type { LineShift } from '../../places/line-shift.ts'
import { shiftFormula } from '../../places/rewrites.ts'
import { whyNotShift } from '../../shift/refusals.ts'
import { placesAfter } from '../../shift/shift-run.ts'
import { gridField } from '../arguments.ts'
import { cellsIn, type Editor } from '../editor.ts'
import { shownIn } from '../values.ts'
import { HINTS, type Hint, listed } from '../write-hints.ts'
import { type Block, blockOf } from './append-block.ts'
import { followed, relocate } from './relocate.ts'
import { settle, shiftPlaces } from './settle.ts'

/** New rows below the last row of data, above totals; ranges that ended there end at the last new row. */
export function appendRows(editor: Editor, fields: Fields): OperationResult {
  const given = gridField(editor.book, fields)
  const found = blockOf(editor, given, fields)
  const rows = rowsField(editor, given, found, fields)
  const [first, last] = [found.last + 1, found.last + rows.length]
  const place = `${placeOf(given.name, `${first}:${last}`)} appended`
  if (!editor.accepts(place)) return { op: 'append_rows', sheet: given.name, message: 'Left out.' }
  // cells around the block may have been part of it
  const around = { left: Math.max(1, found.box.left - 1), right: found.box.right + 1 }
  const column = { ...around, top: 1, bottom: MAX_ROW }
  const dependsOn = editor.writersOfCells(given, column)
  settle(editor)
  const { sheet, extended } = makeRoom(editor, gridField(editor.book, fields), found, rows.length)
  const texts = writeRows(editor, sheet, found, rows)
  const range = boxName({ ...found.box, top: first, bottom: last })
  editor.recordSheet(sheet, place, {
    kind: 'structure',
    before: null,
    after: { text: texts.join('\n') },
    dependsOn,
    ...(extended.length > 0 && { description: `extends ${extended.join(', ')}` }),
    carries: true,
  })
  editor.warnings.push(...found.warnings)
  return {
    op: 'append_rows',
    sheet: sheet.name,
    range,
    rowCount: rows.length,
    extended,
    message: `Appended ${counted(rows.length, 'row')} at ${placeOf(sheet.name, range)}${found.hasTotals ? ', above the totals' : ''}${extended.length > 0 ? `; extended: ${listed(extended)}` : ''}.`,
  }
}

/** Below dates it is one. */
const ISO_DAY = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?$/

/** Values by column, from the block's first one; undefined: not sent. */
type SentRow = readonly unknown[]

function rowsField(editor: Editor, sheet: Sheet, block: Block, fields: Fields): readonly SentRow[] {
  const { values, records } = fields
  const width = block.box.right - block.box.left + 1
  if (Array.isArray(records) && records.length > 0)
    return records.map((record, index) => byHeader(editor, sheet, block, record, index))
  if (!Array.isArray(values) || values.length === 0)
    throw new Refusal(
      'INVALID_ARGUMENT',
      'append_rows needs values, a list of rows such as [["North", 12]], or records, such as [{"Region": "North", "Amount": 12}]',
    )
  return values.map((row, index) => {
    if (!Array.isArray(row))
      throw new Refusal('INVALID_ARGUMENT', `append_rows: values[${index}] is not a list`)
    if (row.length > width)
      throw new Refusal(
        'INVALID_ARGUMENT',
        `append_rows: values[${index}] has ${row.length} values, and ${placeOf(sheet.name, boxName(block.box))} has ${counted(width, 'column')}`,
      )
    return row
  })
}

function byHeader(
  editor: Editor,
  sheet: Sheet,
  { box, headerRow }: Block,
  record: unknown,
  index: number,
): SentRow {
  if (!isFields(record))
    throw new Refusal('INVALID_ARGUMENT', `append_rows: records[${index}] is not an object`)
  const header = shownIn(editor, sheet, { ...box, top: headerRow, bottom: headerRow })
  const names = Array.from({ length: box.right - box.left + 1 }, (_, own) => {
    const cell = header.get(cellKey(headerRow, box.left + own))
    return cell ? showCell(editor.book, cell).text : ''
  })
  const strange = Object.keys(record).filter(
    name => names.filter(own => foldedName(own) === foldedName(name)).length !== 1,
  )
  if (strange.length > 0)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `append_rows: records[${index}] names ${strange.map(own => JSON.stringify(own)).join(', ')}, and the headers in row ${headerRow} are ${names.map(own => JSON.stringify(own)).join(', ')}`,
    )
  const byName = new Map(Object.entries(record).map(([name, value]) => [foldedName(name), value]))
  return names.map(name => byName.get(foldedName(name)))
}

function makeRoom(
  editor: Editor,
  sheet: Sheet,
  block: Block,
  count: number,
): { readonly sheet: Sheet; readonly extended: readonly string[] } {
  const lines = roomFor(editor, sheet, block, count)
  const why = lines && whyNotShift(editor.book, sheet, lines)
  if (why !== undefined)
    throw new Refusal('CONFLICT', `on sheet ${JSON.stringify(sheet.name)}, ${why}`)
  const { box, last, first } = block
  const grows = (own: Box) =>
    own.bottom === last &&
    own.top >= Math.min(box.top, block.headerRow) &&
    own.left >= box.left &&
    own.right <= box.right &&
    (own.top < last || (first === last && own.right > own.left))
  const step = lines && ({ kind: 'lines', sheet: sheet.id, lines } as const)
  const moved = step ? placesAfter(sheet, step).box : (own: Box) => own
  const shifted = shiftPlaces(
    editor,
    {
      sheet,
      step,
      box: own => (grows(own) ? { ...own, bottom: last + count } : moved(own)),
      moved,
      extends: grows,
      // A running total in a row of the block means that row.
      isInside: (row, column) =>
        row >= first && row <= last && column >= box.left && column <= box.right,
    },
    lines?.band ? { isRelocated: true } : { like: last },
  )
  const { extended } = shifted.run
  if (!step?.lines.band) return { sheet: shifted.sheet, extended }
  const after = relocate(editor, shifted.sheet, followed(step), { touched: [], isFollowed: true })
  return { sheet: after, extended }
}

/** Undefined: the rows below are free. Only the block's columns move if something else stands beside what is below. */
function roomFor(
  editor: Editor,
  sheet: Sheet,
  { box, last, hasTotals }: Block,
  count: number,
): LineShift | undefined {
  const below = { ...box, top: last + 1, bottom: last + count + 1 }
  const isFull = [...cellsIn(editor.book, sheet, below).values()].some(
    cell => cell.content.type !== 'empty' || cell.formula,
  )
  const merges = editor.book.mergesOf(sheet)
  const isMerged = merges.ok && merges.value.some(own => intersects(own, below))
  if (!hasTotals && !isFull && !isMerged) return undefined
  const beside = [
    ...cellsIn(editor.book, sheet, {
      top: last + 1,
      bottom: 1_048_576,
      left: 1,
      right: 16_384,
    }).values(),
  ]
  const isBeside = beside.some(
    ({ column, content, formula }) =>
      (column < box.left || column > box.right) && (content.type !== 'empty' || formula),
  )
  const shift: LineShift = { axis: 'row', kind: 'insert', runs: [{ at: last + 1, count }] }
  return isBeside ? { ...shift, band: [box.left, box.right] } : shift
}

/** Returns the rows as a person reviews them. */
function writeRows(editor: Editor, sheet: Sheet, block: Block, rows: readonly SentRow[]): string[] {
  const { box, first, last } = block
  const above = cellsIn(editor.book, sheet, {
    ...box,
    top: Math.max(first, last - 1),
    bottom: last,
  })
  const formulas = new PlacedFormulas(editor.book, sheet)
  const replaced: string[] = []
  const odd: string[] = []
  const whole: string[] = []
  const texts: string[] = []
  const hinted = new Map<Hint, string[]>()
  for (const [index, row] of rows.entries()) {
    const shown: string[] = []
    for (let column = box.left; column <= box.right; column++) {
      const model = above.get(cellKey(last, column))
      const sent = row[column - box.left]
      const at = { row: last + 1 + index, column }
      const name = columnName(column)
      const isAlike = model?.formula !== undefined && isAlikeAbove(above, model, first)
      const copied = model?.formula && formulas.copied(at, { ...model, formula: model.formula })
      const formula = isAlike ? copied : undefined
      if (model?.formula && !formula && sent === undefined) (copied ? odd : whole).push(name)
      if (formula && isSent(sent)) replaced.push(name)
      const style = model?.style ?? 0
      const edit = isSent(sent)
        ? editOf(editor, sheet, formulas, sent, { ...at, style }, hinted)
        : { content: null, style, ...(formula && { formula }) }
      shown.push(put(editor, sheet, at.row, column, edit))
    }
    texts.push(shown.join(' | '))
  }
  warnOfColumns(editor, { odd, whole, replaced })
  for (const [hint, cells] of hinted) editor.warnings.push(HINTS[hint](listed(cells)))
  return texts
}

function isSent(value: unknown): boolean {
  return value !== undefined && value !== null
}

function warnOfColumns(
  { warnings }: Editor,
  found: { odd: string[]; whole: string[]; replaced: string[] },
): void {
  const names = (list: readonly string[]) => [...new Set(list)].join(', ')
  if (found.odd.length > 0)
    warnings.push(
      `Left empty, because the formulas above differ from row to row: column ${names(found.odd)}.`,
    )
  if (found.whole.length > 0)
    warnings.push(
      `Left empty, because one formula fills several cells above: column ${names(found.whole)}.`,
    )
  if (found.replaced.length > 0)
    warnings.push(
      `Written as sent, although the rows above compute it: column ${names(found.replaced)}; leave the value out to copy the formula.`,
    )
}

/** Whether the row above that one has the same formula; the first row of data has none above. */
function isAlikeAbove(
  above: ReadonlyMap<number, CellData>,
  { formula, row, column }: CellData,
  first: number,
): boolean {
  if (row === first) return true
  const before = above.get(cellKey(row - 1, column))?.formula
  return before !== undefined && shiftFormula(before.text, 1, 0) === formula?.text
}

function editOf(
  editor: Editor,
  sheet: Sheet,
  formulas: PlacedFormulas,
  value: unknown,
  { row, column, style }: Pick<CellData, 'row' | 'column' | 'style'>,
  hinted: Map<Hint, string[]>,
): CellEdit {
  const styles = editor.book.part.styles()
  const isShown = styles.isDate(style) || styles.isDuration(style)
  const isDay = styles.isDate(style) && typeof value === 'string' && ISO_DAY.test(value)
  const sent = isDay ? { date: value } : value
  const input = parseValue(editor.book, sent, false, { sheet, row, column })
  if (typeof input === 'string' || isForeign(input))
    throw new Refusal(
      'INVALID_ARGUMENT',
      `append_rows: ${cellName(row, column)}: ${typeof input === 'string' ? input : input.problem}`,
    )
  const placed = formulas.typed({ row, column }, input)
  const hint = placed.hint ?? input.hint
  if (hint) hinted.set(hint, [...(hinted.get(hint) ?? []), cellName(row, column)])
  const own = input.pattern && !isShown ? (styles.derive(style, input.pattern) ?? style) : style
  return { content: input.content, style: own, ...(placed.formula && { formula: placed.formula }) }
}

function put(editor: Editor, sheet: Sheet, row: number, column: number, edit: CellEdit): string {
  const key = cellKey(row, column)
  const before = sheet.setCell(key, edit)
  editor.onUndo(() => sheet.setCell(key, before))
  if (edit.formula) return `=${edit.formula.text}`
  return showCell(editor.book, { content: edit.content ?? EMPTY_CONTENT, style: edit.style }).text
}

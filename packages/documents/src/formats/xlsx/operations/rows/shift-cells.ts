import { type Box, counted, type Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { Refusal } from '../../../../refusal.ts'
import { arraysOf } from '../../book/arrays.ts'
import type { Sheet } from '../../book/sheet.ts'
import { boxName, cellKey, covers, intersects, parseBox, placeOf } from '../../cell/address.ts'
import type { CellNow } from '../../cell/cells.ts'
import { tablesOf } from '../../parts/sheet-parts.ts'
import type { LineShift } from '../../places/line-shift.ts'
import { whyNotShift } from '../../shift/refusals.ts'
import { placesAfter } from '../../shift/shift-run.ts'
import { boxField, gridField, parseOwnCell } from '../arguments.ts'
import { cellsIn, type Editor } from '../editor.ts'
import { refuseUnknown, valuesIn } from '../values.ts'
import { headerRows } from './header-row.ts'
import { toRuns } from './lines.ts'
import { followed, relocate } from './relocate.ts'
import { columnIn } from './rows-where.ts'
import { settle, shiftPlaces } from './settle.ts'
import { rangeOf } from './sort.ts'

export function insertCells(editor: Editor, fields: Fields): OperationResult {
  return shiftCells(editor, fields, 'insert')
}

export function deleteCells(editor: Editor, fields: Fields): OperationResult {
  return shiftCells(editor, fields, 'delete')
}

function shiftCells(editor: Editor, fields: Fields, kind: LineShift['kind']): OperationResult {
  const first = gridField(editor.book, fields)
  const box = boxField(first, fields)
  const lines = linesOf(fields, box, kind)
  const place = `${placeOf(first.name, boxName(box))} ${kind === 'insert' ? 'cells inserted' : 'cells deleted'}`
  const op = String(fields.op)
  if (!editor.accepts(place)) return { op, sheet: first.name, message: 'Left out.' }
  const sheet = moveBand(editor, fields, lines)
  editor.recordSheet(sheet, place, {
    kind: 'structure',
    before: kind === 'insert' ? null : { text: `cells ${boxName(box)} deleted` },
    after: kind === 'insert' ? { text: `cells ${boxName(box)} inserted` } : null,
    carries: true,
  })
  const way =
    lines.axis === 'row'
      ? kind === 'insert'
        ? 'down'
        : 'up'
      : kind === 'insert'
        ? 'right'
        : 'left'
  return {
    op,
    sheet: sheet.name,
    range: boxName(box),
    message: `${kind === 'insert' ? 'Inserted' : 'Deleted'} the cells ${placeOf(sheet.name, boxName(box))}; those beside them moved ${way}, and references follow.`,
  }
}

function linesOf(fields: Fields, box: Box, kind: LineShift['kind']): LineShift {
  const shift = String(fields.shift ?? '').toLowerCase()
  const ways = kind === 'insert' ? (['down', 'right'] as const) : (['up', 'left'] as const)
  if (shift !== ways[0] && shift !== ways[1])
    throw new Refusal(
      'INVALID_ARGUMENT',
      `${fields.op} needs shift, ${JSON.stringify(ways[0])} or ${JSON.stringify(ways[1])}: where the cells beside ${boxName(box)} go`,
    )
  return shift === ways[0]
    ? {
        axis: 'row',
        kind,
        runs: [{ at: box.top, count: box.bottom - box.top + 1 }],
        band: [box.left, box.right],
      }
    : {
        axis: 'column',
        kind,
        runs: [{ at: box.left, count: box.right - box.left + 1 }],
        band: [box.top, box.bottom],
      }
}

/** Moves the cells of a band, and everything that points at them. */
export function moveBand(editor: Editor, fields: Fields, lines: LineShift): Sheet {
  settle(editor)
  const sheet = gridField(editor.book, fields)
  const why = whyNotShift(editor.book, sheet, lines) ?? cutMerge(editor, sheet, lines)
  if (why !== undefined)
    throw new Refusal('CONFLICT', `on sheet ${JSON.stringify(sheet.name)}, ${why}`)
  const step = { kind: 'lines', sheet: sheet.id, lines } as const
  const shifted = shiftPlaces(editor, placesAfter(sheet, step), { isRelocated: true })
  return relocate(editor, shifted.sheet, followed(step), {
    touched: [],
    isFollowed: true,
  })
}

function cutMerge({ book }: Editor, sheet: Sheet, lines: LineShift): string | undefined {
  const merges = book.mergesOf(sheet)
  const [low, high] = lines.band!
  const cut = (merges.ok ? merges.value : []).find(box => {
    const [from, to, last] =
      lines.axis === 'row' ? [box.left, box.right, box.bottom] : [box.top, box.bottom, box.right]
    const isBeside = to < low || from > high || last < lines.runs[0]!.at
    return !isBeside && (from < low || to > high)
  })
  return (
    cut &&
    `${boxName(cut)} is merged across the border of the cells that would move; unmerge it first`
  )
}

/** Moves cells to another place of the sheet; references to them follow. */
export function moveRange(editor: Editor, fields: Fields): OperationResult {
  const first = gridField(editor.book, fields)
  const from = boxField(first, fields)
  const at = parseOwnCell(first, String(fields.to ?? ''))
  if (typeof at === 'string')
    throw new Refusal(
      'INVALID_ARGUMENT',
      `move_range needs to, the first cell of the new place on the same sheet: ${at}. For another sheet use copy_range, then clear_range`,
    )
  const [rows, columns] = [at.row - from.top, at.column - from.left]
  const target = {
    top: at.row,
    left: at.column,
    bottom: from.bottom + rows,
    right: from.right + columns,
  }
  const place = `${placeOf(first.name, boxName(from))} moved to ${boxName(target)}`
  if (!editor.accepts(place)) return { op: 'move_range', sheet: first.name, message: 'Left out.' }
  settle(editor)
  const sheet = gridField(editor.book, fields)
  refuseMove(editor, sheet, from, target, fields.overwrite === true)
  const dependsOn = editor.writersOfCells(sheet, target)
  const step = { kind: 'block', sheet: sheet.id, from, to: at } as const
  const movesIn = (box: Box) => intersects(box, from) || intersects(box, target)
  const places = { ...placesAfter(sheet, step), movesIn }
  const shifted = shiftPlaces(editor, places, { isRelocated: true })
  const after = relocate(editor, shifted.sheet, followed(step), {
    touched: [from, target],
    isFollowed: true,
  })
  editor.recordSheet(after, place, {
    kind: 'structure',
    before: { text: boxName(from) },
    after: { text: boxName(target) },
    dependsOn, // what was in the way may have been cleared
    carries: true,
  })
  return {
    op: 'move_range',
    sheet: after.name,
    range: boxName(target),
    message: `Moved ${placeOf(after.name, boxName(from))} to ${boxName(target)}; references to its cells follow.`,
  }
}

function refuseMove(
  editor: Editor,
  sheet: Sheet,
  from: Box,
  target: Box,
  overwrite: boolean,
): void {
  const refuse = (why: string): never => {
    throw new Refusal('CONFLICT', `${placeOf(sheet.name, boxName(from))} cannot be moved: ${why}`)
  }
  const cut = whyNotMoved(editor, sheet, from) ?? whyNotMoved(editor, sheet, target, from)
  if (cut !== undefined) refuse(cut)
  if (overwrite) return
  const full = [...cellsIn(editor.book, sheet, target).values()].find(
    cell =>
      (cell.content.type !== 'empty' || cell.formula) &&
      !covers(from, { top: cell.row, bottom: cell.row, left: cell.column, right: cell.column }),
  )
  if (full)
    refuse(
      `${boxName({ top: full.row, bottom: full.row, left: full.column, right: full.column })} has content; choose an empty place, or send overwrite: true`,
    )
}

/** Something that a part of the box belongs to, and that would be torn. */
function whyNotMoved(editor: Editor, sheet: Sheet, box: Box, moving = box): string | undefined {
  const torn = (own: Box) => intersects(own, box) && !covers(box, own) && !covers(moving, own)
  const merges = editor.book.mergesOf(sheet)
  const merge = (merges.ok ? merges.value : []).find(torn)
  if (merge) return `${boxName(merge)} is merged; unmerge it first`
  const xml = sheet.xml()
  const array = xml.ok ? arraysOf(xml.value).find(torn) : undefined
  if (array) return `${boxName(array)} is filled by one formula, so a part of it cannot be moved`
  const table = tablesOf(editor.book.part, sheet).find(own => {
    const area = parseBox(own.ref)
    return area !== undefined && torn(area)
  })
  return (
    table && `it holds a part of the table ${table.name} (${table.ref}); move all of it, or none`
  )
}

/** Rows whose values in some columns occur above are removed; the others close up. */
export function removeDuplicates(editor: Editor, fields: Fields): OperationResult {
  const first = gridField(editor.book, fields)
  const box = rangeOf(editor, first, fields)
  const list = Array.isArray(fields.columns)
    ? fields.columns
    : fields.columns === undefined
      ? []
      : String(fields.columns).split(/\s*,\s*/)
  const columns =
    list.length > 0
      ? list.map(own => columnIn(editor, first, box, own))
      : Array.from({ length: box.right - box.left + 1 }, (_, index) => box.left + index)
  const data = { ...box, top: box.top + headerRows(editor, first, box, fields) }
  const gone = editor.resolve('rows gone', () => repeatedRows(editor, first, data, columns))
  const result = {
    op: 'remove_duplicates',
    sheet: first.name,
    range: boxName(box),
    rowCount: gone.length,
  }
  if (gone.length === 0)
    return { ...result, message: `No row of ${placeOf(first.name, boxName(box))} occurs twice.` }
  const place = `${placeOf(first.name, boxName(box))} duplicates removed`
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  const dependsOn = editor.writersOfCells(first, data)
  const sheet = moveBand(editor, fields, {
    axis: 'row',
    kind: 'delete',
    runs: toRuns(gone),
    band: [box.left, box.right],
  })
  editor.recordSheet(sheet, place, {
    kind: 'structure',
    before: { text: `rows ${gone.slice(0, 20).join(', ')}${gone.length > 20 ? ' …' : ''}` },
    after: null,
    dependsOn,
    carries: true,
  })
  return {
    ...result,
    rows: gone.slice(0, 100),
    message: `Removed ${counted(gone.length, 'row')} of ${placeOf(sheet.name, boxName(box))} whose values occur above; the rows below closed up.`,
  }
}

/** Rows that show the same in these columns as one above. */
function repeatedRows(
  editor: Editor,
  sheet: Sheet,
  data: Box,
  columns: readonly number[],
): readonly number[] {
  const cells = valuesIn(editor.book, sheet, data)
  const seen = new Set<string>()
  const gone: number[] = []
  const why = 'nothing tells whether its row occurs above'
  for (let row = data.top; row <= data.bottom; row++) {
    const own = columns.map(column => cells.get(cellKey(row, column)))
    for (const cell of own)
      refuseUnknown(editor, sheet, cell, { why, instead: 'name columns without it' })
    const key = JSON.stringify(own.map(keyOf))
    if (seen.has(key)) gone.push(row)
    else seen.add(key)
  }
  return gone
}

function keyOf(cell: CellNow | undefined): unknown {
  const value = cell?.content.value ?? null
  return typeof value === 'string' ? value.toLowerCase() : value
}

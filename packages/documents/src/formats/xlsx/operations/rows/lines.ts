import { type Box, counted, type Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { attribute } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import { treeOf } from '../../book/book.ts'
import type { Sheet } from '../../book/sheet.ts'
import { usedBox } from '../../book/used.ts'
import { columnName, parseBox, placeOf } from '../../cell/address.ts'
import { tablesOf } from '../../parts/sheet-parts.ts'
import {
  firstLine,
  type LineShift,
  lastLine,
  linesBoxes,
  type ShiftedRun,
} from '../../places/line-shift.ts'
import { whyNotShift } from '../../shift/refusals.ts'
import { placesAfter } from '../../shift/shift-run.ts'
import { gridField } from '../arguments.ts'
import type { Editor } from '../editor.ts'
import { countField, insertedLines, lineField, toLine } from './line-fields.ts'
import { RangesBeside } from './ranges-beside.ts'
import { rowsWhere } from './rows-where.ts'
import { settle, shiftPlaces } from './settle.ts'

type Axis = LineShift['axis']

export function insertRows(editor: Editor, fields: Fields): OperationResult {
  return insertLines(editor, fields, 'row')
}

export function insertColumns(editor: Editor, fields: Fields): OperationResult {
  return insertLines(editor, fields, 'column')
}

export function deleteRows(editor: Editor, fields: Fields): OperationResult {
  if (fields.where !== undefined && fields.rows !== undefined)
    throw new Refusal('INVALID_ARGUMENT', 'delete_rows takes rows or where, not both')
  if (fields.where === undefined)
    return deleteLines(editor, fields, 'row', runsField(fields, 'row'))
  const sheet = gridField(editor.book, fields)
  const found = rowsWhere(editor, sheet, fields)
  if (found.rows.length === 0)
    return {
      op: 'delete_rows',
      sheet: sheet.name,
      rows: [],
      message: `No row of ${found.looked} matches, so none was deleted.`,
    }
  return deleteLines(editor, fields, 'row', toRuns(found.rows), found.box)
}

export function deleteColumns(editor: Editor, fields: Fields): OperationResult {
  return deleteLines(editor, fields, 'column', runsField(fields, 'column'))
}

function insertLines(editor: Editor, fields: Fields, axis: Axis): OperationResult {
  const at = lineField(fields, axis)
  const count = countField(fields)
  if (at + count - 1 > lastLine({ axis }))
    throw new Refusal(
      'INVALID_ARGUMENT',
      `${fields.op}: a sheet has ${lastLine({ axis })} ${axis}s`,
    )
  const name = gridField(editor.book, fields).name
  const lines = insertedLines(fields, axis)
  const place = `${placeOf(name, linesName(lines))} inserted`
  const result = {
    op: String(fields.op),
    sheet: name,
    [`${axis}s`]: linesName(lines),
    message: `Inserted ${counted(count, axis)} at ${placeOf(name, linesName(lines))}; what was there moved ${axis === 'row' ? 'down' : 'right'}, and references follow.`,
  }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  settle(editor)
  const sheet = gridField(editor.book, fields)
  refuseShift(editor, sheet, lines)
  const like = likeField(editor, sheet, fields, axis, at)
  const beside = new RangesBeside(editor.book, sheet, lines)
  const step = { kind: 'lines', sheet: sheet.id, lines } as const
  const moved = shiftPlaces(
    editor,
    { ...placesAfter(sheet, step), sees: (owner, box) => beside.see(owner, box) },
    { like },
  )
  editor.warnings.push(...beside.warnings())
  editor.recordSheet(moved.sheet, place, {
    kind: 'structure',
    before: null,
    after: { text: `${counted(count, axis)} inserted` },
    carries: true,
    movedFrom: movedFrom(lines),
    inserted: lines,
  })
  return { ...result, message: result.message + beside.included() }
}

function deleteLines(
  editor: Editor,
  fields: Fields,
  axis: Axis,
  runs: readonly ShiftedRun[],
  looked?: Box,
): OperationResult {
  const lines: LineShift = { axis, kind: 'delete', runs }
  const name = gridField(editor.book, fields).name
  const count = runs.reduce((sum, run) => sum + run.count, 0)
  const place = `${placeOf(name, linesName(lines))} deleted`
  const result = {
    op: String(fields.op),
    sheet: name,
    [`${axis}s`]: linesName(lines),
    message: `Deleted ${counted(count, axis)} (${placeOf(name, linesName(lines))}); what follows moved ${axis === 'row' ? 'up' : 'left'}, and references follow.`,
  }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  settle(editor)
  const sheet = gridField(editor.book, fields)
  refuseShift(editor, sheet, lines)
  const dependsOn = [
    ...linesBoxes(lines).flatMap(box => editor.writersOfCells(sheet, box)),
    ...(looked ? editor.writersOfCells(sheet, looked) : []),
  ]
  const step = { kind: 'lines', sheet: sheet.id, lines } as const
  const moved = shiftPlaces(editor, placesAfter(sheet, step))
  editor.recordSheet(moved.sheet, place, {
    kind: 'structure',
    before: { text: `${counted(count, axis)} deleted` },
    after: null,
    dependsOn,
    carries: true,
    movedFrom: movedFrom(lines),
  })
  return result
}

/** What is above the first row, or left of the first column, stays where it is. */
function movedFrom(lines: LineShift): { readonly row: number; readonly column: number } {
  const none = Number.POSITIVE_INFINITY
  return lines.axis === 'row'
    ? { row: firstLine(lines), column: none }
    : { row: none, column: firstLine(lines) }
}

function refuseShift(editor: Editor, sheet: Sheet, lines: LineShift): void {
  const why = whyNotShift(editor.book, sheet, lines)
  if (why !== undefined)
    throw new Refusal('CONFLICT', `on sheet ${JSON.stringify(sheet.name)}, ${why}`)
}

/** `5:6`, `C`, `2:3, 7:7`. */
export function linesName({ axis, runs }: LineShift): string {
  const nameOf = (line: number) => (axis === 'row' ? String(line) : columnName(line))
  return runs.map(({ at, count }) => `${nameOf(at)}:${nameOf(at + count - 1)}`).join(',')
}

/** The line that new ones look like: the one before, unless that is a header and another row follows. */
function likeField(
  editor: Editor,
  sheet: Sheet,
  fields: Fields,
  axis: Axis,
  at: number,
): number | undefined {
  const { like } = fields
  if (like === 'none') return undefined
  if (like === 'below' || like === 'after' || like === 'right') return at
  if (like === 'above' || like === 'before' || like === 'left') return at > 1 ? at - 1 : undefined
  if (like !== undefined)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `${fields.op}: like is "above", "below" or "none", not ${JSON.stringify(like)}`,
    )
  if (at === 1) return undefined
  return axis === 'row' && isHeaderRow(editor, sheet, at - 1) ? at : at - 1
}

function isHeaderRow({ book }: Editor, sheet: Sheet, row: number): boolean {
  const used = usedBox(sheet)
  if (used.ok && used.value && used.value.bottom <= row) return false
  const isTable = tablesOf(book.part, sheet).some(table => {
    const box = parseBox(table.ref)
    return box !== undefined && table.headerRows > 0 && box.top === row
  })
  const xml = sheet.xml()
  const filter = xml.ok
    ? parseBox(attribute(treeOf(xml.value, 'autoFilter'), 'ref') ?? '')
    : undefined
  return isTable || filter?.top === row || (used.ok && used.value?.top === row)
}

/** `5`, `5:9`, `"5:6,9"`, `[5, 9]`; columns by letter. */
function runsField(fields: Fields, axis: Axis): readonly ShiftedRun[] {
  const value = fields[`${axis}s`] ?? fields[axis] ?? fields.at
  const parts = (Array.isArray(value) ? value : [value]).flatMap(own =>
    typeof own === 'string' ? own.split(/[,;\s]+/).filter(text => text !== '') : [own],
  )
  const count = fields.count === undefined ? 1 : countField(fields)
  const lines = parts.flatMap(part => {
    const [first, last] = typeof part === 'string' ? part.split(/[:-]/) : [part]
    const from = toLine(first, axis)
    const to = last === undefined ? from && from + count - 1 : toLine(last, axis)
    return from !== undefined && to !== undefined ? [[Math.min(from, to), Math.max(from, to)]] : []
  })
  if (lines.length === 0 || lines.length < parts.length)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `${fields.op} needs ${axis}s, such as ${axis === 'row' ? '"5", "5:9" or "5:6,9", or where' : '"C" or "C:E"'}${value === undefined ? '' : `; it is ${JSON.stringify(value)}`}`,
    )
  return toRuns(
    lines.flatMap(([from, to]) =>
      Array.from({ length: to! - from! + 1 }, (_, index) => from! + index),
    ),
  )
}

/** Runs of numbers next to each other. */
export function toRuns(lines: readonly number[]): ShiftedRun[] {
  const runs: { at: number; count: number }[] = []
  for (const line of [...new Set(lines)].sort((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last && last.at + last.count === line) last.count++
    else runs.push({ at: line, count: 1 })
  }
  return runs
}

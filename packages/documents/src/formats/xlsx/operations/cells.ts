import { counted, type Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../format.ts'
import { Refusal } from '../book/refusal.ts'
import { boxName, cellName, contains, MAX_COLUMN, MAX_ROW, placeOf } from '../cell/address.ts'
import type { CellData } from '../cell/cells.ts'
import { parseValue } from '../formula/values.ts'
import { tablesOf } from '../parts/sheet-parts.ts'
import { headerRows } from '../table/table-columns.ts'
import { boxField, cellField, gridField, listField, parseOwnCell } from './arguments.ts'
import { cellsIn, type Editor } from './editor.ts'
import { refuseInsideArrays } from './guards.ts'
import { type CellWrite, isFilled, writeCells } from './write-cells.ts'
import { listed } from './write-hints.ts'
import { warnOfPivots } from './write-warnings.ts'

export function setCells(editor: Editor, fields: Fields): OperationResult {
  const sheet = gridField(editor.book, fields)
  const hasTables = tablesOf(editor.book.part, sheet).length > 0
  const shape = 'a list of {"cell": "B2", "value": 12}'
  const problems: string[] = []
  const writes: CellWrite[] = []
  for (const [index, item] of listField(fields, 'cells', shape).entries()) {
    const { cell, value } = (item ?? {}) as { cell?: unknown; value?: unknown }
    const at =
      typeof cell === 'string'
        ? parseOwnCell(sheet, cell)
        : `${JSON.stringify(cell)} is not a cell address`
    const place = typeof at === 'string' || !hasTables ? undefined : { sheet, ...at }
    const input = parseValue(editor.book, value, fields.formulas === true, place)
    if (typeof at === 'string') problems.push(`cells[${index}].cell ${at}`)
    else if (typeof input === 'string') problems.push(`cells[${index}].value (${cell}): ${input}`)
    else writes.push({ ...at, input })
  }
  if (problems.length > 0) throw invalid(problems)
  return writeCells(editor, sheet, writes, 'set_cells')
}

export function setRange(editor: Editor, fields: Fields): OperationResult {
  const sheet = gridField(editor.book, fields)
  const hasTables = tablesOf(editor.book.part, sheet).length > 0
  const start = cellField(sheet, fields, 'start')
  const problems: string[] = []
  const writes: CellWrite[] = []
  for (const [index, row] of listField(
    fields,
    'values',
    'a list of rows, such as [["Name", 1], ["Other", 2]]',
  ).entries()) {
    if (!Array.isArray(row)) {
      problems.push(
        `values[${index}] is not a list; values is a list of rows, each a list of values`,
      )
      continue
    }
    for (const [offset, value] of row.entries()) {
      const at = { row: start.row + index, column: start.column + offset }
      const place = hasTables ? { sheet, ...at } : undefined
      const input = parseValue(editor.book, value, fields.formulas === true, place)
      if (at.row > MAX_ROW || at.column > MAX_COLUMN)
        problems.push(`values[${index}][${offset}] lies beyond the last cell of a sheet`)
      else if (typeof input === 'string')
        problems.push(`values[${index}][${offset}] (${cellName(at.row, at.column)}): ${input}`)
      else writes.push({ ...at, input })
      if (problems.length > 50) throw invalid(problems)
    }
  }
  if (writes.length === 0 && problems.length === 0)
    problems.push('values contains no value; null clears a cell')
  if (problems.length > 0) throw invalid(problems)
  return writeCells(editor, sheet, writes, 'set_range')
}

export function clearRange(editor: Editor, fields: Fields): OperationResult {
  const sheet = gridField(editor.book, fields)
  const box = boxField(sheet, fields)
  const cells = [...cellsIn(editor.book, sheet, box).values()].filter(isFilled).sort(inOrder)
  refuseInsideArrays(sheet, box)
  // A table needs its headers; if nothing else is to be cleared, the write reports that.
  const headers = headerRows(editor.book, sheet)
  const isHeader = ({ row, column }: CellData) => headers.some(own => contains(own, row, column))
  const kept = cells.every(isHeader) ? [] : cells.filter(isHeader)
  let count = 0
  for (const cell of kept.length > 0 ? cells.filter(own => !isHeader(own)) : cells)
    if (editor.writeCell(sheet, cell, { content: null, style: cell.style })) count++
  if (kept.length > 0)
    editor.warnings.push(
      `Kept, because a table needs its headers: ${listed(kept.map(own => cellName(own.row, own.column)))}.`,
    )
  if (count > 0) editor.warnings.push(...warnOfPivots(editor.book, sheet, box))
  return {
    op: 'clear_range',
    sheet: sheet.name,
    range: boxName(box),
    cellCount: count,
    message: `Cleared ${counted(count, 'cell')} of ${placeOf(sheet.name, boxName(box))}; formats stay.`,
  }
}

function inOrder(a: CellData, b: CellData): number {
  return a.row - b.row || a.column - b.column
}

function invalid(problems: readonly string[]): Refusal {
  return new Refusal('INVALID_ARGUMENT', problems.slice(0, 50).join('; '), {
    errors: problems.slice(0, 50),
  })
}

import { counted, type Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../format.ts'
import { Refusal } from '../../../refusal.ts'
import {
  boxName,
  type CellAddress,
  cellName,
  contains,
  MAX_COLUMN,
  MAX_ROW,
  placeOf,
} from '../cell/address.ts'
import type { CellData } from '../cell/cells.ts'
import { type ForeignFormula, isForeign, parseValue } from '../formula/values.ts'
import { tablesOf } from '../parts/sheet-parts.ts'
import { headerRows } from '../table/table-columns.ts'
import { boxField, cellField, gridField, listField, parseOwnCell } from './arguments.ts'
import { cellsIn, type Editor } from './editor.ts'
import { refuseInsideArrays, withItsArray } from './guards.ts'
import { type CellWrite, isFilled, writeCells } from './write-cells.ts'
import { listed } from './write-hints.ts'

export function setCells(editor: Editor, fields: Fields): OperationResult {
  const sheet = gridField(editor.book, fields)
  const hasTables = tablesOf(editor.book.part, sheet).length > 0
  const shape = 'a list of {"cell": "B2", "value": 12}'
  const faults = new Faults()
  const writes: CellWrite[] = []
  const isLeftOut = editor.leftOut(sheet)
  const meant = listField(fields, 'cells', shape).map((item, index) => {
    const { cell, value } = (item ?? {}) as { cell?: unknown; value?: unknown }
    const at =
      typeof cell === 'string'
        ? parseOwnCell(sheet, cell)
        : `${JSON.stringify(cell)} is not a cell address`
    if (typeof at !== 'string' && isLeftOut(at.row, at.column)) return item
    const place = typeof at === 'string' || !hasTables ? undefined : { sheet, ...at }
    const input = parseValue(editor.book, value, fields.formulas === true, place)
    if (typeof at === 'string') faults.add(`cells[${index}].cell ${at}`)
    else if (typeof input === 'string') faults.add(`cells[${index}].value (${cell}): ${input}`)
    else if (isForeign(input))
      return { cell, value: faults.mend(value, input, `cells[${index}].value (${cell})`) }
    else writes.push({ ...at, input })
    return item
  })
  faults.refuse(() => ({ ...fields, cells: meant }))
  return writeCells(editor, sheet, writes, 'set_cells')
}

export function setRange(editor: Editor, fields: Fields): OperationResult {
  const sheet = gridField(editor.book, fields)
  const hasTables = tablesOf(editor.book.part, sheet).length > 0
  const start = cellField(sheet, fields, 'start')
  refuseShownRows(fields, start.row)
  const faults = new Faults()
  const writes: CellWrite[] = []
  const isLeftOut = editor.leftOut(sheet)
  const parse = (value: unknown, at: CellAddress, name: string): unknown => {
    if (isLeftOut(at.row, at.column)) return value
    const place = hasTables ? { sheet, ...at } : undefined
    const input = parseValue(editor.book, value, fields.formulas === true, place)
    const cell = () => `${name} (${cellName(at.row, at.column)})`
    if (at.row > MAX_ROW || at.column > MAX_COLUMN)
      faults.add(`${name} is beyond the last cell of a sheet`)
    else if (typeof input === 'string') faults.add(`${cell()}: ${input}`)
    else if (isForeign(input)) return faults.mend(value, input, cell())
    else writes.push({ ...at, input })
    return value
  }
  const shape = 'a list of rows, such as [["Name", 1], ["Other", 2]]'
  const meant = listField(fields, 'values', shape).map((row, index) => {
    if (Array.isArray(row))
      return row.map((value, offset) => {
        const at = { row: start.row + index, column: start.column + offset }
        return parse(value, at, `values[${index}][${offset}]`)
      })
    faults.add(`values[${index}] is not a list; values is a list of rows, each a list of values`)
    return row
  })
  faults.refuse(() => ({ ...fields, values: meant }))
  if (writes.length === 0 && !editor.isReplay) throw new Refusal('INVALID_ARGUMENT', NO_VALUE)
  return writeCells(editor, sheet, writes, 'set_range')
}

/** Rows sent as `read_file` shows them, `12|North|10`, would each go into one cell. */
function refuseShownRows(fields: Fields, top: number): void {
  const rows = Array.isArray(fields.values) ? (fields.values as unknown[]) : []
  const split = rows.map((row, index) => {
    const [only, ...others] = Array.isArray(row) ? (row as unknown[]) : []
    const isShown = typeof only === 'string' && others.length === 0
    return isShown && only.startsWith(`${top + index}|`) ? only.split('|').slice(1) : undefined
  })
  const width = split[0]?.length
  if (width === undefined || split.some(parts => parts?.length !== width)) return
  const values = split.map(parts => parts!.map(asValue))
  throw new Refusal(
    'INVALID_ARGUMENT',
    `values has rows as read_file shows them, with the number of the row and bars between the cells; send each cell as a value of its own, such as ${JSON.stringify(values[0])}`,
    {},
    [{ ...fields, values }],
  )
}

function asValue(text: string): unknown {
  if (text === '') return null
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? Number(text) : text
}

const NO_VALUE = 'values contains no value; null clears a cell'

const MOST_TOLD = 50

/** What is wrong with the values of one operation. */
class Faults {
  readonly #problems: string[] = []
  #canMend = true

  add(problem: string) {
    this.#problems.push(problem)
    this.#canMend = false
    if (this.#problems.length > MOST_TOLD) throw this.#refusal()
  }

  /** The value to send instead. */
  mend(value: unknown, { problem, english }: ForeignFormula, place: string): unknown {
    this.#problems.push(`${place}: ${problem}`)
    return typeof value === 'string' ? `=${english}` : { formula: english }
  }

  /** Throws if there is a fault; with what was meant, if nothing else is wrong. */
  refuse(meant: () => Fields) {
    if (this.#problems.length > 0) throw this.#refusal(this.#canMend ? [meant()] : undefined)
  }

  #refusal(meant?: readonly Fields[]): Refusal {
    const errors = this.#problems.slice(0, MOST_TOLD)
    return new Refusal('INVALID_ARGUMENT', errors.join('; '), { errors }, meant)
  }
}

export function clearRange(editor: Editor, fields: Fields): OperationResult {
  const sheet = gridField(editor.book, fields)
  const box = boxField(sheet, fields)
  const cells = [...cellsIn(editor.book, sheet, box).values()].filter(isFilled).sort(inOrder)
  const isLeftOut = editor.leftOut(sheet)
  // the cells of an array are cleared together, so one that is left out leaves them all
  if (!cells.some(({ row, column }) => isLeftOut(row, column))) refuseInsideArrays(sheet, box)
  // A table needs its headers; if nothing else is to be cleared, the write reports that.
  const headers = headerRows(editor.book, sheet)
  const isHeader = ({ row, column }: CellData) => headers.some(own => contains(own, row, column))
  const kept = cells.every(isHeader) ? [] : cells.filter(isHeader)
  const together = withItsArray(editor, sheet, box, cells)
  let count = 0
  for (const cell of kept.length > 0 ? cells.filter(own => !isHeader(own)) : cells)
    if (editor.writeCell(sheet, cell, { content: null, style: cell.style }, together(cell))) count++
  if (kept.length > 0)
    editor.warnings.push(
      `Kept, because a table needs its headers: ${listed(kept.map(own => cellName(own.row, own.column)))}.`,
    )
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

import { type Box, counted, type Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { Refusal } from '../../../../refusal.ts'
import { defaultStyles } from '../../book/default-style.ts'
import type { Sheet } from '../../book/sheet.ts'
import { boxName, type CellAddress, cellKey, placeOf } from '../../cell/address.ts'
import type { CellData } from '../../cell/cells.ts'
import { isForeign, parseValue } from '../../formula/values.ts'
import { shiftFormula } from '../../places/rewrites.ts'
import { boxField, cellField, gridField } from '../arguments.ts'
import { type Copy, sourceCells, writeCopies } from '../copy-cells.ts'
import type { Editor } from '../editor.ts'
import { refuseTooMany } from '../guards.ts'
import { type CellWrite, writeCells } from '../write-cells.ts'
import { fillPattern } from './fill-pattern.ts'
import { cellsOf, seriesWrites } from './series.ts'

function boxAt({ row, column }: CellAddress): Box {
  return { top: row, bottom: row, left: column, right: column }
}

/** Fills a range from its first cell or from another one, with a series, a pattern or a formula. */
export function fill(editor: Editor, fields: Fields): OperationResult {
  const sheet = gridField(editor.book, fields)
  const box = boxField(sheet, fields)
  refuseTooMany(box, 'fill')
  if (fields.pattern === true) return fillPattern(editor, sheet, box, fields)
  if (fields.formula !== undefined)
    return writeCells(
      editor,
      sheet,
      formulaWrites(editor, sheet, box, String(fields.formula)),
      'fill',
      'Filled',
    )
  if (fields.series !== undefined)
    return writeCells(editor, sheet, seriesWrites(editor, sheet, box, fields), 'fill', 'Filled')
  const count = fillCopies(editor, sheet, box, fields)
  return {
    op: 'fill',
    sheet: sheet.name,
    range: boxName(box),
    cellCount: count,
    message: `Filled ${counted(count, 'cell')} in ${placeOf(sheet.name, boxName(box))}.`,
  }
}

/** Each row is filled from the cell of its column in the first row; a range of one row from its first cell. */
function fillCopies(editor: Editor, sheet: Sheet, box: Box, fields: Fields): number {
  const from = fields.from === undefined ? undefined : cellField(sheet, fields, 'from')
  const isRight = box.top === box.bottom || fields.direction === 'right'
  const origin = (row: number, column: number): CellAddress => {
    if (from) return from
    return isRight ? { row, column: box.left } : { row: box.top, column }
  }
  const copied = new Map<number, Copy>()
  const sources = new Map<number, CellData | undefined>()
  const styleOf = defaultStyles(sheet)
  for (let row = box.top; row <= box.bottom; row++)
    for (let column = box.left; column <= box.right; column++) {
      const at = origin(row, column)
      if (at.row === row && at.column === column) continue
      const key = cellKey(at.row, at.column)
      if (!sources.has(key)) sources.set(key, sourceCells(editor, sheet, boxAt(at), 'all').get(key))
      const cell = sources.get(key)
      const style = cell?.style ?? styleOf(at.row, at.column)
      copied.set(cellKey(row, column), { source: sheet, cell, ...at, style })
    }
  const across = isRight ? { ...box, right: box.left } : { ...box, bottom: box.top }
  const source = from ? boxAt(from) : across
  return writeCopies(editor, sheet, box, copied, 'all', editor.writersOfSource(sheet, source))
}

/** As `set_cells` writes it: each cell decides for itself how the formula is stored there. */
function formulaWrites(editor: Editor, sheet: Sheet, box: Box, formula: string): CellWrite[] {
  const at = { sheet, row: box.top, column: box.left }
  const input = parseValue(editor.book, { formula }, true, at)
  if (typeof input === 'string' || isForeign(input))
    throw new Refusal(
      'INVALID_ARGUMENT',
      `fill: formula ${typeof input === 'string' ? input : input.problem}`,
    )
  const { formula: typed } = input
  if (!typed) throw new Refusal('INVALID_ARGUMENT', 'fill: formula is empty')
  return cellsOf(box).map(({ row, column }) => {
    const text = shiftFormula(typed.text, row - box.top, column - box.left)
    return { row, column, input: { ...input, formula: { ...typed, text } } }
  })
}

import { type Box, counted, type Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { Refusal } from '../../../../refusal.ts'
import type { Sheet } from '../../book/sheet.ts'
import { usedBox } from '../../book/used.ts'
import { boxName, cellName, contains, placeOf } from '../../cell/address.ts'
import type { CellNow } from '../../cell/cells.ts'
import { boxField, gridField } from '../arguments.ts'
import type { Editor } from '../editor.ts'
import { arraysIn, refuseInsideArrays, withItsArray } from '../guards.ts'
import { shownIn, unknownAmong } from '../values.ts'
import { listed } from '../write-hints.ts'

/** Formulas of every kind become the values that they show now. */
export function freezeValues(editor: Editor, fields: Fields): OperationResult {
  const sheet = gridField(editor.book, fields)
  const box = boxOf(editor, sheet, fields)
  const shown = [...shownIn(editor, sheet, box).values()]
  const cells = formulasAmong(sheet, box, shown).sort(inOrder)
  const isLeftOut = editor.leftOut(sheet)
  // the cells of an array are frozen together, so one that is left out leaves them all
  if (!cells.some(({ row, column }) => isLeftOut(row, column))) refuseInsideArrays(sheet, box)
  refuseLacking(
    editor,
    sheet,
    cells.filter(({ row, column }) => !isLeftOut(row, column)),
  )
  const together = withItsArray(editor, sheet, box, cells)
  const errors: string[] = []
  let count = 0
  for (const cell of cells) {
    const content = cell.content.type === 'empty' ? null : cell.content
    if (!editor.writeCell(sheet, cell, { content, style: cell.style }, together(cell))) continue
    count++
    if (content?.type === 'error')
      errors.push(`${cellName(cell.row, cell.column)} (${content.value})`)
  }
  if (errors.length > 0) editor.warnings.push(`Frozen as errors: ${listed(errors)}.`)
  const place = placeOf(sheet.name, boxName(box))
  return {
    op: 'freeze_values',
    sheet: sheet.name,
    range: boxName(box),
    cellCount: count,
    message:
      cells.length === 0
        ? `${place} has no formulas, so nothing was changed.`
        : `Replaced the formulas of ${counted(count, 'cell')} in ${place} by the values they show.`,
  }
}

/** The range, or all cells with content. */
function boxOf(editor: Editor, sheet: Sheet, fields: Fields): Box {
  if (fields.range !== undefined) return boxField(sheet, fields)
  const box = editor.resolve('all', () => {
    const used = usedBox(sheet)
    return used.ok ? (used.value ?? null) : null
  })
  if (box) return box
  throw new Refusal(
    'NO_SUCH_REGION',
    `the sheet ${JSON.stringify(sheet.name)} has no cells with content`,
  )
}

/** Those with a formula, and those that an array formula or a data table fills. */
function formulasAmong(sheet: Sheet, box: Box, cells: readonly CellNow[]): CellNow[] {
  const arrays = arraysIn(sheet, box)
  return cells.filter(
    ({ formula, row, column }) => formula || arrays.some(own => contains(own, row, column)),
  )
}

function inOrder(a: CellNow, b: CellNow): number {
  return a.row - b.row || a.column - b.column
}

function refuseLacking(editor: Editor, sheet: Sheet, cells: readonly CellNow[]): void {
  const lacking = unknownAmong(editor, sheet, cells)
  if (lacking.length === 0) return
  throw new Refusal(
    'CONFLICT',
    `nothing was frozen, because it is not known what ${counted(lacking.length, 'formula')} of ${placeOf(sheet.name, '').slice(0, -1)} ${lacking.length === 1 ? 'shows' : 'show'}: ${listed(lacking)}; freeze the other cells, or write the values with set_cells`,
  )
}

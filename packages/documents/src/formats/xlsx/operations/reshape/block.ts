import { type Box, counted, type Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { Refusal } from '../../../../refusal.ts'
import { defaultStyles } from '../../book/default-style.ts'
import type { Sheet } from '../../book/sheet.ts'
import {
  boxName,
  cellKey,
  cellName,
  intersects,
  MAX_COLUMN,
  MAX_ROW,
  placeOf,
  splitSheet,
} from '../../cell/address.ts'
import { type CellData, EMPTY_CONTENT } from '../../cell/cells.ts'
import { gridField, parseOwnCell, textField } from '../arguments.ts'
import { cellsIn, type Editor } from '../editor.ts'
import { refuseInsideArrays, refuseTooMany } from '../guards.ts'
import { isFilled } from '../write-cells.ts'
import type { Placed, Source } from './source.ts'

type ValueRows = readonly (readonly Placed[])[]

/** Writes rows of values at `to`, an empty place of this sheet or of another one. */
export function writeBlock(
  editor: Editor,
  source: Source,
  block: ValueRows,
  fields: Fields,
): OperationResult {
  const { target, box } = targetOf(editor, source, block, fields)
  const now = cellsIn(editor.book, target, box)
  refuseInsideArrays(target, box)
  refuseFilled(editor, target, box, [...now.values()], fields)
  const dependsOn = editor.writersOfSource(source.sheet, source.box)
  const styleOf = defaultStyles(target)
  let count = 0
  for (const [down, cells] of block.entries())
    for (const [right, { content, style }] of cells.entries()) {
      const [row, column] = [box.top + down, box.left + right]
      const blank: CellData = { row, column, style: styleOf(row, column), content: EMPTY_CONTENT }
      const before = now.get(cellKey(row, column)) ?? blank
      if (content.type === 'empty' && !isFilled(before)) continue
      const edit = {
        content: content.type === 'empty' ? null : content,
        style: styleIn(editor, before.style, style),
      }
      if (editor.writeCell(target, before, edit, dependsOn)) count++
    }
  return {
    op: String(fields.op),
    sheet: target.name,
    range: boxName(box),
    rowCount: block.length - 1,
    cellCount: count,
    message: `Wrote ${counted(block.length - 1, 'row')} and a header to ${placeOf(target.name, boxName(box))}, from ${counted(source.rows.length, 'row')} of ${placeOf(source.sheet.name, boxName(source.box))}.`,
  }
}

/** The look of the new place, with the number format that the value had. */
function styleIn({ book }: Editor, own: number, from: number): number {
  const styles = book.part.styles()
  const pattern = styles.pattern(from)
  if (pattern === 'General' || styles.pattern(own) === pattern) return own
  return styles.derive(own, pattern) ?? own
}

function targetOf(
  editor: Editor,
  source: Source,
  block: ValueRows,
  fields: Fields,
): { readonly target: Sheet; readonly box: Box } {
  const to = textField(fields, 'to', 'Long!A1')
  const { sheet: name, address } = splitSheet(to)
  if (name !== undefined && !editor.book.sheet(name)) refuseMissing(editor, fields, name)
  const target =
    name === undefined ? source.sheet : gridField(editor.book, { ...fields, sheet: name })
  if (target !== source.sheet) editor.guard(target)
  const at = parseOwnCell(target, address)
  if (typeof at === 'string')
    throw new Refusal(
      'INVALID_ARGUMENT',
      `${fields.op} needs to, the first cell of the new place, such as "H1" or "Long!A1": ${at}`,
    )
  const width = block[0]!.length
  const box = {
    top: at.row,
    left: at.column,
    bottom: at.row + block.length - 1,
    right: at.column + width - 1,
  }
  if (box.bottom > MAX_ROW || box.right > MAX_COLUMN)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `${fields.op}: ${counted(block.length, 'row')} of ${counted(width, 'column')} do not fit below and right of ${to}`,
    )
  refuseTooMany(box, String(fields.op))
  if (target === source.sheet && intersects(box, source.box))
    throw new Refusal(
      'CONFLICT',
      `${fields.op}: the result needs ${boxName(box)}, which is over its source ${boxName(source.box)}; send another cell as to`,
    )
  return { target, box }
}

function refuseMissing({ book }: Editor, fields: Fields, name: string): never {
  const names = book.sheets.map(own => own.name)
  throw new Refusal(
    'NO_SUCH_REGION',
    `there is no sheet ${JSON.stringify(name)} for the result; the sheets are ${names.slice(0, 50).join(', ')}. For a new one put ${JSON.stringify({ op: 'ensure_sheet', sheet: name })} before it.`,
    { sheets: names },
    [{ op: 'ensure_sheet', sheet: name }, fields],
  )
}

function refuseFilled(
  { book, isReplay }: Editor,
  target: Sheet,
  box: Box,
  cells: readonly CellData[],
  fields: Fields,
): void {
  const full = cells.find(isFilled)
  // a replay has what was accepted once
  if (full && fields.overwrite !== true && !isReplay)
    throw new Refusal(
      'CONFLICT',
      `${fields.op}: the result needs ${placeOf(target.name, boxName(box))}, and ${cellName(full.row, full.column)} has content; choose an empty place, or send overwrite: true`,
    )
  const merges = book.mergesOf(target)
  const merge = (merges.ok ? merges.value : []).find(own => intersects(own, box))
  if (merge)
    throw new Refusal(
      'CONFLICT',
      `${fields.op}: ${boxName(merge)} of ${placeOf(target.name, boxName(box))} is merged; choose another place, or unmerge it first`,
    )
}

import { type Box, ok, type Result } from '@filewright/protocol'
import { cellKey, WHOLE_SHEET } from '../cell/address.ts'
import { CellScan } from '../cell/cell-scan.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'
import type { Sheet } from './sheet.ts'

const known = new WeakMap<SheetXml, Box | null>()

/** The smallest box around every cell with content; undefined for an empty sheet. Formats do not count. */
export function usedBox(sheet: Sheet): Result<Box | undefined> {
  const xml = sheet.xml()
  if (!xml.ok) return xml
  if (sheet.cells.size > 0) return scanned(sheet)
  let box = known.get(xml.value)
  if (box === undefined) {
    box = scanBase(xml.value) ?? null
    known.set(xml.value, box)
  }
  return ok(box ?? undefined)
}

/** The result of an earlier `usedBox` or map; undefined when it would have to be computed. */
export function knownUsedBox(sheet: Sheet): Box | null | undefined {
  if (sheet.cells.size > 0) return undefined
  const xml = sheet.xmlTo(1)
  return xml.ok ? known.get(xml.value) : undefined
}

/** For a pass that visited every cell anyway. */
export function noteUsedBox(xml: SheetXml, box: Box | undefined): void {
  known.set(xml, box ?? null)
}

/** One pass over the offsets; decodes no value. */
function scanBase(xml: SheetXml): Box | undefined {
  let top = 0
  let bottom = 0
  let left = Number.POSITIVE_INFINITY
  let right = 0
  const cell = new CellScan()
  for (let index = 0; index < xml.rows.count; index++)
    xml.scanRow(index, cell, own => {
      if (!own.hasContent) return
      if (top === 0) top = own.row
      if (own.row > bottom) bottom = own.row
      if (own.column < left) left = own.column
      if (own.column > right) right = own.column
    })
  return top === 0 ? undefined : { top, left, bottom, right }
}

function scanned(sheet: Sheet): Result<Box | undefined> {
  const xml = sheet.xml()
  if (!xml.ok) return xml
  let box: Box | undefined
  const grow = (row: number, column: number) => {
    box = box
      ? {
          top: Math.min(box.top, row),
          left: Math.min(box.left, column),
          bottom: Math.max(box.bottom, row),
          right: Math.max(box.right, column),
        }
      : { top: row, left: column, bottom: row, right: column }
  }
  const cell = new CellScan()
  for (let index = 0; index < xml.value.rows.count; index++)
    xml.value.scanRow(index, cell, own => {
      if (own.hasContent && !sheet.cells.has(cellKey(own.row, own.column)))
        grow(own.row, own.column)
    })
  for (const { row, column, edit } of sheet.editsIn(WHOLE_SHEET))
    if (edit.content || edit.formula) grow(row, column)
  return ok(box)
}

import type { Box } from '@filewright/protocol'
import { attribute, child } from '../../../opc/index.ts'
import { arraysOf } from '../book/arrays.ts'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { usedBox } from '../book/used.ts'
import { boxName, cellName, covers, intersects, parseBox, placeOf } from '../cell/address.ts'
import { CellScan } from '../cell/cell-scan.ts'
import { scanFormulas } from '../cell/formula-cells.ts'
import { relationshipsOf, type SheetTable, tablesOf } from '../parts/sheet-parts.ts'
import { findSlicer } from '../parts/slicers.ts'
import { type LineShift, lastLine, linesBoxes, mapBox, mapLine } from '../places/line-shift.ts'

/** Why rows or columns cannot be inserted or deleted there; undefined: nothing stands in the way. */
export function whyNotShift(book: Book, sheet: Sheet, shift: LineShift): string | undefined {
  return (
    misplacedCells(sheet) ??
    beyondEnd(sheet, shift) ??
    cutArray(sheet, shift) ??
    cutPivot(book, sheet, shift) ??
    cutTable(book, sheet, shift)
  )
}

function misplacedCells(sheet: Sheet): string | undefined {
  const xml = sheet.xml()
  if (!xml.ok) return xml.failure.message
  const cell = new CellScan()
  let found: number | undefined
  for (let index = 0; index < xml.value.rows.count && found === undefined; index++)
    xml.value.scanRow(index, cell, own => {
      if (own.isMisplaced) found = own.row
    })
  return found === undefined
    ? undefined
    : `row ${found} has a cell whose address is in another row or beyond the last column, so programs disagree on where it is; ask for a copy saved by a spreadsheet program`
}

function beyondEnd(sheet: Sheet, shift: LineShift): string | undefined {
  if (shift.kind === 'delete') return undefined
  const used = usedBox(sheet)
  if (!used.ok || !used.value) return undefined
  const last = shift.axis === 'row' ? used.value.bottom : used.value.right
  const isInside = last < shift.runs[0]!.at || mapLine(shift, last) !== undefined
  return isInside
    ? undefined
    : `cells with content would move beyond the last ${shift.axis}, ${lastLine(shift)}; the used range is ${boxName(used.value)}`
}

/** A line is inserted inside the box, or a part of it is deleted. */
function isCut(shift: LineShift, box: Box): boolean {
  const [first, last] = shift.axis === 'row' ? [box.top, box.bottom] : [box.left, box.right]
  if (shift.band) {
    const after = mapBox(shift, box)
    const [low, high] = shift.axis === 'row' ? [box.left, box.right] : [box.top, box.bottom]
    const isBeside = high < shift.band[0] || low > shift.band[1] || last < shift.runs[0]!.at
    const isWithin = low >= shift.band[0] && high <= shift.band[1]
    if (isBeside) return false
    if (!isWithin) return true
    if (!after) return false
  }
  if (shift.kind === 'insert') return shift.runs[0]!.at > first && shift.runs[0]!.at <= last
  return linesBoxes(shift).some(own => intersects(own, box) && !covers(own, box))
}

function isDeleted(shift: LineShift, box: Box): boolean {
  return shift.kind === 'delete' && mapBox(shift, box) === undefined
}

function cutArray(sheet: Sheet, shift: LineShift): string | undefined {
  const xml = sheet.xml()
  const cut = xml.ok ? arraysOf(xml.value).find(box => isCut(shift, box)) : undefined
  return (
    cut &&
    `${boxName(cut)} is filled by one formula (an array or a data table), so no ${shift.axis} can be ${shift.kind === 'insert' ? 'inserted inside it' : 'deleted from it'}; choose a place outside ${boxName(cut)}`
  )
}

function cutPivot(book: Book, sheet: Sheet, shift: LineShift): string | undefined {
  for (const { kind, target } of relationshipsOf(book.part, sheet)) {
    const document = kind === 'pivotTable' ? book.part.package.xml(target) : undefined
    if (!document?.ok) continue
    const { root } = document.value
    const location = child(root, 'location')
    const box = parseBox(attribute(location, 'ref') ?? '')
    if (!box) continue
    const pages = Number(attribute(location, 'rowPageCount') ?? 0)
    // The fields that filter the whole pivot table stand above it, with a row between.
    const whole = { ...box, top: pages > 0 ? Math.max(1, box.top - pages - 1) : box.top }
    const name = attribute(root, 'name') ?? ''
    if (isCut(shift, whole) || isDeleted(shift, whole))
      return `the pivot table ${name} is at ${boxName(whole)}, and a pivot table cannot be cut; choose a place outside it`
  }
  return undefined
}

function cutTable(book: Book, sheet: Sheet, shift: LineShift): string | undefined {
  for (const table of tablesOf(book.part, sheet)) {
    const box = parseBox(table.ref)
    if (!box) continue
    const why = shift.axis === 'row' ? cutTableRows(table, box, shift) : undefined
    if (why) return why
    if (shift.band && isCut(shift, box) && !isWhole(shift, box))
      return `the table ${table.name} (${table.ref}) would be torn apart; shift all its ${shift.axis === 'row' ? 'columns' : 'rows'}`
    if (shift.axis === 'column') {
      const whyColumn = cutTableColumns(book, sheet, table, box, shift)
      if (whyColumn) return whyColumn
    }
  }
  return undefined
}

function isWhole({ axis, band }: LineShift, box: Box): boolean {
  const [low, high] = axis === 'row' ? [box.left, box.right] : [box.top, box.bottom]
  return band !== undefined && band[0] <= low && band[1] >= high
}

function cutTableRows(table: SheetTable, box: Box, shift: LineShift): string | undefined {
  if (shift.band && !isWhole(shift, box)) return undefined
  const hint = `the table ${table.name} is at ${table.ref}`
  const first = box.top + table.headerRows
  const last = box.bottom - (table.hasTotals ? 1 : 0)
  if (shift.kind === 'insert')
    return table.headerRows > 0 && shift.runs[0]!.at > box.top && shift.runs[0]!.at < first
      ? `${hint}, and its header rows cannot be parted`
      : undefined
  const isGone = (row: number) => mapLine(shift, row) === undefined
  if (table.headerRows > 0 && isGone(box.top))
    return `${hint}, and its header cannot be deleted; leave row ${box.top} out`
  if (table.hasTotals && isGone(box.bottom))
    return `${hint}, and its totals row cannot be deleted; leave row ${box.bottom} out`
  return mapBox(shift, { ...box, top: first, bottom: last }) === undefined
    ? `${hint}, and it needs one row below its header; clear that row with clear_range instead`
    : undefined
}

function cutTableColumns(
  book: Book,
  sheet: Sheet,
  table: SheetTable,
  box: Box,
  shift: LineShift,
): string | undefined {
  if (shift.band && !isWhole(shift, box)) return undefined
  const hint = `the table ${table.name} is at ${table.ref}`
  const after = mapBox(shift, box)
  if (!after) return `${hint}, and all its columns would go; clear it with clear_range instead`
  if (after.right - after.left === box.right - box.left) return undefined
  const hasQuery = book.part.package
    .relationships(table.part)
    .some(own => own.kind === 'queryTable')
  if (hasQuery)
    return `${hint} and filled by a query, which decides on its columns; choose a place outside it`
  if (shift.kind === 'delete' && findSlicer(book, sheet) !== undefined)
    return `${hint}, and a slicer filters a table of this sheet; ask the person to delete the slicer in a spreadsheet program first`
  const gone = table.columns.filter((_, index) => mapLine(shift, box.left + index) === undefined)
  const user = gone.length > 0 ? findUser(book, gone) : undefined
  return user && `${hint}, and the formula in ${user} names a column that would go; change it first`
}

/** A formula that names one of the columns of a table. */
function findUser(book: Book, columns: readonly string[]): string | undefined {
  const words = columns.map(name => `${name.toLowerCase()}]`)
  let found: string | undefined
  for (const sheet of book.sheets) {
    const xml = sheet.isInFile ? sheet.xml() : undefined
    if (!xml?.ok) continue
    scanFormulas(xml.value, own => {
      if (found !== undefined) return
      const text = sheet.formulaOf(xml.value, own)?.text.toLowerCase() ?? ''
      if (words.some(word => text.includes(word)))
        found = placeOf(sheet.name, cellName(own.row, own.column))
    })
  }
  return found
}

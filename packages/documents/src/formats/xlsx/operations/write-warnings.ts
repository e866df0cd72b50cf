import type { Box } from '@filewright/protocol'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { boxName, columnName, contains, intersects, parseBox, placeOf } from '../cell/address.ts'
import {
  type PivotSource,
  pivotSourcesOf,
  pivotsOf,
  type SheetTable,
  tablesOf,
} from '../parts/sheet-parts.ts'

interface FilledCell {
  readonly row: number
  readonly column: number
}

/**
 * A table grows when a person types there, but not when the file is written, so results over the table exclude these
 * cells.
 */
export function warnBesideTables(
  book: Book,
  sheet: Sheet,
  filled: readonly FilledCell[],
): readonly string[] {
  return tablesOf(book.part, sheet).flatMap(({ name, ref, hasTotals }) => {
    const box = parseBox(ref)
    if (!box) return []
    const isIn = (place: Box) => filled.some(({ row, column }) => contains(place, row, column))
    const below = { ...box, top: box.bottom + 1, bottom: box.bottom + 1 }
    const beside = { ...box, left: box.right + 1, right: box.right + 1 }
    const outside = (line: string, where: string) =>
      `${line} is ${where} the table ${name} (${ref}) and is not part of it: formulas and charts on the table leave it out until a person drags its corner over it.`
    return [
      ...(!hasTotals && isIn(below) ? [outside(`Row ${below.top}`, 'below')] : []),
      ...(isIn(beside) ? [outside(`Column ${columnName(beside.left)}`, 'next to')] : []),
    ]
  })
}

/** A pivot table has the results of its last refresh, and a refresh rewrites its cells. */
export function warnOfPivots(book: Book, sheet: Sheet, touched: Box): readonly string[] {
  const { part } = book
  const sources = pivotSourcesOf(part)
  if (sources.length === 0) return NONE
  const isTouched = (ref: string) => {
    const box = parseBox(ref)
    return box !== undefined && intersects(box, touched)
  }
  const own = pivotsOf(part, sheet, formula => book.rewriteFormula(formula))
  const tables = tablesOf(part, sheet)
  const fileName = part.sheets[sheet.id]?.name
  const read = sources.find(({ sheet: name, ref, table }) =>
    table === undefined
      ? name === fileName && isTouched(ref)
      : tables.some(each => each.name === table && isTouched(each.ref)),
  )
  const names = read ? fieldsIn(read) : ''
  return [
    ...own
      .filter(({ ref }) => isTouched(ref))
      .map(
        ({ name, ref, source }) =>
          `${placeOf(sheet.name, ref)} is the pivot table ${name}, which overwrites its cells when it is refreshed; to change what it shows, change its source (${source}).`,
      ),
    ...(read
      ? [
          `Pivot tables based on ${read.table ?? placeOf(sheet.name, read.ref)} show their old values until a spreadsheet program opens the file; it then refreshes them.`,
        ]
      : []),
    ...(read && isTouched(headerOf(read, tables))
      ? [
          `A header of ${read.table ?? placeOf(sheet.name, read.ref)} was written, and a pivot table knows its fields by their headers${names}: a field whose header changed drops out of it; edit_pivot puts it back.`,
        ]
      : []),
  ]
}

/** The first row of a source. */
function headerOf({ ref, table }: PivotSource, tables: readonly SheetTable[]): string {
  const box = parseBox(
    table === undefined ? ref : (tables.find(own => own.name === table)?.ref ?? ''),
  )
  return box ? boxName({ ...box, bottom: box.top }) : ''
}

/** ` (Region, Net)`: the fields that pivot tables of the source know. */
function fieldsIn({ fields }: PivotSource): string {
  return fields.length === 0 ? '' : ` (${fields.slice(0, 20).join(', ')})`
}

const NONE: readonly string[] = []

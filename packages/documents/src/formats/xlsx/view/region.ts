import { type Box, fail, ok, type Result } from '@filewright/protocol'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { usedBox } from '../book/used.ts'
import { boxName, closedBox, parseBox, parseOpenBox, placeOf, splitSheet } from '../cell/address.ts'
import { SELECTORS, type WorkbookRegion } from '../declared/selectors.ts'
import { tablesOf } from '../parts/sheet-parts.ts'

/** A resolved region: a sheet, the box on it, and whether the caller asked for that box or for everything. */
export interface SheetPlace {
  readonly sheet: Sheet
  readonly box: Box
  readonly isWholeSheet: boolean
  /** Undefined for an empty sheet; set only when it had to be computed. */
  readonly used?: Box
}

export function resolveRegion(
  book: Book,
  region: WorkbookRegion,
): Result<SheetPlace | { readonly empty: Sheet }> {
  const strangers = Object.entries(region)
    .filter(([name, value]) => value !== undefined && !Object.hasOwn(SELECTORS, name))
    .map(([name]) => name)
  if (strangers.length > 0)
    return fail(
      'INVALID_ARGUMENT',
      `Cannot read a spreadsheet by ${strangers.join(', ')}: use sheet and range, such as {"sheet": ${JSON.stringify(book.sheets[0]?.name ?? 'Sheet1')}, "range": "A1:E50"}.`,
    )
  if (region.range !== undefined && region.range.trim() !== '')
    return resolveRange(book, region.range.trim(), region.sheet)
  const sheet =
    region.sheet === undefined ? ok(firstSheet(book)) : book.findSheet(region.sheet, 'read')
  if (!sheet.ok) return sheet
  if (!sheet.value)
    return fail('NO_SUCH_REGION', 'Cannot read the workbook: it has no sheet with cells.')
  return wholeSheet(sheet.value)
}

function firstSheet(book: Book): Sheet | undefined {
  const withCells = book.sheets.filter(sheet => sheet.kind !== 'chartsheet')
  return withCells.find(sheet => sheet.visibility === 'visible') ?? withCells[0]
}

function wholeSheet(sheet: Sheet): Result<SheetPlace | { readonly empty: Sheet }> {
  const none = withoutCells(sheet)
  if (none) return none
  const used = usedBox(sheet)
  if (!used.ok) return used
  if (!used.value) return ok({ empty: sheet })
  return ok({ sheet, box: used.value, isWholeSheet: true, used: used.value })
}

function withoutCells(sheet: Sheet): Result<never> | undefined {
  if (sheet.kind !== 'chartsheet' && sheet.kind !== 'dialogsheet') return undefined
  return fail(
    'NO_SUCH_REGION',
    `Cannot read the sheet ${JSON.stringify(sheet.name)}: it is a ${sheet.kind} and has no cells; the map says what it shows.`,
  )
}

function resolveRange(
  book: Book,
  range: string,
  sheetName: string | undefined,
): Result<SheetPlace> {
  const split = splitSheet(range)
  const wanted = split.sheet ?? sheetName
  const box = parseBox(split.address) ?? parseOpenBox(split.address)
  if (!box) return resolveName(book, split.address, sheetName)
  const sheet = wanted === undefined ? ok(firstSheet(book)) : book.findSheet(wanted, 'read')
  if (!sheet.ok) return sheet
  if (!sheet.value)
    return fail('NO_SUCH_REGION', 'Cannot read the workbook: it has no sheet with cells.')
  return withoutCells(sheet.value) ?? placeOn(sheet.value, split.address, box)
}

/** `A2:A` ends where the cells with content do. */
function placeOn(sheet: Sheet, address: string, box: Box): Result<SheetPlace> {
  if (parseBox(address)) return ok({ sheet, box, isWholeSheet: false })
  const used = usedBox(sheet)
  if (!used.ok) return used
  return ok({ sheet, box: closedBox(box, used.value), isWholeSheet: false, ...given(used.value) })
}

function given(used: Box | undefined): { readonly used?: Box } {
  return used ? { used } : {}
}

/** A table's cells with its header, or the range of a defined name. */
function resolveName(book: Book, name: string, sheetName: string | undefined): Result<SheetPlace> {
  const folded = name.toLowerCase()
  const tables = book.sheets.flatMap(sheet =>
    tablesOf(book.part, sheet).map(table => ({ sheet, table })),
  )
  const table = tables.find(own => own.table.name.toLowerCase() === folded)
  const tableBox = table && parseBox(table.table.ref)
  if (table && tableBox) return ok({ sheet: table.sheet, box: tableBox, isWholeSheet: false })
  const local = sheetName === undefined ? -1 : book.sheets.indexOf(book.sheet(sheetName) as Sheet)
  const names = book.definedNames.filter(own => own.name.toLowerCase() === folded)
  const defined =
    names.find(own => own.localSheet === local) ??
    names.find(own => own.localSheet === undefined) ??
    names[0]
  if (defined) {
    const target = splitSheet(defined.text.replace(/^=/, ''))
    const box = parseBox(target.address)
    const sheet = target.sheet === undefined ? undefined : book.sheet(target.sheet)
    if (box && sheet) return ok({ sheet, box, isWholeSheet: false })
    return fail(
      'NO_SUCH_REGION',
      `Cannot read the name ${defined.name}: it refers to "${defined.text}", which is not a single range of cells.`,
    )
  }
  const known = [
    ...tables.map(own => own.table.name),
    ...book.definedNames.filter(own => !own.isHidden).map(own => own.name),
  ]
  const shown = known.slice(0, 30).join(', ')
  return fail(
    'NO_SUCH_REGION',
    `Cannot read the range ${JSON.stringify(name)}: it is not a range such as A1:E50, and ${known.length > 0 ? `the tables and names are ${shown}` : 'the workbook has no tables or names'}.`,
  )
}

export function beyondEnd(sheet: Sheet, box: Box, used: Box | undefined) {
  const last = used
    ? `its last row with data is ${used.bottom} and its last column ${boxName({ ...used, top: 1, bottom: 1, left: used.right }).replace(/\d+$/, '')} (used: ${boxName(used)})`
    : 'the sheet is empty'
  return fail(
    'NO_SUCH_REGION',
    `Cannot read ${placeOf(sheet.name, boxName(box))}: it is beyond the data; ${last}.`,
    {
      details: { sheet: sheet.name, usedRange: used ? boxName(used) : null },
    },
  )
}

import { type Box, type Fields, isFields } from '@filewright/protocol'
import { Refusal } from '../../../refusal.ts'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { usedBox } from '../book/used.ts'
import {
  boxName,
  type CellAddress,
  cellName,
  closedBox,
  parseBox,
  parseCell,
  parseOpenBox,
  placeOf,
  splitSheet,
} from '../cell/address.ts'
import { tablesOf } from '../parts/sheet-parts.ts'

const MOST_NAMES = 50

/** Reads an operation's fields; an error names what is missing or wrong and what would work. */
export function textField(fields: Fields, name: string, example: string): string {
  const value = fields[name]
  if (typeof value === 'string' && value !== '') return value
  throw new Refusal(
    'INVALID_ARGUMENT',
    `${fields.op} needs ${name}, such as ${JSON.stringify(example)}`,
  )
}

export function sheetField(book: Book, fields: Fields): Sheet {
  const wanted = typeof fields.sheet === 'number' ? String(fields.sheet) : fields.sheet
  if (typeof wanted !== 'string' || wanted === '') {
    const names = sheetNames(book)
    const own = sheetOfTable(book, fields.table)
    if (own)
      throw new Refusal(
        'INVALID_ARGUMENT',
        `${fields.op} needs sheet; the table ${String(fields.table)} is on ${JSON.stringify(own)}`,
        { sheets: names },
        [{ ...fields, sheet: own }],
      )
    throw new Refusal(
      'INVALID_ARGUMENT',
      `${fields.op} needs sheet; the sheets are ${names.join(', ')}`,
      { sheets: names },
    )
  }
  const sheet = book.findSheet(wanted, 'edit')
  if (sheet.ok) return sheet.value
  const { message, details: { meant, ...details } = {} } = sheet.failure
  if (isFields(meant))
    throw new Refusal('NO_SUCH_REGION', message, details, [{ ...fields, ...meant }])
  throw new Refusal('NO_SUCH_REGION', `${message}${howToMake(fields)}`, details)
}

export function sheetNames({ sheets }: Book): readonly string[] {
  return sheets.slice(0, MOST_NAMES).map(sheet => sheet.name)
}

function sheetOfTable({ part, sheets }: Book, table: unknown): string | undefined {
  const isWanted = ({ name }: { readonly name: string }) =>
    typeof table === 'string' && name.toLowerCase() === table.toLowerCase()
  return sheets.find(own => tablesOf(part, own).some(isWanted))?.name
}

const FILLS: readonly unknown[] = ['set_cells', 'set_range']

/** A write to a missing sheet may well mean a new one. */
function howToMake({ op, sheet }: Fields): string {
  if (!FILLS.includes(op)) return ''
  return ` For a new one put ${JSON.stringify({ op: 'ensure_sheet', sheet })} before it.`
}

/** A sheet with cells: not a chart sheet or a dialog. */
export function gridField(book: Book, fields: Fields): Sheet {
  const sheet = sheetField(book, fields)
  if (hasCells(sheet)) return sheet
  const others = book.sheets.filter(hasCells).map(own => own.name)
  throw new Refusal(
    'INVALID_ARGUMENT',
    `the sheet ${JSON.stringify(sheet.name)} is a ${sheet.kind}, which has no cells; the sheets with cells are ${others.slice(0, MOST_NAMES).join(', ')}`,
  )
}

function hasCells(sheet: Sheet): boolean {
  return sheet.kind === 'worksheet' || sheet.kind === 'macrosheet'
}

export function cellField(sheet: Sheet, fields: Fields, name: string): CellAddress {
  const text = textField(fields, name, 'B2')
  const cell = parseOwnCell(sheet, text)
  if (typeof cell !== 'string') return cell
  throw new Refusal('INVALID_ARGUMENT', `${fields.op}: ${name} ${cell}`)
}

/** `B2`, or `Sales!B2` if that is the sheet; a string describes the problem. */
export function parseOwnCell(sheet: Sheet, text: string): CellAddress | string {
  const address = ownAddress(sheet, text)
  if (address === undefined) return strangeSheet(sheet, text)
  const cell = parseCell(address)
  if (cell) return cell
  const box = parseBox(address)
  if (box)
    return `${JSON.stringify(text)} is a range; send its first cell, ${JSON.stringify(cellName(box.top, box.left))}, and with set_range a value for each of its cells`
  return `${JSON.stringify(text)} is not a cell address such as "B2"; the last cell of a sheet is XFD1048576`
}

function ownAddress(sheet: Sheet, text: string): string | undefined {
  const split = splitSheet(text)
  const isOwn =
    split.sheet === undefined ||
    split.sheet.trim().toLowerCase() === sheet.name.trim().toLowerCase()
  return isOwn ? split.address : undefined
}

function strangeSheet(sheet: Sheet, text: string): string {
  return `${JSON.stringify(text)} names a different sheet from the operation, which is on ${JSON.stringify(sheet.name)}; send one operation for each sheet`
}

export function boxField(sheet: Sheet | undefined, fields: Fields, name = 'range'): Box {
  const text = textField(fields, name, 'A1:C10')
  const address = sheet ? ownAddress(sheet, text) : text
  if (sheet && address === undefined)
    throw new Refusal('INVALID_ARGUMENT', `${fields.op}: ${name} ${strangeSheet(sheet, text)}`)
  const box = parseBox(address ?? '')
  if (box) return box
  const open = parseOpenBox(address ?? '')
  if (sheet && open) throw refuseOpen(sheet, open, fields, name)
  throw new Refusal(
    'INVALID_ARGUMENT',
    `${fields.op}: ${name} ${JSON.stringify(text)} is no range such as "A1:C10"`,
  )
}

const WITHOUT_TOTALS: readonly unknown[] = ['sort_range', 'remove_duplicates', 'fill']

/** A read takes the name of a table or of cells for a range; an edit says which cells it would be, and asks for them. */
export function refuseNamedRange(book: Book, fields: Fields): Refusal | undefined {
  const { range } = fields
  if (typeof range !== 'string' || parseBox(splitSheet(range).address)) return undefined
  const wanted = range.trim().toLowerCase()
  const place = placeOfTable(book, wanted, WITHOUT_TOTALS.includes(fields.op))
  const name = book.definedNames.find(own => own.name.toLowerCase() === wanted)
  const split = name && splitSheet(name.text)
  const cells = place ?? (split?.sheet ? { sheet: split.sheet, box: parseBox(split.address) } : {})
  if (!cells.box) return undefined
  const meant = { ...fields, sheet: cells.sheet, range: boxName(cells.box) }
  return new Refusal(
    'INVALID_ARGUMENT',
    `${fields.op}: range ${JSON.stringify(range)} is the name of ${place ? 'the table ' : ''}${placeOf(cells.sheet, meant.range)}; send these cells`,
    undefined,
    [meant],
  )
}

function placeOfTable({ part, sheets }: Book, wanted: string, isWithoutTotals: boolean) {
  for (const sheet of sheets) {
    const table = tablesOf(part, sheet).find(own => own.name.toLowerCase() === wanted)
    const box = table && parseBox(table.ref)
    const bottom = (own: Box) => own.bottom - (table?.hasTotals && isWithoutTotals ? 1 : 0)
    if (box) return { sheet: sheet.name, box: { ...box, bottom: bottom(box) } }
  }
  return undefined
}

/** Closed for the caller to see: an open range would reach what was not looked at. */
function refuseOpen(sheet: Sheet, open: Box, fields: Fields, name: string): Refusal {
  const found = usedBox(sheet)
  const used = found.ok ? found.value : undefined
  const range = boxName(closedBox(open, used))
  return new Refusal(
    'INVALID_ARGUMENT',
    `${fields.op}: ${name} ${JSON.stringify(fields[name])} has no end; ${used ? `the cells with content are ${boxName(used)}, so send ${JSON.stringify(range)}` : 'the sheet is empty'}`,
    { usedRange: used ? boxName(used) : null },
    used && [{ ...fields, [name]: range }],
  )
}

export function listField(fields: Fields, name: string, shape: string): readonly unknown[] {
  const value = fields[name]
  if (Array.isArray(value) && value.length > 0) return value
  throw new Refusal('INVALID_ARGUMENT', `${fields.op} needs ${name}: ${shape}`)
}

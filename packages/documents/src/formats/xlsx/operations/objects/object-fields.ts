import { type Box, type Fields, similarNames } from '@filewright/protocol'
import { Refusal } from '../../../../refusal.ts'
import type { Book } from '../../book/book.ts'
import type { Sheet } from '../../book/sheet.ts'
import { boxName, intersects, parseBox } from '../../cell/address.ts'
import { findUnholdable } from '../../cell/unholdable.ts'
import type { WorkbookArgs } from '../../declared/operations.ts'
import { type CellInput, isForeign, parseValue } from '../../formula/values.ts'
import { pivotsOf, type SheetTable, tablesOf } from '../../parts/sheet-parts.ts'

export function wrong(fields: Fields, problem: string): Refusal {
  return new Refusal('INVALID_ARGUMENT', `${fields.op}: ${problem}`)
}

/** Undefined where the field is not given. */
export function optionalText(fields: Fields, name: string, most = 32_767): string | undefined {
  const value = fields[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string')
    throw wrong(fields, `${name} is text, not ${JSON.stringify(value)}`)
  if (value.length > most) throw wrong(fields, `${name} has at most ${most} characters`)
  const strange = findUnholdable(value)
  if (strange !== undefined) throw wrong(fields, `${name} holds ${strange}, which a file cannot`)
  return value
}

export function optionalFlag(fields: Fields, name: string): boolean | undefined {
  const value = fields[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'boolean') return value
  throw wrong(fields, `${name} is true or false, not ${JSON.stringify(value)}`)
}

/** A positive number, in the unit that the message names. */
export function optionalSize(fields: Fields, name: string, most: number): number | undefined {
  const value = fields[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && value > 0 && value <= most) return value
  throw wrong(fields, `${name} is a number of pixels from 1 to ${most}`)
}

/** The words of a list that a field may be, without regard to case, spaces, - and _. */
export function wordField<Word extends string>(
  fields: Fields,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const value = fields[name]
  if (value === undefined || value === null) return undefined
  const plain = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, '')
  const found =
    typeof value === 'string' ? words.find(word => plain(word) === plain(value)) : undefined
  if (found !== undefined) return found
  throw wrong(fields, `${name} is one of ${words.join(', ')}, not ${JSON.stringify(value)}`)
}

/** A formula as the file stores it, without its "=". */
export function storedText(book: Book, fields: Fields, name: string, given: string): string {
  return formulaField(book, fields, name, given).formula!.text
}

export function formulaField(book: Book, fields: Fields, name: string, given: string): CellInput {
  const parsed = parseValue(book, { formula: given }, true)
  if (typeof parsed === 'string') throw wrong(fields, `${name}: ${parsed}`)
  if (isForeign(parsed)) throw wrong(fields, `${name}: ${parsed.problem}; send ${parsed.english}`)
  return parsed
}

export interface WorkbookTable {
  readonly sheet: Sheet
  readonly table: SheetTable
  readonly box: Box
}

export function allTables(book: Book): readonly WorkbookTable[] {
  return book.sheets.flatMap(sheet =>
    tablesOf(book.part, sheet).flatMap(table => {
      const box = parseBox(table.ref)
      return box ? [{ sheet, table, box }] : []
    }),
  )
}

export function tableField(
  book: Book,
  args: WorkbookArgs<'edit_table' | 'remove_table'>,
): WorkbookTable {
  const tables = allTables(book)
  const names = tables.map(({ table }) => table.name)
  const wanted = args.table
  const found = tables.find(({ table }) => table.name.toLowerCase() === wanted.toLowerCase())
  if (found) return found
  const [near] = similarNames(wanted, names, 1)
  throw new Refusal(
    'NO_SUCH_REGION',
    `there is no table ${JSON.stringify(wanted)}; ${tablesInWords(book)}`,
    { tables: names },
    near === undefined ? undefined : [{ ...args, table: near }],
  )
}

export function tablesInWords(book: Book): string {
  const names = allTables(book).map(({ table }) => table.name)
  return names.length === 0 ? 'the workbook has no table' : `the tables are ${names.join(', ')}`
}

/** Refuses cells that a table cannot take: merged ones, those of other tables and pivot tables. */
export function refuseTaken(
  book: Book,
  sheet: Sheet,
  box: Box,
  except?: string,
  pivotExcept?: string,
): void {
  const merges = book.mergesOf(sheet)
  const merge = merges.ok ? merges.value.find(own => intersects(own, box)) : undefined
  if (merge)
    throw new Refusal(
      'CONFLICT',
      `${boxName(box)} has the merged cells ${boxName(merge)}, which it cannot take; unmerge_cells first`,
    )
  const other = tablesOf(book.part, sheet).find(
    ({ name, ref }) => name !== except && isOver(ref, box),
  )
  if (other)
    throw new Refusal(
      'CONFLICT',
      `${boxName(box)} overlaps the table ${other.name} (${other.ref}); edit_table changes its range, remove_table makes it plain cells`,
    )
  const pivot = pivotsOf(book.part, sheet, text => text).find(
    ({ name, ref }) => name !== pivotExcept && isOver(ref, box),
  )
  if (pivot)
    throw new Refusal(
      'CONFLICT',
      `${boxName(box)} overlaps the pivot table ${pivot.name} (${pivot.ref}); choose other cells`,
    )
}

function isOver(ref: string, box: Box): boolean {
  const own = parseBox(ref)
  return own !== undefined && intersects(own, box)
}

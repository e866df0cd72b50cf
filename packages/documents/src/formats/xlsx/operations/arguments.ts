import type { Box } from '@filewright/protocol'
import { type CellAddress, parseBox, parseCell } from '../address.ts'
import type { Book } from '../book.ts'
import { Refusal } from '../refusal.ts'
import type { Sheet } from '../sheet.ts'

/** Reads an operation's fields; what is missing or wrong is refused with what would work. */
export type Fields = Record<string, unknown>

export function textField(fields: Fields, name: string, example: string): string {
  const value = fields[name]
  if (typeof value === 'string' && value !== '') return value
  throw new Refusal(
    'INVALID_ARGUMENT',
    `${fields.op} needs ${name}, such as ${JSON.stringify(example)}`,
  )
}

export function sheetField(book: Book, fields: Fields, name = 'sheet'): Sheet {
  const wanted = textField(fields, name, book.sheets[0]?.name ?? 'Sheet1')
  const sheet = book.findSheet(wanted, 'edit')
  if (!sheet.ok) throw new Refusal('NO_SUCH_REGION', sheet.failure.message, sheet.failure.details)
  return sheet.value
}

export function cellField(fields: Fields, name: string): CellAddress {
  const text = textField(fields, name, 'B2')
  const cell = parseCell(text)
  if (cell) return cell
  throw new Refusal(
    'INVALID_ARGUMENT',
    `${fields.op}: ${name} ${JSON.stringify(text)} is no cell such as "B2"`,
  )
}

export function boxField(fields: Fields, name = 'range'): Box {
  const text = textField(fields, name, 'A1:C10')
  const box = parseBox(text)
  if (box) return box
  throw new Refusal(
    'INVALID_ARGUMENT',
    `${fields.op}: ${name} ${JSON.stringify(text)} is no range such as "A1:C10"`,
  )
}

export function listField(fields: Fields, name: string, shape: string): readonly unknown[] {
  const value = fields[name]
  if (Array.isArray(value) && value.length > 0) return value
  throw new Refusal('INVALID_ARGUMENT', `${fields.op} needs ${name}: ${shape}`)
}

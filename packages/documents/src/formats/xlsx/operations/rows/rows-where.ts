import { type Box, type Fields, isFields } from '@filewright/protocol'
import { Refusal } from '../../../../refusal.ts'
import type { Sheet } from '../../book/sheet.ts'
import { renderCell } from '../../book/show.ts'
import { usedBox } from '../../book/used.ts'
import {
  boxName,
  cellKey,
  columnName,
  columnNumber,
  parseBox,
  placeOf,
} from '../../cell/address.ts'
import { type CellNow, serialOfDate } from '../../cell/cells.ts'
import { foldedName } from '../../cell/same-name.ts'
import type { Editor } from '../editor.ts'
import { refuseUnknown, valuesIn } from '../values.ts'

export interface FoundRows {
  readonly rows: readonly number[]
  /** The cells that decided. */
  readonly box: Box
  readonly looked: string
}

const TESTS = ['equals', 'not_equals', 'contains', 'empty', 'above', 'below'] as const

/** The rows whose cell in a column meets a condition; the header row never does. */
export function rowsWhere(editor: Editor, sheet: Sheet, fields: Fields): FoundRows {
  const { where } = fields
  const tests = isFields(where) ? TESTS.filter(name => where[name] !== undefined) : []
  if (!isFields(where) || tests.length !== 1)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `${fields.op}: where names a column and one of ${TESTS.join(', ')}, such as {"column": "D", "equals": "Cancelled"}`,
    )
  const area = areaOf(sheet, fields)
  const column = columnIn(editor, sheet, area, where.column)
  const box = { ...area, top: area.top + 1, left: column, right: column }
  const test = tests[0]!
  const wanted = wantedBy(editor, fields, test, where[test])
  const rows = editor.resolve('rows', () =>
    box.top > box.bottom
      ? []
      : rowsIn(editor, sheet, box, cell => meets(editor, cell, test, wanted)),
  )
  return { rows, box, looked: placeOf(sheet.name, boxName(box)) }
}

function rowsIn(
  editor: Editor,
  sheet: Sheet,
  box: Box,
  isWanted: (cell: CellNow | undefined) => boolean,
): number[] {
  const cells = valuesIn(editor.book, sheet, box)
  const rows: number[] = []
  const why = 'nothing tells whether its row matches'
  for (let row = box.top; row <= box.bottom; row++) {
    const cell = cells.get(cellKey(row, box.left))
    refuseUnknown(editor, sheet, cell, { why, instead: 'name the rows instead' })
    if (isWanted(cell)) rows.push(row)
  }
  return rows
}

/** The range, or all cells with content; its first row is the header. */
function areaOf(sheet: Sheet, fields: Fields): Box {
  const given = typeof fields.range === 'string' ? parseBox(fields.range) : undefined
  const used = usedBox(sheet)
  const box = given ?? (used.ok ? used.value : undefined)
  if (box) return box
  throw new Refusal(
    'NO_SUCH_REGION',
    `the sheet ${JSON.stringify(sheet.name)} has no cells with content`,
  )
}

/** A letter, or the text of a header. */
export function columnIn(editor: Editor, sheet: Sheet, area: Box, named: unknown): number {
  return editor.resolve(`column ${String(named ?? '')}`, () =>
    findColumn(editor, sheet, area, named),
  )
}

function findColumn(editor: Editor, sheet: Sheet, area: Box, named: unknown): number {
  const text = String(named ?? '').trim()
  const header = valuesIn(editor.book, sheet, { ...area, bottom: area.top })
  const texts = Array.from({ length: area.right - area.left + 1 }, (_, index) => {
    const cell = header.get(cellKey(area.top, area.left + index))
    return cell ? renderCell(editor.book, { ...cell, formula: undefined } as CellNow) : ''
  })
  const same = texts.flatMap((own, index) =>
    own !== '' && foldedName(own) === foldedName(text) ? [area.left + index] : [],
  )
  if (same.length === 1) return same[0]!
  const letter = /^[A-Za-z]{1,3}$/.test(text) ? columnNumber(text) : 0
  if (same.length === 0 && letter >= area.left && letter <= area.right) return letter
  const shown = texts.map((own, index) => `${columnName(area.left + index)} ${own}`.trim())
  throw new Refusal(
    'INVALID_ARGUMENT',
    `${JSON.stringify(named)} is ${same.length > 1 ? 'the header of several columns' : 'no column'} of ${placeOf(sheet.name, boxName(area))}; its columns are ${shown.slice(0, 30).join(', ')}`,
  )
}

/** What a test compares with: any of a list, and for a limit a number, which a date is too. */
function wantedBy(
  { book }: Editor,
  fields: Fields,
  test: (typeof TESTS)[number],
  sent: unknown,
): readonly unknown[] {
  if (test !== 'above' && test !== 'below') return Array.isArray(sent) ? sent : [sent]
  const limit = typeof sent === 'string' ? serialOfDate(sent, book.part.is1904) : sent
  if (typeof limit === 'number') return [limit]
  throw new Refusal(
    'INVALID_ARGUMENT',
    `${fields.op}: ${test} takes a number or a date such as "2026-01-31"`,
  )
}

function meets(
  editor: Editor,
  cell: CellNow | undefined,
  test: (typeof TESTS)[number],
  wanted: readonly unknown[],
): boolean {
  const value = cell?.content.type === 'empty' ? null : (cell?.content.value ?? null)
  const text = (cell ? renderCell(editor.book, cell, undefined) : '').toLowerCase()
  const isDate = cell !== undefined && editor.book.part.styles().isDate(cell.style)
  const isSame = (own: unknown) => {
    if (typeof own === 'number' || typeof own === 'boolean') return value === own
    const folded = String(own ?? '').toLowerCase()
    if (String(value ?? '').toLowerCase() === folded || text === folded) return true
    return isDate && value !== null && serialOfDate(folded, editor.book.part.is1904) === value
  }
  if (test === 'empty')
    return (value === null || String(value).trim() === '') === Boolean(wanted[0])
  if (test === 'equals') return wanted.some(isSame)
  if (test === 'not_equals') return !wanted.some(isSame)
  if (test === 'contains') return wanted.some(own => text.includes(String(own).toLowerCase()))
  const limit = wanted[0] as number
  return typeof value === 'number' && (test === 'above' ? value > limit : value < limit)
}

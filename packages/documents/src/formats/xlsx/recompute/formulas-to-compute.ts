import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { cellKey, columnOfKey, rowOfKey } from '../cell/address.ts'
import { CellScan } from '../cell/cell-scan.ts'
import { type CellContent, type CellFormula, contentOf } from '../cell/cells.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'

/** A formula whose result is wanted. */
export interface WantedFormula {
  readonly sheet: Sheet
  readonly row: number
  readonly column: number
  readonly formula: CellFormula
  readonly style: number
  /** The result in the file; absent for a formula that has none there. */
  readonly cached?: CellContent
  /** Formulas with the same name are one formula, moved. */
  readonly name: string
}

/** What an edit made stale, what edits wrote, and formulas of new sheets. */
export function wantedFormulas(book: Book): WantedFormula[] {
  const { stale } = book.values
  const wanted: WantedFormula[] = []
  for (const sheet of book.sheets) {
    const keys = stale.keysOf(sheet.id)
    const isFresh = sheet.source.from === 'bytes'
    if (keys.size > 0 || isFresh)
      wanted.push(...storedFormulas(book, sheet, isFresh ? 'all' : keys))
    for (const [key, { formula, style }] of sheet.cells) {
      if (!formula) continue
      const [row, column] = [rowOfKey(key), columnOfKey(key)]
      const name = relativeName(formula, sheet, row, column)
      wanted.push({ sheet, row, column, formula, style, name })
    }
  }
  return wanted
}

/** Formulas of the file at some of its cells, as they read now. */
export function storedFormulas(
  book: Book,
  sheet: Sheet,
  keys: ReadonlySet<number> | 'all',
): WantedFormula[] {
  const xml = sheet.xml()
  const strings = book.part.strings()
  if (!xml.ok || !strings.ok) return []
  const found: WantedFormula[] = []
  scanRows(xml.value, keys, own => {
    const { row, column } = own
    const key = cellKey(row, column)
    if ((keys !== 'all' && !keys.has(key)) || sheet.cells.has(key)) return
    const stored = sheet.formulaOf(xml.value, own)
    if (!stored) return
    const text = book.rewriteFormula(stored.text, sheet, { sheet: sheet.id, row, column })
    const formula = text === stored.text ? stored : { ...stored, text }
    const isSettled = !book.unsettled.get(sheet.id)?.has(key)
    const cached =
      own.isComputed && isSettled ? contentOf(own, strings.value, book.part.is1904) : undefined
    found.push({
      sheet,
      row,
      column,
      formula,
      style: own.style,
      ...(cached && cached.type !== 'empty' && { cached }),
      name: relativeName(formula, sheet, row, column),
    })
  })
  return found
}

/** The rows of these cells. */
function scanRows(
  xml: SheetXml,
  keys: ReadonlySet<number> | 'all',
  visit: (cell: CellScan) => void,
): void {
  const cell = new CellScan()
  if (keys === 'all') {
    for (let index = 0; index < xml.rows.count; index++) xml.scanRow(index, cell, visit)
    return
  }
  const rows = new Set<number>()
  for (const key of keys) rows.add(rowOfKey(key))
  for (const row of [...rows].sort((a, b) => a - b))
    for (let index = xml.findRow(row); xml.rows.numbers[index] === row; index++)
      if (index < xml.rows.count) xml.scanRow(index, cell, visit)
}

const CELL =
  /"(?:[^"]|"")*"|'(?:[^']|'')*'!?|(?<![\w.$])(\$?)([A-Za-z]{1,3})(\$?)(\d{1,7})(?![\w(.![])/g

/** The same for a formula and its copies below and beside it, as far as that is certain. */
function relativeName(
  { text, kind }: CellFormula,
  sheet: Sheet,
  row: number,
  column: number,
): string {
  const isMovable =
    kind !== 'array' && !/\[|[A-Za-z]:\$?[A-Za-z]|\d:\$?\d|INDIRECT|OFFSET/i.test(text)
  if (!isMovable) return `${sheet.id}:${row}:${column}`
  const moved = text.replace(
    CELL,
    (own, fixedColumn: string | undefined, letters: string, fixedRow: string, digits: string) => {
      if (fixedColumn === undefined) return own
      const shownColumn = fixedColumn ? `$${letters}` : `C${columnIndex(letters) - column}`
      return `${shownColumn}R${fixedRow ? `$${digits}` : Number(digits) - row};`
    },
  )
  return `${sheet.id}:${moved}`
}

function columnIndex(letters: string): number {
  let column = 0
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64
  return column
}

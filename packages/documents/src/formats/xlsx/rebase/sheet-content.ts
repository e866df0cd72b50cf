import { ok, type Result } from '@filewright/protocol'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { cellKey, WHOLE_SHEET } from '../cell/address.ts'
import { type CellContent, type CellData, EMPTY_CONTENT } from '../cell/cells.ts'

/** What a sheet holds, logically: constants by type and value, formulas by their expanded text, no style indexes. */
export interface SheetContent {
  readonly name: string
  /** Rows that hold something. */
  readonly rows: ReadonlyMap<number, LineContent>
  readonly lastRow: number
  readonly cells: ReadonlyMap<number, CellData>
}

/** Rows or columns that hold something, and the last of them. */
export interface Lines {
  readonly lines: ReadonlyMap<number, LineContent>
  readonly last: number
}

export interface LineContent {
  /** Equal for two lines that hold the same constants, and formulas in the same cells. */
  readonly key: string
  /** By the crossing line. */
  readonly constants: ReadonlyMap<number, string>
  readonly formulas: ReadonlyMap<number, string>
}

export function readContent(book: Book, sheet: Sheet): Result<SheetContent> {
  const cells = new Map<number, CellData>()
  const rows = new Map<number, GrowingLine>()
  if (!sheet.isInFile || sheet.kind === 'chartsheet')
    return ok({ name: sheet.name, rows, lastRow: 0, cells })
  const scanned = book.values.scan(sheet, WHOLE_SHEET, cell => {
    cells.set(cellKey(cell.row, cell.column), cell)
    if (isFilled(cell)) addTo(rows, cell)
  })
  if (!scanned.ok) return scanned
  return ok({ name: sheet.name, rows, lastRow: lastOf(rows), cells })
}

export function cellAt({ cells }: SheetContent, row: number, column: number): CellData {
  return cells.get(cellKey(row, column)) ?? { row, column, style: 0, content: EMPTY_CONTENT }
}

export function isFilled({ content, formula }: CellData): boolean {
  return content.type !== 'empty' || formula !== undefined
}

/** A constant as a word: equal for equal type and value. */
export function wordOf({ type, value }: CellContent): string {
  return `${type[0]}${value}`
}

export class GrowingLine implements LineContent {
  readonly constants = new Map<number, string>()
  readonly formulas = new Map<number, string>()
  #key: string | undefined

  get key(): string {
    this.#key ??= [
      ...[...this.constants].map(([cross, word]) => `${cross}:${word}`),
      ...[...this.formulas.keys()].map(cross => `${cross}=`),
    ]
      .sort()
      .join('\n')
    return this.#key
  }
}

function addTo(rows: Map<number, GrowingLine>, { row, column, content, formula }: CellData): void {
  let own = rows.get(row)
  if (!own) {
    own = new GrowingLine()
    rows.set(row, own)
  }
  if (formula) own.formulas.set(column, formula.text)
  else own.constants.set(column, wordOf(content))
}

function lastOf(rows: ReadonlyMap<number, unknown>): number {
  let last = 0
  for (const row of rows.keys()) if (row > last) last = row
  return last
}

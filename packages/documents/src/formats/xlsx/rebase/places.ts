import { ok, type Result } from '@filewright/protocol'
import { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { openWorkbook } from '../book/workbook-part.ts'
import { findStale } from '../formula/dependants.ts'
import { tablesOf } from '../parts/sheet-parts.ts'
import { LineAlignment } from './align-lines.ts'
import { columnsOf } from './columns.ts'
import { pairSheets } from './pair-sheets.ts'
import { readContent, type SheetContent } from './sheet-content.ts'

/** A sheet of the base and the same sheet as somebody else saved it. */
export interface SheetPair {
  readonly old: SheetContent
  readonly now: SheetContent
  readonly oldSheet: Sheet
  readonly nowSheet: Sheet
  readonly rows: LineAlignment
  readonly columns: LineAlignment
}

/** Two states of a workbook, and where the places of the first are in the second. */
export class Places {
  readonly old: Book
  readonly now: Book
  /** By the id of the old sheet. */
  readonly pairs: ReadonlyMap<number, SheetPair>

  private constructor(old: Book, now: Book, pairs: ReadonlyMap<number, SheetPair>) {
    this.old = old
    this.now = now
    this.pairs = pairs
  }

  static open(base: Uint8Array, current: Uint8Array): Result<Places> {
    const old = openBook(base)
    if (!old.ok) return old
    const now = openBook(current)
    if (!now.ok) return now
    const before = contentsOf(old.value)
    if (!before.ok) return before
    const after = contentsOf(now.value)
    if (!after.ok) return after
    const found = pairSheets([...before.value.keys()], [...after.value.keys()])
    const pairs = new Map<number, SheetPair>()
    for (const [own, there] of found) {
      const oldSheet = before.value.get(own)!
      pairs.set(oldSheet.id, toPair(own, there, oldSheet, after.value.get(there)!))
    }
    return ok(new Places(old.value, now.value, pairs))
  }

  /** Both have the same sheets in the same order. */
  get isSameOrder(): boolean {
    const { sheets } = this.now
    return (
      sheets.length === this.old.sheets.length &&
      this.old.sheets.every(({ id }, index) => this.pairs.get(id)?.nowSheet === sheets[index])
    )
  }

  /** A name that the old workbook has is still there, and a table with its columns. */
  keepsName(name: string): boolean {
    const has = ({ definedNames }: Book) =>
      definedNames.some(own => own.name.toLowerCase() === name.toLowerCase())
    const table = tableOf(this.old, name)
    const other = table && tableOf(this.now, name)
    const isKept = !table || table.columns.every(column => other?.columns.includes(column))
    return isKept && (!has(this.old) || has(this.now))
  }
}

function tableOf(book: Book, name: string) {
  const tables = book.sheets.flatMap(sheet => tablesOf(book.part, sheet))
  return tables.find(own => own.name.toLowerCase() === name.toLowerCase())
}

function openBook(bytes: Uint8Array): Result<Book> {
  const part = openWorkbook(bytes)
  return part.ok ? ok(new Book(part.value, { findStale })) : part
}

function contentsOf(book: Book): Result<Map<SheetContent, Sheet>> {
  const contents = new Map<SheetContent, Sheet>()
  for (const sheet of book.sheets) {
    const content = readContent(book, sheet)
    if (!content.ok) return content
    contents.set(content.value, sheet)
  }
  return ok(contents)
}

function toPair(old: SheetContent, now: SheetContent, oldSheet: Sheet, nowSheet: Sheet): SheetPair {
  const rows = new LineAlignment(
    { lines: old.rows, last: old.lastRow },
    { lines: now.rows, last: now.lastRow },
  )
  const columns = new LineAlignment(...columnsOf(old, now, rows))
  return { old, now, oldSheet, nowSheet, rows, columns }
}

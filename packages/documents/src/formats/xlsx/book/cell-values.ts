import { type Box, ok, type Result } from '@filewright/protocol'
import { cellKey, contains, intersects } from '../cell/address.ts'
import { CellScan } from '../cell/cell-scan.ts'
import { type CellContent, type CellData, type CellNow, EMPTY_CONTENT } from '../cell/cells.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'
import type { SharedStrings } from '../cell/strings.ts'
import { arraysOf } from './arrays.ts'
import type { CellEdit, Sheet } from './sheet.ts'
import type { WorkbookPart } from './workbook-part.ts'
import type { WriteCount } from './write-count.ts'

/** Cells whose stored value an edit made wrong, by sheet id and cell key. */
export interface StaleCells {
  has(sheetId: number, row: number, column: number): boolean
  keysOf(sheetId: number): ReadonlySet<number>
}

/** Results of formulas after the edits, as far as they have a proof. */
export interface FormulaResults {
  /** By sheet id and cell key. */
  valueAt(sheetId: number, key: number): CellContent | undefined
  /** Whether the file's own result is still the right one. */
  isSameAt(sheetId: number, key: number): boolean
  /** Whether the formula has no result that is right. */
  isLackingAt(sheetId: number, key: number): boolean
  /** Why it has none. */
  reasonAt(sheetId: number, key: number): string | undefined
}

export const NO_RESULTS: FormulaResults = {
  valueAt: () => undefined,
  isSameAt: () => false,
  isLackingAt: () => false,
  reasonAt: () => undefined,
}

/** The workbook, as far as values come from it. */
interface ValuedBook {
  readonly writes: WriteCount
  readonly part: WorkbookPart
  readonly mayBeStale: boolean
  written(sheet: Sheet, xml: SheetXml, cell: CellScan, strings: SharedStrings): CellData
}

/** How what the edits made wrong is found, and computed. */
interface Found {
  stale(): StaleCells
  results(): FormulaResults
}

/**
 * The one source of what a cell shows now: what is written or stored, the result that was computed, or that it is not
 * known, with the reason. It follows every write: whatever was derived before the last one is derived again when asked.
 */
export class CellValues {
  readonly #book: ValuedBook
  readonly #find: Found
  #at = -1
  #stale: StaleCells | undefined
  #results: FormulaResults | undefined

  constructor(book: ValuedBook, find: Found) {
    this.#book = book
    this.#find = find
  }

  /** Cells whose stored value counts no more. */
  get stale(): StaleCells {
    this.#follow()
    this.#stale ??= this.#find.stale()
    return this.#stale
  }

  /** Computed once for a state of the workbook, when somebody asks. */
  get results(): FormulaResults {
    this.#follow()
    this.#results ??= this.#find.results()
    return this.#results
  }

  #follow(): void {
    const { count } = this.#book.writes
    if (this.#at === count) return
    this.#at = count
    this.#stale = undefined
    this.#results = undefined
  }

  /** Why it is not known what a stale cell shows. */
  reasonAt(sheet: Sheet, { row, column }: CellNow): string {
    const reason = this.results.reasonAt(sheet.id, cellKey(row, column))
    return reason ?? 'the file stores no result for it'
  }

  /** The cells of a box by key, in row order. */
  in(sheet: Sheet, box: Box, noteMisplaced?: (row: number) => void): Result<Map<number, CellNow>> {
    const cells = new Map<number, CellNow>()
    const scanned = this.scan(
      sheet,
      box,
      cell => void cells.set(cellKey(cell.row, cell.column), cell),
      noteMisplaced,
    )
    return scanned.ok ? ok(cells) : scanned
  }

  /** Every cell of a box that has content or a style, in row order. */
  scan(
    sheet: Sheet,
    box: Box,
    visit: (cell: CellNow) => void,
    noteMisplaced?: (row: number) => void,
  ): Result<SheetXml> {
    const opened = sheet.xmlTo(box.bottom)
    if (!opened.ok) return opened
    const xml = opened.value
    const strings = this.#book.part.strings()
    if (!strings.ok) return strings
    const { mayBeStale } = this.#book
    const cell = new CellScan()
    const edits = editsAndLooks(sheet, box)
    // what an array filled is its own once the formula is overwritten
    const arrays = arraysOf(xml).filter(
      array => intersects(array, box) && !sheet.cells.has(cellKey(array.top, array.left)),
    )
    let next = 0
    const flush = (row: number, column: number) => {
      for (; next < edits.length; next++) {
        const own = edits[next]!
        if (own.row > row || (own.row === row && own.column >= column)) return
        if (own.edit) visit(this.#edited(sheet, editedCell(own.row, own.column, own.edit)))
        else visit(known(blankCell(own.row, own.column, own.style)))
      }
    }
    for (let index = xml.findRow(box.top); index < xml.rows.count; index++) {
      const row = xml.rows.numbers[index]!
      if (row > box.bottom) break
      xml.scanRow(index, cell, own => {
        if (own.isMisplaced) noteMisplaced?.(own.row)
        if (own.column < box.left || own.column > box.right) return
        if (edits.length > 0) {
          flush(own.row, own.column)
          if (sheet.cells.has(cellKey(own.row, own.column))) return
          const at = edits[next]
          if (at && at.row === own.row && at.column === own.column) next++ // its look alone is new
        }
        const written = this.#book.written(sheet, xml, own, strings.value)
        const isFilled = arrays.some(array => contains(array, row, own.column))
        if (!written.formula && !isFilled) visit(known(written))
        else visit(this.#now(sheet, written, own.isComputed, mayBeStale ? this.stale : undefined))
      })
    }
    flush(Number.POSITIVE_INFINITY, 0)
    return ok(xml)
  }

  /** A formula of an edit has no stored result. */
  #edited(sheet: Sheet, cell: CellData): CellNow {
    if (!cell.formula) return known(cell)
    return computed(cell, this.results.valueAt(sheet.id, cellKey(cell.row, cell.column)))
  }

  /** A formula of the file, or a cell that one fills. */
  #now(sheet: Sheet, cell: CellData, isComputed: boolean, stale: StaleCells | undefined): CellNow {
    const { row, column, formula } = cell
    const isOld = stale?.has(sheet.id, row, column) ?? false
    if (!formula) {
      // The value of a cell that an array formula fills belongs to that formula.
      const isLost = isOld || cell.content.type === 'empty'
      return isLost ? { ...cell, content: EMPTY_CONTENT, isStale: true } : known(cell)
    }
    if (isOld || (stale && !isComputed))
      return computed(cell, this.results.valueAt(sheet.id, cellKey(row, column)))
    return isComputed ? { ...cell, content: cell.stored!, isStale: false } : computed(cell)
  }
}

/** The cell was made for this: there may be a million. */
function known(cell: CellData & { isStale?: boolean }): CellNow {
  cell.isStale = false
  return cell as CellNow
}

function computed(cell: CellData, result?: CellContent): CellNow {
  return { ...cell, content: result ?? EMPTY_CONTENT, isStale: result === undefined }
}

/** A cell that an edit wrote. */
export function editedCell(row: number, column: number, edit: CellEdit): CellData {
  const { style, formula } = edit
  if (!formula) return { row, column, style, content: edit.content ?? EMPTY_CONTENT }
  return { row, column, style, content: EMPTY_CONTENT, formula }
}

export function blankCell(row: number, column: number, style: number): CellData {
  return { row, column, style, content: EMPTY_CONTENT }
}

interface EditedCell {
  readonly row: number
  readonly column: number
  readonly edit?: CellEdit
  readonly style: number
}

/** Edited cells, and those that only have another style, in order. */
function editsAndLooks(sheet: Sheet, box: Box): readonly EditedCell[] {
  const edits: EditedCell[] =
    sheet.cells.size > 0
      ? Array.from(sheet.editsIn(box), own => ({ ...own, style: own.edit.style }))
      : []
  if (sheet.looks.size === 0) return edits
  const all = [...edits, ...sheet.looksIn(box)]
  return all.sort((a, b) => a.row - b.row || a.column - b.column)
}

import type { Book } from '../book/book.ts'
import type { FormulaResults } from '../book/cell-values.ts'
import { Sheet } from '../book/sheet.ts'
import type { WorkbookPart } from '../book/workbook-part.ts'
import { WriteCount } from '../book/write-count.ts'
import { cellKey, rowOfKey } from '../cell/address.ts'
import { CellScan } from '../cell/cell-scan.ts'
import { type CellContent, contentOf } from '../cell/cells.ts'
import { scanFormulas } from '../cell/formula-cells.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'
import type { Mapping } from '../places/mapping.ts'
import type { RecomputedCell } from './accept-recompute.ts'

/** A state of an open workbook, to tell later what its formulas showed then. */
export interface EarlierState {
  readonly part: WorkbookPart
  readonly unsettled: Book['unsettled']
  readonly moves: number
  readonly results: FormulaResults
}

export function stateOf(book: Book, results: FormulaResults): EarlierState {
  const { part, unsettled, moves } = book
  return { part, unsettled, moves: moves.length, results }
}

/** What formulas showed in an earlier state of the workbook, wherever they stood then. */
export class EarlierResults {
  readonly #found = new Map<number, Map<number, CellContent>>()
  readonly #results: FormulaResults | undefined

  constructor(book: Book, state: EarlierState, cells: readonly RecomputedCell[]) {
    const moves = book.moves.slice(state.moves)
    if (moves.length === 0) {
      this.#results = state.results
      return
    }
    const moved = moves.reduce((one, next) => one.compose(next))
    const wanted = new Map<number, Set<number>>()
    for (const { sheet, row, column } of cells)
      wanted.set(sheet.id, (wanted.get(sheet.id) ?? new Set()).add(cellKey(row, column)))
    for (const id of state.part.sheets.keys()) this.#addSheet(state, moved, wanted, id)
  }

  of({ sheet, row, column, cached }: RecomputedCell): CellContent | undefined {
    const key = cellKey(row, column)
    if (this.#results) return this.#results.valueAt(sheet.id, key) ?? cached
    return this.#found.get(sheet.id)?.get(key) ?? cached
  }

  #addSheet(
    { part, unsettled, results }: EarlierState,
    moved: Mapping,
    wanted: ReadonlyMap<number, ReadonlySet<number>>,
    id: number,
  ): void {
    const home = moved.sheet(id)
    const keys = typeof home === 'number' ? wanted.get(home) : undefined
    const xml = keys && sheetOf(part, id).xml()
    const strings = part.strings()
    if (typeof home !== 'number' || !keys || !xml?.ok || !strings.ok) return
    const found = new Map<number, CellContent>()
    this.#found.set(home, found)
    const places = new Map<number, number>() // where a formula stands now, by where it stood
    scanFormulas(xml.value, own => {
      const key = cellKey(own.row, own.column)
      const [now] = moved.keys(id, [key])
      if (now !== undefined && keys.has(now)) places.set(key, now)
    })
    for (const row of new Set([...places.keys()].map(rowOfKey)))
      scanRow(xml.value, row, own => {
        const key = cellKey(own.row, own.column)
        const now = places.get(key)
        if (now === undefined) return
        const isStored = own.isComputed && !unsettled.get(id)?.has(key)
        const stored = isStored ? contentOf(own, strings.value, part.is1904) : undefined
        const shown = results.valueAt(id, key) ?? stored
        if (shown && shown.type !== 'empty') found.set(now, shown)
      })
  }
}

function scanRow(xml: SheetXml, row: number, visit: (cell: CellScan) => void): void {
  const cell = new CellScan()
  const { numbers, count } = xml.rows
  for (let index = xml.findRow(row); index < count && numbers[index] === row; index++)
    xml.scanRow(index, cell, visit)
}

function sheetOf({ package: own, sheets }: WorkbookPart, id: number): Sheet {
  const { name, visibility, kind, part } = sheets[id]!
  return new Sheet(own, new WriteCount(), {
    id,
    name,
    visibility,
    kind,
    source: { from: 'part', part },
  })
}

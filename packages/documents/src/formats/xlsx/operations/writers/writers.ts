import type { Box, ChangeId } from '@filewright/protocol'
import type { Sheet } from '../../book/sheet.ts'
import {
  type CellAddress,
  cellKey,
  columnOfKey,
  contains,
  intersects,
  rowOfKey,
  WHOLE_SHEET,
} from '../../cell/address.ts'
import type { LineShift } from '../../places/line-shift.ts'
import { type HomeSheet, mapFormula } from '../../places/map-formula.ts'
import { Mapping } from '../../places/mapping.ts'
import { isLost } from '../../places/place-step.ts'
import { Epochs } from './epochs.ts'
import { ObjectWriters } from './object-writers.ts'

/** Where something was written: the id that its sheet had then. */
interface Placed {
  readonly epoch: number
  readonly sheet: number
  readonly id: ChangeId
}

interface SheetWriter {
  readonly id: ChangeId
  /** It moved only cells from this row or this column on. */
  readonly after?: CellAddress | undefined
  /** It did nothing but insert these lines. */
  readonly inserted?: LineShift | undefined
}

/** A formula, and where it is. */
interface Mapped {
  readonly text: string
  readonly home: HomeSheet
}

type CellsOfSheet = Map<number, Map<number, ChangeId>>

/** The latest changes, so that later ones know their dependencies. Each is kept where it was made. */
export class Writers {
  readonly #epochs = new Epochs()
  /** By epoch, sheet id and key. */
  readonly #cells: CellsOfSheet[] = []
  /** The changes that created a sheet, renamed it or merged cells on it. */
  #sheets: readonly (Placed & SheetWriter)[] = []
  /** By sheet id, as of now: every cell that is written asks for them. */
  readonly #bySheet = new Map<number, readonly SheetWriter[]>()
  /** The changes of looks, and where. */
  #looks: readonly (Placed & { readonly box: Box })[] = []
  /** The changes that showed or hid a sheet. */
  #visibility: readonly Placed[] = []
  /** By the name of an element next to the cells: the changes that set it. */
  #parts: readonly (Placed & { readonly local: string })[] = []
  /** By folded name: the change that freed it for another sheet. */
  readonly #freedNames = new Map<string, ChangeId>()
  /** The changes of the list of sheets: positions count the sheets before. */
  #list: readonly ChangeId[] = NOTHING
  /** Tables, names, charts and the like. */
  readonly objects = new ObjectWriters(this.#epochs)

  /** Places move. Returns how to go back. */
  follow(mapping: Mapping): () => void {
    const goBack = this.#epochs.next(mapping)
    const { now } = this.#epochs
    this.#bySheet.clear()
    return () => {
      if (!mapping.isIdentity) this.#cells.length = Math.min(this.#cells.length, now)
      this.#bySheet.clear()
      goBack()
    }
  }

  /** Whether what was written there is on the sheet now. */
  #isOn({ epoch, sheet: id }: Placed, sheet: Sheet): boolean {
    return this.#epochs.since(epoch).sheet(id) === sheet.id
  }

  ofCell(sheet: Sheet, key: number): ChangeId | undefined {
    for (let epoch = this.#cells.length - 1; epoch >= 0; epoch--) {
      const cells = this.#cells[epoch]
      if (!cells || cells.size === 0) continue
      const since = this.#epochs.since(epoch)
      if (since.isIdentity) {
        const id = cells.get(sheet.id)?.get(key)
        if (id !== undefined) return id
        continue
      }
      const place = { sheet: sheet.id, row: rowOfKey(key), column: columnOfKey(key) }
      const then = since.inverse().cell(place)
      if (isLost(then)) return undefined
      const id = cells.get(Number(then.sheet))?.get(cellKey(then.row, then.column))
      if (id !== undefined) return id
    }
    return undefined
  }

  #sheetWriters(sheet: Sheet): readonly SheetWriter[] {
    let found = this.#bySheet.get(sheet.id)
    if (!found) {
      found = this.#sheets.filter(own => this.#isOn(own, sheet))
      this.#bySheet.set(sheet.id, found)
    }
    return found
  }

  ofSheet(sheet: Sheet): readonly ChangeId[] {
    return this.#sheets.length === 0 ? NOTHING : this.#sheetWriters(sheet).map(({ id }) => id)
  }

  /** Without those that moved only cells after this one: its place is the same whether they are accepted or not. */
  ofSheetAt(sheet: Sheet, row: number, column: number): readonly ChangeId[] {
    if (this.#sheets.length === 0) return NOTHING
    return this.#sheetWriters(sheet)
      .filter(({ after }) => !after || !isAbove(after, { row, column }))
      .map(({ id }) => id)
  }

  /**
   * The changes without which a cell, or a formula that names the sheet, would not mean the same: not an insertion of
   * lines, if its place and its references move back without them.
   */
  carrying(sheet: Sheet, cell: CellAddress | undefined, formula?: Mapped): readonly ChangeId[] {
    const list = this.#sheets.length === 0 ? [] : this.#sheetWriters(sheet)
    let at = cell
    let text = formula?.text
    for (let index = list.length - 1; index >= 0; index--) {
      const { inserted, after } = list[index]!
      const isBefore = after && at && text === undefined && isAbove(after, at)
      if (isBefore) continue
      const back =
        inserted && Mapping.of({ kind: 'lines', sheet: sheet.name, lines: inserted }).inverse()
      const there = back && at && back.cell({ sheet: sheet.name, ...at })
      const mapped = back && text !== undefined ? mapFormula(back, text, formula!.home) : text
      if (!back || isLost(there) || isLost(mapped))
        return list.slice(0, index + 1).map(({ id }) => id)
      at = there
      text = mapped
    }
    return NOTHING
  }

  /** The last change of each cell depends on those before it. */
  allOn(sheet: Sheet): readonly ChangeId[] {
    return [...this.ofSheet(sheet), ...this.ofAllCellsIn(sheet, WHOLE_SHEET)]
  }

  /** Returns the change that it supersedes. */
  setCell(sheet: Sheet, key: number, id: ChangeId | undefined): ChangeId | undefined {
    const before = this.ofCell(sheet, key)
    const { now } = this.#epochs
    const own = (this.#cells[now] ??= new Map())
    let cells = own.get(sheet.id)
    if (!cells) {
      cells = new Map()
      own.set(sheet.id, cells)
    }
    if (id === undefined) cells.delete(key)
    else cells.set(key, id)
    return before
  }

  #place(sheet: Sheet, id: ChangeId): Placed {
    return { epoch: this.#epochs.now, sheet: sheet.id, id }
  }

  setSheet(sheet: Sheet, writer: SheetWriter): () => void {
    const before = this.#sheets
    this.#sheets = [...before, { ...writer, ...this.#place(sheet, writer.id) }]
    this.#bySheet.clear()
    return () => {
      this.#sheets = before
      this.#bySheet.clear()
    }
  }

  /** The changes of looks inside the box. Once cells moved they count everywhere on their sheet. */
  ofLooksIn(sheet: Sheet, box: Box): readonly ChangeId[] {
    return this.#looks
      .filter(own => {
        const isStill = this.#epochs.since(own.epoch).isIdentity
        return this.#isOn(own, sheet) && (!isStill || intersects(own.box, box))
      })
      .map(({ id }) => id)
  }

  setLook(sheet: Sheet, box: Box, id: ChangeId): () => void {
    const before = this.#looks
    this.#looks = [...before, { ...this.#place(sheet, id), box }]
    return () => {
      this.#looks = before
    }
  }

  /** The changes that set an element next to the cells. */
  ofPart(sheet: Sheet, local: string): readonly ChangeId[] {
    const own = this.#parts.filter(part => part.local === local && this.#isOn(part, sheet))
    return own.map(({ id }) => id)
  }

  setPart(sheet: Sheet, local: string, id: ChangeId): () => void {
    const before = this.#parts
    this.#parts = [...before, { ...this.#place(sheet, id), local }]
    return () => {
      this.#parts = before
    }
  }

  ofList(): readonly ChangeId[] {
    return this.#list
  }

  addToList(id: ChangeId): () => void {
    const before = this.#list
    this.#list = [...before, id]
    return () => {
      this.#list = before
    }
  }

  hasWrittenSheets(): boolean {
    return this.#sheets.length > 0
  }

  ofVisibility(sheet: Sheet): ChangeId | undefined {
    return this.#visibility.findLast(own => this.#isOn(own, sheet))?.id
  }

  setVisibility(sheet: Sheet, id: ChangeId): () => void {
    const before = this.#visibility
    this.#visibility = [...before, this.#place(sheet, id)]
    return () => {
      this.#visibility = before
    }
  }

  ofName(name: string): ChangeId | undefined {
    return this.#freedNames.get(name.toLowerCase())
  }

  freeName(name: string, id: ChangeId): () => void {
    const folded = name.toLowerCase()
    const before = this.#freedNames.get(folded)
    this.#freedNames.set(folded, id)
    return () => {
      if (before === undefined) this.#freedNames.delete(folded)
      else this.#freedNames.set(folded, before)
    }
  }

  /** The changes of cells inside the box, also those that are in the file's parts by now. */
  ofAllCellsIn(sheet: Sheet, box: Box): ChangeId[] {
    const found = new Map<number, ChangeId>()
    for (const [epoch, sheets] of this.#cells.entries()) {
      const since = this.#epochs.since(epoch)
      for (const [own, cells] of sheets ?? [])
        if (since.sheet(own) === sheet.id)
          for (const [key, id] of cells)
            for (const now of since.isIdentity ? [key] : since.keys(own, [key]))
              if (contains(box, rowOfKey(now), columnOfKey(now))) found.set(now, id)
    }
    return [...found.values()]
  }

  /** The changes inside the box. */
  ofCellsIn(sheet: Sheet, box: Box): ChangeId[] {
    return [...sheet.editsWithin(box)].flatMap(([key]) => this.ofCell(sheet, key) ?? [])
  }
}

function isAbove(after: CellAddress, { row, column }: CellAddress): boolean {
  return row < after.row && column < after.column
}

/** Most cells have no dependency, and an operation may write a million. */
const NOTHING: readonly ChangeId[] = []

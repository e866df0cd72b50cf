import type { Box } from '@filewright/protocol'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { boxName, cellKey, cellName, placeOf } from '../cell/address.ts'
import { type MappedFormula, mapReferences, type ReferenceMap } from '../places/map-references.ts'
import { boxInStep, type CellStep, GONE, isLost } from '../places/place-step.ts'

/** A change of places on one sheet: where each box of cells is afterwards. */
export interface PlaceMap {
  readonly sheet: Sheet
  /** What happens to the cells. */
  readonly step?: CellStep | undefined
  /** Undefined: none of its cells is left. */
  box(box: Box): Box | undefined
  /** The same for what never grows with new rows: merged cells, links, arrays. */
  moved?(box: Box): Box | undefined
  /** The box gains rows because others were put at its end. */
  extends?(box: Box): boolean
  /** Whether a cell of the box will be in another place, or overwritten; absent: where lines do. */
  movesIn?(box: Box): boolean
  /** Sees each range that a formula names, and whose it is. */
  sees?(owner: string, box: Box): void
  /** A formula in that cell means the rows that it names, and does not gain any. */
  isInside?(row: number, column: number): boolean
}

/** The places of a sheet after the step. */
export function placesAfter(sheet: Sheet, step: CellStep): PlaceMap {
  return {
    sheet,
    step,
    box(box) {
      const to = boxInStep(step, { sheet: step.sheet, box })
      return isLost(to) ? undefined : to.box
    },
  }
}

export function movedBox(places: PlaceMap, box: Box): Box | undefined {
  return places.moved ? places.moved(box) : places.box(box)
}

interface MapOptions {
  readonly onlyFixed?: boolean
  readonly isInside?: boolean
}

const MINDS_PLACE = /(?:^|[^A-Za-z0-9_.])(?:ROW|COLUMN|CELL|INDIRECT|OFFSET)\s*\(/i

/** One change of places under way: what it found on its way through the workbook. */
export class ShiftRun {
  readonly book: Book
  readonly places: PlaceMap
  /** Formulas and names that read `#REF!` now, by their new place. */
  readonly lost: string[] = []
  /** Formulas with a range of sheets, which stays as it is. */
  readonly sheetRanges: string[] = []
  readonly warnings: string[] = []
  /** What gained rows, each with its range before and after. */
  readonly extended: string[] = []
  /** What is being mapped, for that list. */
  owner = ''
  /** Formulas whose stored value counts no more: by sheet id, keys of their new places. */
  readonly unsettled = new Map<number, Set<number>>()
  readonly #mention: string
  readonly #names: ReadonlySet<string>

  constructor(book: Book, places: PlaceMap) {
    this.book = book
    this.places = { ...places, box: box => this.#noted(places, box) }
    this.#mention = places.sheet.name.replaceAll("'", "''").toLowerCase()
    this.#names = new Set(book.sheets.map(({ name }) => name.toLowerCase()))
  }

  #noted(places: PlaceMap, box: Box): Box | undefined {
    const to = places.box(box)
    if (to && places.extends?.(box)) {
      const text = `${this.owner || 'a range'} ${boxName(box)} → ${boxName(to)}`
      if (!this.extended.includes(text)) this.extended.push(text)
    }
    return to
  }

  isMoved(sheet: Sheet): boolean {
    return sheet.id === this.places.sheet.id
  }

  /** Whether a formula outside the sheet can name it. */
  mentions(formula: string): boolean {
    return formula.includes('!') && formula.toLowerCase().includes(this.#mention)
  }

  /** A formula of a sheet, or of no sheet: a chart's, a name's. */
  map(formula: string, sheet: Sheet | undefined, options: MapOptions = {}): MappedFormula {
    const isOwn = sheet !== undefined && this.isMoved(sheet)
    if (!isOwn && !this.mentions(formula))
      return {
        text: formula,
        isLost: false,
        isResized: false,
        hasSheetRange: false,
        isUnknown: false,
      }
    return mapReferences(formula, this.#map(isOwn, options))
  }

  #map(isOwn: boolean, { onlyFixed = false, isInside = false }: MapOptions): ReferenceMap {
    const { places } = this
    const name = places.sheet.name.toLowerCase()
    return {
      isOn: sheet => (sheet === undefined ? isOwn : sheet.toLowerCase() === name),
      box: box => {
        places.sees?.(this.owner, box)
        return (isInside ? movedBox(places, box) : places.box(box)) ?? GONE
      },
      isSheet: sheet => this.#names.has(sheet.toLowerCase()),
      onlyFixed,
    }
  }

  /** A cell's formula, noted under the cell's new place. */
  mapCell(formula: string, sheet: Sheet, at: { row: number; column: number }): string {
    const isInside = this.isMoved(sheet) && (this.places.isInside?.(at.row, at.column) ?? false)
    this.owner = placeOf(sheet.name, cellName(at.row, at.column))
    const mapped = this.map(formula, sheet, { isInside })
    if (mapped.isLost) this.lost.push(placeOf(sheet.name, cellName(at.row, at.column)))
    if (mapped.hasSheetRange)
      this.sheetRanges.push(placeOf(sheet.name, cellName(at.row, at.column)))
    if (mapped.isLost || mapped.isResized || MINDS_PLACE.test(formula))
      this.unsettle(sheet.id, cellKey(at.row, at.column))
    return mapped.text
  }

  unsettle(sheetId: number, key: number): void {
    const keys = this.unsettled.get(sheetId)
    if (keys) keys.add(key)
    else this.unsettled.set(sheetId, new Set([key]))
  }
}

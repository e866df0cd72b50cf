import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { MAX_COLUMN, MAX_ROW } from '../cell/address.ts'
import { type CornerMap, mapFormula } from './map-formula.ts'
import type { Places, SheetPair } from './places.ts'

/** A sheet of the draft, and the sheet that takes its place. */
export interface FramedSheet {
  readonly draft: Sheet
  readonly target: Sheet
  /** Absent for a sheet that the draft made: its places are its own. */
  readonly pair?: SheetPair
}

/** The draft's workbook and the one that takes its changes, as both are at this point of the log. */
export class Frame {
  readonly places: Places
  readonly #draft: Book
  readonly #target: Book
  readonly #made = new Map<number, number>()

  constructor(places: Places, draft: Book, target: Book) {
    this.places = places
    this.#draft = draft
    this.#target = target
  }

  /** A sheet that the draft made, and its twin. */
  link(draft: Sheet, target: Sheet): void {
    this.#made.set(draft.id, target.id)
  }

  /** Undefined where the sheet is gone or cannot be told from others. */
  find(draft: Sheet): FramedSheet | undefined {
    const pair = this.places.pairs.get(draft.id)
    const id = pair ? pair.nowSheet.id : this.#made.get(draft.id)
    const target = this.#target.sheets.find(own => own.id === id)
    return target && { draft, target, ...(pair && { pair }) }
  }

  named(name: string): FramedSheet | undefined {
    const sheet = this.#draft.sheet(name)
    return sheet && this.find(sheet)
  }

  /** A formula of that cell as it reads there now; undefined if a reference is not proven. */
  mapFormula(formula: string, own: FramedSheet, row: number): string | undefined {
    return mapFormula(formula, this.#corners(own, row))
  }

  /** A formula of any cell, where no row or column of the sheets it names moved; undefined if one did. */
  mapSteady(formula: string, own: FramedSheet | undefined): string | undefined {
    const at = (name: string | undefined) => {
      if (name !== undefined) return isStill(this.named(name))
      return own ? isStill(own) : this.#draft.sheets.every(sheet => isStill(this.find(sheet)))
    }
    return mapFormula(formula, {
      ownRow: 0,
      sheet: name => (this.#draft.sheet(name) ? this.named(name)?.target.name : name),
      row: (name, row) => (at(name) ? row : undefined),
      stays: at,
      allowsRange: at,
      keepsName: name => this.places.keepsName(name),
    })
  }

  #corners(own: FramedSheet, ownRow: number): CornerMap {
    const at = (name: string | undefined) => (name === undefined ? own : this.named(name))
    return {
      ownRow,
      sheet: name => (this.#draft.sheet(name) ? this.named(name)?.target.name : name),
      row: (name, row) => {
        const framed = at(name)
        return framed && rowIn(framed, row)
      },
      stays: (name, column) => {
        const framed = at(name)
        return framed !== undefined && staysIn(framed, column)
      },
      allowsRange: name => at(name)?.pair?.rows.isInOrder ?? true,
      keepsName: name => this.places.keepsName(name),
    }
  }
}

/** Every row and column with content is where it was. */
export function isStill(framed: FramedSheet | undefined): boolean {
  return (
    framed !== undefined &&
    (!framed.pair || (framed.pair.rows.isStill && framed.pair.columns.isStill))
  )
}

export function rowIn({ pair }: FramedSheet, row: number): number | undefined {
  return pair && row < MAX_ROW ? pair.rows.to(row) : row
}

export function staysIn({ pair }: FramedSheet, column: number): boolean {
  return !pair || column >= MAX_COLUMN || pair.columns.to(column) === column
}

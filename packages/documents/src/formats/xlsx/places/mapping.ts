import { cellKey, columnOfKey, rowOfKey } from '../cell/address.ts'
import {
  boxInStep,
  cellInStep,
  inverseStep,
  isLost,
  nameInStep,
  type PlaceStep,
  type SheetBox,
  type SheetCell,
  type SheetKey,
  sheetInStep,
  type Whereabouts,
} from './place-step.ts'

/** Where sheets, cells, ranges and names of a workbook are after some changes. */
export class Mapping {
  static readonly identity = new Mapping([])
  readonly steps: readonly PlaceStep[]
  #inverse: Mapping | undefined

  private constructor(steps: readonly PlaceStep[]) {
    this.steps = steps
  }

  static of(...steps: readonly PlaceStep[]): Mapping {
    return steps.length === 0 ? Mapping.identity : new Mapping(steps)
  }

  get isIdentity(): boolean {
    return this.steps.length === 0
  }

  /** First this one, then the other. */
  compose(next: Mapping): Mapping {
    if (this.isIdentity) return next
    return next.isIdentity ? this : new Mapping([...this.steps, ...next.steps])
  }

  /** The way back; what it cannot tell is unknown, and what was not there before is gone. */
  inverse(): Mapping {
    if (this.isIdentity) return this
    this.#inverse ??= new Mapping(this.steps.map(inverseStep).reverse())
    return this.#inverse
  }

  sheet(key: SheetKey): Whereabouts<SheetKey> {
    return this.#through<SheetKey>(key, sheetInStep)
  }

  /** A defined name of the workbook. */
  name(name: string): Whereabouts<string> {
    return this.#through(name, nameInStep)
  }

  cell(place: SheetCell): Whereabouts<SheetCell> {
    return this.#through(place, cellInStep)
  }

  /** Where cells of a sheet are, by their keys; what is lost is left out. */
  keys(sheet: SheetKey, keys: Iterable<number>): number[] {
    if (this.isIdentity) return [...keys]
    const found: number[] = []
    for (const key of keys) {
      const at = this.cell({ sheet, row: rowOfKey(key), column: columnOfKey(key) })
      if (!isLost(at)) found.push(cellKey(at.row, at.column))
    }
    return found
  }

  /** What a reference to the box names: with lines inserted in it, without those deleted. */
  box(place: SheetBox): Whereabouts<SheetBox> {
    return this.#through(place, boxInStep)
  }

  #through<Place>(
    place: Place,
    map: (step: PlaceStep, place: Place) => Whereabouts<Place>,
  ): Whereabouts<Place> {
    let at: Whereabouts<Place> = place
    for (const step of this.steps) {
      at = map(step, at)
      if (isLost(at)) return at
    }
    return at
  }
}

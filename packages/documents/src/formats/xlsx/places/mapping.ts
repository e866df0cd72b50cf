import {
  type BoxPlace,
  boxInStep,
  type CellPlace,
  cellInStep,
  type Found,
  inverseStep,
  isLost,
  nameInStep,
  type PlaceStep,
  type SheetKey,
  sheetInStep,
} from './place-step.ts'

/** Where sheets, cells, ranges and names of a workbook are after some changes. */
export class Mapping {
  static readonly identity = new Mapping([])
  readonly steps: readonly PlaceStep[]

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
    return this.isIdentity ? this : new Mapping(this.steps.map(inverseStep).reverse())
  }

  sheet(key: SheetKey): Found<SheetKey> {
    return this.#through<SheetKey>(key, sheetInStep)
  }

  /** A defined name of the workbook. */
  name(name: string): Found<string> {
    return this.#through(name, nameInStep)
  }

  cell(place: CellPlace): Found<CellPlace> {
    return this.#through(place, cellInStep)
  }

  /** What a reference to the box names: with lines inserted in it, without those deleted. */
  box(place: BoxPlace): Found<BoxPlace> {
    return this.#through(place, boxInStep)
  }

  #through<Place>(
    place: Place,
    map: (step: PlaceStep, place: Place) => Found<Place>,
  ): Found<Place> {
    let at: Found<Place> = place
    for (const step of this.steps) {
      at = map(step, at)
      if (isLost(at)) return at
    }
    return at
  }
}

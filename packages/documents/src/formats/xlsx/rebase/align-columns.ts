import type { RowAlignment } from './align-rows.ts'
import type { RowContent, SheetContent } from './sheet-content.ts'

const SAMPLE = 5_000 // rows compared

/** Whether columns are where they were: what they hold still stands there, and nowhere better. */
export class ColumnAlignment {
  readonly #pairs: readonly (readonly [ReadonlyMap<number, string>, ReadonlyMap<number, string>])[]
  /** Columns with content, in order. */
  readonly #filled: readonly number[]
  readonly #known = new Map<number, boolean>()

  constructor(old: SheetContent, now: SheetContent, rows: RowAlignment) {
    const pairs: [ReadonlyMap<number, string>, ReadonlyMap<number, string>][] = []
    const filled = new Set<number>()
    for (const [row, content] of old.rows) {
      const to = pairs.length < SAMPLE ? rows.to(row) : undefined
      const there = to === undefined ? undefined : now.rows.get(to)
      if (!there) continue
      const words = wordsOf(content)
      pairs.push([words, wordsOf(there)])
      for (const column of words.keys()) filled.add(column)
    }
    this.#pairs = pairs
    this.#filled = [...filled].sort((a, b) => a - b)
  }

  /** The column and its neighbours with content are where they were. */
  stays(column: number): boolean {
    const left = this.#filled.findLast(own => own < column)
    const right = this.#filled.find(own => own > column)
    const own = this.#filled.includes(column) ? column : undefined
    return [left, own, right].every(each => each === undefined || this.#isKept(each))
  }

  #isKept(column: number): boolean {
    let isKept = this.#known.get(column)
    if (isKept === undefined) {
      const found = this.#findLike(column)
      const here = found.get(column) ?? 0
      isKept = here > 0 && [...found.values()].every(count => count <= here)
      this.#known.set(column, isKept)
    }
    return isKept
  }

  /** How often each column now holds what this one held in the row. */
  #findLike(column: number): Map<number, number> {
    const found = new Map<number, number>()
    for (const [old, now] of this.#pairs) {
      const word = old.get(column)
      if (word === undefined) continue
      for (const [other, own] of now)
        if (own === word) found.set(other, (found.get(other) ?? 0) + 1)
    }
    return found
  }
}

/** One formula is as good as another: its text changes when its cells move. */
function wordsOf({ constants, formulas }: RowContent): ReadonlyMap<number, string> {
  if (formulas.size === 0) return constants
  const words = new Map(constants)
  for (const column of formulas) words.set(column, '=')
  return words
}

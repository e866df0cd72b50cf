import type { RowContent, SheetContent } from './sheet-content.ts'

/** A row of the old sheet that is provably that row of the new one. */
interface Anchor {
  readonly row: number
  readonly to: number
}

const START: Anchor = { row: 0, to: 0 }

const MOST_CHANGED = 2_000 // changed rows compared with one another; beyond that nothing is proven

/**
 * Where the rows of a sheet are after somebody else saved it. A row whose content occurs once in both is that row,
 * wherever it is now. Any other row is proven by the rows around it: they moved by the same distance, and what it holds
 * is still there. An empty row has nothing to prove it by, so it is found only where no row moved.
 */
export class RowAlignment {
  /** No row went past another: rows that moved did so because others came or went, and those are known. */
  readonly isInOrder: boolean
  /** No row is known to have moved. */
  readonly isUnmoved: boolean
  readonly #old: SheetContent
  readonly #now: SheetContent
  readonly #anchors: readonly Anchor[]
  readonly #exact: ReadonlyMap<number, number>
  readonly #lost: readonly number[]
  readonly #fresh: readonly number[]
  readonly #known = new Map<number, number | undefined>()
  readonly #steady = new Map<string, boolean>()

  constructor(old: SheetContent, now: SheetContent) {
    this.#old = old
    this.#now = now
    const rowsBefore = rowsByKey(old)
    const rowsNow = rowsByKey(now)
    this.#lost = onlyIn(rowsBefore, rowsNow)
    this.#fresh = onlyIn(rowsNow, rowsBefore)
    const anchors: Anchor[] = []
    for (const [key, rows] of rowsBefore) {
      const there = rowsNow.get(key)
      const isUnique = rows.length === 1 && there?.length === 1
      if (isUnique && old.rows.get(rows[0]!)!.constants.size > 0)
        anchors.push({ row: rows[0]!, to: there[0]! })
    }
    this.#anchors = anchors.sort((a, b) => a.row - b.row)
    this.isInOrder = this.#steps().every(([from, to]) => this.#isExplained(from, to))
    this.isUnmoved = anchors.every(({ row, to }) => row === to)
    this.#exact = new Map(anchors.map(({ row, to }) => [row, to]))
  }

  /** Each anchor and the next, from the start of the sheet to its end. */
  #steps(): (readonly [Anchor, Anchor])[] {
    const all = [START, ...this.#anchors, this.#end]
    return all.slice(1).map((next, index) => [all[index]!, next])
  }

  /** As many rows came or went between two anchors as the distance grew: a sort or a move does not add up. */
  #isExplained(from: Anchor, next: Anchor): boolean {
    const grown = next.to - from.to - (next.row - from.row)
    if (next.to <= from.to) return false
    if (grown === 0) return true
    const came = this.#fresh.filter(row => row > from.to && row < next.to)
    const went = this.#lost.filter(row => row > from.row && row < next.row)
    return grown === came.length - went.length && came.every(row => this.#isNew(row, went))
  }

  /** It is not a row from elsewhere that was moved and edited. */
  #isNew(row: number, went: readonly number[]): boolean {
    const own = this.#now.rows.get(row)
    if (this.#lost.length > MOST_CHANGED) return false
    return this.#lost.every(old => went.includes(old) || !isLike(this.#old.rows.get(old)!, own))
  }

  /** Undefined where nothing proves it. */
  to(row: number): number | undefined {
    if (!this.#known.has(row)) this.#known.set(row, this.#find(row))
    return this.#known.get(row)
  }

  #find(row: number): number | undefined {
    const { above, below } = this.#around(row)
    const by = above.to - above.row
    const between = below.to - below.row === by ? row + by : undefined
    const exact = this.#exact.get(row)
    const old = this.#old.rows.get(row)
    const now = between === undefined ? undefined : this.#now.rows.get(between)
    if (exact !== undefined) {
      // It may have been copied elsewhere, and edited where it was.
      const isDoubtful = between !== undefined && between !== exact && isLike(old!, now)
      return isDoubtful ? undefined : exact
    }
    if (between === undefined) return undefined
    if (!old) return this.isUnmoved ? between : undefined
    if (!now) return undefined
    const isSame =
      old.key === now.key
        ? this.#isSteady(old.key, above, below)
        : this.#isEdited(row, between, old, now)
    return isSame ? between : undefined
  }

  get #end(): Anchor {
    return { row: this.#old.lastRow + 1, to: this.#now.lastRow + 1 }
  }

  /** Rows that were only added below the last one move none above. */
  get #grownEnd(): Anchor {
    const { lastRow, rows } = this.#old
    const last = rows.get(lastRow)
    const isThere = last !== undefined && isLike(last, this.#now.rows.get(lastRow))
    const below = [...this.#now.rows.keys()].filter(row => row > lastRow)
    const isGrown = isThere && below.every(row => this.#fresh.includes(row))
    return isGrown ? { row: lastRow + 1, to: lastRow + 1 } : this.#end
  }

  /** The next anchors; the start and the end of the sheet are two. */
  #around(row: number): { readonly above: Anchor; readonly below: Anchor } {
    let low = 0
    let high = this.#anchors.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#anchors[middle]!.row < row) low = middle + 1
      else high = middle
    }
    const next = this.#anchors[low]?.row === row ? low + 1 : low
    const end = this.#old.rows.has(row) ? this.#grownEnd : this.#end
    return { above: this.#anchors[low - 1] ?? START, below: this.#anchors[next] ?? end }
  }

  /** Rows that hold the same are each where they were between these anchors. */
  #isSteady(key: string, above: Anchor, below: Anchor): boolean {
    const name = `${above.row} ${key}`
    let isSteady = this.#steady.get(name)
    if (isSteady === undefined) {
      const by = above.to - above.row
      isSteady = true
      for (let row = above.row + 1; row < below.row && isSteady; row++)
        isSteady = this.#keepsPlace(key, row, row + by)
      this.#steady.set(name, isSteady)
    }
    return isSteady
  }

  /** Of the rows with that content, this one is still there, perhaps edited, and no other came. */
  #keepsPlace(key: string, row: number, to: number): boolean {
    const [old, now] = [this.#old.rows.get(row), this.#now.rows.get(to)]
    if (old?.key !== key) return now?.key !== key
    return now?.key === key || (isLike(old, now) && this.#fresh.includes(to))
  }

  /** The row with some cells changed: no other changed row has more in common with it. */
  #isEdited(row: number, to: number, old: RowContent, now: RowContent): boolean {
    if (!isLike(old, now) || !this.#fresh.includes(to)) return false
    if (this.#fresh.length + this.#lost.length > MOST_CHANGED) return false
    const common = inCommon(old, now)
    return (
      this.#fresh.every(other => inCommon(old, this.#now.rows.get(other)!) <= common) &&
      this.#lost.every(
        other => other === row || inCommon(this.#old.rows.get(other)!, now) <= common,
      )
    )
  }
}

function rowsByKey({ rows }: SheetContent): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const [row, { key }] of rows) {
    const same = found.get(key)
    if (same) same.push(row)
    else found.set(key, [row])
  }
  return found
}

function onlyIn(own: Map<string, number[]>, other: Map<string, number[]>): number[] {
  return [...own].flatMap(([key, rows]) => (other.has(key) ? [] : rows))
}

/** Half of its constants at least are still there, or its formulas where it has only those. */
function isLike(old: RowContent, now: RowContent | undefined): boolean {
  if (!now) return false
  if (old.constants.size > 0) return inCommon(old, now) * 2 >= old.constants.size
  return old.formulas.size > 0 && [...old.formulas].every(column => now.formulas.has(column))
}

function inCommon(a: RowContent, b: RowContent): number {
  let count = 0
  for (const [column, word] of a.constants) if (b.constants.get(column) === word) count++
  return count
}

import type { TextDocument } from '../decode/text.ts'
import { diffDocuments, sameLine } from '../diff/document-diff.ts'
import { costOf, createLineNumbering, type Hunk, type LineIds } from '../diff/line-diff.ts'

/** Lines `first` to `last` of the base with their neighbours; 0 and `lineCount + 1` are the ends of the file. */
export interface Window {
  readonly first: number
  readonly last: number
}

/**
 * Maps lines of a base onto the current text through their difference. A place is returned only if it is proven: the
 * lines are there unchanged and adjacent, and no equally likely difference would put them elsewhere.
 */
export class LineMapper {
  readonly #base: TextDocument
  readonly #current: TextDocument
  readonly #hunks: readonly Hunk[]
  readonly #cost: number
  #numbers: { readonly a: LineIds; readonly b: LineIds } | undefined

  constructor(base: TextDocument, current: TextDocument) {
    this.#base = base
    this.#current = current
    this.#hunks = diffDocuments(base, current, { lineEnds: false })
    this.#cost = costOf(this.#hunks)
  }

  /** By how much the lines moved; null if they did not stay together or several places are equally likely. */
  shiftOf(window: Window): number | null {
    if (this.#cost > MAX_TRIES) return null
    const found = this.#likeliestShift(window)
    return found === null || this.#hasRival(window, found) ? null : found
  }

  /** The place that a shortest difference gives; null for none or several. */
  #likeliestShift(window: Window): number | null {
    let found: number | null = null
    // a difference of this cost moves no line further than that
    for (let shift = -this.#cost; shift <= this.#cost; shift++) {
      if (!this.#standsAt(window, shift) || !this.#isWithin(this.#cost, window, shift)) continue
      if (found !== null) return null
      found = shift
    }
    return found
  }

  /** Whether these lines may belong to another place, or other lines of the base may belong to this one. */
  #hasRival(window: Window, found: number): boolean {
    const agreement = this.#agreement(window, found)
    const isRival = (other: Window, shift: number) => {
      if (!this.#standsAt(other, shift)) return false
      const limit = this.#limitFor(other, shift, agreement)
      return Math.abs(shift) <= limit && this.#isWithin(limit, other, shift)
    }
    const furthest = this.#cost + NEARLY_AS_SHORT
    for (let shift = -furthest; shift <= furthest; shift++)
      if (shift !== found && isRival(window, shift)) return true
    // of two equal blocks one was deleted
    for (let by = -furthest; by <= furthest; by++) {
      const twin = { first: window.first - by, last: window.last - by }
      if (by !== 0 && isRival(twin, found + by)) return true
    }
    return false
  }

  /**
   * A rival counts if it is as short. Where few lines around agree, a rival longer by one line also counts if nearly as
   * many lines agree with it: when a block was copied and the original changed next to the window, the shortest
   * difference finds the copy.
   */
  #limitFor(window: Window, shift: number, agreement: number): number {
    const isLikely =
      agreement <= FEW_LINES && this.#agreement(window, shift) >= agreement - NEARLY_AS_MANY
    return isLikely ? this.#cost + NEARLY_AS_SHORT : this.#cost
  }

  /** How many lines above and below the window moved with it; only a few are counted. */
  #agreement({ first, last }: Window, shift: number): number {
    const stands = (n: number) => this.#standsAt({ first: n, last: n }, shift)
    let count = 0
    for (let n = first - 1; count <= FEW_LINES && stands(n); n--) count++
    for (let n = last + 1; count <= FEW_LINES && stands(n); n++) count++
    return count
  }

  /** Roughly where line `n` of the base is now, to show the lines there. */
  placeNear(n: number): number {
    const above = this.#hunks.findLast(hunk => hunk.aEnd < n)
    const place = n + (above ? above.bEnd - above.aEnd : 0)
    return Math.max(1, Math.min(place, this.#current.lineCount))
  }

  /** The line of the base that became line `n` of the current text in our own difference; undefined if it is new. */
  originOf(n: number): number | undefined {
    const above = this.#hunks.findLast(hunk => hunk.bStart < n)
    if (above && n <= above.bEnd) return undefined
    return above ? n - above.bEnd + above.aEnd : n
  }

  /** Whether the lines of the window are in the current text `shift` lines further. */
  #standsAt({ first, last }: Window, shift: number): boolean {
    const [base, current] = [this.#base, this.#current]
    if (first < 0 || last > base.lineCount + 1) return false
    if (first + shift < 0 || last + shift > current.lineCount + 1) return false
    for (let n = first; n <= last; n++) {
      const isTop = n === 0
      const isEnd = n === base.lineCount + 1
      if (isTop !== (n + shift === 0) || isEnd !== (n + shift === current.lineCount + 1))
        return false
      if (!isTop && !isEnd && !sameLine(base, n, current, n + shift)) return false
    }
    return true
  }

  /** Whether a difference that maps the window by `shift` costs at most `limit`, as ours does. */
  #isWithin(limit: number, window: Window, shift: number): boolean {
    if (this.#hunkShiftOf(window) === shift) return true
    const { first, last } = window
    const numbers = this.#cost <= MAX_COST ? this.#numbered() : null
    if (!numbers) return true // too expensive to decide: not proven
    const { a, b } = numbers
    const above = distance(
      a.subarray(0, Math.max(0, first - 1)),
      b.subarray(0, Math.max(0, first - 1 + shift)),
      limit,
    )
    if (above > limit) return false
    const left = limit - above
    return distance(a.subarray(last), b.subarray(last + shift), left) <= left
  }

  /** The shift in our own difference, if the window lies between two hunks. */
  #hunkShiftOf({ first, last }: Window): number | null {
    const next = this.#hunks.find(hunk => hunk.aEnd >= first)
    if (next && next.aStart < last) return null
    const above = this.#hunks.findLast(hunk => hunk.aEnd < first)
    return above ? above.bEnd - above.aEnd : 0
  }

  /** Base and current text as line numbers, computed once; null where that would take seconds. */
  #numbered() {
    const [base, current] = [this.#base, this.#current]
    if (base.lineCount + current.lineCount > MAX_NUMBERED) return null
    if (this.#numbers) return this.#numbers
    const numberOf = createLineNumbering()
    const idsOf = (doc: TextDocument) =>
      Int32Array.from({ length: doc.lineCount }, (_, i) => numberOf(doc.line(i + 1)))
    this.#numbers = { a: idsOf(base), b: idsOf(current) }
    return this.#numbers
  }
}

/** Limits on other places tried, lines in a distance computation, and lines numbered: beyond them nothing is proven. */
const MAX_TRIES = 100_000
const MAX_COST = 2000
const MAX_NUMBERED = 1_000_000

/** One line deleted and another inserted. */
const NEARLY_AS_SHORT = 2
const NEARLY_AS_MANY = 2
const FEW_LINES = 4

/** Lines to delete and insert between two lists (Myers), or more than `limit`. */
function distance(a: LineIds, b: LineIds, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  const reach = new Int32Array(2 * limit + 3)
  const middle = limit + 1
  for (let cost = 0; cost <= limit; cost++)
    for (let k = -cost; k <= cost; k += 2) {
      const goesDown =
        k === -cost || (k !== cost && reach[middle + k - 1]! < reach[middle + k + 1]!)
      let x = goesDown ? reach[middle + k + 1]! : reach[middle + k - 1]! + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      reach[middle + k] = x
      if (x >= a.length && x - k >= b.length) return cost
    }
  return limit + 1
}

import type { LineContent, Lines } from './sheet-content.ts'

/** A line of the old sheet that is provably that line of the new one. */
interface Anchor {
  readonly line: number
  readonly to: number
}

interface Candidate extends Anchor {
  /** How many cells identify it. */
  readonly strength: number
}

const START: Anchor = { line: 0, to: 0 }

const MOST_CHANGED = 2_000 // changed lines compared with one another; beyond that no order is proven

/** One cell may have been retyped: two that agree are an identity. */
const PROOF = 2

/**
 * Where the rows or columns of a sheet are after somebody else saved it. A cell identifies its line where its word
 * occurs once across the lines of both sheets; a line is found where all such cells agree, and those of the neighbours
 * that moved by the same distance make two at least. Lines that nothing identifies, because they are equal or empty, are
 * found only between two such lines, and only where nothing between them changed: a tie is no proof. A sheet of different
 * lines in which one value alone changed has all of them where they were.
 */
export class LineAlignment {
  /** No line went past another: lines that moved did so because others came or went, and those are known. */
  readonly isInOrder: boolean
  /** Every line with content is where it was. */
  readonly isStill: boolean
  readonly #old: Lines
  readonly #now: Lines
  readonly #words: WordPlaces
  readonly #anchors: readonly Anchor[]
  readonly #isUnmoved: boolean
  readonly #known = new Map<number, number | undefined>()
  readonly #blocks = new Map<number, boolean>()

  constructor(old: Lines, now: Lines) {
    this.#old = old
    this.#now = now
    const isUnchanged = isStandingStill(old, now)
    this.#words = isUnchanged ? new Map() : placesOfWords(old)
    this.#anchors = isUnchanged ? selves(old) : findAnchors(old, now, this.#words)
    this.#isUnmoved = this.#anchors.every(({ line, to }) => line === to)
    this.isInOrder = this.#findOrder()
    this.isStill = [...old.lines.keys()].every(line => this.to(line) === line)
  }

  /** Undefined where nothing proves it. */
  to(line: number): number | undefined {
    if (!this.#known.has(line)) this.#known.set(line, this.#find(line))
    return this.#known.get(line)
  }

  /**
   * No line is known to have come, gone or moved, but at the end, and none may have: two lines that changed could have
   * changed places.
   */
  get isSteady(): boolean {
    if (!this.#isUnmoved) return false
    const last = Math.min(this.#old.last, this.#now.last)
    const anchors = this.#anchors.filter(({ line }) => line <= last)
    if (this.#old.last !== this.#now.last && (anchors.at(-1)?.line ?? 0) !== last) return false
    const ends = [...anchors.map(({ line }) => line), last + 1]
    return ends.every((end, index) => this.#changedBetween(ends[index - 1] ?? 0, end) <= 1)
  }

  #changedBetween(above: number, below: number): number {
    let changed = 0
    for (let line = above + 1; line < below; line++) {
      const [old, now] = [this.#old.lines.get(line), this.#now.lines.get(line)]
      if (old?.key !== now?.key || (old && !hasSameFormulas(old, now!))) changed++
    }
    return changed
  }

  #find(line: number): number | undefined {
    const { own, above, below } = this.#around(line)
    const by = above.to - above.line
    const between = below.to - below.line === by ? line + by : undefined
    if (own) {
      // It may have been copied elsewhere, and edited where it was.
      const isDoubtful =
        between !== undefined &&
        between !== own.to &&
        isLike(this.#old.lines.get(line)!, this.#now.lines.get(between))
      return isDoubtful ? undefined : own.to
    }
    if (between === undefined) return undefined
    const old = this.#old.lines.get(line)
    if (!old && !this.#isUnmoved) return undefined
    const isAlone =
      below.line - above.line === 2 && this.#isEdited(old, this.#now.lines.get(between))
    return isAlone || this.#isEqual(above, below, line) ? between : undefined
  }

  /** Half of it is still there, and no cell changed that told it from the other lines. */
  #isEdited(old: LineContent | undefined, now: LineContent | undefined): boolean {
    if (!old || !isLike(old, now)) return false
    return [...old.constants].every(
      ([cross, word]) =>
        now?.constants.get(cross) === word || this.#words.get(cross)?.get(word) === SEVERAL,
    )
  }

  /** The line's own anchor and the next ones; the start and the end of the sheet are two. */
  #around(line: number) {
    let low = 0
    let high = this.#anchors.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#anchors[middle]!.line < line) low = middle + 1
      else high = middle
    }
    const own = this.#anchors[low]?.line === line ? this.#anchors[low] : undefined
    const below = this.#anchors[own ? low + 1 : low] ?? this.#end
    return { own, above: this.#anchors[low - 1] ?? START, below }
  }

  get #end(): Anchor {
    return { line: this.#old.last + 1, to: this.#now.last + 1 }
  }

  /** Nothing between two anchors changed; one formula may read otherwise, as two do where lines changed places. */
  #isEqual(above: Anchor, below: Anchor, line: number): boolean {
    let isEqual = this.#blocks.get(above.line)
    if (isEqual === undefined) {
      const by = above.to - above.line
      let rewritten = 0
      isEqual = true
      for (let each = above.line + 1; each < below.line && isEqual; each++) {
        const [old, now] = [this.#old.lines.get(each), this.#now.lines.get(each + by)]
        if (old?.key !== now?.key) isEqual = false
        else if (old && !hasSameFormulas(old, now!)) rewritten++
      }
      isEqual &&= rewritten <= 1
      this.#blocks.set(above.line, isEqual)
    }
    return isEqual && (line < below.line || !this.#now.lines.has(line))
  }

  #findOrder(): boolean {
    const [found, taken] = [new Set<number>(), new Set<number>()]
    for (const { line, to } of this.#anchors) {
      found.add(line)
      taken.add(to)
    }
    const [before, after] = [linesByKey(this.#old), linesByKey(this.#now)]
    const lost = onlyIn(before, after).filter(line => !found.has(line))
    const fresh = onlyIn(after, before).filter(line => !taken.has(line))
    const all = [START, ...this.#anchors, this.#end]
    return all.slice(1).every((next, index) => this.#isExplained(all[index]!, next, lost, fresh))
  }

  /** As many lines came or went between two anchors as the distance grew: a sort or a move does not add up. */
  #isExplained(
    from: Anchor,
    next: Anchor,
    lost: readonly number[],
    fresh: readonly number[],
  ): boolean {
    const grown = next.to - from.to - (next.line - from.line)
    if (next.to <= from.to) return false
    if (grown === 0) return true
    if (lost.length > MOST_CHANGED) return false
    const came = fresh.filter(line => line > from.to && line < next.to)
    const went = lost.filter(line => line > from.line && line < next.line)
    const isNew = (line: number) =>
      lost.every(
        old => went.includes(old) || !isLike(this.#old.lines.get(old)!, this.#now.lines.get(line)),
      )
    return grown === came.length - went.length && came.every(isNew)
  }
}

/**
 * All formulas and all values are where they were, or all but one where no two lines were equal: lines that came, went or
 * changed places would have changed two values at least.
 */
function isStandingStill(old: Lines, now: Lines): boolean {
  if (old.last !== now.last || old.lines.size !== now.lines.size) return false
  let changed = 0
  for (const [line, content] of old.lines) {
    const there = now.lines.get(line)
    if (!there || content.formulas.size !== there.formulas.size) return false
    if (!hasSameFormulas(content, there)) return false
    if (content.key !== there.key) changed += changedIn(content, there)
    if (changed > 1) return false
  }
  return changed === 0 || linesByKey(old).size === old.lines.size
}

function changedIn({ constants }: LineContent, there: LineContent): number {
  let changed = 0
  for (const [cross, word] of constants) if (there.constants.get(cross) !== word) changed++
  for (const cross of there.constants.keys()) if (!constants.has(cross)) changed++
  return changed
}

function hasSameFormulas({ formulas }: LineContent, other: LineContent): boolean {
  for (const [cross, text] of formulas) if (other.formulas.get(cross) !== text) return false
  return true
}

function selves({ lines }: Lines): Anchor[] {
  return [...lines.keys()].sort((a, b) => a - b).map(line => ({ line, to: line }))
}

function findAnchors(old: Lines, now: Lines, words: WordPlaces): Anchor[] {
  const candidates = findCandidates(old, now, words)
  const anchors: Anchor[] = []
  for (let from = 0, until = 0; from < candidates.length; from = until) {
    let strength = 0
    const by = distanceOf(candidates[from]!)
    while (until < candidates.length && distanceOf(candidates[until]!) === by)
      strength += candidates[until++]!.strength
    if (strength >= PROOF) anchors.push(...candidates.slice(from, until))
  }
  return anchors
}

function distanceOf({ line, to }: Anchor): number {
  return to - line
}

/** In order; no two of them lead to the same line. */
function findCandidates(old: Lines, now: Lines, words: WordPlaces): Candidate[] {
  const [before, after] = [linesByKey(old), linesByKey(now)]
  const wordsNow = placesOfWords(now)
  const found: Candidate[] = []
  const takers = new Map<number, number>()
  for (const [line, content] of old.lines) {
    const votes = votesOf(content, words, wordsNow)
    const [only, twin] = [before.get(content.key)!, after.get(content.key)]
    const isExact = content.constants.size > 0 && only.length === 1 && twin?.length === 1
    const to = isExact ? twin![0]! : votes.size === 1 ? [...votes.keys()][0]! : undefined
    if (to === undefined) continue
    found.push({ line, to, strength: Math.max(1, votes.get(to) ?? 0) })
    takers.set(to, (takers.get(to) ?? 0) + 1)
  }
  return found.filter(({ to }) => takers.get(to) === 1).sort((a, b) => a.line - b.line)
}

/** Where the cells of a line are that identify it, and how many say so. */
function votesOf(
  { constants }: LineContent,
  before: WordPlaces,
  after: WordPlaces,
): Map<number, number> {
  const votes = new Map<number, number>()
  for (const [cross, word] of constants) {
    if (before.get(cross)?.get(word) === SEVERAL) continue
    const to = after.get(cross)?.get(word)
    if (to !== undefined && to !== SEVERAL) votes.set(to, (votes.get(to) ?? 0) + 1)
  }
  return votes
}

/** By the crossing line: in which line each word stands. */
type WordPlaces = ReadonlyMap<number, ReadonlyMap<string, number>>

const SEVERAL = -1

function placesOfWords({ lines }: Lines): WordPlaces {
  const found = new Map<number, Map<string, number>>()
  for (const [line, { constants }] of lines)
    for (const [cross, word] of constants) {
      const words = found.get(cross) ?? new Map<string, number>()
      words.set(word, words.has(word) ? SEVERAL : line)
      found.set(cross, words)
    }
  return found
}

function linesByKey({ lines }: Lines): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const [line, { key }] of lines) {
    const same = found.get(key)
    if (same) same.push(line)
    else found.set(key, [line])
  }
  return found
}

function onlyIn(own: Map<string, number[]>, other: Map<string, number[]>): number[] {
  return [...own].flatMap(([key, lines]) => (other.has(key) ? [] : lines))
}

/** Half of its constants at least are still there, or its formulas where it has only those. */
function isLike(old: LineContent, now: LineContent | undefined): boolean {
  if (!now) return false
  if (old.constants.size > 0) return inCommon(old, now) * 2 >= old.constants.size
  return old.formulas.size > 0 && [...old.formulas.keys()].every(cross => now.formulas.has(cross))
}

function inCommon(a: LineContent, b: LineContent): number {
  let count = 0
  for (const [cross, word] of a.constants) if (b.constants.get(cross) === word) count++
  return count
}

/**
 * A run of old lines [aStart, aEnd) that became the new lines [bStart, bEnd); 0-based. Lines between runs are equal.
 */
export interface Hunk {
  readonly aStart: number
  readonly aEnd: number
  readonly bStart: number
  readonly bEnd: number
}

/** Lines by number: equal lines have equal numbers. */
export type LineIds = Int32Array

/** Above this, a shortest difference costs more than it is worth; unique lines then anchor a coarser one. */
const MAX_COST = 2000

/**
 * A shortest difference of two lists of lines; deterministic. If it can be placed at several positions, it takes the
 * lowest, as git does.
 */
export function diffLines(a: LineIds, b: LineIds): Hunk[] {
  const prefix = commonPrefix(a, b)
  const suffix = commonSuffix(a, b, prefix)
  const hunks = diffRegion(a, b, {
    aStart: prefix,
    aEnd: a.length - suffix,
    bStart: prefix,
    bEnd: b.length - suffix,
  })
  return slideDown(joinTouching(hunks), {
    aLength: a.length,
    equalInA: (i, j) => a[i] === a[j],
    equalInB: (i, j) => b[i] === b[j],
  })
}

/** Gives equal lines equal numbers; both sides of a difference share one instance. */
export function createLineNumbering(): (line: string) => number {
  const numbers = new Map<string, number>()
  return line => {
    const known = numbers.get(line)
    if (known !== undefined) return known
    numbers.set(line, numbers.size)
    return numbers.size - 1
  }
}

export function costOf(hunks: readonly Hunk[]): number {
  return hunks.reduce(
    (sum, { aStart, aEnd, bStart, bEnd }) => sum + aEnd - aStart + bEnd - bStart,
    0,
  )
}

function commonPrefix(a: LineIds, b: LineIds): number {
  const most = Math.min(a.length, b.length)
  let n = 0
  while (n < most && a[n] === b[n]) n++
  return n
}

function commonSuffix(a: LineIds, b: LineIds, prefix: number): number {
  const most = Math.min(a.length, b.length) - prefix
  let n = 0
  while (n < most && a[a.length - 1 - n] === b[b.length - 1 - n]) n++
  return n
}

function diffRegion(a: LineIds, b: LineIds, region: Hunk): Hunk[] {
  const { aStart, aEnd, bStart, bEnd } = region
  if (aStart === aEnd && bStart === bEnd) return []
  if (aStart === aEnd || bStart === bEnd) return [region]
  // a line that the other side lacks is in no common part: the search is shorter without such lines
  const inB = new Set(b.subarray(bStart, bEnd))
  const inA = new Set(a.subarray(aStart, aEnd))
  const keptA = keepKnown(a, aStart, aEnd, inB)
  const keptB = keepKnown(b, bStart, bEnd, inA)
  const matches = matchShortest(keptA.ids, keptB.ids, MAX_COST)
  if (!matches) return splitAtUniqueLines(a, b, region)
  return toHunks(
    region,
    matches.map(([i, j]) => [keptA.places[i]!, keptB.places[j]!]),
  )
}

function keepKnown(lines: LineIds, start: number, end: number, known: ReadonlySet<number>) {
  const places: number[] = []
  for (let i = start; i < end; i++) if (known.has(lines[i]!)) places.push(i)
  return { places, ids: Int32Array.from(places, i => lines[i]!) }
}

type Match = readonly [number, number]

/** The pairs of a longest common subsequence (Myers), or null when more than `maxCost` lines differ. */
function matchShortest(a: LineIds, b: LineIds, maxCost: number): Match[] | null {
  const trace: Int32Array[] = []
  const limit = Math.min(a.length + b.length, maxCost)
  let reach = new Int32Array(2 * limit + 3)
  const middle = limit + 1
  for (let cost = 0; cost <= limit; cost++) {
    trace.push(reach.slice(middle - cost - 1, middle + cost + 2))
    const next = reach
    for (let k = -cost; k <= cost; k += 2) {
      const goesDown =
        k === -cost || (k !== cost && reach[middle + k - 1]! < reach[middle + k + 1]!)
      let x = goesDown ? reach[middle + k + 1]! : reach[middle + k - 1]! + 1
      let y = x - k
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++
        y++
      }
      next[middle + k] = x
      if (x >= a.length && y >= b.length) return backtrack(trace, a.length, b.length)
    }
    reach = next
  }
  return null
}

function backtrack(trace: readonly Int32Array[], aLength: number, bLength: number): Match[] {
  const matches: Match[] = []
  let x = aLength
  let y = bLength
  for (let cost = trace.length - 1; cost >= 0; cost--) {
    const reach = trace[cost]!
    const middle = cost + 1
    const k = x - y
    const goesDown = k === -cost || (k !== cost && reach[middle + k - 1]! < reach[middle + k + 1]!)
    const from = goesDown ? k + 1 : k - 1
    const fromX = cost === 0 ? 0 : reach[middle + from]!
    const fromY = cost === 0 ? 0 : fromX - from
    const snakeX = cost === 0 ? 0 : goesDown ? fromX : fromX + 1
    while (x > snakeX) matches.push([--x, --y])
    x = fromX
    y = fromY
  }
  return matches.reverse()
}

function toHunks(region: Hunk, matches: readonly Match[]): Hunk[] {
  const hunks: Hunk[] = []
  let { aStart, bStart } = region
  for (const [i, j] of [...matches, [region.aEnd, region.bEnd] as const]) {
    if (i > aStart || j > bStart) hunks.push({ aStart, aEnd: i, bStart, bEnd: j })
    aStart = i + 1
    bStart = j + 1
  }
  return hunks
}

/** Patience diff: lines that occur once on both sides, in the longest common order, anchor the rest. */
function splitAtUniqueLines(a: LineIds, b: LineIds, region: Hunk): Hunk[] {
  const anchors = longestIncreasing(uniquePairs(a, b, region))
  if (anchors.length === 0) return [region]
  const hunks: Hunk[] = []
  let { aStart, bStart } = region
  for (const [i, j] of [...anchors, [region.aEnd, region.bEnd] as const]) {
    hunks.push(...diffTrimmed(a, b, { aStart, aEnd: i, bStart, bEnd: j }))
    aStart = i + 1
    bStart = j + 1
  }
  return hunks
}

function diffTrimmed(a: LineIds, b: LineIds, region: Hunk): Hunk[] {
  let { aStart, aEnd, bStart, bEnd } = region
  while (aStart < aEnd && bStart < bEnd && a[aStart] === b[bStart]) {
    aStart++
    bStart++
  }
  while (aStart < aEnd && bStart < bEnd && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd--
    bEnd--
  }
  return diffRegion(a, b, { aStart, aEnd, bStart, bEnd })
}

function uniquePairs(a: LineIds, b: LineIds, { aStart, aEnd, bStart, bEnd }: Hunk): Match[] {
  const placesA = uniquePlaces(a, aStart, aEnd)
  const placesB = uniquePlaces(b, bStart, bEnd)
  const pairs: Match[] = []
  for (const [id, i] of placesA) {
    const j = placesB.get(id)
    if (i >= 0 && j !== undefined && j >= 0) pairs.push([i, j])
  }
  return pairs.sort((p, q) => p[0] - q[0])
}

/** -1 for a line that occurs more than once. */
function uniquePlaces(lines: LineIds, start: number, end: number): Map<number, number> {
  const places = new Map<number, number>()
  for (let i = start; i < end; i++) places.set(lines[i]!, places.has(lines[i]!) ? -1 : i)
  return places
}

function longestIncreasing(pairs: readonly Match[]): Match[] {
  const tails: number[] = []
  const before = new Int32Array(pairs.length).fill(-1)
  pairs.forEach(([, j], index) => {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (pairs[tails[middle]!]![1] < j) low = middle + 1
      else high = middle
    }
    before[index] = low > 0 ? tails[low - 1]! : -1
    tails[low] = index
  })
  const chain: Match[] = []
  for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index]!) chain.push(pairs[index]!)
  return chain.reverse()
}

function joinTouching(hunks: readonly Hunk[]): Hunk[] {
  const joined: Hunk[] = []
  for (const hunk of hunks) {
    const last = joined.at(-1)
    if (last && last.aEnd === hunk.aStart && last.bEnd === hunk.bStart)
      joined[joined.length - 1] = { ...last, aEnd: hunk.aEnd, bEnd: hunk.bEnd }
    else joined.push(hunk)
  }
  return joined
}

export interface LinesOfBoth {
  readonly aLength: number
  equalInA(i: number, j: number): boolean
  equalInB(i: number, j: number): boolean
}

/** Moves a pure insert or delete down while the line after it equals its first; adjacent hunks are joined. */
export function slideDown(hunks: readonly Hunk[], lines: LinesOfBoth): Hunk[] {
  const slid: Hunk[] = []
  for (let index = hunks.length - 1; index >= 0; index--) {
    let { aStart, aEnd, bStart, bEnd } = hunks[index]!
    const below = slid.at(-1)
    const floor = below?.aStart ?? lines.aLength
    const isInsert = aStart === aEnd
    const isDelete = bStart === bEnd
    while (aEnd < floor && (isInsert || isDelete)) {
      const repeats = isInsert ? lines.equalInB(bStart, bEnd) : lines.equalInA(aStart, aEnd)
      if (!repeats) break
      aStart++
      aEnd++
      bStart++
      bEnd++
    }
    if (below && aEnd === below.aStart && bEnd === below.bStart)
      slid[slid.length - 1] = { ...below, aStart, bStart }
    else slid.push({ aStart, aEnd, bStart, bEnd })
  }
  return slid.reverse()
}

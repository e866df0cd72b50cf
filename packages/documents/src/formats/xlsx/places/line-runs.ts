/** Lines next to each other that went elsewhere together. */
export interface MovedRun {
  readonly from: number
  readonly to: number
  readonly count: number
}

/** Sorted by where the lines were, and disjoint. */
export type LineRuns = readonly MovedRun[]

/** Pairs of lines as runs. */
export function lineRuns(pairs: Iterable<readonly [from: number, to: number]>): LineRuns {
  const runs: { from: number; to: number; count: number }[] = []
  for (const [from, to] of [...pairs].sort(([a], [b]) => a - b)) {
    const last = runs.at(-1)
    if (last && last.from + last.count === from && last.to + last.count === to) last.count++
    else runs.push({ from, to, count: 1 })
  }
  return runs
}

export function inverseRuns(runs: LineRuns): LineRuns {
  return runs
    .map(({ from, to, count }) => ({ from: to, to: from, count }))
    .sort((a, b) => a.from - b.from)
}

/** Undefined: no run has the line. */
export function lineIn(runs: LineRuns, line: number): number | undefined {
  let [low, high] = [0, runs.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (runs[middle]!.from <= line) low = middle + 1
    else high = middle
  }
  const run = runs[low - 1]
  return run && line < run.from + run.count ? line - run.from + run.to : undefined
}

/** Where both ends are, if no line between them went past another; an open end stays open. */
export function linesIn(
  runs: LineRuns,
  first: number,
  last: number,
  end: number,
): readonly [number, number] | undefined {
  const from = first === 1 && last === end ? 1 : lineIn(runs, first)
  const to = last === end ? end : lineIn(runs, last)
  if (from === undefined || to === undefined) return undefined
  const between = runs.filter(own => own.from <= last && own.from + own.count > first)
  const isInOrder = between.every(
    (own, at) => at === 0 || own.to >= between[at - 1]!.to + between[at - 1]!.count,
  )
  return isInOrder ? [from, to] : undefined
}

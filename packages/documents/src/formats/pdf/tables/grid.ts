import type { PageBox } from '../page/geometry.ts'
import type { RuledLine } from './rules.ts'

/** The lines of a table, from the left and from the top. */
export interface Grid {
  readonly xs: readonly number[]
  readonly ys: readonly number[]
  readonly box: PageBox
}

const NEAR = 3 // points between lines that are one
const MOST_GRIDS = 50
const MOST_LINES = 300 // of one direction

/** Rules that touch each other, where they make at least two rows and two columns. */
export function gridsOf(rules: readonly RuledLine[]): Grid[] {
  const levels = joined(rules.filter(rule => rule.isLevel))
  const uprights = joined(rules.filter(rule => !rule.isLevel))
  if (levels.length > MOST_LINES || uprights.length > MOST_LINES) return []
  return groupsOf(levels, uprights)
    .map(toGrid)
    .filter(grid => grid !== undefined)
    .slice(0, MOST_GRIDS)
}

/** Pieces of one line as one. */
function joined(rules: readonly RuledLine[]): RuledLine[] {
  const sorted = [...rules].sort((a, b) => a.at - b.at || a.from - b.from)
  const lines: RuledLine[] = []
  for (const rule of sorted) {
    const index = lines.findLastIndex(
      line =>
        rule.at - line.at <= NEAR && rule.from <= line.to + NEAR && rule.to >= line.from - NEAR,
    )
    const line = lines[index]
    if (!line) lines.push(rule)
    else
      lines[index] = {
        ...line,
        from: Math.min(line.from, rule.from),
        to: Math.max(line.to, rule.to),
      }
  }
  return lines
}

interface RuleGroup {
  readonly levels: RuledLine[]
  readonly uprights: RuledLine[]
}

function groupsOf(levels: readonly RuledLine[], uprights: readonly RuledLine[]): RuleGroup[] {
  const groups: RuleGroup[] = []
  const left = new Set<RuledLine>([...levels, ...uprights])
  for (const start of levels) {
    if (!left.delete(start)) continue
    const group: RuleGroup = { levels: [start], uprights: [] }
    const open: RuledLine[] = [start]
    for (const rule of open)
      for (const other of rule.isLevel ? uprights : levels)
        if (left.has(other) && touches(rule, other)) {
          left.delete(other)
          open.push(other)
          ;(other.isLevel ? group.levels : group.uprights).push(other)
        }
    groups.push(group)
  }
  return groups
}

function touches(one: RuledLine, other: RuledLine): boolean {
  return (
    other.at >= one.from - NEAR &&
    other.at <= one.to + NEAR &&
    one.at >= other.from - NEAR &&
    one.at <= other.to + NEAR
  )
}

function toGrid({ levels, uprights }: RuleGroup): Grid | undefined {
  const ys = withOpenEnds(distinct(levels.map(({ at }) => at)), uprights)
  const xs = distinct(uprights.map(({ at }) => at))
  if (xs.length < 3 || ys.length < 3) return undefined
  const box = { left: xs[0]!, right: xs.at(-1)!, top: ys[0]!, bottom: ys.at(-1)! }
  return { xs, ys, box }
}

const FEWEST_POINTS = 6 // of a row

/** Where a page cuts a table, its uprights go on to a row that no line closes. */
function withOpenEnds(ys: readonly number[], uprights: readonly RuledLine[]): number[] {
  const [top = 0, bottom = 0] = [ys[0], ys.at(-1)]
  const second = (ends: readonly number[]) => [...ends].sort((a, b) => a - b)[1] ?? 0 // two of them at least
  const above = second(uprights.map(({ from }) => from))
  const below = -second(uprights.map(({ to }) => -to))
  return [
    ...(uprights.length > 1 && top - above > FEWEST_POINTS ? [above] : []),
    ...ys,
    ...(uprights.length > 1 && below - bottom > FEWEST_POINTS ? [below] : []),
  ]
}

function distinct(places: readonly number[]): number[] {
  const kept: number[] = []
  for (const place of [...places].sort((a, b) => a - b))
    if (kept.length === 0 || place - kept.at(-1)! > NEAR) kept.push(place)
  return kept
}

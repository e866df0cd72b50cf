import type { ChangeId, LoggedOperation } from '@filewright/protocol'
import type { TextDocument } from '../decode/text.ts'
import type { Hunk } from '../diff/line-diff.ts'
import { type LineChange, onlyPatch, sortedIndices } from './line-changes.ts'

/** Where runs of old lines are in the new text. A run that was not kept has its new lines, if any, in its place. */
export interface LineRun {
  readonly oldStart: number
  /** Inclusive; `oldStart - 1` for an insert. */
  readonly oldEnd: number
  readonly newStart: number
  /** Inclusive; `newStart - 1` for a delete. */
  readonly newEnd: number
  readonly kept: boolean
}

/** Top to bottom, without gaps: at most two runs per change, however long the file. */
export type LineMap = readonly LineRun[]

export function toLineMap(changes: readonly LineChange[], lineCount: number): LineMap {
  const runs: LineRun[] = []
  let shift = 0
  let next = 1
  const keepUpTo = (last: number) => {
    if (last >= next)
      runs.push({
        oldStart: next,
        oldEnd: last,
        newStart: next + shift,
        newEnd: last + shift,
        kept: true,
      })
    next = Math.max(next, last + 1)
  }
  for (const index of sortedIndices(changes)) {
    const change = changes[index]!
    const isInsert = change.operation === 'insert'
    const oldStart = isInsert ? change.afterLine + 1 : change.startLine
    const oldEnd = isInsert ? change.afterLine : change.endLine
    const added = change.operation === 'delete' ? 0 : change.newLines.length
    keepUpTo(oldStart - 1)
    const newStart = oldStart + shift
    runs.push({ oldStart, oldEnd, newStart, newEnd: newStart + added - 1, kept: false })
    shift += added - (oldEnd - oldStart + 1)
    next = oldEnd + 1
  }
  keepUpTo(lineCount)
  return runs
}

/**
 * Where the lines of the base went. Known for one patch only; after several operations nobody relies on the old
 * numbers.
 */
export function lineMapOf(
  base: TextDocument,
  log: readonly LoggedOperation[],
  refused: ReadonlySet<ChangeId>,
): LineMap | undefined {
  const changes = onlyPatch(log)?.changes.filter(
    ({ changeId }) => changeId === undefined || !refused.has(changeId as ChangeId),
  )
  return changes && toLineMap(changes, base.lineCount)
}

/** Built from a difference; hunks are 0-based with an exclusive end. */
export function lineMapOfHunks(hunks: readonly Hunk[], lineCount: number): LineMap {
  const runs: LineRun[] = []
  let old = 0
  let now = 0
  const push = (oldEnd: number, newEnd: number, kept: boolean) => {
    if (oldEnd > old || newEnd > now)
      runs.push({ oldStart: old + 1, oldEnd, newStart: now + 1, newEnd, kept })
    old = oldEnd
    now = newEnd
  }
  for (const { aStart, aEnd, bStart, bEnd } of hunks) {
    push(aStart, bStart, true)
    push(aEnd, bEnd, false)
  }
  push(lineCount, now + lineCount - old, true)
  return runs
}

/** Null for a line that was replaced or deleted. */
export function mapLine(map: LineMap, line: number): number | null {
  const run = map.find(({ oldStart, oldEnd }) => oldStart <= line && line <= oldEnd)
  return run?.kept ? run.newStart + line - run.oldStart : null
}

/** For a model: `1-41 → 1-41 · 42 → 42-43 (changed) · 43-300 → 44-301`. */
export function describeLineMap(map: LineMap): string {
  return map
    .map(({ oldStart, oldEnd, newStart, newEnd, kept }) => {
      const old = oldEnd < oldStart ? 'new' : lines(oldStart, oldEnd)
      const now = newEnd < newStart ? 'deleted' : lines(newStart, newEnd)
      return `${old} → ${now}${kept || old === 'new' || now === 'deleted' ? '' : ' (changed)'}`
    })
    .join(' · ')
}

function lines(first: number, last: number): string {
  return first === last ? `${first}` : `${first}-${last}`
}

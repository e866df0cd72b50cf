import type { TextDocument } from '../decode/text.ts'
import { diffDocuments } from '../diff/document-diff.ts'
import type { Hunk } from '../diff/line-diff.ts'
import type { LineChange } from './line-changes.ts'
import type { LineMapper } from './map-lines.ts'

/**
 * Puts changes of the old text into the new one, whatever its lines there say now: a person decided for them. Undefined
 * where nothing proves the place.
 */
export function forcing(
  old: TextDocument,
  now: TextDocument,
  mapper: LineMapper,
): (change: LineChange) => LineChange | undefined {
  const hunks = diffDocuments(old, now, { lineEnds: false })
  return change => forceChange(change, { now, hunks, mapper })
}

interface Texts {
  readonly now: TextDocument
  readonly hunks: readonly Hunk[]
  readonly mapper: LineMapper
}

/** Replaces what others made of the same lines. If they changed more at once, nothing tells which of it is theirs alone. */
function forceChange(change: LineChange, { now, hunks, mapper }: Texts) {
  const [start, end] =
    change.operation === 'insert'
      ? [change.afterLine, change.afterLine]
      : [change.startLine - 1, change.endLine]
  const met = hunks.filter(({ aStart, aEnd }) => aStart < end && aEnd > start)
  if (met.some(({ aStart, aEnd }) => aStart < start || aEnd > end)) return undefined
  const from = start + shiftAt(hunks, start, met[0])
  const to = end + shiftAt(hunks, end)
  const isProven = standsAt(mapper, start, from - start) && standsAt(mapper, end + 1, to - end)
  if (!isProven) return undefined
  const newLines = change.operation === 'delete' ? [] : [...change.newLines]
  return toChange(change, now, { from, to, newLines })
}

function toChange(
  { description, changeKey, changeId }: LineChange,
  now: TextDocument,
  { from, to, newLines }: { readonly from: number; readonly to: number; newLines: string[] },
): LineChange {
  const said = { description, changeKey, changeId }
  if (from === to) return { operation: 'insert', afterLine: from, newLines, ...said }
  const range = { startLine: from + 1, endLine: to, expectedOriginalLines: now.lines(from + 1, to) }
  return newLines.length === 0
    ? { operation: 'delete', ...range, ...said }
    : { operation: 'replace', ...range, newLines, ...said }
}

/** The line is provably that far away; the ends of the file count as lines. */
function standsAt(mapper: LineMapper, line: number, shift: number): boolean {
  return mapper.shiftOf({ first: line, last: line }) === shift
}

/** How far a border between two lines moved; `before` and later hunks do not count. */
function shiftAt(hunks: readonly Hunk[], line: number, before?: Hunk): number {
  let shift = 0
  for (const hunk of hunks) {
    if (hunk === before || hunk.aEnd > line) break
    shift = hunk.bEnd - hunk.aEnd
  }
  return shift
}

import {
  type ChangeId,
  type ChangeSide,
  type LoggedOperation,
  toChangeId,
} from '@filewright/protocol'
import type { DocumentName } from '../../../format.ts'
import { describeLines } from '../patch/line-changes.ts'
import type { ShownChange } from '../write/history.ts'

/** Characters of a line that a review shows; for a longer line, the part around its first difference. */
export const MAX_LINE = 2000
export const LEAD = 200

export interface LinesChange {
  /**
   * Distinguishes the places of one operation; the id derives from it, unless the change already has one, as in a
   * batch.
   */
  readonly key: string
  readonly id?: ChangeId
  readonly before: { readonly firstLine: number; readonly lines: readonly string[] } | null
  readonly after: { readonly firstLine: number; readonly lines: readonly string[] } | null
  readonly description?: string
  readonly atomic?: boolean
}

/** A change of lines as a person reads it, with the line numbers of the text it was made on. */
export function showLines(
  name: DocumentName,
  logged: LoggedOperation,
  change: LinesChange,
): ShownChange {
  const { before, after } = change
  const isLong = hasLongLine(before) || hasLongLine(after)
  const shownAt = isLong ? firstDifference(before?.lines[0] ?? '', after?.lines[0] ?? '') : 0
  const side = (lines: LinesChange['before']): ChangeSide | null =>
    lines && isLong ? { ...lines, lines: lines.lines.map(line => clip(line, shownAt)) } : lines
  return {
    id: change.id ?? toChangeId(logged.toolCallId, logged.index, change.key),
    docPath: name.docPath,
    path: name.path,
    operation: refOf(logged),
    kind: 'lines',
    place: placeOf(change),
    before: side(before),
    after: side(after),
    ...(change.description !== undefined && { description: change.description }),
    ...(change.atomic && { atomic: true }),
  }
}

/** A change of a property of the whole file: line ends, final newline, BOM, encoding. */
export function showProperty(
  name: DocumentName,
  logged: LoggedOperation,
  {
    place,
    before,
    after,
    atomic,
  }: { place: string; before: string; after: string; atomic?: boolean },
): ShownChange {
  return {
    id: toChangeId(logged.toolCallId, logged.index, place),
    docPath: name.docPath,
    path: name.path,
    operation: refOf(logged),
    kind: 'structure',
    place,
    before: { text: before },
    after: { text: after },
    ...(atomic && { atomic: true }),
  }
}

const refs = new WeakMap<LoggedOperation, ShownChange['operation']>()

/** Shared by all changes of an operation. */
function refOf(logged: LoggedOperation): ShownChange['operation'] {
  const known = refs.get(logged)
  if (known) return known
  const { toolCallId, index, operation } = logged
  const ref = { toolCallId, index, op: operation.op }
  refs.set(logged, ref)
  return ref
}

function placeOf({ before, after }: LinesChange): string {
  if (before && before.lines.length > 0)
    return describeLines(before.firstLine, before.firstLine + before.lines.length - 1)
  const first = after?.firstLine ?? 1
  return first === 1 ? 'top of the file' : `after line ${first - 1}`
}

function hasLongLine(side: LinesChange['before']): boolean {
  return side?.lines.some(line => line.length > MAX_LINE) ?? false
}

function firstDifference(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let i = 0
  while (i < most && a.charCodeAt(i) === b.charCodeAt(i)) i++
  return i
}

function clip(line: string, at: number): string {
  if (line.length <= MAX_LINE) return line
  const start = Math.max(0, Math.min(at - LEAD, line.length - MAX_LINE))
  const end = start + MAX_LINE
  const parts = [start > 0 ? '…' : '', line.slice(start, end), end < line.length ? '…' : '']
  return parts.join('') // a copy: a substring would keep the whole string alive
}

import { type ChangeId, type LoggedOperation, ok, type Result } from '@filewright/protocol'
import type { DocumentName, Replayed } from '../../format.ts'
import { XlsxDocument } from './document.ts'

/** Permissions stay granted: the log has only operations that were accepted once. */
const ALLOWED = { allowProtected: true, allowBreakSignature: true }

/**
 * Applies the log once in full to learn every change and its dependencies, then again without the refused changes and
 * their dependants. A place that was never shown is not touched, whatever an operation would find there now.
 */
export function replay(
  base: Uint8Array,
  log: readonly LoggedOperation[],
  refused: ReadonlySet<ChangeId>,
  name: DocumentName,
): Result<Replayed> {
  const first = XlsxDocument.open(base, name)
  if (!first.ok) return first
  const full = first.value.apply(log, ALLOWED)
  if (!full.ok) return full
  const known = full.value.changes
  const gone = new Set<ChangeId>(
    known.filter(change => refused.has(change.id)).map(change => change.id),
  )
  const dropped: ChangeId[] = []
  for (const change of known)
    if (!gone.has(change.id) && change.dependsOn.some(id => gone.has(id))) {
      gone.add(change.id)
      dropped.push(change.id)
    }
  if (gone.size === 0) return finish(first.value, dropped)
  const kept = new Set(known.filter(change => !gone.has(change.id)).map(change => change.id))
  const second = XlsxDocument.open(base, name)
  if (!second.ok) return second
  const operations = log.filter(logged =>
    known.some(change => kept.has(change.id) && isOf(change, logged)),
  )
  const narrowed = second.value.applyAccepted(operations, ALLOWED, id => kept.has(id))
  return narrowed.ok ? finish(second.value, dropped) : narrowed
}

function isOf(
  change: { operation: { toolCallId: string; index: number } },
  logged: LoggedOperation,
): boolean {
  return (
    change.operation.toolCallId === logged.toolCallId && change.operation.index === logged.index
  )
}

function finish(document: XlsxDocument, dropped: readonly ChangeId[]): Result<Replayed> {
  const content = document.content()
  return content.ok ? ok({ content: content.value, changes: document.changes(), dropped }) : content
}

import { type DraftSummary, ok, type Result } from '@filewright/protocol'
import type { WorkspaceCaller } from './work.ts'

/** The open draft that the runs of a session write to. */
export async function findRunDraft(
  { connection, params }: WorkspaceCaller,
  sessionId: string,
): Promise<Result<DraftSummary | undefined>> {
  const drafts = await connection.call('listDrafts', { params })
  if (!drafts.ok) return drafts
  return ok(
    drafts.value.find(
      each => each.sessionId === sessionId && each.state === 'open' && each.purpose === 'workshop',
    ),
  )
}

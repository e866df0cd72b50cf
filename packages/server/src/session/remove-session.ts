import {
  type DraftSummary,
  fail,
  LIMITS,
  ok,
  type Result,
  type SessionId,
  type WorkspaceId,
} from '@filewright/protocol'
import type { ClientLink } from '../link/client-link.ts'

/** Deleting a session loses no work by accident: the refusal names what its open drafts hold. */
export async function endDrafts(
  link: ClientLink,
  workspaceId: WorkspaceId,
  sessionId: SessionId,
  { discard, by }: { readonly discard: boolean; readonly by: string },
): Promise<Result<null>> {
  const within = { timeoutMs: LIMITS.toolTimeoutMs }
  const listed = await link.ask(workspaceId, 'draft-list', {}, within)
  if (!listed.ok) return listed.failure.code === 'UNKNOWN_TOOL' ? ok(null) : listed // the client keeps no drafts
  const open = listed.value.filter(
    draft => draft.sessionId === sessionId && draft.state === 'open' && draft.files.length > 0,
  )
  if (open.length > 0 && !discard) return hasDraft(sessionId, open)
  const asked = open.length > 0 ? await link.ask(workspaceId, 'approval-list', {}, within) : ok([])
  if (!asked.ok) return asked
  const waiting = new Map(asked.value.map(({ draftId, id }) => [draftId, id]))
  for (const { id } of open) {
    const approvalId = waiting.get(id)
    const ended = approvalId
      ? await link.ask(
          workspaceId,
          'approval-decide',
          { approvalId, decision: { decision: 'denied', by } },
          within,
        )
      : await link.ask(workspaceId, 'draft-discard', { draftId: id, by }, within)
    if (!ended.ok) return ended
  }
  return ok(null)
}

function hasDraft(sessionId: SessionId, drafts: readonly DraftSummary[]): Result<never> {
  const files = drafts.flatMap(draft =>
    draft.files.map(({ path, action }) => `${path} (${action})`),
  )
  const shown = files.slice(0, FILES_SHOWN).join(', ')
  const more = files.length > FILES_SHOWN ? ` and ${files.length - FILES_SHOWN} more` : ''
  return fail(
    'CONFLICT',
    `Session ${sessionId} was not deleted: its draft is open and holds ${shown}${more}. Publish or discard the draft first; discard=true (--yes on the command line) deletes both.`,
    { details: { drafts: drafts.map(({ id }) => id) } },
  )
}

const FILES_SHOWN = 5

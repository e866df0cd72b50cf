import {
  type DraftSummary,
  fail,
  LIMITS,
  ok,
  type Result,
  type SessionId,
  type WorkspaceId,
} from '@filewright/protocol'
import type { ClientLink } from '../client-link.ts'

/** A session that goes takes no work along unasked: what its open drafts hold is said first. */
export async function endDrafts(
  link: ClientLink,
  workspaceId: WorkspaceId,
  sessionId: SessionId,
  discard: boolean,
): Promise<Result<null>> {
  const within = { timeoutMs: LIMITS.toolTimeoutMs }
  const listed = await link.ask(workspaceId, 'draft-list', {}, within)
  if (!listed.ok) return listed
  const open = listed.value.filter(
    draft => draft.sessionId === sessionId && draft.state === 'open' && draft.files.length > 0,
  )
  if (open.length > 0 && !discard) return hasDraft(sessionId, open)
  for (const { id } of open) {
    const params = { draftId: id, by: 'person' }
    const discarded = await link.ask(workspaceId, 'draft-discard', params, within)
    if (!discarded.ok) return discarded
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
    `Session ${sessionId} was not deleted: its draft is open and holds ${shown}${more}. Publish or discard the draft first; discard=true, which is --yes on the command line, deletes both.`,
    { details: { drafts: drafts.map(({ id }) => id) } },
  )
}

const FILES_SHOWN = 5

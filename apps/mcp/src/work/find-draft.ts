import { type DraftSummary, fail, ok, type Result, type Review } from '@filewright/protocol'
import type { Agent } from '../agent/agent.ts'

/** The draft that is named, or the standing one: asked for with the caller's own token, so it reaches no other. */
export async function findDraft(
  agent: Agent,
  draftId: string | undefined,
): Promise<Result<DraftSummary>> {
  const { connection, params } = agent
  const drafts = await connection.call('listDrafts', { params })
  if (!drafts.ok) return drafts
  if (draftId !== undefined) {
    const named = drafts.value.find(({ id }) => id === draftId)
    return named ? ok(named) : noSuchDraft(draftId, drafts.value)
  }
  const sessionId = await agent.session()
  const own = drafts.value.filter(
    each => each.sessionId === sessionId && each.purpose === 'workshop',
  )
  const open = own.find(({ state }) => state === 'open')
  if (open) return ok(open)
  const last = own.toSorted((a, b) => (a.touched < b.touched ? 1 : -1))[0]
  return fail(
    'NOT_FOUND',
    last
      ? `There is no open draft: the last one, ${last.id}, is ${last.state}.`
      : 'There is no draft yet: nothing was changed in it.',
  )
}

/** The changes of that draft. */
export async function reviewOf(agent: Agent, draftId: string | undefined): Promise<Result<Review>> {
  const draft = await findDraft(agent, draftId)
  if (!draft.ok) return draft
  return agent.connection.call('review', {
    params: agent.params,
    query: { draftId: draft.value.id },
  })
}

export async function sessionOfDraft(agent: Agent, draftId: string): Promise<Result<string>> {
  const draft = await findDraft(agent, draftId)
  if (!draft.ok) return draft
  const { state, sessionId, id } = draft.value
  return state === 'open'
    ? ok(sessionId)
    : fail(
        'CONFLICT',
        `Nothing was done: the draft ${id} is ${state}. Omit draft_id to go on in the standing one.`,
      )
}

function noSuchDraft(draftId: string, drafts: readonly DraftSummary[]): Result<never> {
  const open = drafts.filter(({ state }) => state === 'open').map(({ id }) => id)
  return fail(
    'NOT_FOUND',
    `There is no draft "${draftId}" here. Open drafts: ${open.slice(0, 20).join(', ') || 'none'}.`,
  )
}

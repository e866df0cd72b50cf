import { createHash } from 'node:crypto'
import {
  type Change,
  counted,
  type DraftSummary,
  type Failure,
  type Review,
} from '@filewright/protocol'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Agent } from '../agent/agent.ts'
import type { DurableDeed } from '../gate/deed.ts'
import type { AgentAsking } from '../gate/gate.ts'
import type { Answered } from './answered.ts'
import { reviewOf } from './find-draft.ts'
import { discardDraft, publishDraft, redo, reviewDraft, undo } from './own-tools.ts'
import { summaryOf, toReviewText } from './review-text.ts'
import { settleQuestions } from './settle-questions.ts'
import { takeBack } from './take-back.ts'
import { toFailed, toResult } from './to-result.ts'
import { refusal, withYes } from './with-yes.ts'

// biome-ignore lint/suspicious/noExplicitAny: the input schema of the tool checked it
type OwnHandler = (agent: Agent, given: any, asking: AgentAsking) => Promise<Answered>

/** What a person does in our own faces. */
export const ownHandlers: Readonly<Record<string, OwnHandler>> = {
  [reviewDraft.name]: review,
  [publishDraft.name]: publish,
  [discardDraft.name]: discard,
  [undo.name]: (agent, given, asking) => takeBack('undo', agent, given, asking),
  [redo.name]: (agent, given, asking) => takeBack('redo', agent, given, asking),
}

interface OfDraft {
  readonly draft_id?: string
}

async function review(
  agent: Agent,
  { draft_id, after = 0 }: OfDraft & { readonly after?: number },
): Promise<CallToolResult> {
  const found = await agent.turns.read(() => reviewOf(agent, draft_id))
  return found.ok ? toResult(toReviewText(found.value, after)) : toFailed(found.failure)
}

async function publish(
  agent: Agent,
  { draft_id, only }: OfDraft & { readonly only?: string[] },
  asking: AgentAsking,
): Promise<Answered> {
  const found = await agent.turns.read(() => reviewOf(agent, draft_id))
  if (!found.ok) return toFailed(found.failure)
  const { draft, changes, executed = [] } = found.value
  const refused = refusePublish(found.value, only)
  if (refused) return toFailed(refused)
  const chosen = only ? changes.filter(({ id }) => only.includes(id)) : changes
  const part = only ? `, ${counted(chosen.length, 'change')} of it (${digest(only)})` : ''
  const deed: DurableDeed = {
    tool: publishDraft.name,
    act: 'publish',
    subject: `${draft.id} at revision ${draft.revision}${part}`,
    title: `Publish the draft ${draft.id} at revision ${draft.revision}${part}`,
    details: detailsOf(draft, chosen),
    yes: 'Publish',
    draft,
    isInReview: true,
  }
  return withYes(agent, deed, draft.sessionId, asking, async yes => {
    const body = { draftId: draft.id, only, revision: draft.revision, ...yes }
    const published = await agent.connection.call('publish', { params: agent.params, body })
    if (!published.ok) return toFailed(published.failure)
    await settleQuestions(agent, draft.id)
    const { message, changeSetId, warnings, undecided } = published.value
    const left = executed.length > 0 ? [EXECUTED_STAYS] : []
    const open = undecided > 0 ? [`${counted(undecided, 'change')} of the draft stay in it.`] : []
    return toResult(
      [`${message} The change set is ${changeSetId}.`, ...open, ...left, ...warnings].join('\n'),
    )
  })
}

export const EXECUTED_STAYS =
  'Files that other programs execute unasked stay in the draft: a person publishes those by name, on the page or with filewright publish.'

/** A file that other programs execute unasked is never named by an agent. */
function refusePublish(
  { draft, changes, executed = [], conflicts = [] }: Review,
  only: readonly string[] | undefined,
): Failure | undefined {
  const known = new Set<string>(changes.map(({ id }) => id))
  const unknown = only?.filter(id => !known.has(id)) ?? []
  if (draft.state !== 'open')
    return refusal('CONFLICT', `Nothing was written: the draft ${draft.id} is ${draft.state}.`)
  if (changes.length === 0)
    return refusal('NOT_FOUND', `Nothing was written: the draft ${draft.id} has no change.`)
  if (unknown.length > 0)
    return refusal(
      'NOT_FOUND',
      `Nothing was written: the draft has no change ${unknown.join(', ')}. review_draft lists them.`,
    )
  if (conflicts.length > 0)
    return refusal(
      'CONFLICT',
      `Nothing was written: ${counted(conflicts.length, 'change')} meet what somebody else wrote. A person decides these on the page, or with filewright draft resolve. ${conflicts[0]!.message}`,
    )
  if (only && executed.some(({ changeIds }) => changeIds.some(id => only.includes(id))))
    return refusal('DENIED', `Nothing was written. ${EXECUTED_STAYS}`)
  return undefined
}

async function discard(
  agent: Agent,
  { draft_id }: OfDraft,
  asking: AgentAsking,
): Promise<Answered> {
  const found = await agent.turns.read(() => reviewOf(agent, draft_id))
  if (!found.ok) return toFailed(found.failure)
  const { draft, changes } = found.value
  if (draft.state !== 'open')
    return toFailed(
      refusal('CONFLICT', `Nothing was done: the draft ${draft.id} is ${draft.state}.`),
    )
  const deed: DurableDeed = {
    tool: discardDraft.name,
    act: 'discard',
    subject: `${draft.id} at revision ${draft.revision}`,
    title: `Discard the draft ${draft.id} at revision ${draft.revision}`,
    details: `${detailsOf(draft, changes)} None of it is written, and the draft is gone.`,
    yes: 'Discard',
    draft,
  }
  return withYes(agent, deed, draft.sessionId, asking, async ({ by }) => {
    const again = await reviewOf(agent, draft.id)
    if (again.ok && again.value.draft.revision !== draft.revision)
      return toFailed(refusal('CONFLICT', 'Nothing was done: the draft changed meanwhile.'))
    const call = { params: agent.params, body: { draftId: draft.id, by } }
    const discarded = await agent.connection.call('discard', call)
    if (!discarded.ok) return toFailed(discarded.failure)
    await settleQuestions(agent, draft.id)
    return toResult(`The draft ${discarded.value.id} is discarded. No file changed.`)
  })
}

function detailsOf(draft: DraftSummary, chosen: readonly Change[]): string {
  return `${counted(chosen.length, 'change')}: ${summaryOf(draft)}.`
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8)
}

import { createHash } from 'node:crypto'
import {
  type Change,
  counted,
  type DraftSummary,
  type Failure,
  fail,
  type Result,
  type Review,
  type TakenBack,
  toVersion,
} from '@filewright/protocol'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Agent } from '../agent/agent.ts'
import type { Deed } from '../gate/deed.ts'
import { askDurably } from '../gate/durable-question.ts'
import { type AgentAsking, askPerson } from '../gate/gate.ts'
import type { Answered } from './answered.ts'
import { findDraft } from './find-draft.ts'
import { discardDraft, publishDraft, redo, reviewDraft, undo } from './own-tools.ts'
import { summaryOf, toReviewText } from './review-text.ts'
import { toFailed, toResult } from './to-result.ts'

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
  const refusal = refusePublish(found.value, only)
  if (refusal) return toFailed(refusal)
  const chosen = only ? changes.filter(({ id }) => only.includes(id)) : changes
  const part = only ? `, ${counted(chosen.length, 'change')} of it (${digest(only)})` : ''
  const deed: Deed = {
    tool: publishDraft.name,
    subject: `${draft.id} at revision ${draft.revision}${part}`,
    title: `Publish the draft ${draft.id} at revision ${draft.revision}${part}`,
    details: detailsOf(draft, chosen),
    yes: 'Publish',
  }
  return withYes(agent, deed, draft.sessionId, asking, async by => {
    const body = { draftId: draft.id, only, revision: draft.revision, by }
    const published = await agent.connection.call('publish', { params: agent.params, body })
    if (!published.ok) return toFailed(published.failure)
    const { message, changeSetId, warnings, undecided } = published.value
    const left = executed.length > 0 ? [EXECUTED_STAYS] : []
    const open = undecided > 0 ? [`${counted(undecided, 'change')} of the draft stay in it.`] : []
    return toResult(
      [`${message} The change set is ${changeSetId}.`, ...open, ...left, ...warnings].join('\n'),
    )
  })
}

const EXECUTED_STAYS =
  'Files that other programs execute unasked were left out: a person publishes those by name, on the page or with filewright publish.'

/** A file that other programs execute unasked is never named by an agent. */
function refusePublish(
  { draft, changes, executed = [], conflicts = [] }: Review,
  only: readonly string[] | undefined,
): Failure | undefined {
  const known = new Set<string>(changes.map(({ id }) => id))
  const unknown = only?.filter(id => !known.has(id)) ?? []
  if (draft.state !== 'open')
    return failure('CONFLICT', `Nothing was written: the draft ${draft.id} is ${draft.state}.`)
  if (changes.length === 0)
    return failure('NOT_FOUND', `Nothing was written: the draft ${draft.id} has no change.`)
  if (unknown.length > 0)
    return failure(
      'NOT_FOUND',
      `Nothing was written: the draft has no change ${unknown.join(', ')}. review_draft lists them.`,
    )
  if (conflicts.length > 0)
    return failure(
      'CONFLICT',
      `Nothing was written: ${counted(conflicts.length, 'change')} meet what somebody else wrote. A person decides these on the page, or with filewright draft resolve. ${conflicts[0]!.message}`,
    )
  if (only && executed.some(({ changeIds }) => changeIds.some(id => only.includes(id))))
    return failure('DENIED', `Nothing was written. ${EXECUTED_STAYS}`)
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
      failure('CONFLICT', `Nothing was done: the draft ${draft.id} is ${draft.state}.`),
    )
  const deed: Deed = {
    tool: discardDraft.name,
    subject: `${draft.id} at revision ${draft.revision}`,
    title: `Discard the draft ${draft.id} at revision ${draft.revision}`,
    details: `${detailsOf(draft, changes)} None of it is written, and the draft is gone.`,
    yes: 'Discard',
  }
  return withYes(agent, deed, draft.sessionId, asking, async by => {
    const again = await reviewOf(agent, draft.id)
    if (again.ok && again.value.draft.revision !== draft.revision)
      return toFailed(failure('CONFLICT', 'Nothing was done: the draft changed meanwhile.'))
    const call = { params: agent.params, body: { draftId: draft.id, by } }
    const discarded = await agent.connection.call('discard', call)
    if (!discarded.ok) return toFailed(discarded.failure)
    return toResult(`The draft ${discarded.value.id} is discarded. No file changed.`)
  })
}

async function takeBack(
  way: 'undo' | 'redo',
  agent: Agent,
  { change_set_id: changeSetId }: { readonly change_set_id?: string },
  asking: AgentAsking,
): Promise<Answered> {
  const { connection, params } = agent
  const drafts = await connection.call('listDrafts', { params })
  if (!drafts.ok) return toFailed(drafts.failure)
  const state = drafts.value.map(({ id, revision, touched }) => [id, revision, touched])
  const what = changeSetId
    ? `the change set ${changeSetId}`
    : 'the last change set of the workspace'
  const deed: Deed = {
    tool: way,
    subject: `${what} as of ${digest([state, agent.takenBack.count])}`,
    title: way === 'undo' ? `Undo ${what}` : `Redo ${what}`,
    details:
      way === 'undo' ? 'Its files become what they were before.' : 'Its files are written again.',
    yes: way === 'undo' ? 'Undo' : 'Redo',
  }
  return withYes(agent, deed, await agent.session(), asking, async () => {
    agent.takenBack.count++
    const taken = await connection.call(way, { params, body: { changeSetId } })
    return taken.ok ? toResult(tellTakenBack(way, taken.value)) : toFailed(taken.failure)
  })
}

function tellTakenBack(way: 'undo' | 'redo', { files, changeSetId, warnings }: TakenBack): string {
  const said = files.map(
    ({ path, after }) => `${path} ${after ? `is version ${toVersion(after)}` : 'is gone'}`,
  )
  const done = `${way === 'undo' ? 'Undone' : 'Redone'}: ${said.join(', ')}.`
  return [`${done} The change set is ${changeSetId}.`, ...warnings].join('\n')
}

/** Does the deed once a person said yes to it, by the host's form, elsewhere, or once and for all in the settings. */
async function withYes(
  agent: Agent,
  deed: Deed,
  sessionId: string,
  asking: AgentAsking,
  act: (by: string) => Promise<CallToolResult>,
): Promise<Answered> {
  if (agent.policy === 'never')
    return toFailed(
      failure(
        'DENIED',
        `Nothing was written: the person's settings (agent-publish: never) let no agent do this. The person can: ${deed.title}, on the page or in a terminal.`,
      ),
    )
  const doIt = (by: string) => agent.turns.write(() => act(by))
  if (agent.policy === 'auto') return doIt('the setting agent-publish')
  const waiting = await askDurably(agent, deed, sessionId)
  if (!waiting.ok) return toFailed(waiting.failure)
  const answer = await askPerson(agent, deed, waiting.value, asking)
  switch (answer.kind) {
    case 'yes':
      return doIt(answer.by)
    case 'form':
      return answer.answer
    case 'pending':
      return toResult(answer.text)
    case 'no':
      return toFailed(
        failure(
          'DENIED',
          `Nothing was written: the person did not say yes to "${deed.title}". ${answer.words}. Ask them what they want instead.`,
        ),
      )
  }
}

async function reviewOf(agent: Agent, draftId: string | undefined): Promise<Result<Review>> {
  const draft = await findDraft(agent, draftId)
  if (!draft.ok) return draft
  return agent.connection.call('review', {
    params: agent.params,
    query: { draftId: draft.value.id },
  })
}

function detailsOf(draft: DraftSummary, chosen: readonly Change[]): string {
  return `${counted(chosen.length, 'change')}: ${summaryOf(draft)}.`
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8)
}

function failure(code: 'CONFLICT' | 'NOT_FOUND' | 'DENIED', message: string): Failure {
  return (fail(code, message) as { readonly failure: Failure }).failure
}

import {
  type Approval,
  type CallState,
  type Decision,
  type DraftLine,
  fail,
  ok,
  type Result,
  type UnsavedText,
} from '@filewright/protocol'
import type { Draft } from '../draft/draft.ts'
import { forgetDrafted } from '../draft/draft-view.ts'
import { namedBy } from '../publish/executed.ts'
import { reviewFiles } from '../review/review-files.ts'
import { createCallAnswerer, denied, endCall } from './answer-call.ts'
import { contradiction } from './contradiction.ts'
import { isUndecided, oneCallDraftId } from './pending-call.ts'
import { rememberDecision } from './remember-decision.ts'
import { toApproval } from './show-approval.ts'
import type { RunnerPorts } from './tool-call.ts'

/** Calls that wait for a person, and their ends: an approval is the review of a one-call draft. */
export interface Approvals {
  list(options: { all?: boolean }): Promise<readonly Approval[]>
  decide(
    approvalId: string,
    decision: Decision,
    unsaved?: readonly UnsavedText[],
  ): Promise<Result<{ approval: Approval; outcome: CallState }>>
  /** Nobody waits for the call any more: a later yes must not revive it. */
  withdraw(toolCallId: string): Promise<void>
  /** Resolves when a decision in progress about the call has its outcome. */
  carriedOut(toolCallId: string): Promise<void>
}

export function createApprovals(ports: RunnerPorts): Approvals {
  const { desk, drafts, publisher, now, oneAtATime } = ports
  const answerCall = createCallAnswerer(ports)

  async function decideNow(
    draft: Draft,
    decision: Decision,
    unsaved?: readonly UnsavedText[],
  ): Promise<Result<{ approval: Approval; outcome: CallState }>> {
    const fresh = (await drafts.find(draft.id))!
    const earlier = fresh.outcomes.get(fresh.open.call!.ids.toolCallId)
    const other =
      fresh.decision && (await contradiction(fresh, fresh.decision, decision, publisher))
    if (other) return other
    if (fresh.decision && earlier)
      return ok({ approval: await toApproval(desk, fresh), outcome: earlier })
    if (fresh.state !== 'open')
      return fail(
        'CONFLICT',
        `"${draft.approvalId}" is already ${fresh.state}; no call waits for it.`,
      )
    const problem = await findUnknownRefusal(fresh, decision)
    if (problem) return problem
    const outcome = await carryOut(fresh, decision, unsaved)
    if (decision.remember) await rememberDecision(ports.gate, fresh, decision)
    const approval = await toApproval(desk, (await drafts.find(draft.id))!)
    forgetDrafted(desk, fresh)
    return ok({ approval, outcome })
  }

  async function carryOut(
    draft: Draft,
    decision: Decision,
    unsaved?: readonly UnsavedText[],
  ): Promise<CallState> {
    if (decision.decision === 'denied') return deny(draft, decision, denied(decision))
    const decided = await drafts.append(draft.id, [toLine(decision)])
    const named = namedBy(decided.files.values())
    return publisher.publish(decided, { ...decision, named, unsaved }, answerCall)
  }

  /** A no has no effect that a crash could precede: it is recorded together with its consequences, or not at all. */
  async function deny(draft: Draft, decision: Decision, result: Result<never>): Promise<CallState> {
    const { by } = decision
    const { told, line } = endCall(ports.log, draft, by, result)
    await publisher.discard(draft, { by, lines: [toLine(decision), line] })
    return told
  }

  function toLine(decision: Decision): DraftLine {
    return { type: 'decide', decision, time: now().toISOString() }
  }

  async function findUnknownRefusal(draft: Draft, { refused = [] }: Decision) {
    if (refused.length === 0) return undefined
    const reviewed = await reviewFiles(desk, draft)
    if (!reviewed.ok) return reviewed
    const changes = reviewed.value.flatMap(file => file.changes)
    const known = new Set<string>(changes.map(({ id }) => id))
    const unknown = refused.filter(({ changeId }) => !known.has(changeId))
    if (unknown.length === 0) return undefined
    return fail(
      'NOT_FOUND',
      `Nothing was decided: it has no change ${unknown.map(({ changeId }) => changeId).join(', ')}. Its changes are ${[...known].join(', ')}.`,
    )
  }

  function unknownApproval(approvalId: string): Result<never> {
    const open = drafts.open().filter(draft => draft.approvalId && !draft.decision)
    const ids = open.map(draft => draft.approvalId).join(', ')
    return fail(
      'NOT_FOUND',
      `There is no approval "${approvalId}". Open approvals: ${ids || 'none'}.`,
    )
  }

  return {
    async list({ all = false }) {
      const found = (all ? await drafts.list() : drafts.open()).filter(draft => draft.approvalId)
      return Promise.all(found.map(draft => toApproval(desk, draft)))
    },

    async decide(approvalId, decision, unsaved) {
      const draft = (await drafts.list()).find(each => each.approvalId === approvalId)
      if (!draft) return unknownApproval(approvalId)
      return oneAtATime(draft.sessionId, () => decideNow(draft, decision, unsaved))
    },

    async withdraw(toolCallId) {
      const waiting = await drafts.find(oneCallDraftId(toolCallId))
      if (!waiting || !isUndecided(waiting)) return
      await oneAtATime(waiting.sessionId, async () => {
        const draft = await drafts.find(waiting.id)
        if (draft && isUndecided(draft)) await deny(draft, WITHDRAWN, cancelled())
      })
    },

    async carriedOut(toolCallId) {
      const own = await drafts.find(oneCallDraftId(toolCallId))
      if (own?.state === 'open' && own.decision) await oneAtATime(own.sessionId, async () => {})
    },
  }
}

const WITHDRAWN: Decision = { decision: 'denied', by: 'cancel', reason: 'It was cancelled.' }

function cancelled(): Result<never> {
  return fail(
    'CANCELLED',
    'Nothing was written: the call was cancelled while it waited for a person.',
  )
}

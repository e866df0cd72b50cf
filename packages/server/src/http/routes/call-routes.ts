import {
  type CallState,
  fail,
  ok,
  type Pending,
  type Result,
  type SessionId,
  type ShownResult,
} from '@filewright/protocol'
import type { Calls } from '../../record/calls.ts'
import { shownText } from '../../record/long-result.ts'
import { decider, type OwnWork, refuseRule, refuseTool, rightOf } from '../own-work.ts'
import type { RouteRequest, Routes } from '../route.ts'
import { holds, lacks, type Scope } from '../scope.ts'
import type { Within } from './within.ts'

export interface CallRouteParts {
  readonly calls: Calls
  readonly ownWork: OwnWork
}

type CallRoutes = Pick<
  Routes,
  | 'callTool'
  | 'callAsModel'
  | 'getCall'
  | 'cancelCall'
  | 'listApprovals'
  | 'decide'
  | 'listQuestions'
  | 'answerQuestion'
  | 'askForYes'
  | 'listRules'
  | 'addRule'
  | 'removeRule'
>

/** Calls, their approvals, and the rules that answer instead of a person. */
export function createCallRoutes({ calls, ownWork }: CallRouteParts, within: Within): CallRoutes {
  const approvals = within.ask('approval-list', () => ({ all: true }))
  const addRule = within.ask('rule-add', ({ body }: RouteRequest<'addRule'>) => ({ rule: body }))

  const noteWork = async (scope: Scope, sessionId: SessionId, tool: string) => {
    if (rightOf(tool) !== 'read') await ownWork.begin(scope, sessionId)
  }

  /** Only the client knows which session an approval belongs to. */
  async function refuseOwn({ params, body, scope }: RouteRequest<'decide'>) {
    if (scope.decidesOwn && !body.unasked) return undefined
    const all = await approvals({ params })
    if (!all.ok) return all
    const asked = all.value.find(({ id }) => id === params.approvalId)
    if (!asked) return fail('NOT_FOUND', `There is no approval "${params.approvalId}".`)
    return (
      (await ownWork.refuseDecision(scope, asked.sessionId)) ??
      (body.unasked && ownWork.refusePolicy(scope, asked.sessionId))
    )
  }

  /** Words take the right to edit, a decision the right to approve; only who asked takes its question back. */
  async function refuseAnswer({ params, body, scope }: RouteRequest<'answerQuestion'>) {
    const weighed = await calls.questions.weigh(params.workspaceId, params.questionId, body.answer)
    if (!weighed.ok) return weighed
    const { decides, asker, isYes, makesRule, sessionId } = weighed.value
    const right = decides ? 'approve' : 'edit'
    if (asker === scope.tokenId && !isYes) return undefined
    if (!holds(scope, right)) return lacks(scope, right)
    if (!decides) return void (await ownWork.begin(scope, sessionId))
    return (
      (makesRule && refuseRule(scope, 'call')) || (await ownWork.refuseDecision(scope, sessionId))
    )
  }

  return {
    callTool: within.session(async ({ params, body, scope }) => {
      const { tool, arguments: given, toolCallId, approve = 'ask' } = body
      const refused = refuseTool(scope, body)
      if (refused) return refused
      await noteWork(scope, params.sessionId, tool)
      const state = await calls.call(params.sessionId, {
        tool,
        arguments: given,
        toolCallId,
        policy: approve === 'all' ? 'named' : approve, // whoever calls names the files
        author: 'person',
      })
      return toAnswer(state)
    }),
    callAsModel: within.session(async ({ params, scope, body: { author = 'agent', ...call } }) => {
      const refused = refuseTool(scope, call)
      if (refused) return refused
      await noteWork(scope, params.sessionId, call.tool)
      return toShown(
        await calls.call(params.sessionId, { ...call, policy: 'ask', author, forModel: true }),
      )
    }),
    getCall: within.session(async ({ params }) =>
      toAnswer(await calls.state(params.sessionId, params.toolCallId)),
    ),

    cancelCall: within.session(({ params }) => calls.cancel(params.sessionId, params.toolCallId)),

    listApprovals: within.ask('approval-list', ({ query }) => ({ all: query.all === 'true' })),
    decide: within.workspace(async request => {
      const { params, scope } = request
      const { unasked: _, ...body } = request.body
      const refused =
        (body.remember && body.decision === 'approved' && refuseRule(scope, 'write')) ||
        (await refuseOwn(request))
      if (refused) return refused
      return calls.decide(params.workspaceId, params.approvalId, {
        ...body,
        by: decider(scope, body.by),
      })
    }),

    listQuestions: within.workspace(async ({ params }) =>
      ok(await calls.questions.list(params.workspaceId)),
    ),
    answerQuestion: within.workspace(async request => {
      const { params, body, scope } = request
      const refused = await refuseAnswer(request)
      if (refused) return refused
      return calls.questions.answer(params.workspaceId, params.questionId, {
        answer: body.answer,
        by: decider(scope, body.by),
      })
    }),
    askForYes: within.session(async ({ params: { sessionId }, body, scope }) => {
      await ownWork.begin(scope, sessionId)
      return calls.askForYes(sessionId, body, scope.tokenId)
    }),

    listRules: within.ask('rule-list', () => ({})),
    addRule: async request => refuseRule(request.scope, request.body.effect) ?? addRule(request),
    removeRule: within.ask('rule-remove', ({ params }) => ({ ruleId: params.ruleId })),
  }
}

function toAnswer(state: Result<CallState>) {
  if (!state.ok) return state
  return ok('outcome' in state.value ? state.value.outcome.envelope : state.value.pending)
}

function toShown(state: Result<CallState>): Result<ShownResult | Pending> {
  if (!state.ok) return state
  if ('pending' in state.value) return ok(state.value.pending)
  const { outcome } = state.value
  const { toolCallId, success, errorCode } = outcome.envelope
  const { images } = outcome
  return ok({ toolCallId, success, errorCode, text: shownText(outcome), ...(images && { images }) })
}

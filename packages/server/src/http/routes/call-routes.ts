import {
  type CallState,
  ok,
  type Pending,
  type Result,
  type ShownResult,
} from '@filewright/protocol'
import type { Calls } from '../../record/calls.ts'
import { shownText } from '../../record/long-result.ts'
import type { Routes } from '../route.ts'
import type { Within } from './within.ts'

export interface CallRouteParts {
  readonly calls: Calls
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
  | 'listRules'
  | 'addRule'
  | 'removeRule'
>

/** Calls, their approvals, and the rules that answer instead of a person. */
export function createCallRoutes({ calls }: CallRouteParts, within: Within): CallRoutes {
  return {
    callTool: within.session(async ({ params, body }) => {
      const { tool, arguments: given, toolCallId, approve = 'ask' } = body
      const state = await calls.call(params.sessionId, {
        tool,
        arguments: given,
        toolCallId,
        policy: approve === 'all' ? 'named' : approve, // whoever calls names the files
        author: 'person',
      })
      return toAnswer(state)
    }),
    callAsModel: within.session(async ({ params, body: { author = 'agent', ...call } }) =>
      toShown(
        await calls.call(params.sessionId, { ...call, policy: 'ask', author, forModel: true }),
      ),
    ),
    getCall: within.session(async ({ params }) =>
      toAnswer(await calls.state(params.sessionId, params.toolCallId)),
    ),

    cancelCall: within.session(({ params }) => calls.cancel(params.sessionId, params.toolCallId)),

    listApprovals: within.ask('approval-list', ({ query }) => ({ all: query.all === 'true' })),
    decide: within.workspace(({ params, body }) =>
      calls.decide(params.workspaceId, params.approvalId, {
        ...body,
        by: body.by ?? 'a person',
      }),
    ),

    listQuestions: within.workspace(async ({ params }) =>
      ok(await calls.questions.list(params.workspaceId)),
    ),
    answerQuestion: within.workspace(({ params, body }) =>
      calls.questions.answer(params.workspaceId, params.questionId, {
        answer: body.answer,
        by: body.by ?? 'a person',
      }),
    ),

    listRules: within.ask('rule-list', () => ({})),
    addRule: within.ask('rule-add', ({ body }) => ({ rule: body })),
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

import { ok } from '@filewright/protocol'
import type { ToolRunner } from '../calls/tool-runner.ts'
import { handedCall, readCall } from '../calls/turn-calls.ts'
import type { DraftStore } from '../draft/draft-store.ts'
import { findKeptCall, listKeptCalls } from '../draft/kept-calls.ts'
import type { MethodTable } from '../link/answerer.ts'

export type CallMethods = Pick<
  MethodTable,
  | 'tool-call'
  | 'tool-state'
  | 'tool-cancel'
  | 'kept-calls'
  | 'kept-call'
  | 'approval-list'
  | 'approval-decide'
>

/** Tool calls, and the approvals that some of them wait for. */
export function createCallMethods(runner: ToolRunner, drafts: DraftStore): CallMethods {
  return {
    async 'tool-call'({ turn, input, named, ...rest }) {
      const policy = named && rest.policy === 'all' ? 'named' : rest.policy
      const call = input ? handedCall(turn, input) : readCall(turn)
      if (!call.ok) return call
      return ok(await runner.run({ ...rest, policy, ...call.value }))
    },
    'tool-state': async ({ toolCallId }) => ok(await runner.state(toolCallId)),
    async 'tool-cancel'({ toolCallId }) {
      await runner.cancel(toolCallId)
      return ok(null)
    },
    'kept-calls': async ({ limit }) => ok(listKeptCalls(drafts, limit)),
    'kept-call': async ({ toolCallId }) => ok(await findKeptCall(drafts, toolCallId)),
    'approval-list': async params => ok(await runner.approvals(params)),
    'approval-decide': ({ approvalId, decision, unsaved }) =>
      runner.decide(approvalId, decision, unsaved),
  }
}

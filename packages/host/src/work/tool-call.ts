import { randomBytes } from 'node:crypto'
import { type Envelope, type Pending, toShellWord } from '@filewright/protocol'
import { findTool } from '@filewright/tools'
import { unwrapOrExit } from '../exit/exit.ts'
import type { OrderedCall } from '../lines/call-order.ts'
import type { Work, WorkspaceCaller } from './work.ts'

export interface ToolRequest {
  readonly tool: string
  readonly arguments: unknown
  readonly approve: 'all' | 'ask'
}

/** A call has an id of its own, so that it can be sent again if the owner of the state dies meanwhile. */
export async function callTool(
  { connection, params }: WorkspaceCaller,
  sessionId: string,
  { tool, arguments: given, approve }: ToolRequest,
  onSend?: (toolCallId: string | undefined) => void,
): Promise<Envelope | Pending> {
  const toolCallId = connection.isOwner() ? undefined : randomBytes(8).toString('hex')
  onSend?.(toolCallId)
  return unwrapOrExit(
    await connection.call('callTool', {
      params: { workspaceId: params.workspaceId, sessionId },
      body: { tool, arguments: given, approve, ...(toolCallId && { toolCallId }) },
    }),
  )
}

/** Requests to another process can overtake each other, so only reads may be in flight together. */
export function laneOf(
  tool: string,
  { connection }: WorkspaceCaller,
): OrderedCall<unknown>['lane'] {
  const writes = findTool(tool)?.declaration.writes ?? 'nothing'
  if (writes === 'nothing') return 'read'
  return writes === 'draft' && connection.isOwner() ? 'draft' : null
}

export function isPending(result: Envelope | Pending): result is Pending {
  return 'pending' in result && result.pending === true
}

/** The command that approves it works from any folder. */
export function withFolder(work: Work, pending: Pending): Pending {
  const { approvalId, question } = pending
  const how = question ? howToAnswer(approvalId, work) : howToApprove(approvalId, work)
  return { ...pending, message: pending.message.replace(/filewright approvals .*$/, () => how) }
}

/** How a person answers from any other terminal. */
export function howToApprove(approvalId: string, work: Work): string {
  return `filewright approvals approve ${approvalId} ${inFolder(work)}`
}

export function howToAnswer(questionId: string, work: Work): string {
  return `filewright approvals answer ${questionId} "ANSWER" ${inFolder(work)}`
}

/** The option that names the folder, as a shell takes it. */
export function inFolder({ workspace }: Work): string {
  return `-C ${toShellWord(workspace.root)}`
}

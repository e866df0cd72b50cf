import {
  type CallIds,
  type CallState,
  fail,
  LIMITS,
  type Result,
  type TurnEnvelope,
  toCallState,
  type WorkspaceId,
} from '@filewright/protocol'
import { findTool, type Tool } from '@filewright/tools'
import type { ClientLink } from '../link/client-link.ts'
import type { UnsavedOf } from '../sources/active-files.ts'
import type { Logger } from '../words/logger.ts'
import type { RoutedCall } from './routed-call.ts'
import { timedOut } from './timed-out.ts'

export interface ForwardParts {
  readonly link: ClientLink
  readonly logger: Logger
  readonly unsavedOf: UnsavedOf
}

/** A checked call, as the client gets it. */
export interface CheckedCall {
  readonly tool: Tool
  readonly call: RoutedCall
  readonly input: unknown
  readonly warnings: readonly string[]
}

/** Has the client run the call. It ends in one outcome, or pending, even if the client does not answer. */
export async function forwardCall(parts: ForwardParts, checked: CheckedCall): Promise<CallState> {
  const { link, logger, unsavedOf } = parts
  const { tool, call, input, warnings } = checked
  const { ids, workspaceId, policy, author, begun, loggedArguments } = call
  const unsaved = tool.declaration.writes === 'workspace' ? await unsavedOf(workspaceId) : []
  logForwarded(logger, checked)
  const isSent = link.isAttached(workspaceId)
  const asked = await link.ask(
    workspaceId,
    'tool-call',
    {
      turn: toTurn(ids, tool.declaration.name, input),
      policy: policy === 'named' ? 'all' : policy,
      ...(policy === 'named' && { named: true as const }),
      author,
      warnings,
      ...(unsaved.length > 0 && { unsaved }),
      begun,
      input: { checked: input, logged: loggedArguments },
    },
    { timeoutMs: LIMITS.toolTimeoutMs },
  )
  if (asked.ok) {
    logReceived(logger, tool.declaration.name, asked.value)
    return asked.value
  }
  const isUnsure = isSent && tool.declaration.writes !== 'nothing'
  if (asked.failure.code === 'TIMEOUT') return giveUp(parts, checked, isUnsure)
  const isGone = asked.failure.code === 'CLIENT_GONE'
  return toCallState(isGone && isUnsure ? unanswered('CLIENT_GONE', call.tool) : asked, ids)
}

/**
 * Gives the call up, so that it has no later effect. If it took effect already, that is the answer. A client that does
 * not answer this either leaves the outcome unknown.
 */
async function giveUp(
  { link, logger }: ForwardParts,
  { tool, call: { ids, workspaceId, tool: name } }: CheckedCall,
  isUnsure: boolean,
): Promise<CallState> {
  const { toolCallId } = ids
  await abandonCall(link, workspaceId, toolCallId)
  const late = await link.ask(workspaceId, 'tool-state', { toolCallId }, { timeoutMs: 1000 })
  if (!late.ok && isUnsure) return toCallState(unanswered('TIMEOUT', name), ids)
  if (!late.ok || !late.value) return toCallState(timedOut(name), ids)
  logReceived(logger, tool.declaration.name, late.value)
  return late.value
}

export async function abandonCall(
  link: ClientLink,
  workspaceId: WorkspaceId,
  toolCallId: string,
): Promise<void> {
  await link.ask(workspaceId, 'tool-cancel', { toolCallId }, { timeoutMs: 1000 })
}

function logForwarded(logger: Logger, { tool, call, input }: CheckedCall) {
  const forwarded = tool.hooks?.events?.forwarded?.({ ids: call.ids, input: input as never })
  if (forwarded) logger.event(forwarded.event, forwarded.fields)
}

/** Logs a result that a client sent, if the tool asks for it. */
export function logReceived(logger: Logger, tool: string, state: CallState) {
  if (!('outcome' in state)) return
  const received = findTool(tool)?.hooks?.events?.received?.(state.outcome.envelope)
  if (received) logger.event(received.event, received.fields)
}

/** The turn that hands this one call to the client. Its JSON is made only for clients behind a wire. */
function toTurn(ids: CallIds, name: string, input: unknown): TurnEnvelope {
  const { sessionId, conversationId, turnId, toolCallId } = ids
  return {
    kind: 'client_tool_continuation',
    sessionId,
    conversationId,
    turnId,
    toolCalls: [
      {
        toolCallId,
        name,
        get argumentsJson() {
          return JSON.stringify(input)
        },
      },
    ],
  }
}

/** It was sent, and its outcome is unknown; "nothing was changed" would be a guess. */
function unanswered(code: 'TIMEOUT' | 'CLIENT_GONE', tool: string): Result<never> {
  const reason =
    code === 'TIMEOUT'
      ? `The client did not answer within ${LIMITS.toolTimeoutMs / 1000} s`
      : 'The client disconnected before it answered'
  return fail(
    code,
    `${reason}, so it is unknown whether ${tool} took effect. Check the files when the client is back, before you retry.`,
  )
}

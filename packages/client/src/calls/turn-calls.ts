import {
  type CallIds,
  fail,
  ok,
  type Result,
  type TurnEnvelope,
  turnEnvelopeSchema,
} from '@filewright/protocol'

export interface TurnCall {
  readonly ids: CallIds
  readonly tool: string
  readonly input: unknown
  /** The input was checked in this same process. */
  readonly isChecked?: boolean
  readonly logged?: string
}

/** The call of a turn that a server in this same process made. */
export function handedCall(
  turn: TurnEnvelope,
  { checked, logged }: { readonly checked: unknown; readonly logged?: string },
): Result<TurnCall, never> {
  const { sessionId, conversationId, turnId, toolCalls } = turn
  const { toolCallId, name } = toolCalls[0]!
  const ids = { sessionId, conversationId, turnId, toolCallId } as CallIds
  return ok({ ids, tool: name, input: checked, isChecked: true, logged })
}

/** The call that a turn's envelope hands to this client, found there by name and id (TUL-004 §3.3). */
export function readCall(turn: unknown): Result<TurnCall, 'INVALID_ARGUMENT'> {
  const envelope = turnEnvelopeSchema.safeParse(turn)
  if (!envelope.success)
    return fail('INVALID_ARGUMENT', `The turn is not valid: ${envelope.error.message}`)
  const { sessionId, conversationId, turnId, toolCalls } = envelope.data
  const [call] = toolCalls
  if (!call || toolCalls.length > 1)
    return fail('INVALID_ARGUMENT', `A turn hands over one call; this one has ${toolCalls.length}.`)
  const { toolCallId, name, argumentsJson } = call
  try {
    return ok({
      ids: { sessionId, conversationId, turnId, toolCallId } as CallIds,
      tool: name,
      input: JSON.parse(argumentsJson),
    })
  } catch {
    return fail('INVALID_ARGUMENT', `The arguments of ${name} are not JSON.`)
  }
}

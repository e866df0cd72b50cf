import { type CallIds, fail, ok, type Result, turnEnvelopeSchema } from '@filewright/protocol'

/** The call that a turn's envelope hands to this client, found there by name and id (TUL-004 §3.3). */
export function readCall(
  turn: unknown,
): Result<{ ids: CallIds; tool: string; input: unknown }, 'INVALID_ARGUMENT'> {
  const envelope = turnEnvelopeSchema.safeParse(turn)
  if (!envelope.success)
    return fail('INVALID_ARGUMENT', `The turn does not fit: ${envelope.error.message}`)
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

import { fail, ok, type Result, type SessionId, type TurnEnvelope } from '@filewright/protocol'
import type { RowOf, SessionLog } from '../log/log.ts'

/** A turn as a client gets it (CONTRACT §7): its calls wait for results, or it is final. */
export async function findTurn(
  log: SessionLog,
  sessionId: SessionId,
  turnId: string,
): Promise<Result<TurnEnvelope, 'NOT_FOUND'>> {
  const row =
    turnId === 'last'
      ? await log.findLast(sessionId, 'assistant_message')
      : await log.findAnswer(sessionId, turnId)
  return row
    ? ok(toTurnEnvelope(row))
    : fail('NOT_FOUND', `The session has no turn "${turnId}" that a model has answered.`)
}

function toTurnEnvelope({
  sessionId,
  conversationId,
  body,
}: RowOf<'assistant_message'>): TurnEnvelope {
  const calls = body.tool_calls ?? []
  return {
    kind: calls.length > 0 ? 'client_tool_continuation' : 'final',
    sessionId,
    conversationId,
    turnId: body.turn_id,
    text: body.text,
    ...(body.finish_reason === 'length' && { isCut: true as const }),
    toolCalls: calls.map(({ id, function: { name, arguments: argumentsJson } }) => ({
      toolCallId: id,
      name,
      argumentsJson,
    })),
  }
}

import type { CommonCode, LineOf, ToolCallId, ToolOutcome } from '@filewright/protocol'
import { BYTES_PER_TOKEN, estimateTokens } from '../port/tokens.ts'
import { fitsWhole, toFailureReceipt, toReceipt } from '../prompt/receipts.ts'
import { limitsOf } from '../state/decide.ts'
import { noteFor } from '../state/loop-guard.ts'
import { type CallProgress, turnRoom } from '../state/loop-state.ts'
import type { LoopContext } from './loop-context.ts'

/** The row of an outcome: whole or as a receipt, with what the guard has to say. */
export async function toResultLine(
  call: CallProgress,
  outcome: ToolOutcome,
  context: LoopContext,
): Promise<LineOf<'tool_result'>> {
  const { port } = context
  const { envelope, text, effects, images } = outcome
  const full = (await fits(text, context)) ? undefined : await port.keepResult(call.id, text)
  const shorten = envelope.success ? toReceipt : toFailureReceipt
  const shown = full ? shorten(text, call.id) : text
  const note = noteFor(context.memory.state.guard, {
    toolCallId: call.id,
    turnId: context.memory.state.turn!.turnId,
    hasChanged: (effects?.length ?? 0) > 0,
    name: call.name,
    arguments: call.arguments,
    text: shown,
    fullSha256: full?.sha256,
    code: envelope.success ? null : envelope.errorCode,
  })
  return {
    type: 'tool_result',
    message_id: port.ids('message'),
    tool_call_id: call.id,
    content: shown + note,
    success: envelope.success,
    error_code: envelope.errorCode,
    ...(full && { full }),
    ...(effects && effects.length > 0 && { effects }),
    ...(images && images.length > 0 && { images }),
  }
}

/** A result that the loop gives itself: nothing was run. */
export function toSyntheticLine(
  toolCallId: ToolCallId,
  code: CommonCode,
  message: string,
  context: LoopContext,
): LineOf<'tool_result'> {
  return {
    type: 'tool_result',
    message_id: context.port.ids('message'),
    tool_call_id: toolCallId,
    content: `${code}: ${message}`,
    success: false,
    error_code: code,
    synthetic: true,
  }
}

async function fits(text: string, context: LoopContext): Promise<boolean> {
  if (isWithin(text, context)) return true
  await context.facts.learned() // the model's context may be larger than assumed
  return isWithin(text, context)
}

/** Within the bounds of CONTRACT §7, and within what the model's context has room for before it is compacted. */
function isWithin(text: string, { memory, limits, facts }: LoopContext): boolean {
  const { turn, run, context } = memory.state
  const own = limitsOf(run!, limits)
  const open = turn!.calls.filter(call => call.status !== 'done').length
  const room = { usedBytes: turn!.resultBytes, resultsToCome: Math.max(0, open - 1) }
  const size = context.limit ?? facts.facts.contextTokens ?? own.unknownContextTokens
  const asked = turn!.calls.reduce((sum, call) => sum + estimateTokens(call.arguments), 0)
  const tokens = turnRoom(context, size, own.compactionShare) - asked
  const turnResultBytes = Math.min(own.turnResultBytes, tokens * BYTES_PER_TOKEN)
  return fitsWhole(text, room, { ...own, turnResultBytes })
}

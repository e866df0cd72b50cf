import { toFailureReceipt, toReceipt } from '@filewright/loop'
import { type CallState, LIMITS, type ToolOutcome } from '@filewright/protocol'
import type { Blobs } from '../store/blobs.ts'

/** A result that is too long for a model becomes a receipt; `recall_tool_result` reads the whole. */
export async function keepLongResult(state: CallState, blobs: Blobs): Promise<CallState> {
  if (!('outcome' in state) || fits(state.outcome)) return state
  const stored = await blobs.put(new TextEncoder().encode(state.outcome.text), { durable: false })
  if (!stored.ok) throw new Error(stored.failure.message)
  const { envelope, effects, images, rows } = state.outcome
  const text = shownText(state.outcome)
  return { outcome: { envelope, text, effects, images, rows, full: stored.value } }
}

/** What a model sees of an outcome: all of it, or its receipt. */
export function shownText(outcome: ToolOutcome): string {
  const { envelope, text } = outcome
  if (fits(outcome)) return text
  return (envelope.success ? toReceipt : toFailureReceipt)(text, envelope.toolCallId)
}

function fits({ text }: ToolOutcome): boolean {
  return text.length * 3 <= LIMITS.resultBytes || Buffer.byteLength(text) <= LIMITS.resultBytes
}

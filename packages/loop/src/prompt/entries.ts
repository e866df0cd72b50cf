import type { ImageName } from '@filewright/protocol'
import type { ModelMessage } from '../port/model.ts'
import { estimateTokens, IMAGE_TOKENS } from '../port/tokens.ts'

/** One message of the transcript, and where it comes from. */
export interface TranscriptEntry {
  readonly seq: number
  readonly message: ModelMessage
  /** Pictures of the message that are not loaded. */
  readonly awaited?: readonly ImageName[] | undefined
  /** Which model said it, and what that model's provider wants back with it; no other model gets it. */
  readonly by?: { readonly model: string; readonly provider: unknown }
  /** What the person said in it, word for word and whole, also where the message shows less. */
  readonly words?: string
  /** The result as the model first saw it, where the message is the receipt of an old one. */
  readonly whole?: string
  readonly isSummary?: boolean
  /** Layers that are not the person's words; their size counts as the prompt's. */
  readonly isLate?: boolean
  /** The model's plan, after the summary of the turn that made it. */
  readonly isPlan?: boolean
  /** Messages of the person that this note stands for. */
  readonly leftOut?: readonly TranscriptEntry[]
}

/** Estimated as the fold estimates rows, so that both say the same. */
export function tokensOf(entries: readonly TranscriptEntry[]): number {
  return entries.reduce(
    (total, { message, isLate }) => total + (isLate ? 0 : messageTokens(message)),
    0,
  )
}

function messageTokens(message: ModelMessage): number {
  const calls = message.role === 'assistant' ? message.calls : []
  const images = message.role === 'assistant' ? 0 : (message.images?.length ?? 0)
  return calls.reduce(
    (total, call) => total + estimateTokens(call.arguments),
    estimateTokens(message.text) + images * IMAGE_TOKENS,
  )
}

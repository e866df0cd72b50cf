import type { LineOf } from '@filewright/protocol'
import type { TranscriptEntry } from './entries.ts'
import { keepWords } from './person-words.ts'
import { toOldReceipt } from './receipts.ts'

/** The newest plan, and the row that has it. */
export interface HeldPlan {
  readonly seq: number
  readonly text: string
}

/**
 * The transcript after a compaction. Without a summary, its old results become receipts. With one, the person's words stay,
 * the summary follows them as a message of its own, in place of the one before, then the plan, and the newest turns come last. Late
 * layers go; the next request sends them anew, as they are then.
 */
export function compacted(
  entries: readonly TranscriptEntry[],
  line: Pick<LineOf<'compaction'>, 'summary' | 'up_to_seq' | 'words_tokens'>,
  seq: number,
  plan?: HeldPlan,
): TranscriptEntry[] {
  const { summary, up_to_seq, words_tokens } = line
  if (summary === undefined)
    return entries.map(entry => (entry.seq <= up_to_seq ? shortened(entry) : entry))
  const old = entries.filter(entry => entry.seq <= up_to_seq)
  const newest = entries.filter(entry => entry.seq > up_to_seq && !entry.isLate && !entry.isPlan)
  const message = { role: 'user', text: summary } as const
  const words = words_tokens === undefined ? [] : keepWords(old, words_tokens)
  const held: readonly TranscriptEntry[] =
    plan && plan.seq <= up_to_seq
      ? [{ seq, message: { role: 'user', text: plan.text }, isPlan: true }]
      : []
  return [...words, { seq, message, isSummary: true }, ...held, ...newest]
}

/** Pictures go too: the receipt names the result that has them. */
function shortened(entry: TranscriptEntry): TranscriptEntry {
  const { message } = entry
  if (message.role !== 'tool' || entry.whole !== undefined) return entry
  const text = toOldReceipt(message.text, message.callId)
  if (text === message.text && !message.pictures) return entry
  const shown = { ...message, text, images: undefined }
  return { ...entry, message: shown, awaited: undefined, whole: message.text }
}

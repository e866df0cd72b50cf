import type { LineOf, SentRequest, Usage } from '@filewright/protocol'
import type { ModelRequest } from '../port/model.ts'
import { compacted } from '../prompt/compacted.ts'
import { type TranscriptEntry, tokensOf } from '../prompt/entries.ts'
import { materialOf, summaryRequest, summaryText } from '../prompt/summary.ts'
import { closingLine } from '../state/closing-line.ts'
import { decide, limitsOf } from '../state/decide.ts'
import {
  type ContextSize,
  SUMMARY_SHARE,
  tokensInUse,
  turnRoom,
  WORDS_SHARE,
} from '../state/loop-state.ts'
import { asAborted, readReply } from './ask-model.ts'
import type { LoopContext } from './loop-context.ts'
import { retryLine, waitForRetry } from './retry.ts'
import { describeRequest } from './sent-request.ts'

const KEPT_SHARE = 0.2 // of the context: the newest turns stay word for word
const OLD_SHARE = 0.15 // of the context: old turns with shortened results may take this much before they are summarized
const MATERIAL_SHARE = 0.5 // of the context: what the model is given to sum up
const LEAST_WORDS_SHARE = 0.05 // of the context: the person's messages get this much, however large the prompt is
const MOST_WORDS = 600 // of the model's summary

/**
 * Makes room (CONTRACT §7). Old results become receipts, which costs no request; when that is too little, everything but the
 * person's words and the newest turns becomes a summary. Late layers and active files are sent again after it.
 */
export async function compact(context: LoopContext): Promise<undefined> {
  const { memory, facts } = context
  await facts.learned()
  facts.record() // the context may be larger than assumed
  if (decide(memory.state, context.limits).type !== 'compact') return
  const shorter = shortenResults(context)
  if (shorter) memory.append([shorter])
  else await summarizeOld(context)
}

type CompactionLine = LineOf<'compaction'>

/** Undefined where receipts would make too little room to be worth a new prefix. */
function shortenResults(context: LoopContext): CompactionLine | undefined {
  const { memory } = context
  const { size, share, up_to_seq } = measure(context)
  const after = compacted(memory.transcript.entries, { up_to_seq }, 0)
  const old = after.filter(entry => entry.seq <= up_to_seq && !isLayer(entry))
  const inUse = memory.state.context.prompt + scaled(tokensOf(after), memory.state.context)
  if (tokensOf(old) > size * OLD_SHARE || inUse >= size * share) return undefined
  return toLine(context, { up_to_seq })
}

function isLayer(entry: TranscriptEntry): boolean {
  const { words, leftOut, isSummary, isLate, isPlan } = entry
  return [words, leftOut, isSummary, isLate, isPlan].some(mark => mark !== undefined)
}

/** Where the provider counted more than we estimate, the rest is taken to be as much larger. */
function scaled(tokens: number, context: ContextSize): number {
  const { prompt, history } = context
  const factor = (tokensInUse(context) - prompt) / Math.max(1, history)
  return Math.ceil(tokens * Math.max(1, factor))
}

async function summarizeOld(context: LoopContext): Promise<void> {
  const { memory, port } = context
  const { size, share, up_to_seq } = measure(context)
  const { entries } = memory.transcript
  const old = entries.filter(entry => entry.seq <= up_to_seq)
  const told = await sumUp(old, size, context)
  if (told === 'again') return
  const changes = closingLine(memory.state.run!)
  const summary = summaryText(told.learned, changes, old, size * SUMMARY_SHARE)
  const newest = tokensOf(entries.filter(entry => entry.seq > up_to_seq))
  const room = size * (share - SUMMARY_SHARE) - memory.state.context.prompt - newest
  const words_tokens = Math.floor(
    Math.max(size * LEAST_WORDS_SHARE, Math.min(size * WORDS_SHARE, room)),
  )
  const line = toLine(context, { up_to_seq, summary, words_tokens })
  const { usage, sent } = told
  memory.append([
    ...(usage ? [{ type: 'usage' as const, turn_id: port.ids('turn'), usage }] : []),
    { ...line, ...(sent && { sent }) },
  ])
}

/** The context's size, and the row up to which it is old. */
function measure({ memory, limits }: LoopContext) {
  const { state, transcript } = memory
  const { unknownContextTokens, compactionShare: share } = limitsOf(state.run!, limits)
  const size = state.context.limit ?? unknownContextTokens
  const unseen = turnRoom(state.context, size, share)
  const cut = cutOf(transcript.entries, size * KEPT_SHARE, unseen) ?? state.seq
  // With nothing before it that could go, the newest turn has to give way itself.
  const isUseless =
    state.context.words <= size * WORDS_SHARE &&
    transcript.entries.every(entry => entry.seq > cut || isLayer(entry))
  return { size, share, up_to_seq: isUseless ? state.seq : cut }
}

/**
 * The newest turns within the share stay; the very newest, whose results the model has not seen, may take more. The cut
 * is always before an answer, so that no call loses its result.
 */
function cutOf(
  entries: readonly TranscriptEntry[],
  keptTokens: number,
  unseenTokens: number,
): number | undefined {
  let tokens = 0
  let cut: number | undefined
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at]!
    tokens += tokensOf([entry])
    const isNewest = cut === undefined
    if (tokens > (isNewest ? Math.max(keptTokens, unseenTokens) : keptTokens)) break
    if (entry.message.role === 'assistant') cut = entry.seq - 1
  }
  return cut
}

function toLine(
  { memory }: LoopContext,
  made: Pick<CompactionLine, 'up_to_seq' | 'summary' | 'words_tokens'>,
): CompactionLine {
  const { state, transcript } = memory
  const after = compacted(transcript.entries, made, state.seq + 1, transcript.plan)
  return {
    type: 'compaction',
    ...made,
    tokens_before: tokensInUse(state.context),
    tokens_after: scaled(tokensOf(after), state.context),
  }
}

interface SumUp {
  readonly learned: string
  readonly usage?: Usage
  readonly sent?: SentRequest
}

/**
 * By the model itself. A request that fails is repeated as any other is; after that our outline has to do, because a
 * compaction must not end a run. `again`: the loop decides anew.
 */
async function sumUp(
  old: readonly TranscriptEntry[],
  size: number,
  context: LoopContext,
): Promise<SumUp | 'again'> {
  const { memory, port } = context
  if (old.every(isLayer)) return { learned: '' } // nothing but the person's words: they are cut, and no model is needed
  if (memory.state.retry && (await waitForRetry(memory.state.retry, context))) return 'again'
  const request: Omit<ModelRequest, 'signal'> = {
    system: summaryRequest(Math.min(MOST_WORDS, Math.floor((size * SUMMARY_SHARE) / 2))),
    messages: [{ role: 'user', text: materialOf(old, size * MATERIAL_SHARE) }],
    tools: [],
    step: memory.state.answers,
  }
  const { result, usage } = await context.interruptible(async ({ signal }) =>
    asAborted(await readReply({ ...request, signal }, context), signal),
  )
  memory.lost.throwIfAborted()
  const sent = describeRequest(port.model, request)
  if ('answer' in result) return { learned: result.answer.text.trim(), usage, sent }
  const spent: Usage | undefined =
    usage ?? (result.failure.spent ? { inputTokens: 0, outputTokens: 0, unknown: true } : undefined)
  const turn_id = port.ids('turn')
  const again =
    result.failure.cause === 'aborted' ? [] : retryLine(result.failure, turn_id, context)
  if (!again) return { learned: '', usage: spent, sent }
  memory.append([...(spent ? [{ type: 'usage' as const, turn_id, usage: spent }] : []), ...again])
  return 'again'
}

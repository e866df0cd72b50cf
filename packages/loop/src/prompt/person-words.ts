import { counted } from '@filewright/protocol'
import { BYTES_PER_TOKEN, estimateTokens } from '../port/tokens.ts'
import { type TranscriptEntry, tokensOf } from './entries.ts'

const END_SHARE = 1 / 3 // of the room: what the first message may take when there is too little for all, and the newest
const CUT_TOKENS = 200 // a message that has no room is cut to this
const HEAD_SHARE = 0.7 // of a cut message: people say first what they want
const IDS_SHOWN = 20

/**
 * The person's messages word for word, within this many tokens. When they do not fit, the first and the newest go before
 * the others; a long one keeps its head and its tail, and the rest is found by its id.
 */
export function keepWords(entries: readonly TranscriptEntry[], tokens: number): TranscriptEntry[] {
  const said = entries
    .flatMap(entry => entry.leftOut ?? (entry.words === undefined ? [] : entry))
    .sort((a, b) => a.seq - b.seq)
  const all = said.reduce((total, entry) => total + tokensSaid(entry), 0)
  if (all <= tokens) return said.map(entry => withText(entry, wordsOf(entry)))
  const shown = fitInto(said, tokens)
  const leftOut = said.filter(entry => !shown.some(({ seq }) => seq === entry.seq))
  const note = leftOut.length > 0 ? [toNote(leftOut)] : []
  return [...shown.slice(0, 1), ...note, ...shown.slice(1)]
}

/** The first one and the newest always, the others from the newest back as long as there is room. */
function fitInto(said: readonly TranscriptEntry[], tokens: number): TranscriptEntry[] {
  const [first, ...others] = said
  const newest = others.pop()
  const forNewest = newest ? Math.min(tokensSaid(newest), tokens * END_SHARE) : 0
  const ends = [
    cutTo(first!, tokens * 2 * END_SHARE - forNewest),
    ...(newest ? [cutTo(newest, forNewest)] : []),
  ]
  let left = tokens - tokensOf(ends)
  const middle: TranscriptEntry[] = []
  for (const entry of others.reverse()) {
    const whole = tokensSaid(entry) <= left ? withText(entry, wordsOf(entry)) : undefined
    const shown = whole ?? cutTo(entry, CUT_TOKENS)
    if (tokensOf([shown]) > left) continue
    middle.unshift(shown)
    left -= tokensOf([shown])
  }
  return [...ends.slice(0, 1), ...middle, ...ends.slice(1)]
}

function tokensSaid(entry: TranscriptEntry): number {
  return estimateTokens(wordsOf(entry))
}

/** Pictures go: the summary has what was seen in them. */
function wordsOf({ words, message }: TranscriptEntry): string {
  const pictures = message.role === 'user' ? message.pictures : undefined
  if (!pictures) return words!
  return `${words}\n[Filewright] ${counted(pictures, 'picture')} came with this message, and you do not see ${pictures === 1 ? 'it' : 'them'} any more. Ask for ${pictures === 1 ? 'it' : 'them'} again if the task needs it.`
}

function cutTo(entry: TranscriptEntry, tokens: number): TranscriptEntry {
  const text = wordsOf(entry)
  if (estimateTokens(text) <= tokens) return withText(entry, text)
  return withText(entry, clipped(text, tokens, recallId(entry.seq)))
}

/** By this id `recall_tool_result` finds a message of the person. */
function recallId(seq: number): string {
  return `message-${seq}`
}

function clipped(text: string, tokens: number, id: string): string {
  const chars = Math.floor(text.length * ((tokens * BYTES_PER_TOKEN) / Buffer.byteLength(text)))
  const head = Math.max(0, Math.floor(chars * HEAD_SHARE) - 60)
  const tail = Math.max(0, Math.floor(chars * (1 - HEAD_SHARE)) - 60)
  if (head + tail >= text.length) return text
  const missing = counted(text.length - head - tail, 'character')
  const where = `recall_tool_result {"id": "${id}", "offset": ${head}}`
  return `${text.slice(0, head)}\n[Filewright: ${missing} of this message left out here; read them with ${where}]\n${text.slice(text.length - tail)}`
}

/** Stands for messages that have no room at all. It keeps them, for a later compaction may have the room. */
function toNote(leftOut: readonly TranscriptEntry[]): TranscriptEntry {
  const ids = leftOut.slice(-IDS_SHOWN).map(entry => recallId(entry.seq))
  const more = leftOut.length > ids.length ? ', …' : ''
  return {
    seq: leftOut.at(-1)!.seq,
    leftOut,
    message: {
      role: 'user',
      text: `[Filewright] ${counted(leftOut.length, 'earlier message')} of the person had no room here. Read them with recall_tool_result, by id: ${ids.join(', ')}${more}.`,
    },
  }
}

function withText(entry: TranscriptEntry, text: string): TranscriptEntry {
  const { message } = entry
  if (message.text === text) return entry
  const pictures = message.role === 'user' ? message.pictures : undefined
  return {
    ...entry,
    message: { role: 'user', text, ...(pictures && { pictures }) },
    awaited: undefined,
  }
}

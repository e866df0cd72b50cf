import { BYTES_PER_TOKEN, estimateTokens } from '../port/tokens.ts'
import type { TranscriptEntry } from './entries.ts'

const RESULT_CHARS = 1_500 // of one tool result, in what the model sums up
const SHORTEST_LEARNED = 80 // characters; a shorter summary says little, so our own outline goes with it
const LEAST_LEARNED = 150 // tokens, however much the facts take
const CALLS_SHOWN = 60
const LEARNED = '# What was done and learned so far\n'

export function summaryRequest(words: number): string {
  return `Sum up the work below for yourself: you will continue it and see only your summary and the person's messages, which stay word for word.
Keep: what you learned (files, sheets, sections, names, numbers), what was changed and where, what was tried and failed and why, what is left to do next, and the ids of results that you may have to read again. Carry over what still matters of your summary so far. Leave out the person's words, greetings and raw content. At most ${words} words.`
}

/** As plain text: some providers refuse a history of calls without the tools, and a result is not needed whole. */
export function materialOf(entries: readonly TranscriptEntry[], tokens: number): string {
  const texts = entries.flatMap(({ message, whole, isSummary, isLate }) => {
    if (isLate) return []
    if (message.role === 'user')
      return `${isSummary ? 'YOUR SUMMARY SO FAR' : 'PERSON'}: ${message.text}`
    if (message.role === 'tool')
      return `RESULT ${message.callId} of ${message.name}${message.failed ? ' (failed)' : ''}: ${clip(whole ?? message.text, RESULT_CHARS)}`
    const calls = message.calls.map(
      call => `CALL ${call.name} ${clip(call.arguments, RESULT_CHARS)}`,
    )
    return [message.text && `YOU: ${message.text}`, ...calls].filter(Boolean).join('\n')
  })
  const all = texts.join('\n')
  const chars = charsOf(all, tokens)
  return all.length <= chars ? all : `${all.slice(0, chars / 4)}\n[…]\n${all.slice(-chars * 0.75)}`
}

/** What we know ourselves, and then the model's own words or, where it has none, an outline of its calls. */
export function summaryText(
  learned: string,
  changes: string,
  old: readonly TranscriptEntry[],
  tokens: number,
): string {
  const facts = [
    "[Filewright] The conversation became too long for your context. The person's messages above are whole or say what is left out; this replaces the rest of its older part. Earlier results can be read again with recall_tool_result, by their ids.",
    section('Changes of this run', [changes]),
  ]
    .filter(Boolean)
    .join('\n\n')
  const room = Math.max(LEAST_LEARNED, tokens - estimateTokens(facts))
  return `${facts}\n\n${clip(proseOf(learned, old), charsOf(learned || facts, room))}`
}

function proseOf(learned: string, old: readonly TranscriptEntry[]): string {
  if (learned.length >= SHORTEST_LEARNED) return `${LEARNED}${learned}`
  const before = learned ? '' : learnedBefore(old)
  const told = learned || before
  return [told && `${LEARNED}${told}`, outlineOf(old)].filter(Boolean).join('\n\n')
}

/** A summary that could not be made must not cost what the one before it had kept. */
function learnedBefore(old: readonly TranscriptEntry[]): string {
  const text = old.findLast(entry => entry.isSummary)?.message.text ?? ''
  const at = text.indexOf(LEARNED)
  return at < 0 ? '' : text.slice(at + LEARNED.length).split('\n\n# ')[0]!
}

/** Every call with its outcome, newest last, and the last words. */
function outlineOf(old: readonly TranscriptEntry[]): string {
  const messages = old.map(entry => entry.message)
  const calls = new Map(
    messages.flatMap(message =>
      message.role === 'assistant' ? message.calls.map(call => [call.id, call] as const) : [],
    ),
  )
  const steps = messages.flatMap(message => {
    if (message.role !== 'tool') return []
    const asked = clip(calls.get(message.callId)?.arguments ?? '', 160)
    const outcome = message.failed ? clip(message.text, 160) : `done (${message.callId})`
    return `- ${message.name} ${asked} → ${outcome}`
  })
  const words = messages.findLast(message => message.role === 'assistant' && message.text !== '')
  return [
    words && section('Your last words', [clip(words.text, 1_000)]),
    section(
      'Calls, newest first, with the ids of their results',
      steps.slice(-CALLS_SHOWN).reverse(),
    ),
  ]
    .filter(Boolean)
    .join('\n\n')
}

function section(title: string, rows: readonly string[]): string {
  return rows.length === 0 ? '' : `# ${title}\n${rows.join('\n')}`
}

function clip(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars)} […]`
}

/** How many characters of such a text take that many tokens. */
function charsOf(text: string, tokens: number): number {
  return Math.floor((tokens * BYTES_PER_TOKEN * text.length) / Math.max(1, Buffer.byteLength(text)))
}

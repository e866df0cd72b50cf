import type { ModelEvent, ModelFailure } from '../../port/model.ts'
import { createEventReader } from '../../wire/server-sent-events.ts'
import { toMalformed } from '../../wire/stream-failures.ts'
import { createChunkReader } from './chunks.ts'

/** Reads the body of an answer, streamed or in one piece. Its beginning shows which: content types lie. */
export interface AnswerReader {
  push(text: string): readonly ModelEvent[]
  end(): readonly ModelEvent[]
  /** Ends the answer with this, unless it has ended. */
  fail(failure: ModelFailure): readonly ModelEvent[]
  readonly isDone: boolean
  /** Grows with the answer itself, not with what wraps it. */
  readonly taken: number
}

/** How much may wrap an answer: comments and empty pieces keep a connection alive, and each small piece comes in a large one. */
const WRAPPING_CHARS = 64 * 1024 * 1024
const WRAPPING_RATIO = 1000

const WHOLE_CHARS = 16 * 1024 * 1024 // no answer in one piece is longer

export function createAnswerReader(
  model: string,
  hideKey: (text: string) => string = text => text,
): AnswerReader {
  const chunks = createChunkReader(model, hideKey)
  const events = createEventReader()
  let form: 'unknown' | 'stream' | 'whole' = 'unknown'
  let whole = ''
  let hasFailed = false
  let received = 0

  const push = (text: string): readonly ModelEvent[] => {
    if (form === 'stream') return pushEvents(text)
    whole += whole === '' ? text.replace(/^\ufeff/, '') : text
    if (form === 'unknown' && whole.trim() !== '')
      form = /^\s*[{<]/.test(whole) ? 'whole' : 'stream'
    if (form === 'stream') return pushEvents(whole)
    return whole.length > WHOLE_CHARS ? fail(toMalformed(hideKey(whole), model, true)) : []
  }

  const pushEvents = (text: string): readonly ModelEvent[] => {
    const made = events.push(text).flatMap(chunks.push)
    received += text.length
    if (events.waiting > WHOLE_CHARS)
      return [...made, ...fail(toMalformed('a line without an end', model, true))]
    if (received > WRAPPING_CHARS + WRAPPING_RATIO * chunks.taken)
      return [...made, ...fail(toMalformed('a stream that says nothing', model, true))]
    return made
  }

  const end = (): readonly ModelEvent[] => {
    if (form === 'stream') return [...events.end().flatMap(chunks.push), ...chunks.end()]
    if (/^\s*</.test(whole)) return fail(toMalformed(whole, model, false))
    const answer = form === 'whole' ? chunks.push(whole) : []
    return [...answer, ...chunks.end()]
  }

  const fail = (failure: ModelFailure): readonly ModelEvent[] => {
    if (hasFailed || chunks.isDone) return []
    hasFailed = true
    return [{ type: 'failure', failure }]
  }

  return {
    push: text => (hasFailed ? [] : push(text)),
    end: () => (hasFailed ? [] : end()),
    fail,
    get isDone() {
      return hasFailed || chunks.isDone
    },
    get taken() {
      return chunks.taken
    },
  }
}

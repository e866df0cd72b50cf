import type { ModelFailure } from '../port/model.ts'
import { clip, hideKeys } from './shown-text.ts'

export const ANSWER_CHARS = 64 * 1024 * 1024 // a 10 MB text file with every character escaped
export const MAX_CALLS = 1000 // twenty times what a turn runs

/** How a request or a stream breaks, in the same words for every provider. */
export function toLate(model: string): ModelFailure {
  const message = `${model} did not begin to answer in time.`
  return { cause: 'timeout', message, retry: true, spent: true }
}

export function toSilent(model: string, silenceMs: number): ModelFailure {
  const message = `${model} was silent for ${silenceMs / 1000} s in the middle of its answer.`
  return { cause: 'timeout', message, retry: true, spent: true }
}

export function toCut(model: string): ModelFailure {
  const message = `The stream of ${model} ended before its answer was complete.`
  return { cause: 'cut', message, retry: true, spent: true }
}

/** Nobody knows what the provider had done by then, so it counts as spent. */
export function toAborted(): ModelFailure {
  return { cause: 'aborted', message: 'The request was cancelled.', retry: false, spent: true }
}

/** A model that repeats itself without end, on a server that lets it. */
export function toEndless(model: string): ModelFailure {
  return {
    cause: 'malformed',
    message: `${model} did not end its answer: Filewright gave up after ${ANSWER_CHARS} characters or ${MAX_CALLS} calls. Set a limit of output tokens where it runs, or choose another model.`,
    retry: false,
    spent: true,
  }
}

export function toUnreachable(cause: unknown, model: string): ModelFailure {
  const code = (cause as { code?: unknown })?.code
  const reason = typeof code === 'string' ? code : String((cause as Error)?.message ?? cause)
  const missing = code === 'ENOTFOUND' || code === 'ERR_INVALID_URL'
  if (code === 'ERR_INVALID_CHAR')
    return {
      cause: 'denied',
      message: `The key for ${model} contains a character that no key has, such as a line break: set it again.`,
      retry: false,
      spent: false,
    }
  return {
    cause: 'unreachable',
    message: `${model} could not be reached (${reason}). Check that its server runs and that the address is right.`,
    retry: !missing,
    spent: false,
  }
}

/** Some text in place of the protocol. */
export function toMalformed(found: string, model: string, spent: boolean): ModelFailure {
  const isPage = /^\s*</.test(found)
  return {
    cause: 'malformed',
    message: isPage
      ? `The address of ${model} answered with a web page instead of a model's answer: check the base URL.`
      : `${model} sent an answer that cannot be read: ${JSON.stringify(hideKeys(clip(found)))}`,
    retry: !isPage,
    spent,
  }
}

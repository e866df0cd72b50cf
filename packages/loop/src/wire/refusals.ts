import type { FailureCause, ModelFailure } from '../port/model.ts'

/** What an endpoint answered instead of a stream. */
export interface Refusal {
  readonly status: number
  readonly body: string
  /** As the header says it: seconds, or a date. */
  readonly retryAfter?: string
  /** Where a redirect leads. */
  readonly location?: string
}

const SHOWN = 300
const SHORTEST_KEY = 8 // what is shorter stands in for a key where none is asked for: `none`, `ollama`

/** One sentence for a person, and whether another attempt may help; the same for every provider. */
export function toFailure(refusal: Refusal, model: string, now: number): ModelFailure {
  const { status, body } = refusal
  const said = messageIn(body)
  const retryAfterMs = parseRetryAfter(refusal.retryAfter, now)
  const failure = (cause: FailureCause, message: string, retry: boolean): ModelFailure => ({
    cause,
    message,
    retry,
    spent: false,
    ...(retry && retryAfterMs !== undefined && { retryAfterMs }),
  })
  if (
    /context.{0,12}(length|window|size)|maximum context|too many tokens|prompt is too long|exceeds? the (max|available)/i.test(
      said,
    )
  )
    return {
      ...failure('context', `The request is larger than the context of ${model}: ${said}`, false),
      ...contextTokensIn(said),
    }
  if (
    /(not|n't|no).{0,40}(support|endpoints).{0,40}(tool|function)|(tool|function).{0,30}(not|n't).{0,20}support/i.test(
      said,
    )
  )
    return failure(
      'no-tools',
      `${model} cannot call tools, so it cannot work on files: choose a model that can.`,
      false,
    )
  const flag = /--jinja|--enable-auto-tool-choice/.exec(said)?.[0]
  if (flag)
    return failure(
      'no-tools',
      `${model} is served without tool calls, so it cannot work on files: start its server with ${flag}.`,
      false,
    )
  if (status === 429 && !/quota|billing|credit/i.test(said))
    return failure('rate-limit', `The provider of ${model} limits its rate: ${said}`, true)
  if (status === 401 || status === 403 || status === 402 || status === 429)
    return failure(
      'denied',
      `The provider of ${model} refused the key or the account (${status}): ${said}`,
      false,
    )
  if (status === 404)
    return failure(
      'denied',
      `There is no ${model} at this address (404): ${said}. Check the name, and the base URL: most end with /v1.`,
      false,
    )
  if (status >= 300 && status < 400)
    return failure(
      'invalid',
      `The address of ${model} sends requests elsewhere (${status}${refusal.location ? `, to ${withoutKeys(clip(refusal.location))}` : ''}), and a key is not sent along. Set the base URL to where the model is.`,
      false,
    )
  if (status === 408 || status === 409 || status >= 500)
    return failure('overloaded', `The provider of ${model} failed (${status}): ${said}`, true)
  return failure(
    'invalid',
    `The provider refused the request for ${model} (${status}): ${said}`,
    false,
  )
}

export function toUnreachable(cause: unknown, model: string): ModelFailure {
  const code = (cause as { code?: unknown })?.code
  const reason = typeof code === 'string' ? code : String((cause as Error)?.message ?? cause)
  const missing = code === 'ENOTFOUND' || code === 'ERR_INVALID_URL'
  if (code === 'ERR_INVALID_CHAR')
    return {
      cause: 'denied',
      message: `The key for ${model} holds a character that no key has, such as a line break: set it again.`,
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

/** A text that came where the protocol should have been. */
export function toMalformed(found: string, model: string, spent: boolean): ModelFailure {
  const isPage = /^\s*</.test(found)
  return {
    cause: 'malformed',
    message: isPage
      ? `The address of ${model} answered with a web page instead of a model's answer: check the base URL.`
      : `${model} sent an answer that cannot be read: ${quote(found)}`,
    retry: !isPage,
    spent,
  }
}

/** An error inside a stream, or as the whole body. */
export function messageIn(body: string): string {
  const parsed = tryParse(body)
  const error = (parsed as { error?: unknown } | undefined)?.error ?? parsed
  const message =
    typeof error === 'string'
      ? error
      : ((error as { message?: unknown } | undefined)?.message ??
        (error as { detail?: unknown } | undefined)?.detail)
  if (typeof message === 'string' && message !== '') return withoutKeys(clip(message))
  if (/^\s*</.test(body)) return 'a web page'
  return body.trim() === '' ? 'no reason given' : withoutKeys(clip(body))
}

/** Keys never enter the log (CONTRACT §8), and some providers quote what they were sent, in one spelling or another. */
export function keyHider(apiKey: string | undefined): (text: string) => string {
  const key = apiKey?.trim() ?? ''
  if (key.length < SHORTEST_KEY) return text => text
  const spellings = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)]
  return text => spellings.reduce((rest, spelling) => rest.replaceAll(spelling, '[key]'), text)
}

/** And some quote another one. */
function withoutKeys(text: string): string {
  return text.replace(/\b(sk|pk|key|AIza)[-_]?[\w*.-]{8,}/g, '[key]')
}

function contextTokensIn(message: string): { contextTokens?: number } {
  const found = /(?:maximum|limit|context|max|n_ctx)[^0-9]{0,60}?(\d[\d,]{3,})/i.exec(message)
  return found ? { contextTokens: Number(found[1]!.replaceAll(',', '')) } : {}
}

function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (!header) return undefined
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line
}

function quote(text: string): string {
  return JSON.stringify(withoutKeys(clip(text)))
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import { filteredMessage } from '../port/content-filter.ts'
import type { FailureCause, ModelFailure } from '../port/model.ts'
import { nextPacificMidnight, quotaIn } from './quota.ts'
import { clip, hideKeys, messageIn } from './shown-text.ts'

/** What an endpoint answered instead of a stream. */
export interface RefusedRequest {
  readonly status: number
  readonly body: string
  /** As the header says it: seconds, or a date. */
  readonly retryAfter?: string
  /** Where a redirect leads. */
  readonly location?: string
}

/** What a refusal comes down to. */
interface Judgement {
  readonly cause: FailureCause
  readonly message: string
  /** Another attempt may help. */
  readonly retry?: true
  readonly retryAfterMs?: number
  readonly contextTokens?: number
  readonly outputRoom?: number
}

/** One sentence for a person, and whether another attempt may help; the same for every provider. */
export function toFailure(refusal: RefusedRequest, model: string, now: number): ModelFailure {
  const said = messageIn(refusal.body)
  const judgement =
    judgeWords(said, model) ??
    judgeQuota(refusal, said, model, now) ??
    judgeStatus(refusal, said, model)
  const asked = parseRetryAfter(refusal.retryAfter, now)
  return {
    retry: false,
    spent: false,
    ...judgement,
    ...(judgement.retry && asked !== undefined && { retryAfterMs: asked }),
  }
}

const TOO_LARGE =
  /context.{0,12}(length|window|size)|maximum context|too many tokens|prompt is too long|exceeds? the (max|available)/i
const NO_TOOLS =
  /(not|n't|no).{0,40}(support|endpoints).{0,40}(tool|function)|(tool|function).{0,30}(not|n't).{0,20}support/i
const TOOL_FLAG = /--jinja|--enable-auto-tool-choice/

const FILTERED = /content.?(filter|management policy)|responsible ?ai ?policy/i
const NO_OUTPUT_ROOM =
  /input length and \W?max_tokens\W? exceed context limit: (\d+) \+ \d+ > (\d+)/i
const LEAST_OUTPUT = 2_048 // with less room than this for the answer, the conversation is compacted

/** The words go before the status, which differs from server to server. */
function judgeWords(said: string, model: string): Judgement | undefined {
  const noRoom = NO_OUTPUT_ROOM.exec(said)
  if (noRoom) return judgeRoom(said, model, Number(noRoom[1]), Number(noRoom[2]))
  if (FILTERED.test(said)) return { cause: 'refused', message: filteredMessage(model) }
  if (TOO_LARGE.test(said))
    return {
      cause: 'context',
      message: `The request is larger than the context of ${model}: ${said}`,
      ...contextTokensIn(said),
    }
  if (NO_TOOLS.test(said))
    return {
      cause: 'no-tools',
      message: `${model} cannot call tools, so it cannot work on files: choose a model that can.`,
    }
  const flag = TOOL_FLAG.exec(said)?.[0]
  if (!flag) return undefined
  return {
    cause: 'no-tools',
    message: `${model} is served without tool calls, so it cannot work on files: start its server with ${flag}.`,
  }
}

/** Anthropic counts the output that a request allows as part of the context. */
function judgeRoom(said: string, model: string, input: number, limit: number): Judgement {
  const room = limit - input
  return {
    cause: 'context',
    message: `The request and the output it allows are larger than the context of ${model}: ${said}`,
    contextTokens: limit,
    ...(room >= LEAST_OUTPUT && { outputRoom: room }),
  }
}

const HOUR_MS = 3_600_000

function judgeQuota(
  { status, body }: RefusedRequest,
  said: string,
  model: string,
  now: number,
): Judgement | undefined {
  if (status !== 429) return undefined
  const { span, retryAfterMs, name } = quotaIn(body)
  if (span === 'unknown') return undefined
  if (span === 'shorter')
    return {
      cause: 'rate-limit',
      message: `The provider of ${model} limits the request rate: ${said}`,
      retry: true,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    }
  const reset = name ? nextPacificMidnight(now) : new Date(now + (retryAfterMs ?? 0))
  const when =
    reset.getTime() > now
      ? ` It resets at ${reset.toISOString().slice(0, 16).replace('T', ' ')} UTC (in ${Math.ceil((reset.getTime() - now) / HOUR_MS)} h): resume then, or choose another model.`
      : ' Resume tomorrow, or choose another model.'
  return {
    cause: 'quota',
    message: `Today's quota of ${model} is used up${name ? ` (${name})` : `: ${said}`}.${when}`,
  }
}

function judgeStatus({ status, location }: RefusedRequest, said: string, model: string): Judgement {
  if (status === 429 && !/quota|billing|credit/i.test(said))
    return {
      cause: 'rate-limit',
      message: `The provider of ${model} limits the request rate: ${said}`,
      retry: true,
    }
  if (status === 401 || status === 403 || status === 402 || status === 429)
    return {
      cause: 'denied',
      message: `The provider of ${model} refused the key or the account (${status}): ${said}`,
    }
  if (status === 404)
    return {
      cause: 'denied',
      message: `There is no ${model} at this address (404): ${said}. Check the name, and the base URL: most end with /v1.`,
    }
  if (status >= 300 && status < 400)
    return {
      cause: 'invalid',
      message: `The address of ${model} redirects requests (${status}${location ? `, to ${hideKeys(clip(location))}` : ''}), and the key is not sent there. Set the base URL to the address of the model.`,
    }
  if (status === 408 || status === 409 || status >= 500)
    return {
      cause: 'overloaded',
      message: `The provider of ${model} failed (${status}): ${said}`,
      retry: true,
    }
  return {
    cause: 'invalid',
    message: `The provider refused the request for ${model} (${status}): ${said}`,
  }
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

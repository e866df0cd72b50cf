import type { FailureCause, ModelFailure } from '../port/model.ts'
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
  readonly contextTokens?: number
}

/** One sentence for a person, and whether another attempt may help; the same for every provider. */
export function toFailure(refusal: RefusedRequest, model: string, now: number): ModelFailure {
  const said = messageIn(refusal.body)
  const judgement = judgeWords(said, model) ?? judgeStatus(refusal, said, model)
  const retryAfterMs = parseRetryAfter(refusal.retryAfter, now)
  return {
    retry: false,
    spent: false,
    ...judgement,
    ...(judgement.retry && retryAfterMs !== undefined && { retryAfterMs }),
  }
}

const TOO_LARGE =
  /context.{0,12}(length|window|size)|maximum context|too many tokens|prompt is too long|exceeds? the (max|available)/i
const NO_TOOLS =
  /(not|n't|no).{0,40}(support|endpoints).{0,40}(tool|function)|(tool|function).{0,30}(not|n't).{0,20}support/i
const TOOL_FLAG = /--jinja|--enable-auto-tool-choice/

/** The words go before the status, which differs from server to server. */
function judgeWords(said: string, model: string): Judgement | undefined {
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

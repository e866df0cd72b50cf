import type { RefusedRequest } from '../../wire/refusals.ts'

/** What one endpoint wants of its requests beyond the common protocol. */
export interface Manners {
  /** Some older servers refuse `stream_options`. */
  readonly asksForUsage: boolean
  /** Newer models of OpenAI refuse the older name. */
  readonly outputField: 'max_tokens' | 'max_completion_tokens'
  /** Mistral: ids of tool calls are nine letters and digits. */
  readonly hasShortIds: boolean
  /** Mistral, and templates that only alternate: no user message after another one, and none after a result. */
  readonly isStrictOrder: boolean
  /** `given`: with a turn that called tools, when it came with that turn. DeepSeek in thinking mode misses it elsewhere too. */
  readonly reasoning: 'given' | 'always' | 'never'
}

export const COMMON_MANNERS: Manners = {
  asksForUsage: true,
  outputField: 'max_tokens',
  hasShortIds: false,
  isStrictOrder: false,
  reasoning: 'given',
}

const SHORT_IDS = /tool call id.*length of 9/is
const STRICT_ORDER = /unexpected role \W?user\W? after role|roles must alternate/i
const REASONING = /reasoning_content/
const REASONING_MISSING = /missing|must be (passed|provided|present)|required/i

/**
 * What a refusal teaches; undefined when it is about something else, so that no request is sent again unchanged. A refused
 * request costs nothing, and a list of endpoints with their habits would be wrong within a month.
 */
export function mannersAfter(
  { status, body }: RefusedRequest,
  manners: Manners,
): Manners | undefined {
  if (status < 400 || status >= 500) return undefined
  if (SHORT_IDS.test(body)) return changed(manners, { hasShortIds: true, isStrictOrder: true }) // both are Mistral's
  if (STRICT_ORDER.test(body)) return changed(manners, { isStrictOrder: true })
  if (REASONING.test(body))
    return changed(manners, { reasoning: REASONING_MISSING.test(body) ? 'always' : 'never' })
  if (body.includes('max_completion_tokens'))
    return changed(manners, { outputField: 'max_completion_tokens' })
  if (body.includes('stream_options')) return changed(manners, { asksForUsage: false })
  return undefined
}

function changed(manners: Manners, change: Partial<Manners>): Manners | undefined {
  const next = { ...manners, ...change }
  return JSON.stringify(next) === JSON.stringify(manners) ? undefined : next
}

import { counted } from '../words/counted.ts'
import type { Usage } from './journal.ts'

/** The cost of a run so far, as far as reported, in a person's words. */
export function describeSpend({ inputTokens, outputTokens, cachedTokens, cost, unknown }: Usage) {
  const cached = cachedTokens ? ` (${cachedTokens} cached)` : ''
  const money = cost === undefined ? '' : `, $${cost === 0 ? '0' : cost.toFixed(4)}`
  const more = unknown ? ', and an unknown part that the provider did not count' : ''
  return `${counted(inputTokens, 'token')} sent${cached}, ${outputTokens} received${money}${more}`
}

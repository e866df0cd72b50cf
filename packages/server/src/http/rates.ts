import { type Failure, fail, type TokenId } from '@filewright/protocol'
import type { Scope } from './scope.ts'

/** How often a token may ask, counted on each instance for itself. */
export interface Rates {
  /** Undefined: it may, and that was one. */
  take(scope: Scope): Failure | undefined
}

interface Bucket {
  left: number
  /** When that was counted. */
  at: number
}

const MINUTE_MS = 60_000

/** A minute's requests may come at once, and then they come back one by one. */
export function createRates(now: () => Date): Rates {
  const buckets = new Map<TokenId, Bucket>()
  return {
    take({ tokenId, name, limits }) {
      const most = limits?.requestsPerMinute
      if (most === undefined) return undefined
      const at = now().getTime()
      const before = buckets.get(tokenId) ?? { left: most, at }
      const left = Math.min(most, before.left + ((at - before.at) * most) / MINUTE_MS)
      if (left >= 1) {
        buckets.set(tokenId, { left: left - 1, at })
        return undefined
      }
      buckets.set(tokenId, { left, at })
      const retryAfterSeconds = Math.ceil(((1 - left) * MINUTE_MS) / most / 1000)
      return fail(
        'LIMIT_REACHED',
        `The token "${name}" may ask ${most} times a minute, and has. Ask again in ${retryAfterSeconds} s.`,
        { details: { retryAfterSeconds } },
      ).failure
    },
  }
}

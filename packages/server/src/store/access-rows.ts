import type { AccessToken } from './access.ts'
import type { Decided, KeptDecision } from './decisions.ts'

/** A token as both databases have it: what never changes is one JSON text. */
export interface AccessRow {
  readonly body: string
  readonly revoked: string | null
  readonly last_used: string | null
}

export function toAccessToken({ body, revoked, last_used }: AccessRow): AccessToken {
  return {
    ...(JSON.parse(body) as AccessToken),
    ...(revoked !== null && { revoked }),
    ...(last_used !== null && { lastUsed: last_used }),
  }
}

/** A decision as both databases have it. */
export interface DecisionRow {
  readonly position: number
  readonly body: string
  readonly outcome: string | null
  readonly result: string | null
}

export function toDecision({ position, body, outcome, result }: DecisionRow): KeptDecision {
  return {
    ...(JSON.parse(body) as Decided),
    position,
    ...(outcome !== null && { outcome }),
    ...(result !== null && { result }),
  }
}

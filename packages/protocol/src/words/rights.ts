/** What a token allows. Each of the others includes `read`. */
export const RIGHTS = ['read', 'edit', 'approve', 'admin'] as const
export type Right = (typeof RIGHTS)[number]

/** The rights that an agent's token may hold: an agent proposes, and others decide. */
export const AGENT_RIGHTS: readonly Right[] = ['read', 'edit']

/** What a call of a tool needs besides the right to read. A tool that writes the workspace only proposes. */
export function rightForTool(writes: 'nothing' | 'draft' | 'workspace'): Right {
  return writes === 'nothing' ? 'read' : 'edit'
}

/** Bounds of one token; what is not set has no bound. */
export interface TokenLimits {
  readonly requestsPerMinute?: number
  /** Runs at one time. */
  readonly runs?: number
  /** Of models, in a calendar month (UTC). */
  readonly modelTokens?: number
  /** For models, in a calendar month (UTC). */
  readonly dollars?: number
  /** Put by the token since it was made. */
  readonly storageBytes?: number
}

/** What counts towards the limits. */
export interface TokenUse {
  readonly modelTokens: number
  readonly dollars: number
  readonly storageBytes: number
}

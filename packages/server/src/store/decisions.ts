import type { WorkspaceId } from '@filewright/protocol'

/** What somebody decided: which token, when, and about what. */
export interface Decided {
  /** ISO 8601. */
  readonly time: string
  readonly tokenId: string
  /** The token's. */
  readonly name: string
  /** Absent: it concerns no workspace, or several. */
  readonly workspaceId?: WorkspaceId
  /** The route that was asked. */
  readonly action: string
  /** An id: of an approval, a draft, a change set, a rule, a token; or a path. */
  readonly target?: string
  readonly details: Readonly<Record<string, unknown>>
}

export interface KeptDecision extends Decided {
  readonly position: number
  /** `done`, or the code of the failure. Absent: the process ended meanwhile, and it may have been done. */
  readonly outcome?: string
  /** The id of what it made: a change set, a rule, a token. */
  readonly result?: string
}

/** The log of decisions. Rows are added and never changed, except that a row gets its outcome once. */
export interface DecisionLog {
  /** Durable before anything is done. Answers its position. */
  begin(decided: Decided): Promise<number>
  end(position: number, outcome: string, result?: string): Promise<void>
  /** Newest first. `workspaces`: only those about one of them. */
  list(asked: {
    readonly before?: number
    readonly limit: number
    readonly workspaces?: readonly WorkspaceId[]
  }): Promise<readonly KeptDecision[]>
}

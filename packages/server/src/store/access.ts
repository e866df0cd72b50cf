import type { Right, TokenId, TokenLimits, WorkspaceId } from '@filewright/protocol'

/** A token without itself: stores know its hash alone. */
export interface AccessToken {
  readonly tokenId: TokenId
  readonly name: string
  readonly rights: readonly Right[]
  readonly workspaces: 'all' | readonly WorkspaceId[]
  readonly isAgent: boolean
  /** ISO 8601, as all times here. */
  readonly created: string
  /** The name of the token that made it. */
  readonly createdBy: string
  readonly expires?: string
  readonly limits?: TokenLimits
  readonly revoked?: string
  readonly lastUsed?: string
}

/** What is counted for a token. */
export type Counted = 'modelTokens' | 'microdollars' | 'storageBytes'

/** Tokens and what they have used. Every read sees what another instance wrote before it. */
export interface Access {
  /** Throws where the id or the hash is taken: both are random. */
  add(token: AccessToken, hash: string): Promise<void>
  /** Also one that was revoked. */
  find(hash: string): Promise<AccessToken | undefined>
  /** The same by its id. */
  get(tokenId: TokenId): Promise<AccessToken | undefined>
  /** Revoked ones too, in the order in which they were made. */
  list(): Promise<readonly AccessToken[]>
  /** The first time stands. Undefined: there is no such token. */
  revoke(tokenId: TokenId, time: string): Promise<AccessToken | undefined>
  touch(tokenId: TokenId, time: string): Promise<void>
  /** Adds to what was counted in a period, which is any word, and gives the sum. None is lost of many at once. */
  count(tokenId: TokenId, what: Counted, period: string, amount: number): Promise<number>
  counted(tokenId: TokenId, what: Counted, period: string): Promise<number>
}

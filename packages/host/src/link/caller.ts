import type { RouteClient } from '@filewright/protocol'

export type Fetch = (request: Request) => Promise<Response>

/** The owner's routes, asked with one token: by function calls in its own process, over HTTP from any other. */
export interface Caller extends RouteClient {
  readonly token: string
  readonly fetch: Fetch
  /** True when this process is the owner: calls then stay in it, in the order they are made. */
  isOwner(): boolean
}

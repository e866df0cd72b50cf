import type { Result } from '@filewright/protocol'
import type { Scope } from './tokens.ts'

/** A request that passed the guard, its parameters, query and body parsed. */
export interface RouteRequest {
  readonly request: Request
  readonly scope: Scope
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: never
}

export type RouteHandler = (request: RouteRequest) => Promise<Result<unknown> | Response>

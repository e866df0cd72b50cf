import type {
  AnswerOf,
  BodyOf,
  JsonRoute,
  ParamsOf,
  QueryOf,
  Result,
  RouteName,
} from '@filewright/protocol'
import type { Pieces } from '../store/blobs.ts'
import type { Scope } from './scope.ts'

/** A request that passed the guard, its parameters, query and body parsed as the tables say. */
export interface RouteRequest<Name extends RouteName> {
  /** For streams: its signal, and what only HTTP has. */
  readonly request: Request
  readonly scope: Scope
  header(name: string): string | null
  /** The body of a route that takes raw bytes. */
  readonly bytes: Pieces
  readonly params: ParamsOf<Name>
  readonly query: QueryOf<Name>
  readonly body: BodyOf<Name>
}

export type JsonRoutes = {
  readonly [Name in JsonRoute]: (request: RouteRequest<Name>) => Promise<Result<AnswerOf<Name>>>
}

/** Streams of events, and bytes. */
type StreamRoutes = {
  readonly [Name in Exclude<RouteName, JsonRoute>]: (
    request: RouteRequest<Name>,
  ) => Promise<Result<never> | Response>
}

/** A handler for every route. A handler whose answer type differs from the table does not compile. */
export type Routes = JsonRoutes & StreamRoutes

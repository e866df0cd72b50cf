import type { GivenBody, QueryOf } from './route-inputs.ts'
import type { GivenParams, RouteName } from './routes.ts'

/** One request to a route, before it becomes HTTP: everything the route needs, and nothing it does not accept. */
export type RouteCall<Name extends RouteName> = CallPart<'params', GivenParams<Name>> &
  CallPart<'query', QueryOf<Name>> &
  CallPart<'body', GivenBody<Name>>

/** Optional when none of its fields is required. */
type CallPart<Key extends string, Value> =
  Record<never, never> extends Value
    ? { readonly [Each in Key]?: Value }
    : Value extends undefined
      ? { readonly [Each in Key]?: undefined }
      : { readonly [Each in Key]: Value }

export interface RequestOptions {
  readonly signal?: AbortSignal
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent unchanged, to a route that takes raw bytes. */
  readonly bytes?: Uint8Array
}

/** The last arguments of a function that calls a route: a route without required input is called by its name alone. */
export type RouteArguments<Name extends RouteName> =
  Record<never, never> extends RouteCall<Name>
    ? [call?: RouteCall<Name> & RequestOptions]
    : [call: RouteCall<Name> & RequestOptions]

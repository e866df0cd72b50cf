import type { GivenBody, QueryOf } from './route-inputs.ts'
import type { GivenParams, RouteName } from './routes.ts'

/** One request to a route, before it is put into HTTP: what the route needs, and nothing that it does not take. */
export type RouteCall<Name extends RouteName> = CallPart<'params', GivenParams<Name>> &
  CallPart<'query', QueryOf<Name>> &
  CallPart<'body', GivenBody<Name>>

/** May be absent where nothing in it is needed. */
type CallPart<Key extends string, Value> =
  Record<never, never> extends Value
    ? { readonly [Each in Key]?: Value }
    : Value extends undefined
      ? { readonly [Each in Key]?: undefined }
      : { readonly [Each in Key]: Value }

export interface RequestOptions {
  readonly signal?: AbortSignal
}

/** The last arguments of a function that calls a route: one that needs nothing is called by its name alone. */
export type RouteArguments<Name extends RouteName, Options = RequestOptions> =
  Record<never, never> extends RouteCall<Name>
    ? [call?: RouteCall<Name> & Options]
    : [call: RouteCall<Name> & Options]

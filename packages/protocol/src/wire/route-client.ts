import { type Failure, ok, type Result } from '../words/result.ts'
import type { AnswerOf, EventRoute, JsonRoute } from './answers.ts'
import type { RequestOptions, RouteArguments } from './route-call.ts'
import { type RouteName, routeMethod, routePath } from './routes.ts'

/** Calls the routes of the table. Throws when no answer comes; a refusal is a failure. */
export interface RouteClient {
  readonly call: CallRoute
  /** A stream of events; `RouteEvents` types their data. */
  listen<Name extends EventRoute>(name: Name, ...[call]: RouteArguments<Name>): Promise<Response>
  /** The response itself: for bytes, or where the status matters. */
  open<Name extends RouteName>(name: Name, ...[call]: RouteArguments<Name>): Promise<Response>
}

/** Calls one route; the table gives the type of its answer. */
export type CallRoute = <Name extends JsonRoute>(
  name: Name,
  ...[call]: RouteArguments<Name>
) => Promise<Result<AnswerOf<Name>>>

export interface RouteClientOptions {
  readonly fetch: (request: Request) => Promise<Response>
  /** The server's origin; in memory, any origin will do. */
  readonly origin: string
  readonly token: string
}

const EVENT_STREAM = { accept: 'text/event-stream' }

export function createRouteClient({ fetch, origin, token }: RouteClientOptions): RouteClient {
  const open = (name: RouteName, call: AnyCall = {}) => fetch(toRequest(origin, token, name, call))
  return {
    open,
    listen: (name, call?: AnyCall) => open(name, { ...call, headers: EVENT_STREAM }),
    async call<Name extends JsonRoute>(name: Name, call?: AnyCall) {
      return toResult<AnswerOf<Name>>(await open(name, call))
    },
  }
}

/** A call of any route. */
interface AnyCall extends RequestOptions {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

function toRequest(origin: string, token: string, name: RouteName, call: AnyCall): Request {
  const { params, query, body, bytes, headers, signal } = call
  const type = bytes ? 'application/octet-stream' : body !== undefined && 'application/json'
  return new Request(origin + routePath(name, params) + toSearch(query), {
    method: routeMethod(name),
    headers: {
      authorization: `Bearer ${token}`,
      ...(type && { 'content-type': type }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(bytes && { body: bytes as Uint8Array<ArrayBuffer> }), // from a file or a string: never shared memory
    ...(signal && { signal }),
  })
}

/** As a query string; omits absent values. */
function toSearch(query: AnyCall['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([key, value]): [string, string] => [key, String(value)]))}`
}

async function toResult<Value>(response: Response): Promise<Result<Value>> {
  const answer: unknown = await response.json()
  if (response.ok) return ok(answer as Value)
  return { ok: false, failure: toFailure(response.status, Object(answer)) }
}

/** A refusal that is not ours, perhaps a proxy's, has only its status. */
function toFailure(status: number, refusal: Partial<WireFailure>): Failure {
  const { errorCode, kind, message, errors, success: _, ...details } = refusal
  const told = message ?? `The server answered with ${status}.`
  return {
    code: errorCode ?? `HTTP_${status}`,
    kind: kind ?? 'unavailable',
    message: told,
    errors: errors ?? [told],
    details,
  }
}

interface WireFailure extends Omit<Failure, 'code' | 'details'> {
  readonly success: false
  readonly errorCode: string
}

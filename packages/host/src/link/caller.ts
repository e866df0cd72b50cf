import {
  type Failure,
  type Result,
  ROUTES,
  type RouteCall,
  type RouteName,
  routePath,
} from '@filewright/protocol'

export type Fetch = (request: Request) => Promise<Response>

/** The owner's routes, asked with one token: by function calls in its own process, over HTTP from any other. */
export interface Caller {
  readonly token: string
  readonly fetch: Fetch
  call<Value>(route: RouteName, options?: CallOptions): Promise<Result<Value>>
}

export interface CallOptions {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

type Handle = (route: RouteName, call: RouteCall) => Promise<Result<unknown> | Response>

export async function callDirectly<Value>(
  handle: Handle,
  route: RouteName,
  { params, query, body }: CallOptions = {},
): Promise<Result<Value>> {
  const answered = await handle(route, { params, query: query && withoutUndefined(query), body })
  return isResponse(answered) ? toResult<Value>(answered) : (answered as Result<Value>)
}

export async function callOverHttp<Value>(
  { fetch, token }: Pick<Caller, 'fetch' | 'token'>,
  route: RouteName,
  { params, query, body, signal }: CallOptions = {},
): Promise<Result<Value>> {
  const url = new URL(`http://localhost${routePath(route, params)}`)
  for (const [key, value] of Object.entries(query ?? {}))
    if (value !== undefined) url.searchParams.set(key, String(value))
  const response = await fetch(
    new Request(url, {
      method: ROUTES[route].method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    }),
  )
  return toResult<Value>(response)
}

/** As an address carries it: what is not given is not there. */
function withoutUndefined(query: NonNullable<CallOptions['query']>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}

async function toResult<Value>(response: Response): Promise<Result<Value>> {
  const answer = (await response.json()) as Value & { errorCode: string } & Omit<Failure, 'code'>
  if (response.ok) return { ok: true, value: answer }
  const { errorCode, kind, message, errors, ...details } = answer
  return {
    ok: false,
    failure: {
      code: errorCode,
      kind,
      message,
      errors,
      details: details as Record<string, unknown>,
    },
  }
}

/** By what it has: asking for its class would make node load its fetch. */
function isResponse(answered: Result<unknown> | Response): answered is Response {
  return 'headers' in answered
}

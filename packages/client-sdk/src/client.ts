import { FilewrightError } from './error.ts'
import { followStream } from './event-stream.ts'
import { ROUTES, type RouteTypes, type SessionEvent, type WorkspaceEvent } from './routes.golden.ts'

export interface FilewrightOptions {
  /** As `filewright serve` prints it, with the token; or without, and the token apart. */
  readonly url: string
  readonly token?: string
  /** By default the global one. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

export interface CallOptions {
  readonly signal?: AbortSignal
}

type RouteName = keyof typeof ROUTES
type EventName = 'events' | 'workspaceEvents'
type Given<Name extends RouteName> = RouteTypes[Name]['given']

type Call<Name extends RouteName> =
  Record<never, never> extends Given<Name>
    ? (given?: Given<Name>, options?: CallOptions) => Promise<RouteTypes[Name]['answer']>
    : (given: Given<Name>, options?: CallOptions) => Promise<RouteTypes[Name]['answer']>

/**
 * A method for each route, under its name in the OpenAPI document; parameters of the path, of the query and of the body
 * stand in one object. A method throws a `FilewrightError` when it was refused.
 */
export type FilewrightClient = { readonly [Name in Exclude<RouteName, EventName>]: Call<Name> } & {
  /**
   * The rows of a session after `after` and then as they come, with the text as it streams. A stream that breaks is taken
   * up again at the last row, and nothing is missed or told twice; only a refusal or the signal ends it.
   */
  events(given: Given<'events'>, options?: CallOptions): AsyncGenerator<SessionEvent>
  /** Changes of files while you listen; those of a moment without a connection are not told. */
  workspaceEvents(
    given: Given<'workspaceEvents'>,
    options?: CallOptions,
  ): AsyncGenerator<WorkspaceEvent>
}

export function createClient(options: FilewrightOptions): FilewrightClient {
  const send = createSender(options)
  const methods: Record<string, unknown> = {}
  for (const name of Object.keys(ROUTES) as RouteName[])
    methods[name] =
      ROUTES[name].answers === 'events'
        ? (given: AnyGiven, { signal }: CallOptions = {}) =>
            followStream(
              (after, each) => send(name, after === undefined ? given : { ...given, after }, each),
              signal,
            )
        : async (given: AnyGiven = {}, { signal }: CallOptions = {}) =>
            readAnswer(name, await send(name, given, signal))
  return methods as unknown as FilewrightClient // the table that made the methods made the types
}

type AnyGiven = Readonly<Record<string, unknown>>

function createSender({ url, token, fetch: own }: FilewrightOptions) {
  const address = new URL(url)
  const secret = token ?? address.searchParams.get('token') ?? ''
  const ask = own ?? ((to: string, init: RequestInit) => fetch(to, init))
  return async (name: RouteName, given: AnyGiven, signal?: AbortSignal): Promise<Response> => {
    const { method, path, query, body, bytes } = toParts(name, given)
    const type = bytes ? 'application/octet-stream' : body && 'application/json'
    const response = await ask(`${address.origin}${path}${query}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, ...(type && { 'content-type': type }) },
      ...((bytes ?? body) && { body: bytes ?? body }),
      ...(signal && { signal }),
    })
    if (!response.ok) throw await toError(response)
    return response
  }
}

interface Route {
  readonly route: string
  readonly query?: readonly string[]
  readonly takes?: 'bytes'
}

/** Each field goes where the table says; what it does not know goes into the body, where the server refuses it by name. */
function toParts(name: RouteName, given: AnyGiven) {
  const { route, query: inQuery = [], takes }: Route = ROUTES[name]
  const [method = '', template = ''] = route.split(' ')
  const rest = new Map(Object.entries(given).filter(([, value]) => value !== undefined))
  const take = (field: string) => {
    const value = rest.get(field)
    rest.delete(field)
    return value
  }
  const path = template.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = take(field)
    if (value === undefined || value === '') throw notGiven(name, field)
    return encodeURIComponent(String(value))
  })
  const search = new URLSearchParams()
  const isBodyless = method === 'GET' || method === 'DELETE'
  for (const field of [...inQuery, ...(isBodyless ? rest.keys() : [])]) {
    const value = take(field)
    if (value !== undefined) search.set(field, String(value))
  }
  const bytes = takes && (take('bytes') as RequestInit['body'])
  const query = search.size > 0 ? `?${search}` : ''
  const body = isBodyless || bytes ? undefined : JSON.stringify(Object.fromEntries(rest))
  return { method, path, query, body, bytes }
}

function notGiven(name: string, field: string): FilewrightError {
  const message = `${name} needs "${field}".`
  return new FilewrightError(0, { errorCode: 'INVALID_ARGUMENT', kind: 'invalid', message })
}

async function readAnswer(name: RouteName, response: Response): Promise<unknown> {
  if (ROUTES[name].answers === 'bytes') return new Uint8Array(await response.arrayBuffer())
  return response.json()
}

/** A refusal that is not Filewright's, perhaps a proxy's, has only its status. */
async function toError(response: Response): Promise<FilewrightError> {
  const answer: unknown = await response.json().catch(() => undefined)
  return new FilewrightError(response.status, Object(answer))
}

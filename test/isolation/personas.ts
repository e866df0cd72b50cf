import {
  type GivenBody,
  type Right,
  type RouteName,
  routeMethod,
  routePath,
  unwrap,
} from '@filewright/protocol'
import { createLogger, createServer, openMemoryStores, type Server } from '@filewright/server'
import type { Answer } from '../embedded.ts'
import type { Needs } from './needs.ts'

export const OWNER = 'the-token-of-the-server-itself'

/** Somebody who asks, and what they should get. */
export interface Persona {
  readonly token: string | undefined
  /** What they may do in the workspace; undefined: it does not exist for them. */
  readonly here?: readonly Needs[]
  /** … and where no workspace is named. */
  readonly elsewhere: readonly Needs[]
}

export interface Asking {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface Asked {
  readonly status: number
  readonly headers: Headers
  /** Of an answer in JSON. */
  readonly value: Answer
}

/** A server without clients: what needs one answers 503 to everybody who may ask. */
export async function startIsolated() {
  let now = Date.parse('2026-03-01T12:00:00Z')
  const logged: string[] = []
  const stores = await openMemoryStores()
  const server = await createServer({
    stores,
    logger: createLogger(
      line => logged.push(line),
      () => new Date(now),
    ),
    version: 'test',
    ownerToken: OWNER,
    now: () => new Date(now),
    resolveModel: async () => ({
      ok: false,
      failure: {
        code: 'NOT_FOUND',
        kind: 'missing',
        message: 'No model in this test.',
        errors: [],
      },
    }),
  })
  const workspaceOf = async (key: string) =>
    unwrap(await server.handle(OWNER, 'attachWorkspace', { body: { key, name: key } })).workspaceId
  return {
    server,
    stores,
    logged,
    workspaceOf,
    pass: (ms: number) => {
      now += ms
    },
    after: (ms: number) => new Date(now + ms).toISOString(),
    tokenOf: (given: GivenBody<'createToken'>, by = OWNER) => tokenOf(server, given, by),
    ask: (name: RouteName, token: string | undefined, asking?: Asking) =>
      ask(server, name, token, asking),
  }
}

export type Isolated = Awaited<ReturnType<typeof startIsolated>>

async function tokenOf(server: Server, body: GivenBody<'createToken'>, by: string) {
  return unwrap(await server.handle(by, 'createToken', { body }))
}

async function ask(
  { fetch }: Pick<Server, 'fetch'>,
  name: RouteName,
  token: string | undefined,
  { params, query = {}, body }: Asking = {},
): Promise<Asked> {
  const method = routeMethod(name)
  const leaving = new AbortController()
  const carries = method === 'POST' || method === 'PUT'
  const url = new URL(`http://localhost${routePath(name, params)}`)
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
  const response = await fetch(
    new Request(url, {
      method,
      signal: leaving.signal,
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(carries && { body: JSON.stringify(body ?? {}) }),
    }),
  )
  const { status, headers } = response
  const isJson = headers.get('content-type')?.startsWith('application/json') && method !== 'HEAD'
  const value = isJson ? await response.json() : undefined
  if (!isJson) await response.body?.cancel()
  leaving.abort()
  return { status, headers, value }
}

/** Everybody whom the routes and tools are tried by. */
export async function makePersonas(
  isolated: Isolated,
  here: string,
  there: string,
): Promise<Readonly<Record<string, Persona>>> {
  const { tokenOf, server, after, pass } = isolated
  const make = async (
    name: string,
    rights: readonly Right[],
    { workspaces = [here], ...more }: Partial<GivenBody<'createToken'>> = {},
  ) => (await tokenOf({ name, rights, workspaces, ...more })).token
  const expired = await make('expired', ['admin', 'approve', 'edit'], { expires: after(1_000) })
  const revoked = await tokenOf({ name: 'revoked', rights: ['admin'], workspaces: 'all' })
  await server.handle(OWNER, 'revokeToken', { params: { tokenId: revoked.tokenId } })
  pass(2_000)
  const of = (token: string, ...may: readonly Needs[]): Persona => ({
    token,
    here: may,
    elsewhere: may,
  })
  const foreign = { workspaces: [there] }
  return {
    'somebody without a token': { token: undefined, elsewhere: [] },
    'a stranger': { token: 'fwt_nobody-knows-this-one', elsewhere: [] },
    'an expired token': { token: expired, elsewhere: [] },
    'a revoked token': { token: revoked.token, elsewhere: [] },
    'a reader': of(await make('reader', ['read']), 'read'),
    'an editor': of(await make('editor', ['edit']), 'read', 'edit'),
    'an agent': of(await make('agent', ['edit'], { isAgent: true }), 'read', 'edit'),
    'an approver': of(await make('approver', ['approve']), 'read', 'approve'),
    'an admin': of(await make('admin', ['admin']), 'read', 'admin'),
    'an admin of every workspace': of(
      await make('admin everywhere', ['admin'], { workspaces: 'all' }),
      ...(['read', 'admin', 'everywhere'] as const),
    ),
    "another workspace's editor": {
      token: await make('foreign editor', ['edit'], foreign),
      elsewhere: ['read', 'edit'],
    },
    "another workspace's admin": {
      token: await make('foreign admin', ['edit', 'approve', 'admin'], foreign),
      elsewhere: ['read', 'edit', 'approve', 'admin'],
    },
    'the owner': of(OWNER, 'read', 'edit', 'approve', 'admin', 'everywhere', 'owner'),
  }
}

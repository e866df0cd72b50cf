import { ok, type SessionId, type Sha256, unwrap, type WorkspaceId } from '@filewright/protocol'
import { expect, expectTypeOf, test } from 'vitest'
import { createServer, type ServerOptions } from '../server.ts'
import { openMemoryStores } from '../stores/stores.ts'
import { createLogger } from '../words/logger.ts'
import type { RouteRequest, Routes } from './route.ts'

const OWNER = 'owner-token'
const bearer = { authorization: `Bearer ${OWNER}` }

async function startServer(options: Partial<ServerOptions> = {}) {
  return createServer({
    stores: await openMemoryStores(),
    logger: createLogger(
      () => {},
      () => new Date(0),
    ),
    version: 'test',
    ownerToken: OWNER,
    resolveModel: async () => {
      throw new Error('no model in this test')
    },
    ...options,
  })
}

test('a handler has what the tables say of its route, and answers with that', () => {
  type Asked = RouteRequest<'getBlob'>
  expectTypeOf<Asked['params']>().toEqualTypeOf<{
    readonly workspaceId: WorkspaceId
    readonly sha256: Sha256
  }>()
  expectTypeOf<RouteRequest<'callTool'>['params']['sessionId']>().toEqualTypeOf<SessionId>()
  expectTypeOf<RouteRequest<'log'>['query']['after']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<RouteRequest<'callTool'>['body']['tool']>().toEqualTypeOf<string>()
  expectTypeOf<RouteRequest<'listRules'>['body']>().toEqualTypeOf<undefined>()

  const right: Pick<Routes, 'clear'> = { clear: async () => ok({ conversationId: 'con_1' }) }
  const wrong: Pick<Routes, 'clear' | 'cancel' | 'resume'> = {
    // @ts-expect-error -- an answer without a field that the table names
    clear: async () => ok({}),
    // @ts-expect-error -- an answer where the table says there is none
    cancel: async () => ok({ cancelled: true }),
    // @ts-expect-error -- a response where the table says JSON
    resume: async () => new Response(''),
  }
  expect(Object.keys({ ...wrong, ...right })).toEqual(['clear', 'cancel', 'resume'])
})

test('a route asked without HTTP is checked as over it', async () => {
  const server = await startServer()
  const attached = await server.handle(OWNER, 'attachWorkspace', { body: { key: 'a', name: 'a' } })
  const { workspaceId } = attached.ok ? attached.value : { workspaceId: '' }
  const params = { workspaceId }
  expect(await server.handle('unknown', 'listSessions', { params })).toMatchObject({
    failure: { code: 'DENIED' },
  })
  // @ts-expect-error -- a misspelt field
  const misspelt = await server.handle(OWNER, 'createSession', { params, body: { titel: 'x' } })
  expect(misspelt).toMatchObject({
    failure: { message: 'body: has no field "titel"; it has title, standing' },
  })
  const created = await server.handle(OWNER, 'createSession', { params, body: { title: 'x' } })
  expect(created).toMatchObject({ value: { workspaceId, title: 'x' } })
  await server.close()
})

test('an invalid hash is refused before a lookup', async () => {
  const server = await startServer()
  const url = 'http://localhost/api/workspaces/ws_1/blobs/abc'
  const response = await server.fetch(new Request(url, { headers: bearer }))
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    message: 'Name a blob by the 64 hex digits of its sha256.',
  })
  await server.close()
})

test("a face's routes are behind the guard, with the scope of the token", async () => {
  const server = await startServer({
    mounts: [
      {
        path: '/mcp',
        handle: async ({ method }, { scope }) => Response.json({ method, scope }),
      },
    ],
  })
  const ask = (headers: Record<string, string>, path = '/mcp') =>
    server.fetch(new Request(`http://localhost${path}`, { method: 'POST', headers }))
  expect((await ask({})).status).toBe(401)
  expect((await ask({}, '/mcp/below')).status).toBe(401)
  expect((await ask(bearer, '/mcp/below')).status).toBe(200)
  expect((await ask(bearer, '/mcps')).status).toBe(404)
  expect((await ask({ ...bearer, host: 'evil.example' })).status).toBe(403)
  const { tokens } = server
  const given = { name: 'anna', rights: ['edit'] as const, workspaces: ['ws_1'] }
  const { token } = unwrap(await tokens.create(given, tokens.owner))
  const answers = await Promise.all(
    [bearer, { authorization: `Bearer ${token}` }].map(async headers =>
      (await ask(headers)).json(),
    ),
  )
  expect(answers).toMatchObject([
    { method: 'POST', scope: { isOwner: true, workspaces: 'all' } },
    {
      method: 'POST',
      scope: { isOwner: false, name: 'anna', rights: ['read', 'edit'], workspaces: ['ws_1'] },
    },
  ])
  await server.close()
})

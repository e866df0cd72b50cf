import { createHash } from 'node:crypto'
import {
  RIGHTS,
  ROUTE_DETAILS,
  ROUTES,
  type RouteName,
  routeMethod,
  routePath,
  unwrap,
} from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import { createServer, type Server } from '../server.ts'
import { openMemoryStores } from '../stores/stores.ts'
import { createLogger } from '../words/logger.ts'

const OWNER = 'owner-token'

async function startServer() {
  const lines: string[] = []
  const server = await createServer({
    stores: await openMemoryStores(),
    logger: createLogger(
      line => lines.push(line),
      () => new Date(0),
    ),
    version: 'test',
    ownerToken: OWNER,
    resolveModel: async () => {
      throw new Error('no model in this test')
    },
  })
  const attach = async (key: string) => {
    const response = await server.fetch(
      request('attachWorkspace', { token: OWNER, body: { key, name: key } }),
    )
    return ((await response.json()) as { workspaceId: string }).workspaceId
  }
  return { server, attach, lines }
}

/** All rights in one workspace. */
async function issueToken({ tokens }: Server, workspaceId: string): Promise<string> {
  const given = { name: 'test', rights: RIGHTS, workspaces: [workspaceId] }
  return unwrap(await tokens.create(given, tokens.owner)).token
}

interface Asking {
  readonly token?: string
  readonly body?: unknown
  readonly params?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

function request(
  name: RouteName,
  { token, body, params = {}, headers = {} }: Asking = {},
): Request {
  const method = routeMethod(name)
  const carries = method !== 'GET' && method !== 'HEAD' && method !== 'DELETE'
  return new Request(`http://localhost${routePath(name, params)}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
      ...headers,
    },
    ...(carries && { body: JSON.stringify(body ?? {}) }),
  })
}

const someParams = (workspaceId: string) => ({
  workspaceId,
  sessionId: 'ses_x',
  toolCallId: 'tc_x',
  turnId: 'trn_x',
  messageId: 'msg_x',
  approvalId: 'apr_x',
  questionId: 'qst_x',
  ruleId: 'rul_x',
  sha256: 'a'.repeat(64),
})

describe('every route', () => {
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    test(`${name} answers 401 without a token and with an unknown one`, async () => {
      const { server, attach } = await startServer()
      const params = someParams(await attach('own'))
      for (const token of [undefined, 'unknown']) {
        const response = await server.fetch(request(name, { token, params }))
        expect(response.status).toBe(401)
      }
    })

    if (!ROUTES[name].includes(':workspaceId')) continue
    test(`${name} shows nothing of another workspace`, async () => {
      const { server, attach } = await startServer()
      const [own, foreign] = [await attach('own'), await attach('foreign')]
      const token = await issueToken(server, foreign)
      const response = await server.fetch(request(name, { token, params: someParams(own) }))
      expect(response.status).toBe(404)
      const text = await response.text()
      if (routeMethod(name) !== 'HEAD') expect(text).toContain('There is no workspace')
    })
  }
})

test('a workspace that was never attached is missing, one whose client is away is unavailable', async () => {
  const { server, attach } = await startServer()
  const known = await attach('own')
  for (const name of ['listFiles', 'review', 'listApprovals', 'undo', 'decide'] as const) {
    const asked = (workspaceId: string) =>
      server.fetch(
        request(name, {
          token: OWNER,
          params: someParams(workspaceId),
          ...(name === 'decide' && { body: { decision: 'approved' } }),
        }),
      )
    const unknown = await asked('ws_0000000000000000')
    expect(unknown.status).toBe(404)
    expect(await unknown.json()).toMatchObject({ errorCode: 'NOT_FOUND', kind: 'missing' })
    expect((await asked(known)).status).toBe(503)
  }
})

test('routes without a client also report a workspace that was never attached as missing', async () => {
  const { server, attach } = await startServer()
  const known = await attach('own')
  const blob = `blobs/${createHash('sha256').update('x').digest('hex')}`
  for (const [method, path, body] of [
    ['PUT', blob, 'x'],
    ['POST', 'heads', '{"heads":[]}'],
    ['GET', 'history?path=a.txt', undefined],
    ['GET', 'sessions', undefined],
  ] as const) {
    const statusIn = async (workspaceId: string) => {
      const headers = {
        authorization: `Bearer ${OWNER}`,
        ...(method === 'POST' && { 'content-type': 'application/json' }),
      }
      const url = `http://localhost/api/workspaces/${workspaceId}/${path}`
      return (await server.fetch(new Request(url, { method, headers, body }))).status
    }
    expect([path, await statusIn('ws_0000000000000000')]).toEqual([path, 404])
    expect([path, await statusIn(known)]).toEqual([path, 200])
  }
})

test('a token of one workspace lists that one alone, and offers no other', async () => {
  const { server, attach } = await startServer()
  const [own] = [await attach('own'), await attach('foreign')]
  const token = await issueToken(server, own)
  const listed = await server.fetch(request('listWorkspaces', { token }))
  expect(await listed.json()).toMatchObject({ workspaces: [{ workspaceId: own }] })
  const body = { key: 'foreign', name: 'foreign' }
  const attached = await server.fetch(request('attachWorkspace', { token, body }))
  expect(await attached.json()).toMatchObject({ workspaceId: own })
})

test('a client attaches without HTTP only with a token that reaches its workspace', async () => {
  const { server, attach } = await startServer()
  const [own, foreign] = [await attach('own'), await attach('foreign')]
  const token = await issueToken(server, own)
  expect(await server.attach('unknown', own, () => {})).toMatchObject({
    failure: { code: 'DENIED' },
  })
  expect(await server.attach(token, foreign, () => {})).toMatchObject({
    failure: { code: 'NOT_FOUND' },
  })
  const asked: string[] = []
  const attached = await server.attach(token, own, ({ id, method }) => {
    asked.push(method)
    if (attached.ok) attached.value.answer({ id, result: { ok: true, value: [] } })
  })
  const response = await server.fetch(
    request('listRules', { token: OWNER, params: someParams(own) }),
  )
  expect({ status: response.status, asked }).toEqual({
    status: 200,
    asked: expect.arrayContaining(['rule-list']),
  })
  if (attached.ok) attached.value.detach()
})

test('a page of the log says where the log ends', async () => {
  const { server, attach } = await startServer()
  const params = { workspaceId: await attach('own') }
  const session = unwrap(await server.handle(OWNER, 'createSession', { params, body: {} }))
  const inSession = { ...params, sessionId: session.sessionId }
  const logOf = (limit?: number) =>
    server.handle(OWNER, 'log', { params: inSession, query: { limit } })
  const before = unwrap(await logOf()).rows.length
  for (let i = 0; i < 3; i++) await server.handle(OWNER, 'clear', { params: inSession })
  const { rows, last } = unwrap(await logOf(1))
  expect({ rows: rows.length, last }).toEqual({ rows: 1, last: before + 3 })
  expect(unwrap(await logOf()).rows.at(-1)?.seq).toBe(last)
})

test('bytes go into the store without HTTP, whole or in parts, with the checks of the route', async () => {
  const { server, attach } = await startServer()
  const [workspaceId, foreign] = [await attach('own'), await attach('foreign')]
  const bytes = Buffer.from('directly')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const params = { workspaceId, sha256 }
  const whole = { ok: true, value: { sha256, sizeBytes: bytes.length } }
  const token = await issueToken(server, foreign)
  const put = (call: { bytes?: Uint8Array; headers?: Record<string, string> }, by = OWNER) =>
    server.handle(by, 'putBlob', { params, ...call })
  expect(await put({ bytes }, 'unknown')).toMatchObject({ failure: { code: 'DENIED' } })
  expect(await put({ bytes }, token)).toMatchObject({ failure: { code: 'NOT_FOUND' } })
  expect(await put({ bytes: bytes.subarray(1) })).toMatchObject({
    failure: { code: 'HASH_MISMATCH' },
  })
  const part = (at: number, end: number, complete: string) =>
    put({
      bytes: bytes.subarray(at, end),
      headers: { 'upload-offset': String(at), 'upload-complete': complete },
    })
  expect(await part(0, 3, '?0')).toEqual({ ok: true, value: { offset: 3 } })
  expect(await part(5, 8, '?1')).toMatchObject({ failure: { details: { offset: 3 } } })
  expect(await part(3, 8, '?1')).toEqual(whole)
  expect(await put({ bytes })).toEqual(whole)
  const got = await server.fetch(request('getBlob', { token: OWNER, params }))
  expect(await got.text()).toBe('directly')
})

verifies(
  ['CONTRACT §8 401 before routing', 'CONTRACT §8 token asked'],
  'an unknown address under /api is 401 without a token and 404 with one',
  async () => {
    const { server } = await startServer()
    const address = 'http://localhost/api/nothing/here'
    expect((await server.fetch(new Request(address))).status).toBe(401)
    expect(
      (await server.fetch(new Request(address, { headers: { authorization: `Bearer ${OWNER}` } })))
        .status,
    ).toBe(404)
  },
)

verifies(
  ['CONTRACT §8 host checked', 'CONTRACT §8 origin checked'],
  'a page of another site is refused by Host and by Origin',
  async () => {
    const { server } = await startServer()
    const evilHost = request('health', { token: OWNER, headers: { host: 'evil.example' } })
    const evilOrigin = request('health', {
      token: OWNER,
      headers: { origin: 'http://evil.example' },
    })
    const own = request('health', {
      token: OWNER,
      headers: { origin: 'http://127.0.0.1:4680', host: '127.0.0.1:4680' },
    })
    const statuses = await Promise.all(
      [evilHost, evilOrigin, own].map(async each => (await server.fetch(each)).status),
    )
    expect(statuses).toEqual([403, 403, 200])
  },
)

test('a body over the limit is refused before it is parsed', async () => {
  const { server, attach } = await startServer()
  const params = someParams(await attach('own'))
  const response = await server.fetch(
    request('createSession', { token: OWNER, params, body: { title: 'x'.repeat(5_000_000) } }),
  )
  expect(response.status).toBe(413)
})

test('a misspelt field is refused and not ignored', async () => {
  const { server, attach } = await startServer()
  const params = someParams(await attach('own'))
  const sent = [
    [
      'publish',
      { refuse: ['chg_1'] },
      '"refuse"; it has draftId, only, refused, comments, revision, unasked, by',
    ],
    ['undo', { changesetId: 'cs_1' }, '"changesetId"; it has changeSetId, draftId'],
    ['addRule', { effect: 'allow', paths: 'notes/**' }, '"paths"; it has effect, tool, path'],
    ['decide', { decision: 'approved', refuse: [] }, '"refuse"'],
    ['sendMessage', { text: 'Go.', budget: { token: 5 } }, 'body.budget: has no field "token"'],
    ['clear', { all: true }, '"all"; it has none'],
  ] as const
  for (const [name, body, told] of sent) {
    const response = await server.fetch(request(name, { token: OWNER, params, body }))
    expect([name, response.status]).toEqual([name, 400])
    expect(await response.json()).toMatchObject({
      errorCode: 'INVALID_ARGUMENT',
      message: expect.stringContaining(told),
    })
  }
})

test('two workspaces of one name are distinguished by their places', async () => {
  const { server } = await startServer()
  const attach = (key: string, place?: string) =>
    server.fetch(request('attachWorkspace', { token: OWNER, body: { key, name: 'site', place } }))
  for (const place of ['/home/anna/site', '/srv/site']) await attach(place, place)
  await attach('/srv/site', '/mnt/site') // it was moved there
  await attach('/srv/site')
  const listed = await server.fetch(request('listWorkspaces', { token: OWNER }))
  const { workspaces } = (await listed.json()) as { workspaces: { name: string; place: string }[] }
  expect(workspaces.map(({ name }) => name)).toEqual(['site', 'site'])
  expect(workspaces.map(({ place }) => place).sort()).toEqual(['/home/anna/site', '/mnt/site'])
})

verifies('CONTRACT §8 tokens not in the journal', 'no token is in the logs', async () => {
  const { server, attach, lines } = await startServer()
  const params = someParams(await attach('own'))
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    if (ROUTE_DETAILS[name].answers === 'events') continue
    await server.fetch(request(name, { token: OWNER, params }))
  }
  expect(lines.join('')).not.toContain(OWNER)
})

test('a token in the address is no token, also for a stream', async () => {
  const { server, attach } = await startServer()
  const at = `http://localhost${routePath('workspaceEvents', { workspaceId: await attach('own') })}`
  const asked = new Request(`${at}?token=${OWNER}`, { headers: { accept: 'text/event-stream' } })
  expect((await server.fetch(asked)).status).toBe(401)
})

test('a field of the query that the route does not know is refused by its name', async () => {
  const { server, attach } = await startServer()
  const workspaceId = await attach('own')
  const ask = async (name: RouteName, search: string) => {
    const url = `http://localhost${routePath(name, { workspaceId })}?${search}`
    const headers = { authorization: `Bearer ${OWNER}` }
    const response = await server.fetch(new Request(url, { headers }))
    return { status: response.status, ...((await response.json()) as object) }
  }
  expect(await ask('listFiles', 'limt=5')).toMatchObject({
    status: 400,
    message: expect.stringContaining('has no field "limt"; it has after, limit, named'),
  })
  expect(await ask('listFiles', 'named=a&named=b')).toMatchObject({
    status: 400,
    message: 'query.named: must be a string, not a list',
  })
  expect(await ask('listFiles', 'limit=1&limit=2')).toMatchObject({ status: 400 })
  expect(await ask('listRules', 'all=true')).toMatchObject({
    status: 400,
    message: 'query: has no field "all"; it has none',
  })
})

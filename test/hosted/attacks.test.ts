import { once } from 'node:events'
import { request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { ROUTES, type RouteName, routeMethod, routePath, routeTemplate } from '@filewright/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { S3_KEYS, startSharedStores, whyNoStores } from '../shared/shared-stores.ts'
import { PAGE_ADDRESS, untilSays } from '../until-says.ts'

const OWNER = 'the-token-that-all-instances-take'
const SECRET = 'the words of the first workspace'
const PUBLIC = 'filewright.example'
const WRITTEN = 1_000
const MOST = 3_500

/** Requests as an attacker writes them, to `serve` with shared stores. What a token reaches is in test/isolation. */
describe.skipIf(whyNoStores)('instances with shared stores', async () => {
  if (whyNoStores) return
  const shared = await startSharedStores()

  async function startTwo(more: Readonly<Record<string, string>> = {}) {
    const env = {
      FILEWRIGHT_DATABASE: await shared.database(),
      FILEWRIGHT_BLOBS: shared.bucket(),
      AWS_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
      FILEWRIGHT_TOKEN: OWNER,
      ...more,
    }
    const start = async () => {
      const child = sandbox().start(['serve', '--port', '0'], { env })
      onTestFinished(() => void child.kill('SIGKILL'))
      return Number(new URL(await untilSays(child, PAGE_ADDRESS)).port)
    }
    return Promise.all([start(), start()])
  }

  /** Two workspaces, each at home at an instance of its own, with a file in each. */
  async function startPlace() {
    const ports = await startTwo()
    const [here, there] = ports
    const owner = (port: number, line: string, body?: unknown) => ask(port, OWNER, line, body)
    const make = async (port: number, path: string, content: string) => {
      const { workspaceId } = (await owner(port, 'POST /api/workspaces/new', {})).value
      const put = await ask(
        port,
        OWNER,
        `PUT /api/workspaces/${workspaceId}/content?path=${path}`,
        content,
      )
      return { workspaceId: workspaceId as string, sha256: put.value.files[0].after as string }
    }
    const one = await make(here, 'one.txt', SECRET)
    const two = await make(there, 'two.txt', 'of the second')
    const tokenOf = async (rights: readonly string[], workspace: string, more: object = {}) => {
      const body = { name: 'somebody', rights, workspaces: [workspace], ...more }
      return (await owner(here, 'POST /api/tokens', body)).value as {
        readonly token: string
        readonly tokenId: string
      }
    }
    const { value } = await owner(here, `POST /api/workspaces/${one.workspaceId}/sessions`, {})
    return { ports, one, two, owner, tokenOf, sessionId: value.sessionId as string }
  }

  test('a token of one workspace finds nothing of another, at no instance and under no spelling', async () => {
    const { ports, one, two, tokenOf, sessionId } = await startPlace()
    const { token } = await tokenOf(['edit', 'approve', 'admin'], two.workspaceId)
    const [id, own] = [one.workspaceId, two.workspaceId]
    const params = { ...IDS, workspaceId: id, sha256: one.sha256, sessionId }
    const named = (Object.keys(ROUTES) as RouteName[])
      .filter(name => routeTemplate(name).includes(':workspaceId'))
      .map(name => `${routeMethod(name)} ${routePath(name, params)}`)
    const spelled = [
      `/api/workspaces/${own}/../${id}/files`,
      `/api/workspaces/${own}/..%2f${id}/files`,
      `/api/workspaces/${own}%2f..%2f${id}/files`,
      `/api//workspaces/${id}/files`,
      `/api/workspaces//${id}/files`,
      `/api/workspaces/${id}%00/files`,
      `/api/workspaces/%77${id.slice(1)}/files`,
      `/api/workspaces/${id};x=${own}/files`,
      `/api/workspaces/${own}/blobs/${one.sha256}`,
      `/api/workspaces/${own}/sessions/${sessionId}/log`,
      `/api/workspaces/${own}/sessions/${sessionId}/events`,
    ].map(path => `GET ${path}`)
    const mcp = [`/mcp/${id}`, `/mcp/${own}/../${id}`, `/mcp/%77${id.slice(1)}`]
    for (const port of ports) {
      for (const line of [...named, ...spelled])
        expect(await ask(port, token, line), line).toMatchObject({ status: 404 })
      for (const path of mcp)
        expect(await listFiles(port, token, path), path).toMatchObject({ status: 404 })
      const passedOn = await ask(port, token, `GET /api/workspaces/${id}/files`, undefined, {
        'x-filewright-passed-on': '1',
      })
      expect(passedOn.status).toBe(404)
    }
  })

  test('an agent works over MCP at any instance', async () => {
    const { ports, one, tokenOf } = await startPlace()
    const { token } = await tokenOf(['edit'], one.workspaceId, { isAgent: true })
    for (const port of ports)
      expect((await listFiles(port, token, `/mcp/${one.workspaceId}`)).text).toContain('one.txt')
  })

  test('nobody offers the folder of a workspace that is in the store', async () => {
    const { ports, one, tokenOf, owner } = await startPlace()
    const { token } = await tokenOf(['admin'], one.workspaceId)
    const at = `/api/workspaces/${one.workspaceId}`
    const head = { docPath: 'one.txt', path: 'one.txt', expected: one.sha256 }
    const tries: [string, unknown?][] = [
      [`GET ${at}/link`],
      [`POST ${at}/link/answers`, { answers: [] }],
      [`POST ${at}/lin%6b/answers`, { answers: [] }],
      [`POST ${at}/link/events`, { events: [] }],
      [`PUT ${at}/blobs/${one.sha256}`, SECRET],
      [`POST ${at}/heads`, { heads: [{ ...head, sha256: null, sizeBytes: 0 }] }],
    ]
    const [home] = ports
    for (const [line, body] of tries)
      expect(await ask(home, token, line, body), line).toMatchObject({ status: 403 })
    expect((await owner(home, `GET ${at}/files`)).value).toMatchObject({ total: 1 })
  })

  test('many requests at once, at two instances, store no more than the token may', async () => {
    const { ports, one, tokenOf, owner } = await startPlace()
    const limits = { storageBytes: MOST }
    const { token, tokenId } = await tokenOf(['approve'], one.workspaceId, { limits })
    const at = `/api/workspaces/${one.workspaceId}`
    const put = (n: number) =>
      ask(ports[n % 2]!, token, `PUT ${at}/content?path=${n}.txt`, String(n % 10).repeat(WRITTEN))
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => put(n)))
    const stored = answers.filter(({ status }) => status === 200).length
    expect(stored).toBeGreaterThan(0)
    expect(stored).toBeLessThanOrEqual(Math.floor(MOST / WRITTEN))
    const { tokens } = (await owner(ports[0], 'GET /api/tokens')).value
    const used = tokens.find((each: { tokenId: string }) => each.tokenId === tokenId).used
    expect(used).toMatchObject({ storageBytes: stored * WRITTEN })
  })

  test('an open stream ends at every instance when its token expires or is revoked at one', async () => {
    const { ports, one, tokenOf, owner, sessionId } = await startPlace()
    const expires = new Date(Date.now() + 2_000).toISOString()
    const brief = await tokenOf(['read'], one.workspaceId, { expires })
    const revoked = await tokenOf(['read'], one.workspaceId)
    const listen = async (port: number, token: string, path: string) => {
      const headers = { authorization: `Bearer ${token}` }
      const at = `http://127.0.0.1:${port}/api/workspaces/${one.workspaceId}`
      const { status, body } = await fetch(`${at}/${path}`, { headers })
      expect(status).toBe(200)
      const untilEnd = async () => {
        for await (const _ of body!); // the server ends it
      }
      return { ended: untilEnd() }
    }
    const open = await Promise.all(
      [brief, revoked].flatMap(({ token }) =>
        ports.flatMap(port =>
          ['events', `sessions/${sessionId}/events`].map(path => listen(port, token, path)),
        ),
      ),
    )
    const { status } = await owner(ports[1], `DELETE /api/tokens/${revoked.tokenId}`)
    expect(status).toBe(200)
    await Promise.all(open.map(({ ended }) => ended))
    for (const { token } of [brief, revoked])
      expect((await ask(ports[0], token, 'GET /api/workspaces')).status).toBe(401)
  })

  test('open streams end at every instance when their workspace is deleted', async () => {
    const { ports, one, owner, sessionId } = await startPlace()
    const paths = ['events', `sessions/${sessionId}/events`]
    const opened = ports.flatMap(port =>
      paths.map(async path => {
        const headers = { authorization: `Bearer ${OWNER}` }
        const at = `http://127.0.0.1:${port}/api/workspaces/${one.workspaceId}`
        const { status, body } = await fetch(`${at}/${path}`, { headers })
        expect(status).toBe(200)
        return body!
      }),
    )
    const streams = await Promise.all(opened)
    expect(await owner(ports[0], `DELETE /api/workspaces/${one.workspaceId}`)).toMatchObject({
      status: 200,
    })
    for (const stream of streams) for await (const _ of stream); // the server ends it
  })
})

test('the public address is answered for, and a host that a stranger merely claims is not', async () => {
  const asksOf = async (proxies: string) => {
    const port = await freePort()
    const env = {
      FILEWRIGHT_PUBLIC_URL: `https://${PUBLIC}`,
      FILEWRIGHT_TRUSTED_PROXIES: proxies,
    }
    const child = sandbox().start(['serve', '--port', String(port)], { env })
    const address = new URL(await untilSays(child, PAGE_ADDRESS_PUBLIC))
    expect(address.origin).toBe(env.FILEWRIGHT_PUBLIC_URL)
    const token = address.searchParams.get('token')!
    return async (headers: Readonly<Record<string, string>>) =>
      (await ask(port, token, 'GET /api/workspaces', undefined, headers)).status
  }
  const forwarded = { host: 'upstream.internal', 'x-forwarded-host': PUBLIC }
  const [open, trusting] = await Promise.all([asksOf('10.0.0.0/8'), asksOf('127.0.0.1')])
  for (const asked of [open, trusting]) {
    expect(await asked({ host: PUBLIC })).toBe(200)
    expect(await asked({ host: PUBLIC, origin: `https://${PUBLIC}` })).toBe(200)
    expect(await asked({ host: PUBLIC, origin: 'https://evil.example' })).toBe(403)
    expect(await asked({ host: 'evil.example', 'x-forwarded-for': '127.0.0.1' })).toBe(403)
    expect(await asked({ host: 'evil.example', forwarded: `host=${PUBLIC}` })).toBe(403)
    expect(await asked({ ...forwarded, 'x-forwarded-host': 'evil.example' })).toBe(403)
  }
  expect(await open(forwarded)).toBe(403)
  expect(await trusting(forwarded)).toBe(200)
})

const PAGE_ADDRESS_PUBLIC = /https:\/\/\S+[?]token=\S+/

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

const IDS = {
  toolCallId: 'tc_x',
  turnId: 'trn_x',
  messageId: 'msg_x',
  approvalId: 'apr_x',
  questionId: 'qst_x',
  ruleId: 'rul_x',
}

interface Asked {
  readonly status: number
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever is answered
  readonly value: any
}

function listFiles(port: number, token: string, path: string): Promise<Asked> {
  const params = { name: 'list_files', arguments: {} }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  return ask(port, token, `POST ${path}`, call, { accept: 'application/json, text/event-stream' })
}

/** By hand: `fetch` tidies paths, and sends no Host of ours. */
function ask(
  port: number,
  token: string,
  line: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Asked> {
  const [method, path] = line.split(' ')
  const type = typeof body === 'string' ? 'application/octet-stream' : 'application/json'
  const all = { authorization: `Bearer ${token}`, 'content-type': type, ...headers }
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, headers: all }
    const sent = request(options, response => {
      const status = response.statusCode!
      let text = ''
      response.setEncoding('utf8').on('data', piece => (text += piece))
      response.on('end', () => resolve({ status, text, value: parsed(text) }))
    })
    sent.on('error', reject)
    sent.end(typeof body === 'object' ? JSON.stringify(body) : body)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // events, or nothing
  }
}

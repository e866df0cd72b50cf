import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { portFace } from './port-face.ts'

test.each([
  ['/', 'the page'],
  ['/toys', 'the page'], // the page has every path that no route has
  ['/toy', 'owner: /toy'],
  ['/toy/below', 'owner: /toy/below'],
  ['/api/health', 'owner: /api/health'],
  ['/api/local/workspaces', 'owner: /api/local'], // for processes of this machine alone
])('a port answers GET %s with %s', async (path, answer) => {
  const webRoot = mkdtempSync(join(tmpdir(), 'filewright-port-'))
  onTestFinished(() => rmSync(webRoot, { recursive: true }))
  writeFileSync(join(webRoot, 'index.html'), 'the page')
  const face = portFace(async ({ url }) => new Response(`owner: ${new URL(url).pathname}`), {
    hosts: [],
    webRoot,
    routes: [{ path: '/toy', answer: async () => new Response() }],
  })
  const response = await face(new Request(`http://localhost${path}`))
  expect(await response.text()).toBe(answer)
})

test.each([
  ['its own page', { origin: 'http://127.0.0.1:4680', 'sec-fetch-site': 'same-origin' }, 200],
  ['a program', {}, 200],
  ['a page of another port', { origin: 'http://127.0.0.1:9999' }, 403],
  ['a page of another name of this machine', { origin: 'http://localhost:4680' }, 403],
  ['a page over another protocol', { origin: 'null' }, 403],
  ['a form or picture of another port', { 'sec-fetch-site': 'same-site' }, 403],
  ['a form or picture of another site', { 'sec-fetch-site': 'cross-site' }, 403],
])('%s is answered accordingly', async (_, sent, status) => {
  const face = portFace(async () => new Response('answer'), { hosts: [], routes: [] })
  const headers = { host: '127.0.0.1:4680', ...sent }
  const response = await face(new Request('http://127.0.0.1:4680/api/workspaces', { headers }))
  expect(response.status).toBe(status)
})

test('folders are opened by their path on loopback alone', async () => {
  const asked: string[] = []
  const fetch = async ({ url }: Request) => {
    asked.push(new URL(url).pathname)
    return new Response()
  }
  const request = () => new Request('http://127.0.0.1:4680/api/folders', { method: 'POST' })
  await portFace(fetch, { hosts: [], routes: [] })(request())
  await portFace(fetch, { hosts: ['desk.local'], routes: [] })(request())
  expect(asked).toEqual(['/api/folders', '/api/local'])
})

test('a page of an origin that was named is answered, and told so; any other is not', async () => {
  const asked: Request[] = []
  const fetch = async (request: Request) => {
    asked.push(request)
    return new Response(await request.text())
  }
  const face = portFace(fetch, { hosts: [], routes: [], origins: ['https://app.example'] })
  const ask = (path: string, origin: string, method = 'POST') =>
    face(
      new Request(`http://127.0.0.1:4680${path}`, {
        method,
        headers: { host: '127.0.0.1:4680', origin, 'sec-fetch-site': 'cross-site' },
        ...(method === 'POST' && { body: 'given' }),
      }),
    )
  const preflight = await ask('/api/workspaces', 'https://app.example', 'OPTIONS')
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
  const answered = await ask('/api/workspaces', 'https://app.example')
  expect(await answered.text()).toBe('given')
  expect(answered.headers.get('access-control-allow-origin')).toBe('https://app.example')
  expect(answered.headers.get('access-control-allow-credentials')).toBeNull()
  expect(asked[0]!.headers.get('origin')).toBeNull()
  await ask('/api/folders', 'https://app.example')
  await ask('/api/local/workspaces', 'https://app.example')
  expect(asked.slice(1).map(({ url }) => new URL(url).pathname)).toEqual([
    '/api/local',
    '/api/local',
  ])
  for (const method of ['OPTIONS', 'POST']) {
    const other = await ask('/api/workspaces', 'https://app.example.evil.example', method)
    expect(other.status).toBe(403)
    expect(other.headers.get('access-control-allow-origin')).toBeNull()
  }
  expect(asked).toHaveLength(3)
})

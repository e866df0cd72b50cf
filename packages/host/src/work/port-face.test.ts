import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../settings/config.ts'
import { parseProxies } from '../settings/trusted-proxies.ts'
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

test('behind a proxy that is trusted, the host that a browser asked counts, and pages of it are its own', async () => {
  const seen: string[] = []
  const face = portFace(
    async ({ headers }) => {
      seen.push(`${headers.get('host')} ${headers.get('origin')}`)
      return new Response('answer')
    },
    {
      hosts: [],
      routes: [],
      publicUrl: new URL('https://filewright.example'),
      trustsPeer: parseProxies('10.0.0.0/8, fd00::1'),
    },
  )
  const ask = async (peer: string | undefined, headers: Record<string, string>) => {
    const request = new Request('http://upstream/api/workspaces', { headers })
    return (await face(request, peer)).status
  }
  const forwarded = { host: 'upstream', 'x-forwarded-host': 'filewright.example' }
  const page = { ...forwarded, origin: 'https://filewright.example' }
  expect(await ask('10.1.2.3', forwarded)).toBe(200)
  expect(await ask('::ffff:10.1.2.3', page)).toBe(200)
  expect(await ask('fd00::1', page)).toBe(200)
  expect(seen).toEqual(Array(3).fill('filewright.example null'))
  for (const peer of ['11.1.2.3', 'fd00::2', undefined]) expect(await ask(peer, page)).toBe(403)
  expect(await ask('10.1.2.3', { ...forwarded, 'x-forwarded-host': 'evil.example' })).toBe(403)
  expect(await ask('10.1.2.3', { ...page, origin: 'https://evil.example' })).toBe(403)
  expect(await ask('11.1.2.3', { host: 'filewright.example', origin: page.origin })).toBe(200)
  const folder = new Request('http://x/api/folders', { headers: { host: 'localhost' } })
  const asked: string[] = []
  await portFace(
    async ({ url }) => {
      asked.push(new URL(url).pathname)
      return new Response()
    },
    { hosts: [], routes: [], publicUrl: new URL('https://filewright.example') },
  )(folder)
  expect(asked).toEqual(['/api/local'])
})

test('an address of the settings that means nothing is refused with what would', () => {
  for (const wrong of ['10.0.0.0/33', 'proxy.example', '10.0.0.1/8/9', '1.2.3.4/x'])
    expect(() => parseProxies(wrong)).toThrow(/10\.0\.0\.0\/8/)
  const read = (FILEWRIGHT_PUBLIC_URL: string) => readConfig({ FILEWRIGHT_PUBLIC_URL }).publicUrl
  expect(read('https://filewright.example:8443/')?.origin).toBe('https://filewright.example:8443')
  for (const wrong of ['filewright.example', 'ftp://a.example', 'https://a.example/path'])
    expect(() => read(wrong)).toThrow(/https:\/\/filewright\.example/)
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { type Sandbox, sandbox } from '../cli.ts'

test('a port cannot open a folder of the machine', async () => {
  const port = await serve(sandbox())
  const body = JSON.stringify({ dir: '/etc' })
  const open = { method: 'POST', path: '/api/local/workspaces', body }
  expect(await port.ask({ ...open, token: 'wrong' })).toMatchObject({ status: 401 })
  expect(await port.ask(open)).toMatchObject({ status: 404 })
  expect((await port.ask({ path: '/api/workspaces' })).text).not.toContain('"etc"')
})

test('a port next to another owner serves the page, and checks the host', async () => {
  const box = sandbox({ 'a.txt': 'one\n' })
  const owner = box.start(['call', '--lines'])
  onTestFinished(() => void owner.kill())
  owner.stdin!.write('{"tool":"list_files","arguments":{}}\n')
  await once(owner.stdout!, 'data')
  const port = await serve(box)
  expect((await port.ask({ path: '/' })).text).toContain('<title>Filewright</title>')
  expect(await port.ask({ path: '/api/workspaces' })).toMatchObject({ status: 200 })
  const tricked = { path: '/api/workspaces', host: 'evil.example' }
  expect(await port.ask(tricked)).toMatchObject({ status: 403 })
  const opened = await port.ask({ method: 'POST', path: '/api/local/workspaces', body: '{}' })
  expect(opened).toMatchObject({ status: 404 })
})

test('a port on every address answers to the names of the machine', async () => {
  const port = await serve(sandbox(), '--host', '0.0.0.0')
  expect(port.url.hostname).not.toBe('0.0.0.0')
  const path = '/api/workspaces'
  expect(await port.ask({ path, host: hostname() })).toMatchObject({ status: 200 })
  expect(await port.ask({ path, host: port.url.host })).toMatchObject({ status: 200 })
  expect(await port.ask({ path, host: 'evil.example' })).toMatchObject({ status: 403 })
})

test.each(['abc', '99999', '-1', '1e3'])('%s is not a port', async text => {
  expect(await sandbox().run(['serve', `--port=${text}`])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('from 0 to 65535'),
  })
})

test.each(['*', 'null', 'https://app.example/page'])('%s is not an origin', async text => {
  expect(await sandbox().run(['serve', '--port', '0', '--allow-origin', text])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('is not an origin'),
  })
})

test('a server in the background outlives the shell that started it', async () => {
  const box = sandbox()
  const BIN = 'apps/cli/bin/filewright.cjs'
  const script = 'node "$BIN" serve --port 0 -C "$DIR" & echo $!; read started'
  const env = { PATH: process.env.PATH, FILEWRIGHT_STATE: box.state, BIN, DIR: box.dir }
  const shell = spawn('sh', ['-c', script], { cwd: join(import.meta.dirname, '../..'), env })
  const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]()
  const said = [String((await lines.next()).value), String((await lines.next()).value)]
  const pid = Number(said.find(line => /^\d+$/.test(line))) // either may come first
  onTestFinished(() => void process.kill(pid, 'SIGKILL'))
  const url = new URL(
    said
      .find(line => line.includes('http://'))!
      .split(' ')
      .at(-1)!,
  )
  shell.stdin.end('\n')
  await once(shell, 'exit')
  await new Promise(resolve => setTimeout(resolve, 1200))
  expect((await fetch(url)).status).toBe(200)
})

test('a request with two hosts is refused', async () => {
  const { url } = await serve(sandbox())
  const said = await exchange(url, [
    'GET /api/workspaces HTTP/1.1',
    `Host: ${url.host}`,
    'Host: evil.example',
    `Authorization: Bearer ${url.searchParams.get('token')}`,
  ])
  expect(said).toMatch(/^HTTP\/1\.1 400 /)
  expect(said).toContain('names one host')
})

test.each(['xn--localhost', 'evil#127.0.0.1', 'localhost:99999', 'a@127.0.0.1', ''])(
  'a host that no address can have is refused with a sentence: %j',
  async host => {
    const { url } = await serve(sandbox())
    const said = await exchange(url, ['GET /api/workspaces HTTP/1.1', `Host: ${host}`])
    expect(said).toMatch(/^HTTP\/1\.1 400 /)
    expect(said).toContain('names its host')
  },
)

test('a body that stops half-way is cut, and a call that waits is not', async () => {
  const { url } = await serve(sandbox())
  const started = performance.now()
  const said = await exchange(
    url,
    [
      'POST /api/workspaces HTTP/1.1',
      `Host: ${url.host}`,
      `Authorization: Bearer ${url.searchParams.get('token')}`,
      'Content-Type: application/json',
      'Content-Length: 1000',
    ],
    '{"half',
  )
  expect(said).toMatch(/^HTTP\/1\.1 408 /)
  expect(performance.now() - started).toBeGreaterThan(9_000)
})

test.each(['x', '-1', '1.5', '1, 2', '9'.repeat(20)])(
  'Last-Event-ID: %s is refused like a wrong cursor',
  async last => {
    const port = await serve(sandbox())
    const workspaces = JSON.parse((await port.ask({ path: '/api/workspaces' })).text)
    const at = `/api/workspaces/${workspaces.workspaces[0].workspaceId}/sessions`
    const made = await port.ask({ method: 'POST', path: at, body: '{}' })
    const path = `${at}/${JSON.parse(made.text).sessionId}/events`
    expect(await port.ask({ path, headers: { 'last-event-id': last } })).toMatchObject({
      status: 400,
      text: expect.stringContaining('Last-Event-ID'),
    })
    const beyond = await port.ask({ path, headers: { 'last-event-id': '999' } })
    expect(beyond).toMatchObject({ status: 400, text: expect.stringContaining('after row 999') })
  },
)

/** A request by hand, and everything that comes back until the connection ends. */
async function exchange(url: URL, head: readonly string[], body = ''): Promise<string> {
  const socket = connect(Number(url.port), '127.0.0.1')
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  let said = ''
  for await (const chunk of socket) said += chunk
  return said
}

interface Asked {
  readonly path: string
  readonly method?: string
  readonly host?: string
  readonly token?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function serve(box: Sandbox, ...args: string[]) {
  const child = box.start(['serve', '--port', '0', ...args])
  onTestFinished(() => void child.kill())
  const [line] = await once(createInterface({ input: child.stdout! }), 'line')
  const url = new URL(String(line).split(' ').at(-1)!)
  return {
    url,
    /** With any Host header, which `fetch` does not allow. */
    ask: ({ path, method, host, token, body, headers: more }: Asked) =>
      new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
        const authorization = `Bearer ${token ?? url.searchParams.get('token')}`
        const headers = { authorization, ...(host && { host }), ...more }
        const sent = request(
          { host: '127.0.0.1', port: url.port, path, method, headers },
          async answer => {
            let text = ''
            for await (const chunk of answer) text += chunk
            resolve({ status: answer.statusCode, text })
          },
        )
        sent.on('error', reject)
        sent.end(body)
      }),
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
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

interface Asked {
  readonly path: string
  readonly method?: string
  readonly host?: string
  readonly token?: string
  readonly body?: string
}

async function serve(box: Sandbox, ...args: string[]) {
  const child = box.start(['serve', '--port', '0', ...args])
  onTestFinished(() => void child.kill())
  const [line] = await once(createInterface({ input: child.stdout! }), 'line')
  const url = new URL(String(line).split(' ').at(-1)!)
  return {
    url,
    /** With any Host, which `fetch` does not let one set. */
    ask: ({ path, method, host, token, body }: Asked) =>
      new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
        const authorization = `Bearer ${token ?? url.searchParams.get('token')}`
        const headers = { authorization, ...(host && { host }) }
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

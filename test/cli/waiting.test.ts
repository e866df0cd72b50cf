import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { toShellWord } from '@filewright/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Sandbox, sandbox } from '../cli.ts'
import { PATIENCE } from '../patience.ts'

const hasTerminal = spawnSync('script', ['--version']).status === 0
const why = hasTerminal ? '' : ' (skipped: the command "script" is missing)'
const TIMEOUT = 120_000

/** It counts until it is stopped, after ten seconds. */
const FOREVER = {
  sql: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n',
  tables: [{ path: 'a.csv' }],
}

describe.skipIf(!hasTerminal)(`a long call on a terminal${why}`, () => {
  for (const place of ['this process', 'another process'] as const)
    test(`says what it does, and Ctrl-C ends it, where ${place} owns the state`, {
      timeout: TIMEOUT,
    }, async () => {
      const box = sandbox({ 'a.csv': 'a,b\n1,2\n' })
      if (place === 'another process') await own(box)
      const { child, shown } = onTerminal(box, ['call', 'table_query', JSON.stringify(FOREVER)])
      await expect.poll(shown, PATIENCE).toMatch(/Querying.* … 1 s/)
      const ended = new Promise<number | null>(resolve => child.once('close', resolve))
      child.stdin!.write('\u0003')
      expect(await ended).toBe(130)
      expect(shown()).not.toContain('"success"')
    })

  test('a short call shows nothing but its answer', { timeout: TIMEOUT }, async () => {
    const box = sandbox({ 'a.csv': 'a,b\n1,2\n' })
    await own(box)
    const { child, shown } = onTerminal(box, ['call', 'read_file', '{"path":"a.csv"}'])
    expect(await new Promise(resolve => child.once('close', resolve))).toBe(0)
    expect(JSON.parse(shown().slice(shown().indexOf('{')))).toMatchObject({ success: true })
  })
})

/** What waits for something outside: none of these needs the folder. */
const OUTSIDE = [
  {
    args: () => ['models'],
    env: (port: number) => ({ OLLAMA_HOST: `127.0.0.1:${port}` }),
    says: /Looking for models … 1 s/,
  },
  {
    args: () => ['mcp', 'add', 'mute', '--', process.execPath, '-e', 'process.stdin.resume()'],
    says: /Starting mute … 1 s/,
  },
  {
    args: (port: number) => [
      'attach',
      '--server',
      `http://127.0.0.1:${port}`,
      '--token',
      't',
      '--allow-large',
    ],
    says: /Connecting to http:\/\/127\.0\.0\.1:\d+ … 1 s/,
  },
]

describe.skipIf(!hasTerminal)(`what never answers${why}`, () => {
  for (const { args, env, says } of OUTSIDE)
    test(`${args(0).slice(0, 2).join(' ')} says that it waits, and Ctrl-C ends it`, {
      timeout: TIMEOUT,
    }, async () => {
      const box = sandbox({ 'a.csv': 'a,b\n1,2\n' })
      const port = await mutePort()
      const { child, shown } = onTerminal(box, args(port), env?.(port))
      await expect.poll(shown, PATIENCE).toMatch(says)
      const ended = new Promise<number | null>(resolve => child.once('close', resolve))
      const began = performance.now()
      child.stdin!.write('\u0003')
      expect(await ended).toBe(130)
      const took = Math.round(performance.now() - began)
      expect(took).toBeLessThan(process.env.FILEWRIGHT_FULL === '1' ? 500 : PATIENCE.timeout)
    })
})

/** It takes every connection, and says nothing. */
async function mutePort(): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => void sockets.add(socket))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A server that owns the state of the sandbox. */
async function own(box: Sandbox): Promise<void> {
  const server = box.start(['serve', '--port', '0'])
  let said = ''
  server.stdout!.on('data', text => (said += text))
  server.stderr!.on('data', text => (said += text))
  await expect.poll(() => said, PATIENCE).toContain('http://')
}

/** The command with a terminal of its own, and everything that it shows there. */
function onTerminal(
  box: Sandbox,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): { child: ChildProcess; shown: () => string } {
  const command = [process.execPath, box.bin, ...args].map(toShellWord).join(' ')
  const child = spawn(
    'script',
    ['--quiet', '--return', '--command', `exec ${command}`, '/dev/null'],
    {
      cwd: box.dir,
      env: {
        PATH: process.env.PATH,
        HOME: box.dir,
        FILEWRIGHT_STATE: box.state,
        CI: 'true',
        SHELL: '/bin/sh',
        ...env,
      },
    },
  )
  let text = ''
  child.stdout.on('data', piece => (text += piece))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await sleep(0)
  })
  return { child, shown: () => text }
}

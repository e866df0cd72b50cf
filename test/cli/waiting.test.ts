import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
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

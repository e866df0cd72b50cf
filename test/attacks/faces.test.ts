import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { finished, sandbox } from '../cli.ts'
import { type FakeStep, fakeModel } from '../fake-model.ts'

test('arguments that are not JSON end in an envelope on stdout, like any refused call', async () => {
  const box = sandbox({ 'a.txt': 'one\n' })
  const ran = await box.run(['call', 'read_file', '{"path": "a.t'])
  expect(ran).toMatchObject({ code: 2, stderr: '' })
  expect(JSON.parse(ran.stdout)).toMatchObject({
    success: false,
    errorCode: 'INVALID_ARGUMENT',
    kind: 'invalid',
    message: expect.stringContaining('not valid JSON'),
  })
})

test('a missing current folder is reported in one sentence', async () => {
  const box = sandbox()
  const gone = join(dirname(box.dir), 'gone')
  mkdirSync(gone)
  const script = `cd "${gone}" && rmdir "${gone}" && exec "${process.execPath}" "${box.bin}" review`
  const env = { PATH: process.env.PATH, FILEWRIGHT_STATE: box.state }
  const ran = await finished(spawn('sh', ['-c', script], { env }))
  expect(ran).toEqual({
    code: 3,
    stdout: '',
    stderr: 'filewright: the current folder is gone; name one with -C\n',
  })
})

test.runIf(existsSync('/dev/full'))(
  'an answer that cannot be written is not a success',
  async () => {
    const box = sandbox()
    const script = `exec "${process.execPath}" "${box.bin}" tools --json > /dev/full`
    const env = { PATH: process.env.PATH, FILEWRIGHT_STATE: box.state }
    const ran = await finished(spawn('sh', ['-c', script], { env }))
    expect(ran.code).toBe(8)
    expect(ran.stderr).toMatch(/^filewright: the answer could not be written to stdout \(.+\)\n$/)
  },
)

test('an invalid lock file is reported with what to do, without a stack', async () => {
  const box = sandbox({ 'a.txt': 'one\n' })
  mkdirSync(box.state)
  writeFileSync(
    join(box.state, 'owner.lock'),
    'no database at all, and longer than a header'.repeat(9),
  )
  const ran = await box.run(['review'])
  expect(ran.code).toBe(8)
  expect(ran.stderr).toMatch(/^filewright: the state folder .+delete its owner\.lock.+\n$/)
})

test('Ctrl+C ends a command that has nothing to finish with 130', async () => {
  const box = sandbox({ 'a.txt': 'one\n' })
  const child = box.start(['call', '--lines'])
  const ended = new Promise(resolve => child.on('close', (code, signal) => resolve([code, signal])))
  child.stdin!.write('{"tool":"read_file","arguments":{"path":"a.txt"}}\n')
  await new Promise(resolve => child.stdout!.once('data', resolve))
  child.kill('SIGINT')
  expect(await ended).toEqual([130, null])
})

const DRAFT: readonly FakeStep[] = [
  {
    text: 'I write.',
    calls: [{ name: 'write_text_file', arguments: { path: 'b.txt', content: 'b\n' } }],
  },
  { text: 'Done.' },
]
const ASKED: readonly FakeStep[] = [
  {
    text: 'I add.',
    calls: [{ name: 'workspace_create_file', arguments: { path: 'b.txt', content: 'b\n' } }],
  },
  { text: 'Done.' },
]

test('a run that is to ask before it publishes leaves the draft where nobody can be asked', async () => {
  const { box, env } = await withModel(DRAFT)
  const ran = await box.run(['run', 'Go.', '--publish', 'ask'], { env })
  expect(ran.code).toBe(9)
  expect(ran.stdout).toBe('I write.\nDone.\n1 file in the draft: b.txt (created, 1 line)\n')
  expect(ran.stderr).not.toContain('[y/N]')
  const how = /filewright (publish --yes --draft \S+) -C/.exec(ran.stderr)![1]!
  expect((await box.run(how.split(' '))).code).toBe(0)
  expect(box.read('b.txt')).toBe('b\n')
})

test('a command that answers an approval and ends does not start the next step of the run', async () => {
  const { box, model, env } = await withModel(ASKED)
  const ran = await box.run(['run', 'Go.', '--toolset', 'workspace'], { env })
  expect(ran.code).toBe(9)
  expect(ran.stderr).toContain(`-C '${box.dir}'\n`)
  const approval = /approve (apr_\w+)/.exec(ran.stderr)![1]!
  expect((await box.run(['approvals', 'approve', approval], { env })).code).toBe(0)
  expect(box.read('b.txt')).toBe('b\n')
  expect(model.requests).toHaveLength(1)
  const resumed = await box.run(['resume'], { env })
  expect(resumed).toMatchObject({ code: 0, stdout: 'Done.\n1 file written: b.txt (created)\n' })
  expect(resumed.stderr).not.toContain('unknown part')
  expect(model.requests).toHaveLength(2)
})

test('a run that waits is cancelled by a process that did not start it, without a request to a model', async () => {
  const { box, model, env } = await withModel(ASKED)
  const ran = await box.run(['run', 'Go.', '--toolset', 'workspace'], { env })
  const session_id = /resume (ses_\w+)/.exec(ran.stderr)![1]!
  const request = { jsonrpc: '2.0', id: 1, method: 'WorkshopCancel', params: { session_id } }
  const cancelled = await box.run(['rpc'], { env, input: JSON.stringify(request) })
  expect(JSON.parse(cancelled.stdout)).toMatchObject({ id: 1, result: null })
  expect((await box.run(['approvals', 'list'])).stdout).toBe('')
  expect((await box.run(['log', session_id])).stdout).toMatch(/ run-end .*\n$/)
  expect(model.requests).toHaveLength(1)
  expect(await box.run(['resume', session_id], { env })).toMatchObject({ code: 0 })
  expect(model.requests).toHaveLength(2)
  expect(box.exists('b.txt')).toBe(false)
})

async function withModel(steps: readonly FakeStep[]) {
  const model = await fakeModel(steps)
  const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake' }
  return { box: sandbox({ 'a.txt': 'one\n' }), model, env }
}

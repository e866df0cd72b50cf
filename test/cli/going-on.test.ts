import { expect, test } from 'vitest'
import { finished, type Sandbox, sandbox } from '../cli.ts'
import { type FakeModel, type FakeStep, fakeModel } from '../fake-model.ts'
import { verifies } from '../verifies.ts'

const write = (path: string, content: string): FakeStep => ({
  text: `Writing ${path}.`,
  calls: [{ name: 'write_text_file', arguments: { path, content } }],
})

verifies(
  ['CONTRACT §9 run --continue', 'CONTRACT §9 run --session', 'CONTRACT §7 conversation goes on'],
  'run --continue and --session go on with a conversation; an unknown session and both together are refused',
  async () => {
    const { box, model, run } = await prepare([
      { text: 'One.' },
      { text: 'Two.' },
      { text: 'Three.' },
    ])
    expect(await run('run', 'First.', '--continue')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('no earlier conversation'),
    })
    await run('run', 'First.')
    expect(await run('run', 'Second.', '--continue')).toMatchObject({ code: 0 })
    const [sessionId] = await sessionsOf(box)
    const third = await run('run', 'Third.', '--session', sessionId!)
    expect(third).toMatchObject({ code: 0, stdout: expect.stringContaining('Three.') })
    const said = model.requests.at(-1)!.messages.map(({ content }) => content)
    for (const text of ['First.', 'One.', 'Second.', 'Two.', 'Third.'])
      expect(said).toContainEqual(expect.stringContaining(text))
    expect(await sessionsOf(box)).toHaveLength(1)
    expect(await run('run', 'No.', '--session', 'ses_none')).toMatchObject({ code: 3 })
    expect(await run('run', 'No.', '--session', sessionId!, '--continue')).toMatchObject({
      code: 2,
    })
  },
)

verifies(
  ['CONTRACT §9 run --max-turns', 'CONTRACT §9 resume'],
  'a run stops at --max-turns, and resume goes on with it as often as it is asked to',
  async () => {
    const { box, run } = await prepare([
      write('a.txt', 'a\n'),
      write('b.txt', 'b\n'),
      write('c.txt', 'c\n'),
      { text: 'All done.' },
    ])
    const first = await run('run', 'Write three files.', '--max-turns', '1')
    expect(first).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('filewright resume ses_'),
    })
    expect((await run('resume')).code).toBe(6)
    const last = await run('resume', '--max-turns', '5', '--publish', 'auto')
    expect(last).toMatchObject({ code: 0 })
    expect(['a.txt', 'b.txt', 'c.txt'].map(box.read)).toEqual(['a\n', 'b\n', 'c\n'])
    expect(await run('resume')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('nothing to resume'),
    })
    expect(await run('run', 'x', '--max-turns', '0')).toMatchObject({ code: 2 })
  },
)

verifies('CONTRACT §9 run --budget-time', 'a run stops when --budget-time is used up', async () => {
  const { model, run } = await prepare([write('a.txt', 'a\n'), { text: 'Not reached.' }])
  model.onRequest = async () => {
    await new Promise(resolve => setTimeout(resolve, 1_100))
    return true
  }
  const ran = await run('run', 'Write it.', '--budget-time', '1')
  expect(ran).toMatchObject({ code: 6, stderr: expect.stringContaining('its budget of 1 s') })
})

test('after Ctrl-C and after a failure, resume goes on; the model learns that it was cancelled', async () => {
  const { box, model, run, start } = await prepare([write('a.txt', 'a\n'), { text: 'Done.' }])
  let isHeld = true
  model.onRequest = step => {
    if (step !== 1 || !isHeld) return true
    isHeld = false
    child.kill('SIGINT')
    return false
  }
  const child = start('run', 'Write it.')
  expect(await finished(child)).toMatchObject({
    code: 130,
    stderr: expect.stringContaining('filewright resume ses_'),
  })
  model.refuse = request => (request === 2 ? { status: 401, message: 'No.' } : undefined)
  expect((await run('resume')).code).toBe(8)
  const last = await run('resume', '--publish', 'auto')
  expect(last).toMatchObject({ code: 0 })
  expect(box.read('a.txt')).toBe('a\n')
  const said = JSON.stringify(model.requests.at(-1)!.messages)
  expect(said).toContain('The person cancelled that run.')
})

test('after kill -9, run --continue goes on with the run that was cut off and gives it the task', async () => {
  const { box, model, run, start } = await prepare([
    write('a.txt', 'a\n'),
    write('b.txt', 'b\n'),
    { text: 'Done.' },
  ])
  let isHeld = true
  model.onRequest = step => {
    if (step !== 1 || !isHeld) return true
    isHeld = false
    child.kill('SIGKILL')
    return false
  }
  const child = start('run', 'Write them.', '--publish', 'auto')
  expect(await finished(child)).toMatchObject({ code: null })
  const last = await run('run', 'In English.', '--continue', '--publish', 'auto')
  expect(last).toMatchObject({ code: 0, stdout: expect.stringContaining('2 files written') })
  expect(['a.txt', 'b.txt'].map(box.read)).toEqual(['a\n', 'b\n'])
  const roles = model.requests.at(-1)!.messages.map(({ role, content }) => `${role} ${content}`)
  expect(roles.filter(said => said.includes('Write them.'))).toHaveLength(1)
  expect(roles.filter(said => said.includes('In English.'))).toHaveLength(1)
  expect(roles.filter(said => said.startsWith('tool '))).toHaveLength(2)
})

test('a task for a session whose run is in progress waits there, is listed, and is taken back', async () => {
  const { box, model, run, start } = await prepare([write('a.txt', 'a\n'), { text: 'Done.' }])
  let goOn = () => {}
  const held = new Promise<void>(resolve => (goOn = resolve))
  model.onRequest = async () => {
    await held
    return true
  }
  const first = finished(start('run', 'Write it.'))
  await expect.poll(() => model.requests.length).toBe(1)
  const [sessionId] = await sessionsOf(box)
  const second = finished(start('run', 'In English.', '--session', sessionId!))
  await expect.poll(async () => (await run('queue')).stdout).toMatch(/^msg_\w+ {2}In English\.\n$/)
  const [messageId] = (await run('queue')).stdout.split(' ')
  expect(await run('queue', 'take-back', messageId!)).toMatchObject({
    code: 0,
    stdout: 'Taken back: In English.\n',
  })
  expect(await run('queue', 'take-back', messageId!)).toMatchObject({ code: 3 })
  goOn()
  expect([(await first).code, (await second).code]).toEqual([0, 0])
  expect(JSON.stringify(model.requests)).not.toContain('In English.')
})

test('run --rewind goes back to before a message, and says what became of the files', async () => {
  const { box, model, run } = await prepare([
    { text: 'One.' },
    write('a.txt', 'a\n'),
    { text: 'Two.' },
  ])
  await run('run', 'First.')
  await run('run', 'Second.', '--continue')
  const { stdout: log } = await run('log')
  const seq = /^(\d+) .* user_message {2}Second\.$/m.exec(log)![1]!
  const sent = model.requests.length
  const ran = await run('run', 'Second, better.', '--continue', '--rewind', seq)
  expect(ran).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Out of the draft again: a.txt'),
  })
  const { messages } = model.requests[sent]!
  expect(JSON.stringify(messages)).toContain('Second, better.')
  expect(JSON.stringify(messages)).not.toContain('Second.')
  expect(await run('run', 'x', '--rewind', '1')).toMatchObject({ code: 2 })
  expect(box.exists('a.txt')).toBe(false)
})

interface Prepared {
  readonly box: Sandbox
  readonly model: FakeModel
  readonly run: (...args: readonly string[]) => ReturnType<Sandbox['run']>
  readonly start: (...args: readonly string[]) => ReturnType<Sandbox['start']>
}

async function prepare(steps: readonly FakeStep[]): Promise<Prepared> {
  const box = sandbox()
  const model = await fakeModel(steps)
  const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake' }
  return {
    box,
    model,
    run: (...args) => box.run(args, { env }),
    start: (...args) => box.start(args, { env }),
  }
}

async function sessionsOf(box: Sandbox): Promise<string[]> {
  const { stdout } = await box.run(['log', '--sessions'])
  return stdout.split('\n').flatMap(line => /^ses_\w+/.exec(line)?.[0] ?? [])
}

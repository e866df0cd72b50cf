import type { ChildProcess } from 'node:child_process'
import { runOutputSchema } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { finished, sandbox } from '../cli.ts'
import { type FakeModel, type FakeRequest, type FakeStep, fakeModel } from '../fake-model.ts'
import { PATIENCE } from '../patience.ts'
import { verifies } from '../verifies.ts'

const step = (name: string, args: object, text = ''): FakeStep => ({
  text,
  calls: [{ name, arguments: args }],
})
const plan = (first: string, second: string) =>
  step('update_plan', {
    steps: [
      { step: 'Read the notes', status: first },
      { step: 'Write the report', status: second },
    ],
  })
const write = step('write_text_file', { path: 'report.md', content: 'all well\n' })
const RUN = ['run', 'Report.', '--model', 'fake']

describe('update_plan', () => {
  verifies(
    ['CONTRACT §4 update_plan shown', 'CONTRACT §7 log new rows'],
    'the checklist is shown as it changes, in text and as an event, and the log has it',
    async () => {
      const { run } = await prepare([
        plan('doing', 'open'),
        write,
        plan('done', 'done'),
        { text: 'Done.' },
      ])
      const text = await run(RUN)
      expect(text).toMatchObject({ code: 0, stdout: expect.stringContaining('Done.') })
      expect(text.stderr).toContain(
        '· Plan: 0 of 2 steps done\n    [>] Read the notes\n    [ ] Write the report\n',
      )
      expect(text.stderr).toContain('· Plan: 2 of 2 steps done\n    [x] Read the notes\n')
      const json = await run([...RUN, '--output', 'json'])
      const rows = json.stdout.split('\n').filter(line => line.includes('"type":"plan"'))
      expect(JSON.parse(rows[0]!).row.body.steps[0]).toEqual({
        text: 'Read the notes',
        status: 'doing',
      })
      expect((await run(['log'])).stdout).toMatch(/ plan {2}Plan: 2 of 2 steps done/)
    },
  )

  test('a step that failed says why, in text and as an event; without a reason the plan stays', async () => {
    const failed = (reason?: string) =>
      step('update_plan', { steps: [{ step: 'Send it', status: 'failed', reason }] })
    const { run } = await prepare([failed(), failed('there is no address'), { text: 'Sorry.' }])
    const json = await run([...RUN, '--output', 'json'])
    const plans = json.stdout.split('\n').filter(line => line.includes('"type":"plan"'))
    expect(plans.map(line => JSON.parse(line).row.body.steps)).toEqual([
      [{ text: 'Send it', status: 'failed', reason: 'there is no address' }],
    ])
    expect(json.stdout).toContain('number 1 is failed without a reason')
    expect((await run(['log'])).stdout).toContain('Plan: 0 of 1 step done, 1 failed')
    const lines = json.stdout.trimEnd().split('\n')
    for (const line of lines)
      expect(runOutputSchema().safeParse(JSON.parse(line)).error).toBeUndefined()
    expect(runOutputSchema().safeParse({ type: 'published' }).success).toBe(false)
  })
})

const ASK = step('ask_person', {
  question: 'Which year is meant?',
  choices: ['This year', 'Last year'],
})

describe('ask_person', () => {
  verifies(
    ['CONTRACT §4 ask_person', 'CONTRACT §7 log new rows', 'CONTRACT §9 exit codes by kind'],
    'a run without a person waits with exit 9 and says how to answer; another process has the question, and the answer resumes the run',
    async () => {
      const { run, model } = await prepare([ASK, write, { text: 'Done.' }])
      const asked = await run(RUN)
      expect(asked.code).toBe(9)
      const how = /Which year is meant\? Answer it with: filewright approvals answer (qst_\w+) /
      const id = how.exec(asked.stderr)![1]!
      expect(asked.stderr).toContain('Then continue with: filewright resume ses_')

      const again = await run(['resume'])
      expect(again.code).toBe(9)
      expect(again.stderr).toContain(id)
      const listed = await run(['approvals'])
      expect(listed.stdout).toContain(
        `${id}  open  a question\nWhich year is meant?\n  1. This year\n  2. Last year\n`,
      )
      const wrong = await run(['approvals', 'answer', 'qst_x', '1'])
      expect(wrong).toMatchObject({ code: 3, stderr: expect.stringContaining(id) })

      expect(await run(['approvals', 'answer', id, '2'])).toMatchObject({
        code: 0,
        stdout: 'Answered: Last year\n',
      })
      expect((await run(['approvals', 'answer', id, '1'])).code).not.toBe(0)
      const ended = await run(['resume'])
      expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Done.') })
      const results = model.requests.at(-1)!.messages.filter(({ role }) => role === 'tool')
      expect(results[0]!.content).toBe('The person chose: Last year')
      const log = await run(['log'])
      expect(log.stdout).toMatch(/ question {2}qst_\w+ waits for an answer: Which year is meant\?/)
    },
  )

  test('an answer in other words reaches the model as they are, and nothing is asked twice', async () => {
    const { run, model } = await prepare([ASK, { text: 'Done.' }])
    const id = /qst_\w+/.exec((await run(RUN)).stderr)![0]
    await run(['approvals', 'answer', id, 'The year before last'])
    expect((await run(['resume'])).code).toBe(0)
    const text = JSON.stringify(model.requests.at(-1)!.messages)
    expect(text).toContain('The person answered in other words: The year before last')
    expect((await run(['approvals'])).stderr).toContain('Nothing waits for a person.')
  })

  test('a call outside a run waits too, and has the answer as its result', async () => {
    const { box } = await prepare([])
    const asked = await box.call('ask_person', { question: 'Now?', choices: ['Yes', 'No'] })
    expect(asked).toMatchObject({ code: 9, result: { pending: true } })
    expect(asked.result.message).toMatch(/approvals answer qst_\w+ "ANSWER" -C '.*work space'$/)
    const { approvalId } = asked.result
    expect((await box.run(['approvals', 'answer', approvalId, 'yes'])).stdout).toContain('Yes')
    expect((await box.run(['approvals'])).stderr).toContain('Nothing waits')
  })

  test('one choice, or none, is no question', async () => {
    const { box } = await prepare([])
    const one = await box.call('ask_person', { question: 'Now?', choices: ['Yes'] })
    expect(one).toMatchObject({ code: 2, result: { errorCode: 'INVALID_ARGUMENT' } })
    expect(one.result.message).toContain('Nothing was asked')
  })
})

const QUESTION = 'What do the notes say?'
const PARENT = [step('delegate', { question: QUESTION }), write, { text: 'Done.' }]
const HELPER = [
  step('list_files', {}),
  step('read_file', { path: 'notes.txt' }),
  { text: 'They say: old.' },
]

describe('delegate', () => {
  verifies(
    'CONTRACT §4 delegate',
    'a helper reads, the run sees its answer alone, and the log has every step and request of it',
    async () => {
      const { run, model } = await prepare(PARENT)
      model.scriptFor = scriptFor
      const ran = await run([...RUN, '--publish', 'auto'])
      expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('Done.') })
      expect(ran.stderr).toMatch(/· Looking into it: What do the notes say\?\n {4}· Listing/)
      const helpers = model.requests.filter(isHelpers)
      expect(helpers).toHaveLength(3)
      const offered = helpers[0]!.tools!.map(tool => tool.function.name)
      expect(offered).toContain('read_file')
      for (const name of ['write_text_file', 'delegate', 'ask_person', 'update_plan'])
        expect(offered).not.toContain(name)
      const own = JSON.stringify(model.requests.filter(request => !isHelpers(request)))
      expect(own).toContain('<answer>\\nThey say: old.')
      expect(own).not.toContain('1|old')
      expect((await run(['log'])).stdout).toMatch(/helper {2}tc_\w+: call-start {2}read_file/)
      const sent = (await run(['log', '--sent'])).stdout
      expect(sent.match(/request to /g)).toHaveLength(model.requests.length)
    },
  )

  test('a run killed -9 at every request of its helper and resumed asks nothing twice', async () => {
    const { run, model, start, box } = await prepare(PARENT)
    model.scriptFor = scriptFor
    const seen = new Set<string>()
    let child: ChildProcess
    model.onRequest = at => {
      const request = model.requests.at(-1)!
      const border = `${isHelpers(request)} ${at}`
      if (seen.has(border)) return true
      seen.add(border)
      child.kill('SIGKILL')
      return false
    }
    child = start([...RUN, '--publish', 'auto'])
    let ran = await finished(child)
    for (let i = 0; ran.code === null && i < 20; i++) {
      child = start(['resume', '--publish', 'auto'])
      ran = await finished(child)
    }
    expect(ran.code, ran.stderr).toBe(0)
    expect(seen.size).toBe(6)
    expect(box.read('report.md')).toBe('all well\n')
    const log = (await run(['log'])).stdout
    expect(log.match(/: call-start /g)).toHaveLength(2)
    expect(log.match(/ call-start {2}delegate/g)).toHaveLength(1)
  })
})

test('Ctrl-C while a helper asks its model cancels the run, and nothing was written', async () => {
  const { model, start, run, box } = await prepare(PARENT)
  model.scriptFor = scriptFor
  const child = start([...RUN, '--publish', 'auto'])
  model.onRequest = at => {
    if (!isHelpers(model.requests.at(-1)!) || at < 1) return true
    child.kill('SIGINT')
    return false
  }
  expect(await finished(child)).toMatchObject({ code: 130 })
  expect(box.exists('report.md')).toBe(false)
  const log = (await run(['log'])).stdout
  expect(log).toMatch(/tool_result {2}CANCELLED/)
  expect(log).toMatch(/run-end {2}cancelled/)
})

verifies(
  'CONTRACT §4 plan and delegate need a window',
  'below 32k a run is offered neither; plan mode has the plan in any window',
  async () => {
    const { run, model, box } = await prepare([{ text: 'Done.' }])
    const offered = async (context: number, ...more: string[]) => {
      await box.run(['models', 'set', 'fake', '--context', String(context)])
      await run([...RUN, ...more])
      return model.requests.at(-1)!.tools!.map(tool => tool.function.name)
    }
    const large = await offered(32_000)
    expect(large).toEqual(expect.arrayContaining(['update_plan', 'delegate', 'ask_person']))
    const small = await offered(31_000)
    expect(small).toContain('ask_person')
    expect(small).not.toContain('update_plan')
    expect(small).not.toContain('delegate')
    const planning = await offered(31_000, '--plan')
    expect(planning).toContain('update_plan')
    expect(planning).not.toContain('delegate')
  },
)

async function prepare(steps: readonly FakeStep[]) {
  const box = sandbox({ 'notes.txt': 'old\n' })
  const model: FakeModel = await fakeModel(steps)
  const env = { FILEWRIGHT_BASE_URL: model.baseUrl }
  return {
    box,
    model,
    run: (args: readonly string[]) => box.run(args, { env }),
    start: (args: readonly string[]) => box.start(args, { env }),
  }
}

function scriptFor(request: FakeRequest): readonly FakeStep[] {
  return isHelpers(request) ? HELPER : PARENT
}

function isHelpers({ messages }: FakeRequest): boolean {
  return messages.some(({ role, content }) => role === 'user' && content === QUESTION)
}

test('over rpc the plan and the question are notified, and an answer follows the run to its end', async () => {
  const { box, model } = await prepare([plan('doing', 'open'), ASK, { text: 'Done.' }])
  const child = box.start(['rpc'], { env: { FILEWRIGHT_BASE_URL: model.baseUrl } })
  const lines: Record<string, never>[] = []
  let rest = ''
  child.stdout!.on('data', (bytes: Buffer) => {
    const parts = (rest + bytes).split('\n')
    rest = parts.pop()!
    lines.push(...parts.map(line => JSON.parse(line)))
  })
  const send = (id: number, method: string, params: object) =>
    child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
  const answered = (id: number) => lines.find(line => line.id === id)
  send(1, 'WorkshopRunAgent', { text: 'Report.', model: 'fake' })
  await expect.poll(() => answered(1), PATIENCE).toMatchObject({ result: { reason: 'waiting' } })
  const noted = (method: string) => lines.find(line => line.method === method)
  expect(noted('WorkshopPlan')).toMatchObject({ params: { steps: [{ status: 'doing' }, {}] } })
  const asked = noted('WorkshopQuestion') as unknown as { params: { question_id: string } }
  expect(asked).toMatchObject({ params: { choices: ['This year', 'Last year'] } })
  const { question_id } = asked.params
  send(2, 'WorkshopAnswer', { question_id, answer: 'Last year' })
  await expect
    .poll(() => answered(2), PATIENCE)
    .toMatchObject({ result: { reason: 'final', text: 'Done.' } })
  child.stdin!.end()
  expect((await finished(child)).code).toBe(0)
})

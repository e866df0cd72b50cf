import { expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import type { Model, ModelRequest } from '../port/model.ts'
import type { PromptInput } from '../port/prompt-input.ts'
import { runSession } from '../testing/run-session.ts'
import { type Step, script } from '../testing/script.ts'
import {
  ask,
  createProcess,
  createWorld,
  EMPTY_INPUT,
  linesOf,
  send,
  type TestTool,
  type World,
} from '../testing/world.ts'

const read: TestTool = {
  readOnly: true,
  run: ({ path }) => ({ text: `${path}: ${'lorem ipsum '.repeat(400)}` }),
}
const tools = { read }
const steps: Step[] = [
  ...Array.from({ length: 24 }, (_, i) => ({
    say: `Part ${i}.`,
    calls: [['read', { path: `f${i}` }]] as const,
  })),
  { say: 'Done.' },
]
const input: PromptInput = {
  ...EMPTY_INPUT,
  houseRules: [{ path: 'AGENTS.md', text: 'Always answer in rhymes.' }],
  pathsUsed: [{ path: 'f3', version: '12ab34cd' }],
  openApprovals: ['write_patch on src/a.ts waits for approval'],
}

/** A model of 8,000 tokens that sums up when it is asked to, and remembers its requests. */
function modelOf(summary: string, requests: ModelRequest[]): Model {
  const model = script(steps, 8_000)
  return {
    ...model,
    stream: request => {
      requests.push(request)
      if (request.tools.length > 0) return model.stream(request)
      return summarize(summary)
    },
  }
}

function summaries(world: World) {
  return linesOf(world, 'compaction').filter(({ summary }) => summary !== undefined)
}

async function* untilAborted(signal: AbortSignal): ReturnType<Model['stream']> {
  if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve))
  yield { type: 'failure', failure: { cause: 'aborted', message: '', retry: false, spent: true } }
}

async function* summarize(text: string) {
  yield { type: 'usage' as const, usage: { inputTokens: 7, outputTokens: 7 } }
  if (text === '') return
  yield { type: 'text' as const, text }
  yield { type: 'finish' as const, reason: 'stop' as const }
}

verifies(
  ['CONTRACT §7 compaction at 80 %', 'CONTRACT §7 compaction keeps', 'ADR-0010 §Positive any size'],
  'a run larger than the context is compacted, keeps what matters, and continues to its end',
  async () => {
    const world = createWorld()
    const requests: ModelRequest[] = []
    const learned = `I learned that f0 to f5 hold the same words. ${'Much more. '.repeat(10)}`
    ask(world, 'Compare all files, and mind the umlauts.', tools)
    world.active = {
      files: [{ path: 'a.md', version: 'aa11bb22', isDirty: false, text: '# Active' }],
    }
    const outcome = await runSession(
      createProcess(world, { model: modelOf(learned, requests), tools, input }),
    )
    expect(outcome).toMatchObject({ reason: 'final' })
    expect(summaries(world).length).toBeGreaterThanOrEqual(1)
    for (const { sent } of summaries(world))
      expect(sent).toMatchObject({
        messages: 1,
        size_bytes: expect.toSatisfy(size => size > 1_000),
      })
    const last = requests.at(-1)!
    const summary = last.messages.find(message => message.text.includes('became too long'))!.text
    expect(last.messages.filter(({ text }) => text.includes('mind the umlauts'))).toEqual([
      { role: 'user', text: 'Compare all files, and mind the umlauts.' },
    ])
    expect(summary).toContain('I learned that f0 to f5')
    const late = last.messages.filter(({ text }) => text.startsWith('[Filewright] What you should'))
    expect(late).toHaveLength(1)
    expect(late[0]!.text).toContain('f3 · 12ab34cd')
    expect(late[0]!.text).toContain('write_patch on src/a.ts waits for approval')
    expect(late[0]!.text).toContain('Always answer in rhymes.')
    expect(last.messages.filter(message => message.text.includes('# Active'))).toHaveLength(1)
    for (const request of requests)
      expect(JSON.stringify(request.messages).length / 3.5).toBeLessThan(8_000)
    expect(last.messages.at(-1)).toMatchObject({
      role: 'tool',
      text: expect.stringContaining('f23: lorem'),
    })
  },
)

test('a summary that fails is asked for again, and then replaced by an outline of the calls', async () => {
  const world = createWorld()
  world.clock.runFreely()
  ask(world, 'Compare.', tools)
  const outcome = await runSession(createProcess(world, { model: modelOf('', []), tools, input }))
  expect(outcome).toMatchObject({ reason: 'final' })
  expect(
    linesOf(world, 'retry')
      .slice(0, 5)
      .map(({ attempt }) => attempt),
  ).toEqual([1, 2, 3, 4, 5])
  expect(summaries(world)[0]!.summary).toMatch(/- read {"path":"f0"} → done \(tc_/)
  expect(linesOf(world, 'usage').some(line => line.usage.inputTokens === 7)).toBe(true)
})

test('a summary that fails once is there after all, and the run sees one retry', async () => {
  const world = createWorld()
  world.clock.runFreely()
  ask(world, 'Compare.', tools)
  let failures = 1
  const model = modelOf(`I learned this. ${'More. '.repeat(20)}`, [])
  const stream: Model['stream'] = request =>
    request.tools.length === 0 && failures-- > 0 ? summarize('') : model.stream(request)
  await runSession(createProcess(world, { model: { ...model, stream }, tools, input }))
  expect(linesOf(world, 'retry')).toHaveLength(1)
  expect(summaries(world)[0]!.summary).toContain('I learned this.')
})

test('a cancel while the summary is awaited ends the run without one', async () => {
  const world = createWorld()
  ask(world, 'Compare.', tools)
  const model = modelOf('', [])
  const stream: Model['stream'] = request => {
    if (request.tools.length > 0) return model.stream(request)
    send(world, port, { type: 'cancel', by: 'person' })
    return untilAborted(request.signal)
  }
  const port = createProcess(world, { model: { ...model, stream }, tools, input })
  expect(await runSession(port)).toMatchObject({ reason: 'cancelled' })
  expect(summaries(world)).toEqual([])
})

test('a short summary from the model is kept next to the outline', async () => {
  const world = createWorld()
  ask(world, 'Compare.', tools)
  await runSession(createProcess(world, { model: modelOf('All alike.', []), tools, input }))
  const { summary } = summaries(world)[0]!
  expect(summary).toContain('# What was done and learned so far\nAll alike.')
  expect(summary).toContain('- read {"path":"f0"} → done')
})

verifies('CONTRACT §7 guard compaction resets', 'a compaction resets the guard', async () => {
  const world = createWorld()
  const same = { calls: [['read', { path: 'f0' }]] } as const
  const others = (from: number) =>
    Array.from({ length: 4 }, (_, i) => ({ calls: [['read', { path: `f${from + i}` }]] as const }))
  ask(world, 'go', tools)
  const model = script([...others(0), same, same, { say: 'ok' }], 8_000)
  await runSession(createProcess(world, { model, tools }))
  const compactedAt = world.rows.findIndex(row => row.type === 'compaction')
  const after = world.rows
    .slice(compactedAt)
    .flatMap(row => (row.body.type === 'tool_result' ? [row.body] : []))
  expect(compactedAt).toBeGreaterThan(0)
  expect(after[0]!.content).not.toContain('[Filewright]')
})

verifies(
  [
    'CONTRACT §7 compaction receipts first',
    'CONTRACT §7 compaction summary apart',
    "CONTRACT §7 compaction keeps the person's words",
  ],
  "results become receipts first; one summary replaces the one before; the person's words stay as they are",
  async () => {
    const world = createWorld()
    const requests: ModelRequest[] = []
    ask(world, 'Compare.', tools)
    send(world, undefined, { type: 'steer', text: 'Skip f7, it is a copy.' })
    const learned = `I learned this. ${'More of it. '.repeat(20)}`
    await runSession(createProcess(world, { model: modelOf(learned, requests), tools, input }))

    const kinds = linesOf(world, 'compaction').map(({ summary }) =>
      summary ? 'summary' : 'receipts',
    )
    expect(kinds[0]).toBe('receipts')
    expect(summaries(world).length).toBeGreaterThanOrEqual(2)
    const { messages } = requests.at(-1)!
    expect(messages.slice(0, 2)).toEqual([
      { role: 'user', text: 'Compare.' },
      { role: 'user', text: 'Skip f7, it is a copy.' },
    ])
    expect(messages.filter(({ text }) => text.includes('became too long'))).toHaveLength(1)
    for (const { summary } of summaries(world)) {
      expect(summary).not.toContain('Skip f7')
      expect(summary!.split('I learned this.')).toHaveLength(2)
    }
    const material = requests.findLast(({ tools }) => tools.length === 0)!.messages[0]!.text
    expect(material).toContain('YOUR SUMMARY SO FAR: ')
    expect(material).toContain('PERSON: Skip f7')
  },
)

test.each([8_000, 32_000])(
  'in %i tokens a model sees what it asked for, however much it was',
  async size => {
    const world = createWorld()
    const requests: ModelRequest[] = []
    const large: TestTool = {
      readOnly: true,
      run: ({ path }) => ({ text: `${path} `.repeat(10_000) }),
    }
    const calls = Array.from({ length: 6 }, (_, i) => ['read', { path: `f${i}` }] as const)
    const model = script([{ say: 'All of them.', calls }, { say: 'Done.' }], size)
    const stream: Model['stream'] = request => {
      requests.push({ ...request, messages: [...request.messages] })
      return model.stream(request)
    }
    ask(world, 'Read all files.', { read: large })
    const outcome = await runSession(
      createProcess(world, { model: { ...model, stream }, tools: { read: large } }),
    )

    expect(outcome).toMatchObject({ reason: 'final' })
    const seen = requests.at(-1)!.messages.filter(({ role }) => role === 'tool')
    expect(seen.map(({ text }) => text.slice(0, 400).includes('f'))).toEqual(Array(6).fill(true))
    expect(linesOf(world, 'compaction')).toEqual([])
  },
)

test('a turn that a compaction comes before is kept: its results were not seen yet', async () => {
  const world = createWorld()
  const requests: ModelRequest[] = []
  const sized: TestTool = {
    readOnly: true,
    run: ({ path, bytes }) => ({ text: `${path} `.padEnd(Number(bytes), 'x') }),
  }
  const steps: Step[] = [
    { say: 'One.', calls: [['read', { path: 'f1', bytes: 40_000 }]] },
    { say: 'Two.', calls: [['read', { path: 'f2', bytes: 40_000 }]] },
    { say: 'Three.', calls: [['read', { path: 'f3', bytes: 40_000 }]] },
    { say: 'Done.' },
  ]
  const model = script(steps, 32_000)
  const stream: Model['stream'] = request => {
    requests.push({ ...request, messages: [...request.messages] })
    return request.tools.length > 0 ? model.stream(request) : summarize('f1 and f2 were read.')
  }
  ask(world, 'Read three files.', { read: sized })
  await runSession(createProcess(world, { model: { ...model, stream }, tools: { read: sized } }))

  expect(linesOf(world, 'compaction')).toHaveLength(1)
  const newest = requests.at(-1)!.messages.filter(({ role }) => role === 'tool')
  expect(newest.at(-1)!.text).toHaveLength(40_000)
})

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
} from '../testing/world.ts'
import { createLoop } from './run.ts'

const read: TestTool = {
  readOnly: true,
  run: ({ path }) => ({ text: `${path}: ${'lorem ipsum '.repeat(400)}` }),
}
const tools = { read }
const steps: Step[] = [
  ...Array.from({ length: 12 }, (_, i) => ({
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

async function* summarize(text: string) {
  yield { type: 'usage' as const, usage: { inputTokens: 7, outputTokens: 7 } }
  if (text === '') return
  yield { type: 'text' as const, text }
  yield { type: 'finish' as const, reason: 'stop' as const }
}

verifies(
  ['CONTRACT §7 compaction at 80 %', 'CONTRACT §7 compaction keeps', 'ADR-0010 §Positive any size'],
  'a run larger than the context is compacted, keeps what matters, and goes on to its end',
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
    expect(linesOf(world, 'compaction').length).toBeGreaterThanOrEqual(1)
    for (const { sent } of linesOf(world, 'compaction'))
      expect(sent).toMatchObject({
        messages: 1,
        size_bytes: expect.toSatisfy(size => size > 1_000),
      })
    const last = requests.at(-1)!
    const summary = last.messages.find(message => message.text.includes('became too long'))!.text
    expect(summary).toContain('Compare all files, and mind the umlauts.')
    expect(summary).toContain('f3 · 12ab34cd')
    expect(summary).toContain('write_patch on src/a.ts waits for approval')
    expect(summary).toContain('I learned that f0 to f5')
    expect(last.system).toContain('Always answer in rhymes.')
    expect(last.messages.filter(message => message.text.includes('# Active'))).toHaveLength(1)
    for (const request of requests)
      expect(JSON.stringify(request.messages).length / 3.5).toBeLessThan(8_000)
    expect(last.messages.at(-1)).toMatchObject({
      role: 'tool',
      text: expect.stringContaining('f11: lorem'),
    })
  },
)

test('a model that fails to sum up is replaced by an outline of its calls', async () => {
  const world = createWorld()
  ask(world, 'Compare.', tools)
  const outcome = await runSession(createProcess(world, { model: modelOf('', []), tools, input }))
  expect(outcome).toMatchObject({ reason: 'final' })
  expect(linesOf(world, 'compaction')[0]!.summary).toContain('- read {"path":"f0"} → done')
  expect(linesOf(world, 'usage').some(line => line.usage.inputTokens === 7)).toBe(true)
})

test('a short summary from the model is kept next to the outline', async () => {
  const world = createWorld()
  ask(world, 'Compare.', tools)
  await runSession(createProcess(world, { model: modelOf('All alike.', []), tools, input }))
  const { summary } = linesOf(world, 'compaction')[0]!
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

test("a person's messages during the run are kept word for word", async () => {
  const world = createWorld()
  ask(world, 'Compare.', tools)
  send(world, undefined, { type: 'steer', text: 'Skip f7, it is a copy.' })
  const loop = createLoop(createProcess(world, { model: modelOf('', []), tools, input }))
  await loop.run()
  expect(linesOf(world, 'compaction').at(-1)!.summary).toContain('Skip f7, it is a copy.')
})

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

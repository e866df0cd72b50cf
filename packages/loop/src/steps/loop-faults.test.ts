import { expect } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import type { Model } from '../port/model.ts'
import { runSession } from '../testing/run-session.ts'
import { type Step, script } from '../testing/script.ts'
import {
  ask,
  createProcess,
  createWorld,
  linesOf,
  type TestTool,
  type World,
} from '../testing/world.ts'

interface LoopFault {
  readonly about: string
  readonly fault: string
  readonly steps: readonly Step[]
  /** Per result in order: what the model got. */
  readonly results: readonly Got[]
  readonly reason?: 'final' | 'limit'
}
type Got = 'run' | 'told' | 'suppressed' | 'failed' | 'failed, told' | 'limit'

const same = { calls: [['read', { path: 'a.txt' }]] } as const
const other = { calls: [['read', { path: 'b.txt' }]] } as const
const done = { say: 'Done.' } as const

/** Faults of a model × their outcome (CONTRACT §7). */
const faults: readonly LoopFault[] = [
  {
    about: 'repeats',
    fault: 'the same call again and again',
    steps: [same, same, same, same, done],
    results: ['run', 'told', 'suppressed', 'suppressed'],
  },
  {
    about: 'spelling',
    fault: 'the same call with other spacing, order of keys and spelling of the path',
    steps: [
      { calls: [['read', '{"path":"a.txt","line_start":1}']] },
      { calls: [['read', '{ "line_start": 1,\n "path": "./A.txt" }']] },
      { calls: [['read', '{"line_start":1,"path":"a.txt"}']] },
      done,
    ],
    results: ['run', 'told', 'suppressed'],
  },
  {
    about: 'spelling',
    fault: 'the same failing call with other spacing',
    steps: [
      { calls: [['edit', '{"path":"a.txt","find":"x"}']] },
      { calls: [['edit', '{"path": "a.txt", "find": "x"}']] },
      { calls: [['edit', '{"find":"x","path":"a.txt"}']] },
      done,
    ],
    results: ['failed', 'failed, told', 'suppressed'],
  },
  {
    about: 'alternation',
    fault: 'two calls that alternate',
    steps: [same, other, same, other, same, other, done],
    results: ['run', 'run', 'run', 'told', 'suppressed', 'suppressed'],
  },
  {
    about: 'same failure',
    fault: 'calls that go on failing in the same way',
    steps: [
      ...['one', 'two', 'three', 'four'].map(find => ({
        calls: [['edit', { path: 'a.txt', find }]] as const,
      })),
      done,
    ],
    results: ['failed', 'failed', 'failed, told', 'failed, told'],
  },
  {
    about: 'progress',
    fault: 'a file read again after something new was learned',
    steps: [same, other, same, { calls: [['read', { path: 'c.txt' }]] }, same, done],
    results: ['run', 'run', 'run', 'run', 'run'],
  },
  {
    about: 'repeats',
    fault: 'the same call three times in one turn',
    steps: [{ calls: [same.calls[0], same.calls[0], same.calls[0]] }, done],
    results: ['run', 'told', 'suppressed'],
  },
  {
    about: 'calls',
    fault: '51 calls in one turn',
    steps: [
      { calls: Array.from({ length: 51 }, (_, i) => ['read', { path: `${i}` }] as const) },
      done,
    ],
    results: [...Array<Got>(50).fill('run'), 'limit'],
  },
  {
    about: 'turns',
    fault: '51 turns',
    steps: Array.from({ length: 51 }, (_, i) => ({ calls: [['read', { path: `${i}` }]] as const })),
    results: Array<Got>(50).fill('run'),
    reason: 'limit',
  },
  {
    about: 'repeats',
    fault: 'a model that does nothing but repeat itself is stopped',
    steps: Array(30).fill(same),
    results: ['run', 'told', ...Array<Got>(5).fill('suppressed')],
    reason: 'limit',
  },
  {
    about: 'unknown tool',
    fault: 'a tool that does not exist',
    steps: [{ calls: [['raed', {}]] }, done],
    results: ['failed'],
  },
  {
    about: 'unknown tool',
    fault: 'a tool that does not exist, again and again',
    steps: [...Array(4).fill({ calls: [['raed', {}]] }), done],
    results: ['failed', 'failed', 'suppressed', 'suppressed'],
  },
  {
    about: 'many calls',
    fault: 'no fault: 100 blocks written to one sheet, 4 a turn over 25 turns',
    steps: [
      ...Array.from({ length: 25 }, (_, turn) => ({
        calls: [0, 1, 2, 3].map(block => {
          const start = `A${1 + (turn * 4 + block) * 50}`
          return ['write', { path: 'book.xlsx', sheet: 'Sales', start }] as const
        }),
      })),
      done,
    ],
    results: Array<Got>(100).fill('run'),
  },
]

for (const fault of faultsAbout('repeats'))
  verifies(['CONTRACT §7 guard tells at 2', 'CONTRACT §7 guard suppresses at 3'], fault.fault, () =>
    expectOutcome(fault),
  )

for (const fault of faultsAbout('spelling'))
  verifies('CONTRACT §7 guard canonical arguments', fault.fault, () => expectOutcome(fault))

for (const fault of faultsAbout('alternation'))
  verifies('CONTRACT §7 guard alternation', fault.fault, () => expectOutcome(fault))

for (const fault of faultsAbout('same failure'))
  verifies('CONTRACT §7 guard same error class', fault.fault, () => expectOutcome(fault))

for (const fault of faultsAbout('progress'))
  verifies('CONTRACT §7 guard progress resets', fault.fault, () => expectOutcome(fault))

for (const fault of faultsAbout('many calls'))
  verifies(
    ['ADR-0010 §Key Design Principles 3 many calls', 'CONTRACT §7 guard progress resets'],
    fault.fault,
    () => expectOutcome(fault),
  )

for (const fault of faultsAbout('calls'))
  verifies(
    ['ADR-0010 §Safety & Limits 1 calls per turn', 'CONTRACT §7 limit tool calls'],
    fault.fault,
    () => expectOutcome(fault),
  )

for (const fault of faultsAbout('turns'))
  verifies(['ADR-0010 §Safety & Limits 2 turns', 'CONTRACT §7 limit turns'], fault.fault, () =>
    expectOutcome(fault),
  )

for (const fault of faultsAbout('unknown tool'))
  verifies('ADR-0010 §Tool Handlers unknown name', fault.fault, () => expectOutcome(fault))

verifies(
  [
    'CONTRACT §7 limit run budget',
    'CONTRACT §7 limit spend shown',
    'ADR-0010 §Negative cost shown',
  ],
  'a run stops at its budget when one is set',
  async () => {
    const world = createWorld()
    const steps = Array.from({ length: 20 }, (_, i) => ({
      calls: [['read', { path: `${i}` }]] as const,
    }))
    ask(world, 'go', tools, { budgetTokens: 800 })
    const outcome = await runSession(createProcess(world, { model: script(steps), tools }))
    expect(outcome).toMatchObject({
      reason: 'limit',
      message: expect.stringContaining('800 tokens'),
    })
    const turns = linesOf(world, 'assistant_message').length
    expect(turns).toBeGreaterThan(1)
    expect(turns).toBeLessThan(20)
    expect(linesOf(world, 'usage')).toHaveLength(turns)
  },
)

verifies(
  'CONTRACT §7 limit run budget',
  'tokens that a provider does not count are estimated for the budget',
  async () => {
    const world = createWorld()
    const calls = (i: number) => [['read', { path: `${i}` }]] as const
    const counting = script(Array.from({ length: 20 }, (_, i) => ({ calls: calls(i) })))
    const model: Model = {
      ...counting,
      async *stream(request) {
        for await (const event of counting.stream(request)) if (event.type !== 'usage') yield event
      },
    }
    ask(world, 'go', tools, { budgetTokens: 800 })
    const outcome = await runSession(createProcess(world, { model, tools }))
    expect(outcome).toMatchObject({
      reason: 'limit',
      message: expect.stringMatching(/800 tokens: about \d+ were used/),
    })
    expect(linesOf(world, 'assistant_message').length).toBeLessThan(20)
  },
)

const read: TestTool = {
  readOnly: true,
  run: ({ path }) => ({ text: `content of ${String(path).replace('./', '').toLowerCase()}` }),
}
const tools: Record<string, TestTool> = {
  read,
  write: { run: ({ start }) => ({ text: `wrote 200 cells from ${start}` }) },
  edit: {
    run: ({ find }) => ({ text: `NO_SUCH_REGION: "${find}" is not there`, code: 'NO_SUCH_REGION' }),
  },
}

function gotOf(world: World): Got[] {
  const order = linesOf(world, 'assistant_message').flatMap(line => line.tool_calls ?? [])
  const results = new Map(linesOf(world, 'tool_result').map(line => [line.tool_call_id, line]))
  return order.map(call => {
    const line = results.get(call.id)!
    if (line.synthetic && line.error_code !== 'UNKNOWN_TOOL')
      return line.content.includes('at most') ? 'limit' : 'suppressed'
    const told = line.content.includes('[Filewright]')
    if (!line.success) return told ? 'failed, told' : 'failed'
    return told ? 'told' : 'run'
  })
}

function faultsAbout(about: string): readonly LoopFault[] {
  return faults.filter(fault => fault.about === about)
}

async function expectOutcome({ steps, results, reason = 'final' }: LoopFault): Promise<void> {
  const world = createWorld()
  ask(world, 'go', tools)
  const outcome = await runSession(createProcess(world, { model: script(steps), tools }))
  expect(outcome).toMatchObject({ type: 'ended', reason })
  expect(gotOf(world)).toEqual(results)
  const calls = linesOf(world, 'assistant_message').flatMap(line => line.tool_calls ?? [])
  const answered = linesOf(world, 'tool_result').map(line => line.tool_call_id)
  expect([...answered].sort()).toEqual(calls.map(call => call.id).sort())
}

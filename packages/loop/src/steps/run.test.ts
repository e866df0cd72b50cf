import { expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import type { Model } from '../port/model.ts'
import { runSession } from '../testing/run-session.ts'
import { script } from '../testing/script.ts'
import { ask, createProcess, createWorld, linesOf, send, type TestTool } from '../testing/world.ts'
import { createLoop } from './run.ts'

const change = (path: string, count: number, unit: 'lines' | 'cells' = 'lines') => [
  { docPath: path, path, where: 'draft' as const, action: 'changed' as const, count, unit },
]

const write: TestTool = {
  run: args => ({ text: `wrote ${args.path}`, effects: change(String(args.path), 3) }),
}
const read: TestTool = { readOnly: true, run: args => ({ text: `content of ${args.path}` }) }

verifies(
  [
    'ADR-0010 §Decision iterate until complete',
    'ADR-0010 §New Architecture text and calls together',
    'ADR-0010 §New Architecture calls continue',
    'ADR-0010 §New Architecture text only ends',
    'ADR-0010 §New Architecture stop ends',
    'ADR-0010 §New Workshop Flow results appended',
    'ADR-0010 §New Workshop Flow exit without calls',
    'ADR-0010 §Key Design Principles 1 model drives the loop',
    'ADR-0010 §Key Design Principles 5 streaming continues',
    'CONTRACT §7 model decides the end',
    'CONTRACT §7 text streams',
    'CONTRACT §7 closing line',
    'CONTRACT §3 exactly one result',
  ],
  'a run reads, writes, and ends with the line that we compute',
  async () => {
    const world = createWorld()
    const tools = { read, write }
    const model = script([
      { say: 'Looking.', calls: [['read', { path: 'a.txt' }]] },
      { say: 'Writing.', calls: [['write', { path: 'a.txt' }]] },
      { say: 'Done.' },
    ])
    ask(world, 'Change a.txt', tools)
    const outcome = await runSession(createProcess(world, { model, tools }))
    expect(outcome).toMatchObject({
      reason: 'final',
      closing: '1 file in the draft: a.txt (3 lines)',
    })
    expect(world.deltas).toEqual(['Looking.', 'Writing.', 'Done.'])
    expect(world.effects).toEqual(['write {"path":"a.txt"}'])
    expect(linesOf(world, 'tool_result').map(line => line.content)).toEqual([
      'content of a.txt',
      'wrote a.txt',
    ])
    expect(world.rows.map(row => row.type)).toEqual([
      ...['run-start', 'user_message', 'model', 'context', 'assistant_message', 'usage'],
      ...['call-start', 'tool_result', 'context', 'assistant_message', 'usage'],
      ...['call-start', 'tool_result', 'context', 'assistant_message', 'usage', 'run-end'],
    ])
  },
)

verifies(
  [
    'ADR-0010 §Context no blind guesses',
    'ADR-0010 §Context failure example contradicted',
    'CONTRACT §7 closing line nothing changed',
    'CONTRACT §7 false claim contradicted',
  ],
  'a model that only claims a change is contradicted',
  async () => {
    const world = createWorld()
    ask(world, 'Translate data.xlsx')
    const model = script([{ say: 'Proceeding to update the file now. Done!' }])
    const outcome = await runSession(createProcess(world, { model }))
    expect(outcome).toMatchObject({ type: 'ended', closing: 'No file was changed' })
    expect(linesOf(world, 'run-end')[0]?.closing).toBe('No file was changed')
  },
)

verifies(
  [
    'CONTRACT §7 reads in parallel',
    'CONTRACT §7 writes in order',
    'CONTRACT §7 read waits for writes',
    'CONTRACT §7 results in order',
  ],
  'reads run side by side, writes in order, and a read waits for the writes before it',
  async () => {
    const world = createWorld()
    const events: string[] = []
    const timed = (readOnly: boolean): TestTool => ({
      readOnly,
      run: async ({ path, ms }) => {
        events.push(`${path} begins`)
        await world.clock.sleep(Number(ms), new AbortController().signal)
        events.push(`${path} ends`)
        return { text: String(path) }
      },
    })
    const tools = { read: timed(true), write: timed(false) }
    const calls = [
      ['read', { path: 'r1', ms: 30 }],
      ['read', { path: 'r2', ms: 10 }],
      ['write', { path: 'w1', ms: 20 }],
      ['write', { path: 'w2', ms: 5 }],
      ['read', { path: 'r3', ms: 1 }],
    ] as const
    ask(world, 'go', tools)
    const port = createProcess(world, { model: script([{ calls }, { say: 'ok' }]), tools })
    const requests: string[][] = []
    const { stream } = port.model
    port.model.stream = request => {
      requests.push(request.messages.filter(({ role }) => role === 'tool').map(({ text }) => text))
      return stream(request)
    }
    const running = runSession(port)
    for (let i = 0; i < 10; i++) await world.clock.advance(30)
    await running
    expect(events).toEqual([
      ...['r1 begins', 'r2 begins', 'r2 ends', 'r1 ends'],
      ...['w1 begins', 'w1 ends', 'w2 begins', 'w2 ends', 'r3 begins', 'r3 ends'],
    ])
    expect(requests[1]).toEqual(['r1', 'r2', 'w1', 'w2', 'r3'])
  },
)

verifies(
  [
    'ADR-0010 §Safety & Limits 3 timeout',
    'CONTRACT §7 limit tool time',
    'CONTRACT §3 result when timed out',
    'CONTRACT §3 abandoned has no effect',
  ],
  'a tool that hangs is ended at 30 s, and finishing at 35 s changes nothing',
  async () => {
    const world = createWorld()
    const slow: TestTool = {
      run: async () => {
        await world.clock.sleep(35_000, new AbortController().signal)
        return { text: 'written', effects: change('a', 1) }
      },
    }
    ask(world, 'go', { slow })
    const model = script([{ calls: [['slow', {}]] }, { say: 'It took too long.' }])
    const running = runSession(createProcess(world, { model, tools: { slow } }))
    await world.clock.advance(29_999)
    expect(linesOf(world, 'tool_result')).toEqual([])
    await world.clock.advance(1)
    const outcome = await running
    await world.clock.advance(10_000)
    expect(linesOf(world, 'tool_result')).toMatchObject([{ error_code: 'TIMEOUT', success: false }])
    expect(world.effects).toEqual([])
    expect(outcome).toMatchObject({ reason: 'final', closing: 'No file was changed' })
  },
)

verifies(
  [
    'CONTRACT §7 cancel at tool borders',
    'CONTRACT §3 result when cancelled',
    'CONTRACT §7 closing line however ended',
  ],
  'a cancel ends the call under way, and the calls behind it are not run',
  async () => {
    const world = createWorld()
    const hang: TestTool = {
      run: async (_, { signal }) => {
        await world.clock.sleep(20_000, signal)
        return { text: 'late' }
      },
    }
    const tools = { write, hang }
    const calls = [
      ['write', { path: 'a' }],
      ['hang', {}],
      ['write', { path: 'b' }],
    ] as const
    ask(world, 'go', tools)
    const port = createProcess(world, { model: script([{ calls }]), tools })
    const running = runSession(port)
    await world.clock.advance(10)
    send(world, port, { type: 'cancel', by: 'person' })
    const outcome = await running
    expect(outcome).toMatchObject({
      reason: 'cancelled',
      closing: '1 file in the draft: a (3 lines)',
    })
    expect(linesOf(world, 'tool_result').map(line => line.error_code)).toEqual([
      null,
      'CANCELLED',
      'CANCELLED',
    ])
    expect(world.effects).toEqual(['write {"path":"a"}'])
  },
)

test('a cancel in the midst of an answer is no fault of the provider: nothing is tried again', async () => {
  const world = createWorld()
  ask(world, 'go', {})
  const model: Model = {
    name: 'slow',
    facts: { callsTools: true, contextTokens: 100_000 },
    destination: null,
    endpoint: () => null,
    async *stream({ signal }) {
      yield { type: 'text', text: 'Half a ' }
      await world.clock.sleep(20_000, signal) // and then it just stops, as a cut connection does
    },
  }
  const port = createProcess(world, { model, tools: {} })
  const running = runSession(port)
  await world.clock.advance(10)
  send(world, port, { type: 'cancel', by: 'person' })
  expect(await running).toMatchObject({ reason: 'cancelled', closing: 'No file was changed' })
  expect(linesOf(world, 'retry')).toEqual([])
  expect(linesOf(world, 'usage')).toMatchObject([{ usage: { unknown: true } }])
})

test('a clock that was set back makes no wait longer than it was to be', async () => {
  const world = createWorld()
  ask(world, 'go', {})
  let asked = 0
  const model: Model = {
    name: 'busy at first',
    facts: { callsTools: true, contextTokens: 100_000 },
    destination: null,
    endpoint: () => null,
    async *stream() {
      const failure = { cause: 'overloaded', message: 'Busy.', retry: true, spent: false } as const
      if (asked++ === 0) yield { type: 'failure', failure }
      else
        yield* [
          { type: 'text', text: 'Done.' } as const,
          { type: 'finish', reason: 'stop' } as const,
        ]
    },
  }
  const port = createProcess(world, { model, tools: {} })
  const began = world.clock.now()
  const stop = world.clock.runFreely()
  const isSetBack = { ...port, now: () => world.clock.now() - 86_400_000 }
  expect(await runSession(isSetBack)).toMatchObject({ reason: 'final' })
  stop()
  const [retry] = linesOf(world, 'retry')
  expect(world.clock.now() - began).toBeLessThanOrEqual(retry!.wait_ms)
})

verifies(
  'CONTRACT §7 steer at tool borders',
  "a person's message during a run reaches the model before the next tool",
  async () => {
    const world = createWorld()
    const tools = {
      write: {
        run: (args: Record<string, unknown>) => {
          if (args.path === 'a') send(world, port, { type: 'steer', text: 'Not b: use c.' })
          return { text: `wrote ${args.path}` }
        },
      },
    }
    const calls = [
      ['write', { path: 'a' }],
      ['write', { path: 'b' }],
    ] as const
    const model = script([{ calls }, { calls: [['write', { path: 'c' }]] }, { say: 'ok' }])
    ask(world, 'go', tools)
    const port = createProcess(world, { model, tools })
    await runSession(port)
    expect(world.effects).toEqual(['write {"path":"a"}', 'write {"path":"c"}'])
    expect(linesOf(world, 'tool_result')[1]).toMatchObject({
      error_code: 'CANCELLED',
      synthetic: true,
    })
  },
)

verifies(
  'CONTRACT §7 steer at tool borders',
  'a message that comes while the model gives its last answer is answered too',
  async () => {
    const world = createWorld()
    ask(world, 'go')
    const port = createProcess(world, { model: script([{ say: 'First.' }, { say: 'Second.' }]) })
    port.emitDelta = (_, text) => {
      if (text === 'First.') send(world, port, { type: 'steer', text: 'And now?' })
    }
    await runSession(port)
    expect(linesOf(world, 'assistant_message').map(line => line.text)).toEqual([
      'First.',
      'Second.',
    ])
  },
)

verifies(
  [
    'CONTRACT §3 suspended has no result',
    'CONTRACT §7 limit waiting not counted',
    'CONTRACT §7 inbox',
    'CONTRACT §7 log other rows',
  ],
  'a call that asks a person waits without a result, and continues tomorrow in another process',
  async () => {
    const world = createWorld()
    const tools = { publish: { ...write, asks: true } }
    const model = script([{ calls: [['publish', { path: 'a' }]] }, { say: 'Published.' }])
    ask(world, 'go', tools)
    const first = await runSession(createProcess(world, { model, tools }))
    expect(first).toMatchObject({
      type: 'waiting',
      calls: [{ name: 'publish', status: 'waiting' }],
    })
    expect(linesOf(world, 'tool_result')).toEqual([])

    await world.clock.advance(24 * 3600 * 1000)
    const { tool_call_id, approval_id } = linesOf(world, 'approval')[0]!
    expect(await runSession(createProcess(world, { model, tools }))).toMatchObject({
      type: 'waiting',
    })
    expect(linesOf(world, 'run-end')).toHaveLength(1)

    world.approvals.set(tool_call_id, 'approved')
    send(world, undefined, { type: 'decision', approval_id, decision: 'approved', by: 'person' })
    const last = await runSession(createProcess(world, { model, tools }))
    expect(last).toMatchObject({ type: 'ended', reason: 'final' })
    expect(world.effects).toEqual(['publish {"path":"a"}'])
    expect(world.inbox).toEqual([])
  },
)

verifies(
  'CONTRACT §7 inbox',
  'a decision that arrives while the session is not running is taken by the next run of the same loop',
  async () => {
    const world = createWorld()
    const tools = { publish: { ...write, asks: true } }
    const model = script([{ calls: [['publish', { path: 'a' }]] }, { say: 'Published.' }])
    ask(world, 'go', tools)
    const loop = createLoop(createProcess(world, { model, tools }))
    expect(await loop.run()).toMatchObject({ type: 'waiting' })
    const { tool_call_id, approval_id } = linesOf(world, 'approval')[0]!
    world.approvals.set(tool_call_id, 'approved')
    send(world, undefined, { type: 'decision', approval_id, decision: 'approved', by: 'person' })
    expect(await loop.run()).toMatchObject({ type: 'ended', reason: 'final' })
  },
)

verifies(
  'CONTRACT §7 inbox',
  'a decision that comes while the pause is written down is not missed',
  async () => {
    const world = createWorld()
    const tools = { publish: { ...write, asks: true } }
    const model = script([{ calls: [['publish', { path: 'a' }]] }, { say: 'Published.' }])
    ask(world, 'go', tools)
    const port = createProcess(world, { model, tools })
    const { append } = port
    port.append = (lines, consumed) => {
      const appended = append(lines, consumed)
      if (lines.some(line => line.type === 'run-end' && line.reason === 'waiting')) {
        const { tool_call_id, approval_id } = linesOf(world, 'approval')[0]!
        world.approvals.set(tool_call_id, 'approved')
        send(world, port, { type: 'decision', approval_id, decision: 'approved', by: 'person' })
      }
      return appended
    }
    expect(await runSession(port)).toMatchObject({ type: 'ended', reason: 'final' })
    expect(world.effects).toEqual(['publish {"path":"a"}'])
  },
)

verifies(
  'CONTRACT §3 result when denied',
  'a denied call ends in one result that says so',
  async () => {
    const world = createWorld()
    const tools = { publish: { ...write, asks: true } }
    const model = script([{ calls: [['publish', { path: 'a' }]] }, { say: 'Then not.' }])
    ask(world, 'go', tools)
    await runSession(createProcess(world, { model, tools }))
    const { tool_call_id, approval_id } = linesOf(world, 'approval')[0]!
    world.approvals.set(tool_call_id, 'denied')
    send(world, undefined, { type: 'decision', approval_id, decision: 'denied', by: 'person' })
    await runSession(createProcess(world, { model, tools }))
    expect(linesOf(world, 'tool_result')).toMatchObject([{ error_code: 'DENIED', success: false }])
    expect(world.effects).toEqual([])
  },
)

verifies(
  'CONTRACT §3 result when cancelled',
  'a cancel withdraws what waits for a person',
  async () => {
    const world = createWorld()
    const tools = { publish: { ...write, asks: true } }
    ask(world, 'go', tools)
    const model = script([{ calls: [['publish', { path: 'a' }]] }])
    await runSession(createProcess(world, { model, tools }))
    send(world, undefined, { type: 'cancel', by: 'person' })
    const outcome = await runSession(createProcess(world, { model, tools }))
    expect(outcome).toMatchObject({ type: 'ended', reason: 'cancelled' })
    expect(world.approvals.size).toBe(0)
    expect(linesOf(world, 'tool_result')).toMatchObject([{ error_code: 'CANCELLED' }])
  },
)

verifies(
  [
    'ADR-0010 §Positive clarifying question',
    'ADR-0010 §Key Design Principles 6 history preserved',
    'CONTRACT §7 conversation goes on',
  ],
  'the answer to a question continues the same conversation, with its history',
  async () => {
    const world = createWorld()
    const tools = { read }
    const model = script([
      { calls: [['read', { path: 'a' }]] },
      { say: 'Which of the two sheets?' },
      { say: 'Thank you.' },
    ])
    const port = createProcess(world, { model, tools })
    const loop = createLoop(port)
    ask(world, 'Tidy up', tools)
    await loop.run()
    ask(world, 'The first', tools)
    let messages: readonly { role: string; text: string }[] = []
    const { stream } = port.model
    port.model.stream = request => {
      messages = request.messages
      return stream(request)
    }
    await loop.run()
    expect(messages[0]!.text).toMatch(/^\[Filewright\] .*\n\nToday is/)
    expect(messages.slice(1).map(message => [message.role, message.text])).toEqual([
      ['user', 'Tidy up'],
      ['assistant', ''],
      ['tool', 'content of a'],
      ['assistant', 'Which of the two sheets?'],
      ['user', '[Filewright] The run before this one ended with: No file was changed\n\nThe first'],
    ])
  },
)

test('another model for the next run brings its own context', async () => {
  const world = createWorld()
  const port = createProcess(world, { model: script([{ say: 'One.' }], 9_000) })
  const loop = createLoop(port)
  ask(world, 'first')
  await loop.run()
  expect(loop.state.context).toMatchObject({ model: 'test/model', limit: 9_000 })
  Object.assign(port, { model: { ...script([{}, { say: 'Two.' }], 70_000), name: 'other/model' } })
  ask(world, 'second')
  await loop.run()
  expect(loop.state.context).toMatchObject({ model: 'other/model', limit: 70_000 })
})

verifies(
  'CONTRACT §7 lease holder appends',
  'a loop that lost its lease stops and appends nothing more',
  async () => {
    const world = createWorld()
    const tools = { write }
    ask(world, 'go', tools)
    const model = script([{ calls: [['write', { path: 'a' }]] }, { say: 'ok' }])
    const port = createProcess(world, { model, tools })
    const { append } = port
    port.append = lines => {
      const { rows } = append(lines)
      const isLost = lines.some(line => line.type === 'call-start')
      return { rows, durable: isLost ? Promise.reject(new Error('LEASE_LOST')) : Promise.resolve() }
    }
    const outcome = await runSession(port)
    expect(outcome).toMatchObject({ type: 'lost', cause: { message: 'LEASE_LOST' } })
    expect(world.effects).toEqual([])
    expect(linesOf(world, 'tool_result')).toEqual([])
  },
)

import type { RunId } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import type { Model, ModelRequest } from '../port/model.ts'
import { foldAll, runSession } from '../testing/run-session.ts'
import { script } from '../testing/script.ts'
import {
  append,
  ask,
  createProcess,
  createWorld,
  linesOf,
  send,
  type TestTool,
  type World,
} from '../testing/world.ts'
import { startRun } from './start-run.ts'

const write: TestTool = { run: ({ path }) => ({ text: `wrote ${path}` }) }
const tools = { write }
const steps = [1, 2, 3, 4].map(step => ({
  say: `Step ${step}.`,
  calls: [['write', { path: `f${step}` }]] as const,
}))

describe('a run that stopped', () => {
  verifies(
    ['CONTRACT §7 limit turns set'],
    'at its own limit of turns goes on where it was, and does nothing twice',
    async () => {
      const world = createWorld()
      const { model, requests } = watched(script([...steps, { say: 'All done.' }]))
      ask(world, 'Write four files.', tools, { turnsPerRun: 2 })
      const first = await runSession(createProcess(world, { model, tools }))
      expect(first).toMatchObject({ reason: 'limit', message: expect.stringContaining('2 turns') })
      goOn(world)
      const last = await runSession(createProcess(world, { model, tools }))
      expect(last).toMatchObject({ reason: 'final' })
      expect(world.effects).toEqual([1, 2, 3, 4].map(step => `write {"path":"f${step}"}`))
      const asked = requests.at(2)!.messages.at(-1)!.text
      expect(asked).toContain('stopped after 2 turns')
      expect(asked).toContain('The person asks you to go on with it.')
    },
  )

  test('because it only repeated itself gets another chance', async () => {
    const world = createWorld()
    const again = { calls: [['write', { path: 'same' }]] as const }
    const model = script([...Array.from({ length: 20 }, () => again), { say: 'Enough.' }])
    ask(world, 'Go.', tools)
    const first = await runSession(createProcess(world, { model, tools }))
    expect(first).toMatchObject({ reason: 'limit', message: expect.stringContaining('repeats') })
    const answers = linesOf(world, 'assistant_message').length
    goOn(world)
    await runSession(createProcess(world, { model, tools }))
    expect(linesOf(world, 'assistant_message').length).toBeGreaterThan(answers)
  })
})

describe('a cancel', () => {
  test('keeps the text that was streamed before it, and tells the model', async () => {
    const world = createWorld()
    const { model, requests } = watched(script([{ say: 'Next.' }]))
    const halting: Model = {
      ...model,
      async *stream(request) {
        if (requests.length > 0) return yield* model.stream(request)
        requests.push(request)
        yield { type: 'text', text: 'The first half' }
        send(world, port, { type: 'cancel', by: 'me' })
        yield { type: 'failure', failure: { cause: 'cut', message: '', retry: true, spent: true } }
      },
    }
    const port = createProcess(world, { model: halting, tools })
    ask(world, 'Tell me.', tools)
    expect(await runSession(port)).toMatchObject({ reason: 'cancelled' })
    expect(linesOf(world, 'assistant_message')).toMatchObject([
      { text: 'The first half', finish_reason: 'cancelled' },
    ])
    ask(world, 'And now?', tools)
    await runSession(createProcess(world, { model, tools }))
    const messages = requests[1]!.messages
    expect(messages).toContainEqual(
      expect.objectContaining({ role: 'assistant', text: 'The first half' }),
    )
    expect(messages.at(-1)!.text).toContain('The person cancelled that run.')
  })
})

verifies(
  'CONTRACT §7 limit run time',
  'a run stops when its time is used up; the time in which a person is waited for does not count',
  async () => {
    const world = createWorld()
    const slow: TestTool = {
      run: async (_args, { world: { clock } }) => {
        await clock.sleep(20_000, new AbortController().signal)
        return { text: 'done' }
      },
    }
    const both = { slow, asking: { ...write, asks: true } }
    const model = script([
      { calls: [['asking', { path: 'a' }]] },
      { calls: [['slow', { path: 'b' }]] },
      { calls: [['slow', { path: 'c' }]] },
      { say: 'Not reached.' },
    ])
    ask(world, 'Go.', both, { budgetMs: 30_000 })
    const port = createProcess(world, { model, tools: both })
    expect(await runSession(port)).toMatchObject({ type: 'waiting' })
    await world.clock.advance(3_600_000)
    const { approval_id } = linesOf(world, 'approval')[0]!
    world.approvals.set(linesOf(world, 'approval')[0]!.tool_call_id, 'approved')
    send(world, port, { type: 'decision', approval_id, decision: 'approved', by: 'me' })
    const running = runSession(port)
    for (let i = 0; i < 12; i++) await world.clock.advance(5_000)
    expect(await running).toMatchObject({
      reason: 'limit',
      message: expect.stringContaining('its budget of 30 s: it took 40 s'),
    })
  },
)

describe('going back to an earlier message', () => {
  test('hides what came after it from the model, and from every decision', async () => {
    const world = createWorld()
    const { model, requests } = watched(
      script([{ say: 'One.' }, { calls: [['write', { path: 'x' }]] }, { say: 'Two.' }]),
    )
    ask(world, 'First.', tools)
    const port = createProcess(world, { model, tools })
    await runSession(port)
    const before = world.rows.length
    ask(world, 'Second.', tools)
    await runSession(createProcess(world, { model, tools }))
    append(world, {
      type: 'rewind',
      to_seq: before,
      by: 'me',
      withdrawn: ['x'],
      written: ['y.txt'],
    })
    ask(world, 'Second, but better.', tools)
    await runSession(createProcess(world, { model, tools }))
    const { messages, step } = requests.at(-2)!
    expect(step).toBe(1)
    expect(JSON.stringify(messages)).not.toContain('"Second."')
    expect(messages.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'user'])
    expect(messages.at(-1)!.text).toContain('left the draft (x)')
    expect(messages.at(-1)!.text).toContain('stay as they are now: y.txt')
    expect(messages.at(-1)!.text).toMatch(/Second, but better\.$/)
    expect(foldAll(world.rows).answers).toBe(3)
  })

  test('is the same in a process that was there, and in one that comes later', async () => {
    const worlds = [createWorld(), createWorld()]
    const sent: string[] = []
    for (const [index, world] of worlds.entries()) {
      const { model, requests } = watched(script([{ say: 'One.' }, { say: 'Two.' }]))
      let port = createProcess(world, { model, tools })
      const loop = (await import('./run.ts')).createLoop(port)
      ask(world, 'First.', tools)
      await loop.run()
      const before = world.rows.length
      ask(world, 'Second.', tools)
      await loop.run()
      append(world, { type: 'rewind', to_seq: before, by: 'me', withdrawn: [], written: [] })
      ask(world, 'Third.', tools)
      if (index === 0) await loop.run()
      else {
        port = createProcess(world, { model, tools })
        await runSession(port)
      }
      sent.push(JSON.stringify(requests.at(-1)!.messages))
    }
    expect(sent[0]).toBe(sent[1])
  })
})

function goOn(world: World): void {
  const goesOn = linesOf(world, 'run-start').at(-1)!.run_id as RunId
  const run = { on: { goesOn }, model: 'test/model', toolset: 'workshop', reads: [] }
  append(world, ...startRun(run, world.ids).lines)
}

function watched(model: Model): { model: Model; requests: ModelRequest[] } {
  const requests: ModelRequest[] = []
  return {
    requests,
    model: {
      ...model,
      stream: request => {
        requests.push({ ...request, messages: [...request.messages] })
        return model.stream(request)
      },
    },
  }
}

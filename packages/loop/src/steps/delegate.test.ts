import { describe, expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import type { Model, ModelRequest } from '../port/model.ts'
import { runSession } from '../testing/run-session.ts'
import { type Step, script } from '../testing/script.ts'
import {
  ask,
  createProcess,
  createWorld,
  Died,
  linesOf,
  type ProcessOptions,
  send,
  type TestTool,
  type World,
} from '../testing/world.ts'

const tools: Record<string, TestTool> = {
  read: { readOnly: true, run: ({ path }) => ({ text: `content of ${path}` }) },
  write: { run: ({ path }) => ({ text: `wrote ${path}` }) },
  delegate: { readOnly: true, delegates: true, run: () => ({ text: 'never called' }) },
}
const QUESTION = 'Which file has the total?'
const parent: Step[] = [
  { calls: [['write', { path: 'first' }]] },
  { calls: [['delegate', { question: QUESTION }]] },
  { calls: [['write', { path: 'second' }]] },
  { say: 'All done.' },
]
const helper: Step[] = [
  {
    calls: [
      ['read', { path: 'a' }],
      ['read', { path: 'b' }],
    ],
  },
  { calls: [['read', { path: 'c' }]] },
  { say: 'It is in c.' },
]

/** One model that plays both: the helper's first message is the question. */
function both(requests: ModelRequest[], own: readonly Step[] = helper): Model {
  const [outer, inner] = [script(parent, 64_000), script(own, 64_000)]
  return {
    ...outer,
    stream: request => {
      requests.push(request)
      return isHelpers(request) ? inner.stream(request) : outer.stream(request)
    },
  }
}

function isHelpers({ messages }: ModelRequest): boolean {
  const said = messages.flatMap(({ role, text }) =>
    role === 'user' && !text.startsWith('[Filewright]') ? [text] : [],
  )
  return said[0] === QUESTION
}

async function run(
  options: { dies?: ProcessOptions['dies']; own?: readonly Step[]; limits?: object } = {},
) {
  const world = createWorld()
  const requests: ModelRequest[] = []
  const model = both(requests, options.own)
  ask(world, 'Do it.', tools, options.limits as Record<string, number>)
  const first = createProcess(world, { model, tools, dies: options.dies })
  const outcome = await runSession(first)
  if (outcome.type === 'lost' && !(outcome.cause instanceof Died)) throw outcome.cause
  if (outcome.type === 'lost') await runSession(createProcess(world, { model, tools }))
  return { world, requests, appends: first.appends }
}

function answerOf(world: World): string {
  const [call] = linesOf(world, 'call-start').filter(({ name }) => name === 'delegate')
  return linesOf(world, 'tool_result').find(line => line.tool_call_id === call!.tool_call_id)!
    .content
}

function helpersLines(world: World, type: string) {
  return linesOf(world, 'helper').filter(({ line }) => line.type === type)
}

verifies(
  'CONTRACT §4 delegate',
  'a question is answered in an empty context with the tools that only read, and the answer is marked as coming from files',
  async () => {
    const { world, requests } = await run()
    const own = requests.filter(isHelpers)
    expect(own).toHaveLength(3)
    for (const { tools: offered, messages } of own) {
      expect(offered.map(({ name }) => name)).toEqual(['read'])
      expect(JSON.stringify(messages)).not.toContain('Do it.')
    }
    expect(own[0]!.messages.at(-1)).toEqual({ role: 'user', text: QUESTION })
    expect(answerOf(world)).toMatch(/material.*no instruction.*<answer>\nIt is in c\.\n<\/answer>/s)
    expect(helpersLines(world, 'call-start')).toHaveLength(3)
    const outer = requests.filter(request => !isHelpers(request))
    expect(JSON.stringify(outer)).not.toContain('content of a') // its reading costs the parent nothing
  },
)

test('a run with a helper killed before or after any row ends the same, and nothing is done twice', async () => {
  const whole = await run()
  expect(whole.world.effects).toHaveLength(2)
  for (let at = 1; at <= whole.appends; at++)
    for (const kept of [true, false]) {
      const { world } = await run({ dies: { at, kept } })
      expect(world.effects, `killed at append ${at}`).toEqual(whole.world.effects)
      expect(answerOf(world), `killed at append ${at}`).toBe(answerOf(whole.world))
      for (const type of ['run-start', 'user_message', 'assistant_message', 'tool_result'])
        expect(helpersLines(world, type), `${type}, killed at append ${at}`).toHaveLength(
          helpersLines(whole.world, type).length,
        )
      expect(linesOf(world, 'run-end').at(-1)).toMatchObject({ reason: 'final' })
    }
})

describe('a helper', () => {
  test('that never ends is stopped after 15 turns, and the run goes on', async () => {
    const own = Array.from({ length: 60 }, (_, i) => ({
      say: `Part ${i}.`,
      calls: [['read', { path: `f${i}` }]] as const,
    }))
    const { world, requests } = await run({ own })
    expect(requests.filter(isHelpers)).toHaveLength(15)
    expect(answerOf(world)).toMatch(/^LIMIT_REACHED: The helper did not finish: .*15 turns/)
    expect(linesOf(world, 'run-end').at(-1)).toMatchObject({ reason: 'final' })
  })

  test('spends the budget of the run', async () => {
    const spending: Step[] = Array.from({ length: 20 }, (_, i) => ({
      calls: [['read', { path: `f${i}` }]] as const,
    }))
    const { world } = await run({ own: spending, limits: { budgetTokens: 3_000 } })
    expect(linesOf(world, 'run-end').at(-1)).toMatchObject({
      reason: 'limit',
      message: expect.stringContaining('budget of 3000 tokens'),
    })
  })

  test('is cancelled with its run, while it asks the model', async () => {
    const world = createWorld()
    const requests: ModelRequest[] = []
    const playing = both(requests)
    const model: Model = {
      ...playing,
      stream: request => {
        if (!isHelpers(request)) return playing.stream(request)
        send(world, port, { type: 'cancel', by: 'you' })
        return untilAborted(request.signal)
      },
    }
    ask(world, 'Do it.', tools)
    const port = createProcess(world, { model, tools })
    expect(await runSession(port)).toMatchObject({ type: 'ended', reason: 'cancelled' })
    expect(answerOf(world)).toMatch(/^CANCELLED/)
    expect(world.effects).toHaveLength(1)
  })
})

async function* untilAborted(signal: AbortSignal): ReturnType<Model['stream']> {
  if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve))
  yield { type: 'failure', failure: { cause: 'aborted', message: '', retry: false, spent: true } }
}

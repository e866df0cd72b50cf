import { expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import { createScripted } from '../models/scripted/model.ts'
import { foldAll, runSession } from '../testing/run-session.ts'
import { type Step, script } from '../testing/script.ts'
import {
  ask,
  createProcess,
  createWorld,
  Died,
  linesOf,
  type TestTool,
  type World,
} from '../testing/world.ts'
import { createLoop } from './run.ts'

const tools: Record<string, TestTool> = {
  read: { readOnly: true, run: ({ path }) => ({ text: `content of ${path}` }) },
  write: {
    run: ({ path }, { world }) => ({ text: `wrote ${path}, version ${world.effects.length}` }),
  },
}

/** Every third turn reads twice, writes, and reads what it wrote. */
const steps: Step[] = Array.from({ length: 40 }, (_, step): Step => {
  const path = `f${step}`
  const writes = [['write', { path }]] as const
  const mixed = [
    ['read', { path }],
    ['read', { path: `${path}.md` }],
    ['write', { path }],
    ['read', { path: `${path}.new` }],
  ] as const
  return { say: `Step ${step}.`, calls: step % 3 === 0 ? mixed : writes }
})
const model = script([...steps, { say: 'All done.' }])
const isFull = process.env.FILEWRIGHT_FULL === '1'

/** Steps repeat every three turns: the first turns have every kind of border. */
const isTried = (at: number) => isFull || at <= 40 || at % 9 === 0

async function runOnce(world: World, dies?: { at: number; kept: boolean }) {
  const port = createProcess(world, { model, tools, dies })
  const outcome = await createLoop(port).run()
  if (outcome.type === 'lost' && !(outcome.cause instanceof Died)) throw outcome.cause
  return port.appends
}

verifies(
  [
    'CONTRACT §7 resumes anywhere',
    'CONTRACT §7 call in flight reconciled',
    'CONTRACT §7 log only grows',
  ],
  'a run of 40 steps killed at any append, and resumed, ends the same and does nothing twice',
  async () => {
    const whole = createWorld()
    ask(whole, 'go', tools)
    const appends = await runOnce(whole)
    expect(whole.effects).toHaveLength(40)

    for (let at = 1; at <= appends; at++)
      for (const kept of isTried(at) ? [true, false] : []) {
        const world = createWorld()
        ask(world, 'go', tools)
        await runOnce(world, { at, kept })
        const before = JSON.stringify(world.rows)
        await runOnce(world)
        expect(JSON.stringify(world.rows).startsWith(before.slice(0, -1))).toBe(true)
        expect(world.effects, `killed at append ${at}`).toEqual(whole.effects)
        expect(conversationOf(world), `killed at append ${at}`).toEqual(conversationOf(whole))
        expectEveryCallAnsweredOnce(world)
      }
  },
)

test('a run killed again and again continues each time', async () => {
  const whole = createWorld()
  ask(whole, 'go', tools)
  await runOnce(whole)
  const world = createWorld()
  ask(world, 'go', tools)
  let lives = 0
  while (foldAll(world.rows).run !== null && lives < 200)
    await runOnce(world, { at: 5 + (lives++ % 7), kept: lives % 2 === 0 })
  expect(world.effects).toEqual(whole.effects)
  expect(conversationOf(world)).toEqual(conversationOf(whole))
})

verifies(
  ['CONTRACT §7 spend unknown', 'CONTRACT §7 spend counted once'],
  'the cost of a request whose process died counts as unknown, and the answer once',
  async () => {
    const world = createWorld()
    ask(world, 'go', tools)
    const slow = createScripted({ answers: [{ text: 'Hello.', calls: [] }], delayMs: 5 })
    // The third append is the answer with its usage; the request before it is in the log.
    const dying = createProcess(world, { model: slow, tools, dies: { at: 3, kept: false } })
    expect(await runSession(dying)).toEqual({ type: 'lost', cause: expect.any(Died) })
    await runSession(createProcess(world, { model: slow, tools }))
    expect(linesOf(world, 'usage').map(line => line.usage.unknown === true)).toEqual([true, false])
  },
)

/** What a person and the model see of it. */
function conversationOf(world: World) {
  return world.rows.flatMap(({ body }) => {
    if (body.type === 'assistant_message')
      return { text: body.text, calls: body.tool_calls?.map(call => call.function) }
    if (body.type === 'tool_result') return { result: body.content }
    return body.type === 'run-end' ? { reason: body.reason, closing: body.closing } : []
  })
}

function expectEveryCallAnsweredOnce(world: World): void {
  const calls = linesOf(world, 'assistant_message').flatMap(line => line.tool_calls ?? [])
  const answered = linesOf(world, 'tool_result').map(line => line.tool_call_id)
  expect(new Set(answered).size).toBe(answered.length)
  expect([...answered].sort()).toEqual(calls.map(call => call.id).sort())
}

import { expect, test } from 'vitest'
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
  type TestTool,
  type World,
} from '../testing/world.ts'

const tools: Record<string, TestTool> = {
  read: { readOnly: true, run: ({ path }) => ({ text: `${path}: ${'lorem '.repeat(700)}` }) },
  write: { run: ({ path }) => ({ text: `wrote ${path}` }) },
}
const steps: Step[] = Array.from({ length: 30 }, (_, step): Step => {
  const name = step % 3 === 2 ? 'write' : 'read'
  return { say: `Step ${step}.`, calls: [[name, { path: `f${step}` }]] }
})
const scripted = script([...steps, { say: 'All done.' }], 8_000)

test('a run killed before or after any row around its compactions ends the same, and nothing is done twice', async () => {
  const whole = await runKilled()
  expect(linesOf(whole.world, 'compaction').length).toBeGreaterThanOrEqual(3)
  expect(whole.world.effects).toHaveLength(10)
  const isTried = (at: number) =>
    process.env.FILEWRIGHT_FULL === '1' ||
    at % 5 === 0 ||
    whole.compactions.some(append => Math.abs(append - at) < 4)
  for (let at = 1; at <= whole.appends; at++)
    for (const kept of isTried(at) ? [true, false] : []) {
      const { world, requests } = await runKilled({ at, kept })
      expect(world.effects, `killed at append ${at}`).toEqual(whole.world.effects)
      expect(shapeOf(world), `killed at append ${at}`).toEqual(shapeOf(whole.world))
      for (const { messages } of requests.filter(request => request.tools.length > 0))
        expect(messages).toContainEqual({ role: 'user', text: 'Go through all of them.' })
    }
})

/** Killed once, where asked, and resumed by another process. */
async function runKilled(dies?: ProcessOptions['dies']) {
  const world = createWorld()
  const requests: ModelRequest[] = []
  const model: Model = {
    ...scripted,
    stream: request => {
      requests.push(request)
      return request.tools.length > 0 ? scripted.stream(request) : sumUp()
    },
  }
  ask(world, 'Go through all of them.', tools)
  const first = createProcess(world, { model, tools, dies })
  const compactions: number[] = []
  const { append } = first
  first.append = (lines, consumed) => {
    if (lines.some(({ type }) => type === 'compaction')) compactions.push(first.appends + 1)
    return append(lines, consumed)
  }
  const outcome = await runSession(first)
  if (outcome.type === 'lost' && !(outcome.cause instanceof Died)) throw outcome.cause
  if (outcome.type === 'lost') await runSession(createProcess(world, { model, tools }))
  return { world, requests, appends: first.appends, compactions }
}

async function* sumUp(): ReturnType<Model['stream']> {
  yield { type: 'text', text: `So far all is well. ${'Much was read. '.repeat(10)}` }
  yield { type: 'finish', reason: 'stop' }
}

/** Every answer, result and compaction in order. */
function shapeOf(world: World) {
  return world.rows.flatMap(({ body }) => {
    if (body.type === 'assistant_message') return body.text
    if (body.type === 'tool_result') return body.content
    if (body.type === 'compaction') return body.summary ? 'summary' : 'receipts'
    return []
  })
}

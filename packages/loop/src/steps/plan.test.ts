import type { JournalLine, ToolCallId } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import type { Model, ModelRequest } from '../port/model.ts'
import { runSession } from '../testing/run-session.ts'
import { type Step, script } from '../testing/script.ts'
import {
  ask,
  createProcess,
  createWorld,
  linesOf,
  outcomeOf,
  type TestTool,
} from '../testing/world.ts'

const tools: Record<string, TestTool> = {
  read: {
    readOnly: true,
    run: ({ path }) => ({ text: `${path}: ${'lorem ipsum '.repeat(400)}` }),
  },
  plan: { readOnly: true, run: () => ({ text: 'The person sees the plan.' }) },
}
const steps: Step[] = [
  { calls: [['plan', {}]] },
  ...Array.from({ length: 24 }, (_, i) => ({
    say: `Part ${i}.`,
    calls: [['read', { path: `f${i}` }]] as const,
  })),
  { say: 'Done.' },
]
const PLAN = [
  { text: 'Read every part', status: 'doing' },
  { text: 'Write the report', status: 'open' },
] as const

verifies(
  'CONTRACT §7 compaction keeps the plan',
  'after each summary the model reads its plan as it is now, once',
  async () => {
    const world = createWorld()
    const requests: ModelRequest[] = []
    const playing = script(steps, 8_000)
    const model: Model = {
      ...playing,
      stream: request => {
        requests.push(request)
        return request.tools.length > 0 ? playing.stream(request) : sumUp()
      },
    }
    ask(world, 'Report on all parts.', tools)
    const port = createProcess(world, { model, tools })
    const { callTool } = port
    port.callTool = async (call, signal, begun) => {
      if (call.name !== 'plan') return callTool(call, signal, begun)
      const rows = [toPlan(call.id)]
      return { ...outcomeOf(call, { text: 'The person sees the plan.' }), rows }
    }
    await runSession(port)
    expect(linesOf(world, 'plan')).toHaveLength(1)
    const summaries = linesOf(world, 'compaction').filter(line => line.summary !== undefined)
    expect(summaries.length).toBeGreaterThan(1)
    const last = requests.at(-1)!.messages.map(({ text }) => text)
    expect(last.filter(text => text.includes('[>] Read every part'))).toEqual([
      '[Filewright] Your plan, as it is now:\n- [>] Read every part\n- [ ] Write the report',
    ])
  },
)

test('the row of a plan comes right before the result of its call', async () => {
  const world = createWorld()
  ask(world, 'Plan.', tools)
  const port = createProcess(world, { model: script([steps[0]!, { say: 'Done.' }]), tools })
  port.callTool = async call => ({
    ...outcomeOf(call, { text: 'Seen.' }),
    rows: [toPlan(call.id)],
  })
  await runSession(port)
  const types = world.rows.map(({ type }) => type)
  expect(types[types.indexOf('plan') + 1]).toBe('tool_result')
})

function toPlan(tool_call_id: ToolCallId): JournalLine {
  return { type: 'plan', tool_call_id, steps: PLAN }
}

async function* sumUp(): ReturnType<Model['stream']> {
  yield { type: 'text', text: 'So far all is well.' }
  yield { type: 'finish', reason: 'stop' }
}

import type { ApprovalId, JournalLine, LogRow, ToolCallId } from '@filewright/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LOOP_LIMITS } from '../../packages/loop/src/port/loop-limits.ts'
import { decide } from '../../packages/loop/src/state/decide.ts'
import { foldAll, runSession } from '../../packages/loop/src/testing/run-session.ts'
import { script } from '../../packages/loop/src/testing/script.ts'
import {
  append,
  ask,
  createProcess,
  createWorld,
  Died,
  linesOf,
  outcomeOf,
  send,
  type World,
} from '../../packages/loop/src/testing/world.ts'
import { stateAfter } from '../../packages/server/src/log/line-effects.ts'

/** What comes while a run waits, or between two processes. */
const EVENTS = ['approve', 'deny', 'outcome', 'steer', 'cancel', 'own call', 'draft'] as const

const anyTurn = fc.array(fc.constantFrom('read', 'write', 'publish'), { maxLength: 3 })
const anyStep = fc.record({
  event: fc.constantFrom(...EVENTS),
  dies: fc.option(fc.record({ at: fc.integer({ min: 1, max: 8 }), kept: fc.boolean() })),
})

test('a session waits exactly while its run has nothing to do without a person, wherever its home ended', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyTurn, { maxLength: 5 }),
      fc.array(anyStep, { maxLength: 8 }),
      async (turns, steps) => {
        const world = createWorld()
        const tools = {
          read: { readOnly: true, run: () => ({ text: 'same' }) },
          write: { run: () => ({ text: 'written' }) },
          publish: { asks: true, run: () => ({ text: 'published' }) },
        }
        const calls = turns.map((names, turn) => ({
          say: 'Next.',
          calls: names.map((name, at) => [name, { n: `${turn} ${at}` }] as const),
        }))
        const model = script([...calls, { say: 'Done.' }])
        ask(world, 'go', tools)
        for (const { event, dies } of steps) {
          const process = createProcess(world, { model, tools, ...(dies && { dies }) })
          const outcome = await runSession(process)
          if (outcome.type === 'lost') expect(outcome.cause).toBeInstanceOf(Died)
          if (outcome.type === 'waiting') expect(stateOf(world.rows)).toBe('waiting')
          happen(world, event)
        }
        for (let end = 1; end <= world.rows.length; end++) {
          const rows = world.rows.slice(0, end)
          const next = decide(foldAll(rows), LOOP_LIMITS).type
          const state = stateOf(rows)
          seen.add(`${state} ${next}`)
          expect({ idle: ['idle'], running: NOT_IDLE, waiting: ['wait'] }[state]).toContain(next)
        }
      },
    ),
    { numRuns: 300 },
  )
  expect([...seen]).toEqual(expect.arrayContaining(['waiting wait', 'running call-model']))
})

const NOT_IDLE = [
  ...['call-model', 'run-tools', 'answer-calls', 'reconcile', 'wait', 'compact', 'retry-later'],
  'stop',
]

function stateOf(rows: readonly LogRow[]) {
  return rows.map(({ body }) => stateAfter(body)).findLast(Boolean) ?? 'idle'
}

function happen(world: World, event: (typeof EVENTS)[number]): void {
  if (event === 'steer') return send(world, undefined, { type: 'steer', text: 'Hurry.' })
  if (event === 'cancel') return send(world, undefined, { type: 'cancel', by: 'person' })
  if (event === 'draft') return send(world, undefined, DISCARDED)
  if (event === 'own call') return append(world, ...ownCall(world))
  const open = [...world.approvals].find(([, state]) => state === 'open')
  const asked = linesOf(world, 'approval').find(line => line.tool_call_id === open?.[0])
  if (!asked) return
  const { tool_call_id: id, approval_id } = asked
  if (event !== 'outcome') {
    const decision = event === 'approve' ? 'approved' : 'denied'
    world.approvals.set(id, decision)
    return send(world, undefined, { type: 'decision', approval_id, decision, by: 'person' })
  }
  world.approvals.set(id, 'approved')
  const outcome = outcomeOf({ id, turnId: 'trn_1', name: 'publish' } as never, { text: 'done' })
  world.inbox.push({ id: `outcome ${id}`, outcome: { toolCallId: id, outcome } } as never)
}

const DISCARDED: JournalLine = {
  ...{ type: 'draft', draft_id: 'drf_1', action: 'discarded', files: 1, paths: ['a.txt'] },
}

/** Of the person, in the session of the run: it asks, is decided, and ends. */
function ownCall(world: World): JournalLine[] {
  const id = world.ids('toolCall') as ToolCallId
  const approval = `apr_${id}` as ApprovalId
  return [
    {
      ...{ type: 'call-start', tool_call_id: id, turn_id: world.ids('turn') },
      ...{ name: 'publish', arguments: '{}', label: '' },
    },
    {
      ...{ type: 'approval', tool_call_id: id, approval_id: approval },
      pending: { pending: true, approvalId: approval, toolCallId: id, message: '' },
    },
    { type: 'decision', approval_id: approval, decision: 'approved', by: 'person' },
    {
      ...{ type: 'tool_result', message_id: world.ids('message'), tool_call_id: id },
      ...{ content: 'published', success: true },
    },
  ]
}

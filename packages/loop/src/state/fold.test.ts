import type { LogRow } from '@filewright/protocol'
import { beforeAll, expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import { foldAll, runSession } from '../testing/run-session.ts'
import { script } from '../testing/script.ts'
import { ask, createProcess, createWorld, send } from '../testing/world.ts'
import { fold } from './fold.ts'
import { NEW_STATE } from './loop-state.ts'

let rows: LogRow[]

beforeAll(async () => {
  const world = createWorld()
  const tools = {
    read: { readOnly: true, run: () => ({ text: 'same' }) },
    write: { run: () => ({ text: 'x'.repeat(9_000) }) },
    publish: { asks: true, run: () => ({ text: 'published' }) },
  }
  const model = script(
    [
      {
        calls: [
          ['read', {}],
          ['read', {}],
          ['write', { part: 1 }],
        ],
      },
      {
        calls: [
          ['write', { part: 2 }],
          ['read', {}],
          ['bad', '{"'],
        ],
      },
      { calls: [['publish', {}]] },
      { say: 'Done.' },
    ],
    6_000,
  )
  ask(world, 'go', tools)
  await runSession(createProcess(world, { model, tools }))
  send(world, undefined, { type: 'steer', text: 'Hurry.' })
  send(world, undefined, { type: 'cancel', by: 'person' })
  await runSession(createProcess(world, { model, tools }))
  rows = world.rows
})

verifies(
  ['CONTRACT §7 log only memory', 'CONTRACT §7 log row'],
  'the state is the same folded row by row, in two pieces, or from line one',
  () => {
    const whole = foldAll(rows)
    expect(new Set(rows.map(row => row.type)).size).toBeGreaterThan(10)
    for (let cut = 0; cut <= rows.length; cut++) {
      const kept = JSON.parse(JSON.stringify(foldAll(rows.slice(0, cut))))
      expect(foldAll(rows.slice(cut), kept)).toEqual(whole)
    }
  },
)

test('a fold leaves the state before it as it was', () => {
  let state = freeze(NEW_STATE)
  for (const row of rows) state = freeze(fold(state, row))
  expect(state).toEqual(foldAll(rows))
})

function freeze<Value>(value: Value): Value {
  if (value !== null && typeof value === 'object' && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) freeze(part)
  }
  return value
}

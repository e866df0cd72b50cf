import type { Effect } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { runSession } from '../testing/run-session.ts'
import { type Step, script } from '../testing/script.ts'
import { ask, createProcess, createWorld, linesOf, type TestTool } from '../testing/world.ts'

const tools: Record<string, TestTool> = {
  search: { readOnly: true, run: () => ({ text: 'No match.' }) },
  read: {
    readOnly: true,
    run: ({ path, from, count }) =>
      path === 'missing'
        ? { text: `NOT_FOUND: ${from} is not there`, code: 'NOT_FOUND' }
        : { text: pageOf(Number(from), Number(count)) },
  },
  write: { run: ({ path }) => ({ text: 'Done.', effects: [effectOn(String(path))] }) },
}

test('calls that vary and find nothing are warned about at 4 and stopped at 8', async () => {
  const { outcome, notes } = await run(i => [['search', { query: `word ${i}` }]])
  expect(outcome).toMatchObject({
    reason: 'limit',
    message:
      'The run was stopped: 8 turns in a row brought nothing new. What was done so far is kept.',
  })
  // the first answer was new
  expect(notes).toEqual([false, false, false, false, true, true, true, true, true])
})

test('so are failures of one kind, whatever was asked for', async () => {
  const { outcome, notes } = await run(i => [['read', { path: 'missing', from: i }]])
  expect(outcome).toMatchObject({
    reason: 'limit',
    message: expect.stringContaining('(NOT_FOUND)'),
  })
  expect(notes).toHaveLength(8)
})

test('so are reads of regions that were read before', async () => {
  const { outcome, notes } = await run(i => [
    ['read', { path: 'a', from: 1 + i, count: 90 - 2 * i }],
  ])
  expect(outcome).toMatchObject({ reason: 'limit' })
  expect(notes.length).toBeLessThanOrEqual(10)
})

test('a paged read of new regions never counts, nor do writes that all answer the same', async () => {
  const paged = await run(i => [['read', { path: 'a', from: 1 + i * 50, count: 50 }]])
  expect(paged.outcome).toMatchObject({ reason: 'final' })
  expect(paged.notes.some(Boolean)).toBe(false)
  const written = await run(i => [['write', { path: `f${i}` }]])
  expect(written.outcome).toMatchObject({ reason: 'final' })
  expect(written.notes.some(Boolean)).toBe(false)
})

test('a turn counts once, however many of its calls find nothing', async () => {
  const { outcome, notes } = await run(
    i => Array.from({ length: 10 }, (_, n) => ['search', { query: `${i} ${n}` }] as const),
    3,
  )
  expect(outcome).toMatchObject({ reason: 'final' })
  expect(notes.some(Boolean)).toBe(false)
})

async function run(calls: (step: number) => NonNullable<Step['calls']>, turns = 20) {
  const world = createWorld()
  const steps = Array.from({ length: turns }, (_, step) => ({ calls: calls(step) }))
  ask(world, 'go', tools)
  const model = script([...steps, { say: 'Done.' }], 1_000_000)
  const outcome = await runSession(createProcess(world, { model, tools }))
  const notes = linesOf(world, 'tool_result').map(({ content }) =>
    content.includes('turns in a row brought nothing new'),
  )
  return { outcome, notes }
}

function pageOf(from: number, count: number): string {
  const lines = Array.from({ length: count }, (_, i) => `${from + i}: the same words`)
  return [`a, lines ${from}-${from + count - 1}`, ...lines].join('\n')
}

function effectOn(path: string): Effect {
  return { docPath: path, path, where: 'draft', action: 'changed', count: 1, unit: 'lines' }
}

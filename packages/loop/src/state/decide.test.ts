import { expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import { LOOP_LIMITS } from '../port/loop-limits.ts'
import { decide } from './decide.ts'
import { type CallProgress, type LoopState, NEW_STATE, type RunState } from './loop-state.ts'

const run: RunState = {
  runId: 'run_1' as RunState['runId'],
  model: 'test/model',
  toolset: 'workshop',
  limits: {},
  reads: ['read'],
  turns: 1,
  usage: { inputTokens: 0, outputTokens: 0 },
  uncounted: 0,
  spentMs: 0,
  effects: [],
  hasWritten: false,
  wasRepaired: false,
  reviewed: { refused: 0, takenBack: 0 },
  outside: 0,
  delegates: 0,
}

function state(
  change: Partial<LoopState>,
  calls: readonly Partial<CallProgress>[] = [],
): LoopState {
  const all = calls.map(
    (call, index): CallProgress => ({
      id: `tc_${index}` as CallProgress['id'],
      name: 'read',
      arguments: `{"n":${index}}`,
      status: 'asked',
      ...call,
    }),
  )
  const turn = {
    turnId: 'trn_1' as never,
    calls: all,
    offered: [{ name: 'read', aliases: ['look'] }, { name: 'write' }],
    finish: 'stop',
    resultBytes: 0,
  }
  return { ...NEW_STATE, run, turn, answerIsDue: true, answers: 1, ...change }
}

const next = (change: Partial<LoopState>, calls?: readonly Partial<CallProgress>[]) => {
  const decided = decide(state(change, calls), LOOP_LIMITS)
  return 'calls' in decided ? { ...decided, calls: decided.calls.map(call => call.id) } : decided
}

test('without a run there is nothing to do', () => {
  expect(next({ run: null })).toEqual({ type: 'idle' })
})

test('an answer that is due is asked for, and one that is not ends the run', () => {
  expect(next({})).toEqual({ type: 'call-model' })
  expect(next({ answerIsDue: false })).toEqual({ type: 'stop', reason: 'final' })
})

test('reads side by side run together; a write runs alone and holds back what follows', () => {
  const calls = [{}, {}, { name: 'write' }, {}, { name: 'write' }]
  expect(next({}, calls)).toEqual({ type: 'run-tools', calls: ['tc_0', 'tc_1'] })
  const done = { status: 'done' } as const
  expect(next({}, [done, done, calls[2]!, {}])).toEqual({ type: 'run-tools', calls: ['tc_2'] })
  const waiting = { name: 'write', status: 'waiting' } as const
  expect(next({}, [waiting, {}])).toEqual({ type: 'wait', calls: ['tc_0', 'tc_1'] })
})

test('only what the request offered is run, by its name or an alias', () => {
  expect(next({}, [{ name: 'look' }])).toEqual({ type: 'run-tools', calls: ['tc_0'] })
  expect(next({}, [{ name: 'publish' }])).toEqual({
    type: 'answer-calls',
    answers: [
      {
        toolCallId: 'tc_0',
        code: 'UNKNOWN_TOOL',
        message:
          'Nothing was run: there is no tool "publish" in this run. The tools are read, write.',
      },
    ],
  })
})

test('calls started or decided before are reconciled first', () => {
  expect(next({}, [{ status: 'started' }, {}])).toEqual({ type: 'reconcile', calls: ['tc_0'] })
  expect(next({}, [{ status: 'decided' }])).toEqual({ type: 'reconcile', calls: ['tc_0'] })
})

test('a retry waits until its time', () => {
  const retry = { attempt: 2, reason: 'busy', until: 99, waitMs: 9 }
  expect(next({ retry })).toEqual({ type: 'retry-later', until: 99, waitMs: 9, attempt: 2 })
})

verifies(
  [
    'CONTRACT §7 compaction at 80 %',
    'CONTRACT §7 compaction unknown context',
    'ADR-0010 §Negative history bounded',
  ],
  'a conversation is compacted at 80 % of the context, and of 32k where it is unknown',
  () => {
    const filled = (history: number, limit: number | null) =>
      next({ context: { ...NEW_STATE.context, history, limit } }).type
    expect(filled(25_599, null)).toBe('call-model')
    expect(filled(25_600, null)).toBe('compact')
    expect(filled(79_999, 100_000)).toBe('call-model')
    expect(filled(80_000, 100_000)).toBe('compact')
  },
)

test("the provider's count takes precedence over our estimate", () => {
  const context = { ...NEW_STATE.context, limit: 1_000, history: 100 }
  const counted = { tokens: 900, history: 90 }
  expect(next({ context: { ...context, counted } }).type).toBe('compact')
})

test('a prompt that fills the context by itself ends the run with one sentence', () => {
  const context = { ...NEW_STATE.context, limit: 4_000, prompt: 5_000 }
  expect(next({ context, answers: 0 })).toEqual({
    type: 'stop',
    reason: 'failed',
    message:
      'The context of test/model is too small for this task: it holds 4000 tokens, and the prompt alone takes about 5000. Choose a model with a larger context.',
  })
})

verifies(
  ['CONTRACT §7 limit run budget'],
  'no budget is set by default; one in money ends a run too',
  () => {
    const usage = { inputTokens: 1e9, outputTokens: 1e9, cost: 1e6 }
    expect(next({ run: { ...run, usage } })).toEqual({ type: 'call-model' })
    const limits = { budgetDollars: 5 }
    expect(next({ run: { ...run, usage, limits } })).toMatchObject({
      type: 'stop',
      reason: 'limit',
    })
  },
)

verifies(
  'CONTRACT §7 limit run budget',
  'a budget in money ends a run of unknown cost, after its first answer and not before',
  () => {
    const limits = { budgetDollars: 5 }
    expect(next({ run: { ...run, turns: 0, limits } })).toEqual({ type: 'call-model' })
    expect(next({ run: { ...run, limits } })).toMatchObject({
      type: 'stop',
      reason: 'limit',
      message: expect.stringContaining('$5 cannot be enforced'),
    })
  },
)

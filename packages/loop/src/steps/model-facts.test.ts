import { expect, test } from 'vitest'
import type { LoopPort } from '../port/loop-port.ts'
import type { Model, ModelFacts } from '../port/model.ts'
import type { Memory } from '../state/memory.ts'
import { createModelFacts } from './model-facts.ts'

test('what an endpoint does not say is not waited for beyond the run; the next run asks again', async () => {
  const asked: AbortSignal[] = []
  const learn = (signal: AbortSignal) =>
    new Promise<ModelFacts>(resolve => {
      asked.push(signal)
      signal.addEventListener('abort', () => resolve({}))
    })
  const model = { name: 'm', facts: {}, learn } as unknown as Model
  const facts = createModelFacts({ model } as LoopPort, {} as Memory)
  facts.learn()
  facts.learn()
  expect(asked).toHaveLength(1)
  const learned = facts.learned()
  facts.stopLearning()
  await learned
  expect(asked[0]!.aborted).toBe(true)
  facts.learn()
  expect(asked).toHaveLength(2)
  expect(asked[1]!.aborted).toBe(false)
})

test('what was said stays for the next run', async () => {
  const model = { name: 'm', facts: {}, learn: async () => ({ contextTokens: 9 }) }
  const facts = createModelFacts({ model: model as unknown as Model } as LoopPort, {} as Memory)
  await facts.learned()
  facts.stopLearning()
  await facts.learned()
  expect(facts.facts.contextTokens).toBe(9)
})

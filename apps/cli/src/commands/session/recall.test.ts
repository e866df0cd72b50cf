import type { JournalLine, LogRow } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { toEarlier } from './recall.ts'

const steps = [{ text: 'Read', status: 'done' }] as const

function rows(...bodies: readonly object[]): LogRow[] {
  return bodies.map(
    (body, at) => ({ seq: at + 1, conversationId: 'c', body: body as JournalLine }) as LogRow,
  )
}

test('an earlier conversation is its last message, answer and plan, and how its run ended', () => {
  const told = [
    { type: 'user_message', text: 'first' },
    { type: 'run-start', plan: true },
    { type: 'plan', steps },
    { type: 'assistant_message', text: 'planned' },
    { type: 'run-end', reason: 'final', closing: 'No file was changed' },
  ]
  expect(toEarlier(rows(...told))).toEqual({
    message: { seq: 1, text: 'first' },
    answer: 'planned',
    closing: 'No file was changed',
    plan: steps,
    wasPlanning: true,
    isComplete: true,
  })
  const cutOff = [...told, { type: 'user_message', text: 'go' }, { type: 'run-start' }]
  expect(toEarlier(rows(...cutOff))).toMatchObject({
    message: { seq: 6, text: 'go' },
    wasPlanning: false,
    isComplete: false,
    closing: undefined,
  })
})

test('what was taken back or belongs to a cleared conversation is not recalled', () => {
  const [message] = rows({ type: 'user_message', text: 'old' })
  const next = { ...message!, seq: 2, conversationId: 'd', body: { type: 'conversation-start' } }
  expect(toEarlier([message!, next as LogRow])).toEqual({
    plan: [],
    wasPlanning: false,
    isComplete: false,
  })
  expect(toEarlier([])).toMatchObject({ plan: [] })
})

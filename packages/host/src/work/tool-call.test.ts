import type { Envelope, Pending } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { isPending } from './tool-call.ts'

test('only a call that waits for a person is pending, whatever fields an answer has', () => {
  const waiting = { pending: true, approvalId: 'a', message: 'waits' } as Pending
  expect(isPending(waiting)).toBe(true)
  const answer = { success: true, message: 'done' } as Envelope
  expect(isPending(answer)).toBe(false)
  for (const pending of [false, 0, 3, [], 'none', null])
    expect(isPending({ ...answer, pending } as Envelope)).toBe(false)
})

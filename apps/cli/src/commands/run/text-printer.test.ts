import type { SessionEvent } from '@filewright/protocol'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTextPrinter } from './text-printer.ts'

test('what a long call tells of its progress is printed while it runs', () => {
  const shown: string[] = []
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation(text => {
    shown.push(String(text))
    return true
  })
  onTestFinished(() => spy.mockRestore())
  const { print } = createTextPrinter()
  const progress: SessionEvent = { type: 'call-progress', toolCallId: 'call', text: '1 of 9 files' }
  const row = (body: Readonly<Record<string, unknown>>) =>
    ({ type: 'row', cursor: 1, row: { body } }) as unknown as SessionEvent
  print(row({ type: 'call-start', tool_call_id: 'call', label: 'Searching for x' }))
  print(progress)
  print(row({ type: 'tool_result', tool_call_id: 'call', success: true }))
  print(progress)
  expect(shown.join('')).toBe('· Searching for x\n  1 of 9 files\n')
})

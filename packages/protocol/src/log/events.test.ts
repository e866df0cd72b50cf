import { expect, test } from 'vitest'
import { createNotifier } from './events.ts'
import type { JournalLine, LogRow } from './journal.ts'

test('text is a WorkshopAssistantStreamDelta, even when it comes in one piece', () => {
  const expected = {
    method: 'WorkshopAssistantStreamDelta',
    params: { text: 'Hello', turn_id: 'trn_1' },
  }
  for (const type of ['text-delta', 'text-so-far'] as const)
    expect(createNotifier()({ type, turnId: 'trn_1', text: 'Hello' })).toEqual(expected)
})

test('a tool is a WorkshopToolExecuting with its path, then a WorkshopToolComplete with its success', () => {
  const notify = createNotifier()
  expect(notify(row(started('{"path":"data.xlsx"}')))).toEqual({
    method: 'WorkshopToolExecuting',
    params: { tool_name: 'read_file', path: 'data.xlsx', tool_call_id: 'tc_1' },
  })
  expect(notify(row(ended))).toEqual({
    method: 'WorkshopToolComplete',
    params: { tool_name: 'read_file', success: true, tool_call_id: 'tc_1' },
  })
})

test('a tool without a path, or with arguments that are not JSON, has the path null', () => {
  for (const sent of ['{}', '{"path":1}', '{"path":', 'null'])
    expect(createNotifier()(row(started(sent)))?.params.path, sent).toBeNull()
})

test('the end of a call whose beginning was missed is not reported', () => {
  expect(createNotifier()(row(ended))).toBeUndefined()
})

const ended = { type: 'tool_result', tool_call_id: 'tc_1', success: true } as unknown as JournalLine

function started(sent: string): JournalLine {
  return {
    type: 'call-start',
    tool_call_id: 'tc_1',
    turn_id: 'trn_1',
    name: 'read_file',
    arguments: sent,
    label: 'Reading',
  } as unknown as JournalLine
}

function row(body: JournalLine) {
  return { type: 'row', cursor: 1, row: { body } as LogRow } as const
}

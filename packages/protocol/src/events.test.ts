import { describe, expect, test } from 'vitest'
import { toNotifications, toolComplete } from './events.ts'
import type { LogRow } from './journal.ts'

describe('on the wire', () => {
  test('text is a WorkshopAssistantStreamDelta, also when it comes in one piece', () => {
    const expected = [
      { method: 'WorkshopAssistantStreamDelta', params: { text: 'Hello', turn_id: 'trn_1' } },
    ]
    expect(toNotifications({ type: 'text-delta', turnId: 'trn_1', text: 'Hello' })).toEqual(
      expected,
    )
    expect(toNotifications({ type: 'text-so-far', turnId: 'trn_1', text: 'Hello' })).toEqual(
      expected,
    )
  })

  test('a starting tool is a WorkshopToolExecuting with its name and path', () => {
    expect(toNotifications(started('{"path":"data.xlsx"}'))).toEqual([
      {
        method: 'WorkshopToolExecuting',
        params: { tool_name: 'read_file', path: 'data.xlsx', tool_call_id: 'tc_1' },
      },
    ])
  })

  test('a tool without a path, or with arguments that are no JSON, has the path null', () => {
    for (const sent of ['{}', '{"path":1}', '{"path":', 'null'])
      expect(toNotifications(started(sent))[0]?.params.path, sent).toBeNull()
  })

  test('a finished tool is a WorkshopToolComplete with its name and success', () => {
    expect(toolComplete('read_file', true, 'tc_1')).toEqual({
      method: 'WorkshopToolComplete',
      params: { tool_name: 'read_file', success: true, tool_call_id: 'tc_1' },
    })
  })
})

function started(sent: string) {
  const body = {
    type: 'call-start',
    tool_call_id: 'tc_1',
    turn_id: 'trn_1',
    name: 'read_file',
    arguments: sent,
    label: 'Reading',
  }
  return { type: 'row', cursor: 1, row: { body } as unknown as LogRow } as const
}

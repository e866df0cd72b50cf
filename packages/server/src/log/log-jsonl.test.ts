import {
  type ConversationId,
  createIdSource,
  type JournalLine,
  type LogRow,
  type SessionId,
  unwrap,
} from '@filewright/protocol'
import { expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import { parseJsonl, toJsonl } from './log-jsonl.ts'

const ids = () => {
  let next = 0
  return createIdSource(digits => (++next).toString(16).padStart(digits, '0'))
}

const FIXTURE = `{"type":"user_message","message_id":"u-1","role":"user","text":"Translate it"}
{"type":"assistant_message","message_id":"a-1","role":"assistant","text":"First I read it.","tool_calls":[{"id":"tc-1","function":{"name":"read_file","arguments":"{\\"path\\":\\"data.xlsx\\"}"}}]}
{"type":"tool_result","message_id":"tr-1","tool_call_id":"tc-1","content":"A1: Product"}
{"type":"assistant_message","message_id":"a-2","role":"assistant","text":"Done."}
`

function rowsOf(lines: readonly JournalLine[]): LogRow[] {
  return lines.map((body, i) => ({
    sessionId: 'ses_1' as SessionId,
    seq: i + 1,
    conversationId: 'con_1' as ConversationId,
    type: body.type,
    time: '2026-01-01T00:00:00.000Z',
    body,
  }))
}

verifies(
  [
    'ADR-0010 §Conversation Message Format user_message',
    'ADR-0010 §Conversation Message Format assistant_message',
    'ADR-0010 §Conversation Message Format assistant tool_calls',
    'ADR-0010 §Conversation Message Format tool_result',
    'ADR-0010 §Conversation Message Format one JSON a line',
  ],
  'a fixture is read and written again with its fields first',
  () => {
    const lines = unwrap(parseJsonl(FIXTURE, ids()))
    const written = toJsonl(rowsOf(lines)).split('\n')
    for (const [i, line] of FIXTURE.trimEnd().split('\n').entries())
      expect(written[i]!.startsWith(line.slice(0, -1))).toBe(true)
    expect(unwrap(parseJsonl(toJsonl(rowsOf(lines)), ids()))).toEqual(lines)
  },
)

test('a fixture gets the ids that its form lacks', () => {
  const [user, first, result, second] = unwrap(parseJsonl(FIXTURE, ids()))
  expect(user).toMatchObject({ run_id: expect.stringMatching(/^run_/) })
  expect(result).toMatchObject({ success: true })
  expect((first as { turn_id: string }).turn_id).not.toBe((second as { turn_id: string }).turn_id)
})

test('rows of other types stay in the log', () => {
  expect(toJsonl(rowsOf([{ type: 'steer', text: 'left' }]))).toBe('')
})

test('a bad line is named by its number', () => {
  for (const bad of ['{', '[]', '{"type":"steer","text":"x"}', '{"type":"tool_result"}'])
    expect(parseJsonl(`${FIXTURE}${bad}\n`, ids())).toMatchObject({
      failure: { code: 'INVALID_ARGUMENT', message: expect.stringContaining('line 5') },
    })
})

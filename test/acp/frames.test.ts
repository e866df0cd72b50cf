import { expect, test } from 'vitest'
import { checkFrame, type Message } from './frames.ts'

const update = (given: object): Message => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId: 'ses_1', update: given },
})
const answer = (result: unknown): Message => ({ jsonrpc: '2.0', id: 1, result })
const words = { type: 'text', text: 'Hello.' }

test('a frame of the published schema passes', () => {
  checkFrame(update({ sessionUpdate: 'agent_message_chunk', content: words }), undefined)
  checkFrame(answer({ stopReason: 'end_turn' }), 'session/prompt')
})

test.each([
  ['an unknown kind of update', update({ sessionUpdate: 'agent_song', content: words })],
  ['an update without its content', update({ sessionUpdate: 'agent_message_chunk' })],
  ['an unknown kind of content', update({ sessionUpdate: 'agent_message_chunk', content: {} })],
  ['a call without its title', update({ sessionUpdate: 'tool_call', toolCallId: 'tc_1' })],
  ['a method that does not exist', { jsonrpc: '2.0', method: 'session/sing', params: {} }],
  ['a field beside the message', { ...answer({}), extra: true }],
])('a frame outside of it is a fault: %s', (_, frame) => {
  expect(() => checkFrame(frame, 'session/prompt')).toThrow()
})

test.each([
  ['session/prompt', { stopReason: 'tired' }],
  ['session/new', {}],
  ['session/request_permission', { outcome: 'selected' }],
])('an answer outside of it is a fault: %s', (method, result) => {
  expect(() => checkFrame(answer(result), method)).toThrow()
})

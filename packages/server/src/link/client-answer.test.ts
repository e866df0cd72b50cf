import type { LinkRequest } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { readAnswer } from './client-answer.ts'

const ids = { sessionId: 'ses_1', conversationId: 'con_1', turnId: 'trn_1' }

function asking(name: string, args: unknown): LinkRequest {
  const toolCalls = [{ toolCallId: 'tc_1', name, argumentsJson: JSON.stringify(args) }]
  const turn = { kind: 'client_tool_continuation', ...ids, toolCalls } as const
  return { id: 'q1', method: 'tool-call', params: { turn, policy: 'all', author: 'person' } }
}

const create = asking('workspace_create_file', { path: 'src/New.ts', content: 'x\n' })

test("an outcome with only its tool's fields gets the envelope fields, and its writes are counted", () => {
  const envelope = { success: true, message: 'File created.', path: 'src/New.ts', created: true }
  expect(readAnswer(create, { ok: true, value: { outcome: { envelope } } })).toEqual({
    ok: true,
    value: {
      outcome: {
        envelope: {
          ...{ ...envelope, errorCode: null, errors: [], warnings: [] },
          ...{ ...ids, toolCallId: 'tc_1' },
        },
        text: 'File created.',
        effects: [
          {
            ...{ docPath: 'src/new.ts', path: 'src/New.ts', where: 'workspace' },
            ...{ action: 'created', count: 1, unit: 'files' },
          },
        ],
      },
    },
  })
})

test('a failed one gets the kind of its code', () => {
  const envelope = { success: false, errorCode: 'FileExists', message: 'It is there.' }
  expect(readAnswer(create, { ok: true, value: { outcome: { envelope } } })).toMatchObject({
    value: {
      outcome: {
        envelope: { kind: 'conflict', errors: ['It is there.'], toolCallId: 'tc_1' },
        text: 'FileExists: It is there.',
        effects: [],
      },
    },
  })
})

test('a whole outcome is handed on as it is', () => {
  const envelope = { ...ids, toolCallId: 'tc_1', success: true, errors: [], warnings: [] }
  const answer = { ok: true, value: { outcome: { envelope, text: 'Done.', effects: [] } } }
  expect(readAnswer(create, answer)).toBe(answer)
  const waits = { pending: true, approvalId: 'apr_1', toolCallId: 'tc_1', message: 'It waits.' }
  const pending = { ok: true, value: { pending: waits } }
  expect(readAnswer(create, pending)).toBe(pending)
  const other = { ok: true, value: { pending: { ...waits, toolCallId: 'tc_other' } } }
  expect(readAnswer(create, other)).toEqual(pending)
})

test('an invalid answer becomes a failure that names the client as its cause', () => {
  const source = {
    id: 'q2',
    method: 'source',
    params: { docPath: 'a', known: null },
  } as LinkRequest
  for (const answer of [null, 5, {}, { ok: true }, { ok: false }, { ok: true, value: {} }])
    for (const request of [create, source])
      expect(readAnswer(request, answer), JSON.stringify(answer)).toMatchObject({
        ok: false,
        failure: { kind: 'internal', message: expect.stringContaining('client') },
      })
})

test('a code with a name that every object has is no code of the tool', () => {
  const envelope = { success: false, errorCode: 'constructor', message: 'No.' }
  expect(readAnswer(create, { ok: true, value: { outcome: { envelope } } })).toMatchObject({
    value: { outcome: { envelope: { kind: 'internal' } } },
  })
})

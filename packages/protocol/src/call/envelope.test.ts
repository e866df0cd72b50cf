import { describe, expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import { fail, ok } from '../words/result.ts'
import { type CallIds, ownFields, toEnvelope } from './envelope.ts'

const ids = {
  sessionId: 'ses_1',
  conversationId: 'con_1',
  turnId: 'trn_1',
  toolCallId: 'tc_1',
} as CallIds
const success = toEnvelope(
  ok({
    fields: { path: 'a.txt', sizeBytes: 3 },
    message: 'File created.',
    warnings: ['CRLF kept'],
  }),
  ids,
  ['sorted'],
)
const failure = toEnvelope(
  fail('FileExists', 'Nothing was written: "a.txt" exists.', {
    kind: 'conflict',
    details: { version: '01234567' },
  }),
  ids,
)

verifies(
  [
    'CONTRACT §3 envelope success',
    'CONTRACT §3 envelope errorCode',
    'CONTRACT §3 envelope message',
    'CONTRACT §3 envelope errors',
    "CONTRACT §3 envelope tool's fields",
    'CONTRACT §3 envelope ids',
    'CONTRACT §3 envelope warnings',
  ],
  'a success carries the frame and the fields of the tool',
  () => {
    expect(success).toEqual({
      success: true,
      errorCode: null,
      message: 'File created.',
      errors: [],
      path: 'a.txt',
      sizeBytes: 3,
      warnings: ['sorted', 'CRLF kept'],
      ...ids,
    })
  },
)

verifies(
  [
    'CONTRACT §3 envelope kind',
    'CONTRACT §3 codes keep spelling',
    'CONTRACT §1 both ids in every envelope',
  ],
  'a failure carries its code as its spec spells it, its kind, its problems and the same ids',
  () => {
    expect(failure).toEqual({
      success: false,
      errorCode: 'FileExists',
      kind: 'conflict',
      message: 'Nothing was written: "a.txt" exists.',
      errors: [],
      version: '01234567',
      warnings: [],
      ...ids,
    })
    for (const { sessionId, conversationId } of [success, failure])
      expect({ sessionId, conversationId }).toEqual({ sessionId: 'ses_1', conversationId: 'con_1' })
  },
)

test('errors hold what the message does not say, and do not repeat it', () => {
  const several = fail('INVALID_ARGUMENT', 'Two problems: a is missing.', {
    errors: ['A is missing.', 'b is no number.'],
  })
  expect(toEnvelope(several, ids).errors).toEqual(['b is no number.'])
})

describe('an envelope', () => {
  test('is JSON', () => {
    for (const envelope of [success, failure])
      expect(JSON.parse(JSON.stringify(envelope))).toEqual(envelope)
  })

  test('without its frame is the answer of the tool', () => {
    expect(ownFields(success)).toEqual({ path: 'a.txt', sizeBytes: 3 })
    expect(ownFields(failure)).toEqual({ version: '01234567' })
    const picture = toEnvelope(ok({ fields: { kind: 'png' }, message: 'A picture.' }), ids)
    expect(ownFields(picture)).toEqual({ kind: 'png' })
  })

  test('keeps its frame for any names of tool fields', () => {
    const fields = { success: false, toolCallId: 'other', sessionId: 'other', warnings: 'none' }
    expect(toEnvelope(ok({ fields, message: 'Done.' }), ids)).toMatchObject({
      ...ids,
      success: true,
      warnings: [],
    })
    const details = { success: true, errorCode: null, kind: 'none', sessionId: 'other' }
    expect(toEnvelope(fail('CONFLICT', 'No.', { details }), ids)).toMatchObject({
      ...ids,
      success: false,
      errorCode: 'CONFLICT',
      kind: 'conflict',
    })
  })
})

test('a field called __proto__ does not change what the envelope is', () => {
  const fields = JSON.parse('{"__proto__":{"pending":true},"path":"a"}')
  const envelope = toEnvelope(ok({ fields, message: 'Done.' }), ids)
  expect('pending' in envelope).toBe(false)
  expect(envelope.path).toBe('a')
})

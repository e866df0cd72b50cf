import { describe, expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import {
  COMMON_CODES,
  type CommonCode,
  EXIT_CODES,
  fail,
  HTTP_STATUS,
  KINDS,
  ok,
  unwrap,
} from './result.ts'

describe('a common code brings its kind', () => {
  verifies('CONTRACT §3 codes invalid', 'invalid', () => {
    expect(kindsOf('INVALID_ARGUMENT', 'UNKNOWN_TOOL', 'AMBIGUOUS_VERSION')).toEqual(['invalid'])
  })
  verifies('CONTRACT §3 codes missing', 'missing', () => {
    expect(kindsOf('NOT_FOUND', 'NO_SUCH_REGION')).toEqual(['missing'])
  })
  verifies('CONTRACT §3 codes conflict', 'conflict', () => {
    expect(kindsOf('CONFLICT', 'DUPLICATE_PATH')).toEqual(['conflict'])
  })
  verifies('CONTRACT §3 codes denied', 'denied', () => {
    expect(kindsOf('DENIED', 'CANCELLED', 'PROTECTED', 'SIGNED', 'PRIVATE_FILE')).toEqual([
      'denied',
    ])
  })
  verifies('CONTRACT §3 codes limit', 'limit', () => {
    expect(kindsOf('TIMEOUT', 'TOO_LARGE', 'LIMIT_REACHED')).toEqual(['limit'])
  })
  verifies('CONTRACT §3 codes unsupported', 'unsupported', () => {
    expect(kindsOf('READ_ONLY_FORMAT', 'UNREADABLE_FORMAT', 'ENCRYPTED')).toEqual(['unsupported'])
  })
  verifies('CONTRACT §3 codes unavailable', 'unavailable', () => {
    expect(kindsOf('CLIENT_GONE', 'WRITE_FAILED', 'LOCKED')).toEqual(['unavailable'])
  })
  verifies('CONTRACT §3 codes internal', 'internal', () => {
    expect(kindsOf('INTERNAL_ERROR')).toEqual(['internal'])
  })
})

verifies('CONTRACT §3 kinds closed', 'every code has one of the eight kinds', () => {
  const closed = [
    'invalid',
    'missing',
    'conflict',
    'denied',
    'limit',
    'unsupported',
    'unavailable',
    'internal',
  ]
  expect(KINDS).toEqual(closed)
  for (const kind of Object.values(COMMON_CODES)) expect(closed).toContain(kind)
  // @ts-expect-error there is no ninth
  fail('CONFLICT', 'No.', { kind: 'broken' })
})

test('every kind has its own exit code and HTTP status, none of them a success', () => {
  const exits = KINDS.map(kind => EXIT_CODES[kind])
  const statuses = KINDS.map(kind => HTTP_STATUS[kind])
  expect(new Set(exits).size).toBe(KINDS.length)
  expect(new Set(statuses).size).toBe(KINDS.length)
  expect(exits).not.toContain(EXIT_CODES.success)
  for (const status of statuses) expect(status).toBeGreaterThanOrEqual(400)
})

describe('a failure', () => {
  test('has its message as its one problem when no others are named', () => {
    expect(fail('NOT_FOUND', 'No file "a".').failure.errors).toEqual(['No file "a".'])
    expect(fail('INVALID_ARGUMENT', 'Two.', { errors: ['One', 'Two'] }).failure.errors).toEqual([
      'One',
      'Two',
    ])
  })

  test('of a tool’s own code needs its kind', () => {
    expect(fail('FileExists', 'It exists.', { kind: 'conflict' }).failure.kind).toBe('conflict')
    // @ts-expect-error an own code brings no kind
    expect(fail('FileExists', 'It exists.').failure.kind).toBe('internal')
  })

  test('may give a common code another kind', () => {
    expect(fail('INVALID_ARGUMENT', 'Binary.', { kind: 'unsupported' }).failure.kind).toBe(
      'unsupported',
    )
  })

  test('is thrown only where the caller ruled it out', () => {
    expect(unwrap(ok(1))).toBe(1)
    expect(() => unwrap(fail('NOT_FOUND', 'No file.'))).toThrow('NOT_FOUND: No file.')
  })
})

function kindsOf(...codes: CommonCode[]): string[] {
  return [...new Set(codes.map(code => fail(code, 'No.').failure.kind))]
}

import { expect, test } from 'vitest'
import { toFailureText } from './call-state.ts'

test('a model reads each problem of a failure once', () => {
  const failure = {
    code: 'INVALID_ARGUMENT',
    kind: 'invalid',
    message: 'No: "a" is none; b.',
  } as const
  const text = (...errors: string[]) => toFailureText({ ...failure, errors })
  expect(text('"a" is none.', 'b')).toBe('INVALID_ARGUMENT: No: "a" is none; b.')
  expect(text('"a" is none.', 'c')).toBe('INVALID_ARGUMENT: No: "a" is none; b.\nc')
})

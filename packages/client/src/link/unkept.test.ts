import { expect, test } from 'vitest'
import { toUnkept } from './unkept.ts'

const errno = (code: string) => Object.assign(new Error(code), { code, syscall: 'write' })

test('a full disk under the state is reported as such, not as an internal error', () => {
  expect(toUnkept('write_text_file', errno('ENOSPC'))).toMatchObject({
    failure: {
      code: 'WRITE_FAILED',
      kind: 'unavailable',
      message: expect.stringContaining(
        'write_text_file could not be stored in the state folder: the disk is full',
      ),
    },
  })
})

test('too many open files are reported as such, not as an internal error', () => {
  expect(toUnkept('write_text_file', errno('EMFILE'))).toMatchObject({
    failure: {
      code: 'LIMIT_REACHED',
      kind: 'unavailable',
      message: expect.stringContaining('too many files are open'),
    },
  })
})

test('an error that is not the disk stays a bug', () => {
  expect(toUnkept('write_text_file', errno('ENOENT'))).toBeUndefined()
  expect(toUnkept('write_text_file', new TypeError('x'))).toBeUndefined()
})

import { expect, test } from 'vitest'
import { counted } from './counted.ts'

test('one is one, and none are many', () => {
  expect([0, 1, 2].map(count => counted(count, 'file'))).toEqual(['0 files', '1 file', '2 files'])
  expect([1, 2].map(count => counted(count, 'entry', 'entries'))).toEqual(['1 entry', '2 entries'])
})

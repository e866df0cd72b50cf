import { expect, test } from 'vitest'
import { toSize } from './size.ts'

test('a size has at most three digits and its unit', () => {
  expect([0, 999, 1000, 9_950, 12_345, 2_000_000, 5e12].map(toSize)).toEqual([
    '0 B',
    '999 B',
    '1.0 KB',
    '9.9 KB',
    '12 KB',
    '2.0 MB',
    '5000 GB',
  ])
})

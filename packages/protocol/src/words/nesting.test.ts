import { expect, test } from 'vitest'
import { LIMITS } from './limits.ts'
import { measureArguments } from './nesting.ts'

const many = <Each>(count: number, make: () => Each) => Array.from({ length: count }, make)

test.each([
  ['values', many(LIMITS.argumentValues, () => 1), 'more than 250000 values'],
  ['values in several lists', many(3, () => many(100_000, () => 1)), 'more than 250000 values'],
  ['objects', many(LIMITS.argumentLists, () => ({})), 'more than 100000 objects and lists'],
  ['keys', Object.fromEntries(many(1_001, Math.random).map(n => [n, n])), 'more than 1000 keys'],
  ['depth', JSON.parse('['.repeat(101) + ']'.repeat(101)), 'nested more than 100 deep'],
])('too much is named: %s', (_, value, words) => {
  expect(measureArguments({ in: value })).toContain(words)
})

test('the rest is counted', () => {
  expect(measureArguments({ path: 'a', edits: [{ search: 'x', replace: null }] })).toEqual({
    values: 6,
    lists: 3,
  })
  expect(measureArguments(many(99_999, () => ({})))).toEqual({ values: 100_000, lists: 100_000 })
})

import { expect, test } from 'vitest'
import { decimalIn, isAmount, toNumber } from './amounts.ts'

test.each([
  ['$13,005.00', 13005],
  ['$1,234', 1234],
  ['1.234,50 €', 1234.5],
  ['€ 12,50', 12.5],
  ['-$50.00', -50],
  ['$-50.00', -50],
  ['($1,200.75)', -1200.75],
  ['45 %', 45],
  ['EUR 1 234,5', 1234.5],
  ["CHF 1'200.05", 1200.05],
  ['1.234.567 €', 1234567],
  ['12.50-', -12.5],
])('%s is the number %d', (text, number) => {
  expect(toNumber(text)).toBe(number)
})

test('a text that says nothing of its decimals is read as asked', () => {
  expect(decimalIn('€ 1.234')).toBeUndefined()
  expect([toNumber('€ 1.234'), toNumber('€ 1.234', ',')]).toEqual([1.234, 1234])
})

test('codes, dates and words are no amounts', () => {
  for (const text of ['SKU-8847', '2024-10-15', 'NP', 'A-12', '', '12 apples', '1.2.2024 EUR x'])
    expect([text, isAmount(text)]).toEqual([text, false])
  expect(toNumber('SKU-8847')).toBeNull()
  expect(isAmount('12.50')).toBe(false) // a table has it as a number
})

import { expect, test } from 'vitest'
import { plainNumber } from './styles.ts'

test.each([
  [4111111111111111, '4111111111111110'],
  [-4111111111111111, '-4111111111111110'],
  [123456789012345, '123456789012345'],
  [12345678901234.5, '12345678901234.5'],
  [0.1 + 0.2, '0.3'],
  [1 / 3, '0.333333333333333'],
  [-2.5, '-2.5'],
  [1e21, '1e+21'],
])('a number is shown with 15 significant digits: %s', (value, shown) => {
  expect(plainNumber(value)).toBe(shown)
})

import fc from 'fast-check'
import { format } from 'numfmt'
import { expect, test } from 'vitest'
import { showPlain } from './plain-format.ts'

const PATTERNS = ['0', '0.0', '0.00', '0.000000', '#,##0', '#,##0.00', '#,##0.000']

test.each(PATTERNS)('%s shows the same as numfmt', pattern => {
  const number = fc.oneof(
    fc.double({ min: -1e13, max: 1e13, noNaN: true }),
    fc.integer().map(value => value / 1000),
    fc.integer({ min: -99_999, max: 99_999 }).map(value => value / 1000 + 0.0005),
    fc.constantFrom(0, -0, 0.5, 1.5, 2.5, 1.005, 2.675, 999.995, 9.995, -0.001, 1e-300, 0.9999999),
  )
  fc.assert(
    fc.property(number, value => {
      const shown = showPlain(value, pattern)
      if (shown !== undefined) expect(shown).toBe(format(pattern, value))
    }),
    { numRuns: 2_000, seed: 20_260_131 },
  )
})

test.each(['General', '0%', '0.00E+00', '# ??/??', 'yyyy', '[Red]0', '0;0', '#,##0 "x"'])(
  '%s is left to numfmt',
  pattern => {
    expect(showPlain(1.5, pattern)).toBeUndefined()
  },
)

test('a number too large for 15 digits is left to numfmt', () => {
  expect(showPlain(1e13, '0.00')).toBeUndefined()
  expect(showPlain(Number.NaN, '0.00')).toBeUndefined()
})

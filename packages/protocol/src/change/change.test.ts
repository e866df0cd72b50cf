import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toChangeId } from './change.ts'

describe('the id of a change', () => {
  test('is the same for the same call, operation and place', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.string(), (call, index, place) => {
        expect(toChangeId(call, index, place)).toBe(toChangeId(call, index, place))
        expect(toChangeId(call, index, place)).toMatch(/^chg_[0-9a-f]{16}$/)
      }),
    )
  })

  test('is the same on every machine and in every release', () => {
    expect(toChangeId('tc_0123456789abcdef', 0, 'Sales!B2')).toBe('chg_60c99057df5f4361')
    expect(toChangeId('tc_0123456789abcdef', 1, 'lines 12-14')).toBe('chg_4cfcbce771c5850e')
  })

  test('is another for another call, operation or place', () => {
    const ids = new Set<string>()
    for (const call of ['tc_a', 'tc_b'])
      for (let index = 0; index < 10; index++)
        for (let row = 1; row <= 5000; row++) ids.add(toChangeId(call, index, `Sales!B${row}`))
    expect(ids.size).toBe(2 * 10 * 5000)
  })
})

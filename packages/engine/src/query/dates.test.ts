import { expect, test } from 'vitest'
import { toIsoDate } from './dates.ts'

test.each([
  ['31.12.2025', undefined, '2025-12-31'],
  ['1.2.2025', undefined, '2025-02-01'],
  ['12/31/2025', undefined, '2025-12-31'],
  ['31/12/2025 9:05', undefined, '2025-12-31 09:05'],
  ['03/04/2025', 'mdy', '2025-03-04'],
  ['03/04/2025', 'dmy', '2025-04-03'],
  ['2025-03-04', undefined, '2025-03-04'],
] as const)('%s (%s) is %s', (text, order, iso) => {
  expect(toIsoDate(text, order)).toBe(iso)
})

test('what may mean two days, or none, is null', () => {
  for (const text of [
    '03/04/2025',
    '31.02.2025',
    '00.01.2025',
    '32.01.2025',
    '13/13/2025',
    'x',
    '',
  ])
    expect([text, toIsoDate(text)]).toEqual([text, null])
  expect(toIsoDate('31/12/2025', 'mdy')).toBeNull() // no month 31: the order is wrong for it
  expect(toIsoDate(20251231)).toBeNull()
})

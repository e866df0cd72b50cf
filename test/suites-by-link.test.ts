import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ONCE_IN_A_QUICK_RUN, suitesOverHttp } from './suites-by-link.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

test('a quick run spares the second link only suites that a full run has there', () => {
  const full = suitesOverHttp(root, { isFull: true })
  const spared = Object.keys(ONCE_IN_A_QUICK_RUN).toSorted()
  expect(full).toEqual(expect.arrayContaining(spared))
  expect(full).toContain('test/scenarios.test.ts')
  expect(suitesOverHttp(root, { isFull: false })).toEqual(
    full.filter(path => !spared.includes(path)),
  )
})

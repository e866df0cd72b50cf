import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import { LIMITS } from './limits.ts'

const source = readFileSync(new URL('limits.ts', import.meta.url), 'utf8')

verifies('CONTRACT §7 limits in one table', 'every limit is in the table with its source', () => {
  for (const name of Object.keys(LIMITS))
    expect(source).toMatch(
      new RegExp(`^ {2}${name}: .*// (ADR-0010, Safety & Limits \\d|CONTRACT §\\d)`, 'm'),
    )
})

test('the limit of a part is below the limit of the whole', () => {
  expect(LIMITS.resultBytes).toBeLessThan(LIMITS.turnResultBytes)
  expect(LIMITS.replacedPlaces).toBeLessThan(LIMITS.draftedPlaces)
  expect(LIMITS.activeFileBytes).toBeLessThan(LIMITS.activeFilesBytes)
  expect(LIMITS.packagePartBytes).toBeLessThan(LIMITS.packageBytes)
  expect(LIMITS.requestBodyBytes).toBeLessThan(LIMITS.blobBytes)
})

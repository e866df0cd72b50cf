import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { rules } from './architecture/faults.ts'
import { readSources } from './architecture/sources.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

test('the sources are found', () => {
  expect(readSources(root).map(({ path }) => path)).toContain(
    'packages/protocol/src/words/result.ts',
  )
})

for (const [rule, faultsOf] of Object.entries(rules)) {
  test(rule, () => expect(faultsOf(root)).toEqual([]))
}

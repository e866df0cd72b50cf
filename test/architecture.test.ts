import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { architectureFaults } from './architecture/faults.ts'
import { readSources } from './architecture/sources.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

test('the sources are found', () => {
  expect(readSources(root).map(({ path }) => path)).toContain('packages/protocol/src/result.ts')
})

for (const [rule, faults] of Object.entries(architectureFaults(root))) {
  test(rule, () => expect(faults).toEqual([]))
}

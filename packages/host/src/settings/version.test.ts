import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { version } from './version.ts'

test('the version in the code is that of the published package', () => {
  const manifest = readFileSync(
    new URL('../../../../apps/cli/package.json', import.meta.url),
    'utf8',
  )
  expect(version).toBe(JSON.parse(manifest).version)
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { sandbox } from '../cli.ts'
import { root } from '../commands/checkout.ts'

const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))

/** What the registry of ACP requires of an entry that npm installs (its agent.schema.json, late 2026). */
const ENTRY = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  name: z.string().min(1),
  version: z.string().regex(/^\d+\.\d+\.\d+/),
  description: z.string().min(1),
  license: z.string(),
  distribution: z.strictObject({
    npx: z.strictObject({ package: z.string().min(1), args: z.array(z.string()) }),
  }),
})

test('the entry of the registry names our package in its version, and a command that it has', async () => {
  const { version, license, distribution } = ENTRY.parse(read('apps/acp/registry/agent.json'))
  const ours = read('apps/cli/package.json')
  expect({ version, license }).toEqual({ version: ours.version, license: ours.license })
  expect(distribution.npx.package).toBe(`${ours.name}@${ours.version}`)
  const { code, stdout } = await sandbox().run([...distribution.npx.args, '--help'])
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Agent Client Protocol'),
  })
})

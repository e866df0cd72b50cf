import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '@filewright/host'
import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { root, temporaryFolder } from '../commands/checkout.ts'
import { connectStdio } from './stdio-client.ts'

const isFull = process.env.FILEWRIGHT_FULL === '1'
const read = (name: string) =>
  JSON.parse(readFileSync(join(root, 'apps/mcp/registry', name), 'utf8'))

test('the registry and the bundle name this version, and start the command', () => {
  const [server, manifest] = [read('server.json'), read('manifest.json')]
  const cli = JSON.parse(readFileSync(join(root, 'apps/cli/package.json'), 'utf8'))
  expect([server.version, server.packages[0].version, manifest.version]).toEqual([
    version,
    version,
    version,
  ])
  expect(server.packages[0].identifier).toBe(cli.name)
  expect(server.name).toBe(cli.mcpName)
  expect(server.description.length).toBeLessThanOrEqual(100) // what the registry takes
  expect(manifest.server.mcp_config.args.slice(1).join(' ')).toMatch(
    /^mcp \$\{user_config\.folder\}$/,
  )
})

test.skipIf(!isFull)(
  'a bundle that its own tool accepts starts from where it was unpacked',
  async () => {
    const run = (args: string[]) => execFileSync('npm', args, { cwd: root, encoding: 'utf8' })
    const made = execFileSync(process.execPath, ['scripts/mcpb.mjs'], {
      cwd: root,
      encoding: 'utf8',
    })
    const folder = temporaryFolder()
    run([
      'exec',
      '--yes',
      '@anthropic-ai/mcpb@2.1.2',
      '--',
      'unpack',
      made.trim().split('\n').at(-1)!,
      folder,
    ])
    const bin = join(folder, 'server/node_modules/filewright/bin/filewright.cjs')
    const client = await connectStdio(sandbox({ 'a.txt': 'a\n' }, bin), { era: '2025-11-25' })
    const { content } = await client.call('read_file', { path: 'a.txt' })
    expect(content[0].text).toContain('1|a')
  },
)

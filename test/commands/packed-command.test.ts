import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { version } from '../../apps/cli/src/version.ts'
import { root, run, runNode, temporaryFolder } from './checkout.ts'

test('the packed command installs outside of the checkout and runs', {
  timeout: 120_000,
}, async () => {
  const folder = temporaryFolder()
  const packed = await run(
    'npm',
    ['pack', '-w', 'filewright', '--ignore-scripts', '--pack-destination', folder],
    root,
  )
  expect(packed.code, packed.stderr).toBe(0)
  const file = join(folder, packed.stdout.trim().split('\n').at(-1) as string)
  const options = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund']
  const installed = await run(
    'npm',
    ['install', '--global', '--prefix', folder, ...options, file],
    folder,
  )
  expect(installed.code, installed.stderr).toBe(0)
  const command = process.platform === 'win32' ? 'filewright.cmd' : 'bin/filewright'
  const { code, stdout, stderr } = await run(join(folder, command), ['--version'], folder)
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
})

test('a command that is not built says what to run', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'bin'))
  cpSync(join(root, 'apps/cli/bin/filewright.mjs'), join(folder, 'bin/filewright.mjs'))
  const { code, stdout, stderr } = await runNode(['bin/filewright.mjs', '--version'], folder)
  expect(stderr).toBe(
    'filewright is not built yet: run "npm run build" in the checkout, then try again.\n',
  )
  expect({ code, stdout }).toEqual({ code: 8, stdout: '' })
})

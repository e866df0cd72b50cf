import { spawnSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, run, temporaryFolder } from '../commands/checkout.ts'
import { serveSteps } from './served-steps.ts'

const PACKAGE = join(root, 'packages/client-sdk')
const python = spawnSync('python3', ['--version']).status === 0 ? 'python3' : undefined

test('the packed client installs alone, has its types, and its Node sample does the job', async () => {
  const folder = await installPacked()
  writeFileSync(join(folder, 'use.ts'), USE)
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023']
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const types = ['--lib', 'es2023,dom,dom.iterable', '--types', '', 'use.ts']
  const checked = await run(process.execPath, [tsc, ...options, ...types], folder)
  expect(checked.stdout + checked.stderr).toBe('')

  const { box, address } = await serveSteps()
  cpSync(
    join(folder, 'node_modules/@filewright/client-sdk/samples/node.mjs'),
    join(folder, 'n.mjs'),
  )
  const { code, stdout, stderr } = await run(
    process.execPath,
    ['n.mjs', address, 'Write b.txt'],
    folder,
  )
  expect(stderr).toBe('')
  expect(shown(stdout)).toEqual(SAID)
  expect({ code, isThere: box.exists('b.txt') }).toEqual({ code: 0, isThere: false })
})

test.skipIf(!python)('the Python sample does the job with nothing but HTTP', async () => {
  const { box, address } = await serveSteps()
  const sample = join(PACKAGE, 'samples/plain_http.py')
  const { code, stdout, stderr } = await run(python!, [sample, address, 'Write b.txt'], box.dir)
  expect(stderr).toBe('')
  expect(shown(stdout)).toEqual(SAID)
  expect({ code, isThere: box.exists('b.txt') }).toEqual({ code: 0, isThere: false })
})

const SAID = [
  'work space: 1 files, such as a.txt',
  'I write it.',
  'Creating b.txt',
  'Approved: Create b.txt (1 changes)',
  'It is written.',
  'final: 1 file written: b.txt (created)',
  'Undone: b.txt',
]

function shown(stdout: string): string[] {
  return stdout.split('\n').filter(line => line !== '')
}

/** A product's own code: it compiles only if the types of the package are whole. */
const USE = `import { createClient, FilewrightError, type LogRow } from '@filewright/client-sdk'
const filewright = createClient({ url: 'http://127.0.0.1:4680', token: 't' })
export async function use(workspaceId: string, sessionId: string): Promise<string | undefined> {
  const review = await filewright.review({ workspaceId })
  const bytes: Uint8Array = await filewright.getContent({ workspaceId, path: 'a.txt' })
  await filewright.putContent({ workspaceId, path: 'a.txt', replace: 'true', bytes })
  // @ts-expect-error -- a misspelt field
  await filewright.publish({ workspaceId, draftID: review.draft.id })
  // @ts-expect-error -- without the session
  filewright.events({ workspaceId })
  for await (const event of filewright.events({ workspaceId, sessionId })) {
    if (event.type !== 'row') continue
    const row: LogRow = event.row
    if (row.body.type === 'run-end') return row.body.closing
  }
  return new FilewrightError(400, {}).kind
}
`

async function installPacked(): Promise<string> {
  const folder = temporaryFolder()
  const pack = ['pack', '-w', '@filewright/client-sdk', '--ignore-scripts', '--json']
  const packed = await run('npm', [...pack, '--pack-destination', folder], root)
  expect(packed.code, packed.stderr).toBe(0)
  const [{ filename, files }] = JSON.parse(packed.stdout)
  expect(files.map(({ path }: { path: string }) => path)).toEqual(
    expect.arrayContaining(['README.md', 'dist/index.js', 'dist/index.d.ts', 'samples/node.mjs']),
  )
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  const offline = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund']
  const installed = await run('npm', ['install', ...offline, join(folder, filename)], folder)
  expect(installed.code, installed.stderr).toBe(0)
  return folder
}

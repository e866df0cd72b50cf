import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { type Sandbox, sandbox } from '../cli.ts'
import { PAGE_ADDRESS, untilSays } from '../until-says.ts'
import type { TreeCopy } from './copy-of-the-tree.ts'

export function addCommandAndFace(copy: TreeCopy): void {
  copy.add('apps/cli/src/commands/count', COMMAND)
  insert(copy, 'apps/cli/src/commands/index.ts', '\n]', "  () => import('./count/command.ts'),")
  addFace(copy)
}

/** Help, parsing and exit codes have the command; the owner's server answers the face's routes, and so does a second face. */
export async function expectCommandAndFace(copy: TreeCopy): Promise<void> {
  const box = sandbox({ 'a.txt': 'a\n', 'b.txt': 'b\n' }, copy.bin)
  await expectHelp(box)
  expect((await box.run(['count', 'files', '--times', '3'])).stdout).toBe('6 files\n')
  expect((await box.run(['toy'])).stdout).toBe('1 workspace\n')
  const [owner, other] = [await serve(box), await serve(box)]
  expect((await box.run(['count', 'files'])).stdout).toBe('2 files, says the owner\n')
  await expectRoute(owner)
  await expectRoute(other)
}

async function expectHelp(box: Sandbox): Promise<void> {
  const { stdout } = await box.run(['--help'])
  expect(stdout).toMatch(/^ {2}count +how many files there are$/m)
  expect(stdout).toMatch(/^ {2}toy +how many workspaces there are$/m)
  expect((await box.run(['count', '--help'])).stdout).toContain('--times <n>')
  expect(await box.run(['count', 'files', '--times', 'x'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Give it a number.'),
  })
}

/** In the process that owns the state, and in another one that connects to it. */
async function expectRoute({ origin, token }: Served): Promise<void> {
  const ask = (path: string, headers = {}) => fetch(origin + path, { headers })
  const authorization = `Bearer ${token}`
  expect((await ask('/toy')).status).toBe(401)
  expect((await ask('/toy', { authorization: 'Bearer wrong' })).status).toBe(401)
  expect(await (await ask('/toy', { authorization })).json()).toEqual({
    scope: 'owner',
    workspaces: 1,
  })
  expect((await ask('/toy/below', { authorization })).status).toBe(200)
  expect((await ask('/toys', { authorization })).status).toBe(404)
}

interface Served {
  readonly origin: string
  readonly token: string | null
}

async function serve(box: Sandbox): Promise<Served> {
  const said = await untilSays(box.start(['serve']), PAGE_ADDRESS)
  const { origin, searchParams } = new URL(said)
  return { origin, token: searchParams.get('token') }
}

function insert(copy: TreeCopy, path: string, before: string, line: string): void {
  const text = copy.read(path)
  const at = text.indexOf(before)
  expect(at).toBeGreaterThan(0)
  copy.add(dirname(path), {
    [path.slice(dirname(path).length + 1)]: `${text.slice(0, at)}\n${line}${text.slice(at)}`,
  })
}

/**
 * As an author would: adds the app, its line in the entry of the bin, and what npm and the compiler need to find it.
 */
function addFace(copy: TreeCopy): void {
  copy.add('apps/toy', FACE)
  insert(copy, 'apps/cli/src/main.ts', '\n]', "  () => import('@filewright/toy'),")
  insert(copy, 'apps/cli/package.json', '\n    "commander"', '    "@filewright/toy": "0.1.0",')
  insert(
    copy,
    'apps/cli/tsconfig.json',
    '\n    { "path": "../../packages/host" }',
    '    { "path": "../toy" },',
  )
  const link = join(copy.folder, 'node_modules/@filewright/toy')
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(join(copy.folder, 'apps/toy'), link, 'junction')
}

const COMMAND = {
  'command.ts': `import { argument, defineCommand, parsed } from '@filewright/host'
import { fail, ok, type Result } from '@filewright/protocol'
import { folder } from '../options.ts'

export default defineCommand({
  name: 'count',
  summary: 'how many files there are',
  arguments: { word: argument('<word>', 'what to call them') },
  options: { times: parsed('--times <n>', 'each counted so often', toNumber), cwd: folder },
  run: async (given, host) => (await import('./count.ts')).count(given, host),
})

function toNumber(text: string): Result<number> {
  return /^[0-9]+$/.test(text) ? ok(Number(text)) : fail('INVALID_ARGUMENT', 'Give it a number.')
}
`,
  'count.ts': `import { type FolderOptions, type Host, unwrapOrExit } from '@filewright/host'
import { answer } from '../../output/output.ts'

interface CountOptions extends FolderOptions {
  readonly word: string
  readonly times?: number
}

export function count({ word, times = 1, ...options }: CountOptions, host: Host): Promise<void> {
  return host.inWorkspace(options, async ({ connection, params }) => {
    const { files } = unwrapOrExit(await connection.call('listFiles', { params }))
    const who = connection.isOwner() ? '' : ', says the owner'
    answer(\`\${files.length * times} \${word}\${who}\`)
  })
}
`,
}

const FACE = {
  'package.json': JSON.stringify({
    name: '@filewright/toy',
    version: '0.1.0',
    private: true,
    type: 'module',
    exports: { '.': { 'filewright-source': './src/face.ts', default: './dist/face.js' } },
    dependencies: { '@filewright/host': '0.1.0', '@filewright/protocol': '0.1.0' },
  }),
  'tsconfig.json': JSON.stringify({
    extends: '../../tsconfig.base.json',
    compilerOptions: { rootDir: 'src', outDir: 'dist', tsBuildInfoFile: 'dist/.tsbuildinfo' },
    include: ['src'],
    references: [{ path: '../../packages/protocol' }, { path: '../../packages/host' }],
  }),
  'src/face.ts': `import type { Face } from '@filewright/host'

const face: Face = {
  commands: [() => import('./command.ts')],
  routes: [
    {
      path: '/toy',
      answer: async (request, caller) => (await import('./answer.ts')).answer(caller),
    },
  ],
}
export default face
`,
  'src/command.ts': `import { defineCommand } from '@filewright/host'

export default defineCommand({
  name: 'toy',
  summary: 'how many workspaces there are',
  run: async (_, host) => (await import('./toy.ts')).toy(host),
})
`,
  'src/toy.ts': `import { type Host, unwrapOrExit } from '@filewright/host'
import { counted } from '@filewright/protocol'

export function toy(host: Host): Promise<void> {
  return host.inWorkspace({}, async ({ connection }) => {
    const { workspaces } = unwrapOrExit(await connection.call('listWorkspaces'))
    process.stdout.write(\`\${counted(workspaces.length, 'workspace')}\\n\`)
  })
}
`,
  'src/answer.ts': `import { type FaceCaller, unwrapOrExit } from '@filewright/host'

export async function answer({ scope, call }: FaceCaller): Promise<Response> {
  const { workspaces } = unwrapOrExit(await call('listWorkspaces'))
  return Response.json({ scope: scope.isOwner ? 'owner' : scope.name, workspaces: workspaces.length })
}
`,
}

import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { LIMITS } from '@filewright/protocol'
import { findTool } from '@filewright/tools'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Answer } from '../embedded.ts'
import { verifies } from '../verifies.ts'
import { type Served, served } from './served.ts'

export interface StartOptions {
  readonly origin: string
  readonly token: string
  readonly key: string
  readonly dir: string
  /** Outside the folder; holds what the client keeps over a restart. */
  readonly stateRoot: string
}

export type StartClient = (options: StartOptions) => Promise<{ close(): Promise<void> }>

const CREATE = 'workspace_create_file'
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The behaviour of every client of the server, over HTTP (docs/client-protocol.md). */
export function describeClient(name: string, start: StartClient): void {
  describe(name, () => {
    test('announces its folder: attached while it is there, and the same workspace when it comes back', async () => {
      const { server, workspaceId, restart, close } = await attached({}, start)
      const list = async () => (await server.ask('listWorkspaces')).value.workspaces
      expect(await list()).toMatchObject([{ workspaceId, isAttached: true }])
      await restart()
      expect(await list()).toMatchObject([{ workspaceId, isAttached: true }])
      await close()
      await until(async () => (await list())[0].isAttached === false)
    })

    verifies(
      ['CONTRACT §2 store reads through', 'CONTRACT §2 bytes only if new', 'CONTRACT §2 no base64'],
      'answers for a file as it is now by its hash, and sends its bytes raw and only when they are new',
      async () => {
        const { server, call, dir } = await attached({ 'Src/A.txt': 'one\n' }, start)
        const puts = () => server.requests.filter(request => request.startsWith('PUT'))
        const read = async () => (await call('workspace_read_file', { path: 'src/a.TXT' })).file
        expect(await read()).toMatchObject({
          path: 'Src/A.txt',
          docPath: 'src/a.txt',
          content: 'one\n',
        })
        expect(puts()).toEqual([expect.stringContaining(`/blobs/${sha256('one\n')}`)])
        await read()
        expect(puts()).toHaveLength(1)
        writeFileSync(join(dir, 'Src/A.txt'), 'two\n')
        expect(await read()).toMatchObject({ content: 'two\n', sha256: sha256('two\n') })
        expect(puts()).toHaveLength(2)
        rmSync(join(dir, 'Src/A.txt'))
        expect(await call('workspace_read_file', { path: 'src/a.txt' })).toMatchObject({
          errorCode: 'NOT_FOUND',
        })
      },
    )

    test('lists its files by path, page by page, without what is ignored', async () => {
      const paths = ['B.txt', 'a.txt', 'docs/x.md', 'docs/y.md']
      const ignored = { 'node_modules/p/index.js': '', '.git/HEAD': '' }
      const files = Object.fromEntries(paths.map(path => [path, path]))
      const { server, workspaceId } = await attached({ ...files, ...ignored }, start)
      const page = async (query: Record<string, string>) =>
        (await server.ask('listFiles', { params: { workspaceId }, query })).value
      const first = await page({ limit: '3' })
      expect(first.files.map((file: Answer) => file.path)).toEqual(paths.slice(0, 3))
      expect(first).toMatchObject({ total: 4, next: 'docs/x.md' })
      const second = await page({ limit: '3', after: first.next })
      expect(second.files).toMatchObject([{ path: 'docs/y.md', sizeBytes: 9 }])
      expect(second.next).toBeNull()
      const named = await page({ limit: '1', named: 'TXT' })
      expect(named).toMatchObject({ files: [{ path: 'B.txt' }], total: 2, next: 'B.txt' })
      const rest = await page({ limit: '1', named: 'txt', after: named.next })
      expect(rest).toMatchObject({ files: [{ path: 'a.txt' }], total: 2, next: null })
      const ofForm = async (form: string) =>
        (await page({ named: form })).files.map((file: Answer) => file.path)
      expect(await ofForm('*.TXT')).toEqual(['B.txt', 'a.txt'])
      expect(await ofForm('docs/*y*')).toEqual(['docs/y.md'])
      expect(await ofForm('**/docs/**/x.md')).toEqual(['docs/x.md'])
      expect(await ofForm('docs/**')).toEqual(['docs/x.md', 'docs/y.md'])
      expect(await ofForm('docs/x.md/**')).toEqual(['docs/x.md'])
    })

    verifies(
      'TUL-004 §2.1 any client',
      'creates a file, whole, in UTF-8 with line feeds, and answers in the declared shape',
      async () => {
        const { call, dir } = await attached({ 'Src/a.txt': '' }, start)
        const content = 'é\r\n二\rend'
        const made = await call(CREATE, { path: '.\\src\\deep/New.txt', content })
        expect(made).toMatchObject({
          success: true,
          errorCode: null,
          path: 'Src/deep/New.txt',
          docPath: 'src/deep/new.txt',
          created: true,
          overwritten: false,
        })
        const bytes = readFileSync(join(dir, 'Src/deep/New.txt'))
        expect(bytes.toString()).toBe('é\n二\nend')
        expect(made).toMatchObject({ sizeBytes: bytes.length, hash: sha256(bytes) })
        expect(findTool(CREATE)!.declaration.output.safeParse(made).success).toBe(true)
        const replaced = await call(CREATE, { path: made.path, content: '', overwrite: true })
        expect(replaced).toMatchObject({ created: false, overwritten: true, sizeBytes: 0 })
        expect(readdirSync(join(dir, 'Src/deep'))).toEqual(['New.txt'])
      },
    )

    verifies(
      ['TUL-004 §3.1 client enforces safety', 'TUL-004 §5.2 no resolution outside'],
      'keeps every path inside its folder',
      async () => {
        const { call, dir } = await attached({ 'a.txt': 'a', 'folder/b.txt': 'b' }, start)
        symlinkSync(dirname(dir), join(dir, 'out'))
        const outside = ['', '  ', '/x.txt', 'C:\\x.txt', 'D:x', '\\\\server\\share\\x', '../x.txt']
        const more = ['a/../../x.txt', 'out/x.txt', 'out/state/x.txt', 'nul\u0000.txt', '.', 'x/']
        for (const path of [...outside, ...more]) {
          const answer = await call(CREATE, { path, content: 'x' })
          expect(answer, JSON.stringify(path)).toMatchObject({
            success: false,
            errorCode: 'InvalidPath',
            kind: 'invalid',
          })
        }
        expect(readdirSync(dir).sort()).toEqual(['a.txt', 'folder', 'out'])
        expect(existsSync(join(dirname(dir), 'x.txt'))).toBe(false)
      },
    )

    test('answers with the code that says what was wrong, and leaves the files as they were', async () => {
      const { call, dir } = await attached({ 'A.txt': 'old' }, start)
      const code = async (args: object) => {
        const { success, errorCode, kind, message } = await call(CREATE, args)
        expect(success, JSON.stringify(args).slice(0, 80)).toBe(false)
        expect(message).toMatch(/\S/)
        return [errorCode, kind]
      }
      expect(await code({ path: 'a.TXT', content: 'x' })).toEqual(['FileExists', 'conflict'])
      const large = 'x'.repeat(LIMITS.textFileBytes + 1)
      expect(await code({ path: 'b.txt', content: large })).toEqual(['TooLarge', 'limit'])
      const [inTheWay] = await code({ path: 'a.txt/under.txt', content: 'x' })
      expect(inTheWay).toBe('DirectoryCreateFailed')
      expect(readdirSync(dir)).toEqual(['A.txt'])
      expect(readFileSync(join(dir, 'A.txt'), 'utf8')).toBe('old')
    })

    test('does a call once: asked again by its id it answers as before, after a restart too', async () => {
      const { call, restart, dir } = await attached({}, start)
      const args = { path: 'once.txt', content: 'once' }
      const first = await call(CREATE, args, { toolCallId: 'mine' })
      expect(first).toMatchObject({ success: true, created: true })
      expect(await call(CREATE, args, { toolCallId: 'mine' })).toEqual(first)
      await restart()
      expect(await call(CREATE, args, { toolCallId: 'mine' })).toEqual(first)
      expect(readFileSync(join(dir, 'once.txt'), 'utf8')).toBe('once')
    })

    test('reports the state of a call, and knows nothing of one that never arrived', async () => {
      const { call, server, workspaceId, sessionId } = await attached({}, start)
      const made = await call(CREATE, { path: 'a.txt', content: '' }, { toolCallId: 'mine' })
      const params = { workspaceId, sessionId }
      const stands = (toolCallId: string) =>
        server.ask('getCall', { params: { ...params, toolCallId } })
      expect(await stands('mine')).toEqual({ status: 200, value: made })
      expect(await stands('never')).toMatchObject({ status: 404 })
    })

    verifies(
      'CONTRACT §2 client away warns',
      'sends the new version to the store, where it is read with a warning while the client is away',
      async () => {
        const { call, close, server, workspaceId } = await attached({}, start)
        const { sha256: made } = await call(CREATE, { path: 'New.txt', content: 'kept\n' })
        const params = { workspaceId }
        const { value } = await server.ask('history', { params, query: { path: 'new.txt' } })
        expect(value.items).toMatchObject([{ path: 'New.txt', sha256: made, sizeBytes: 5 }])
        await close()
        const isAway = async () =>
          !(await server.ask('getWorkspace', { params: { workspaceId } })).value.isAttached
        await until(isAway)
        const read = await call('workspace_read_file', { path: 'new.txt' })
        expect(read).toMatchObject({ success: true, file: { content: 'kept\n' } })
        expect(read.warnings[0]).toContain('away')
      },
    )

    test('sends what it executed to the log of the server, failures too, and no content', async () => {
      const { call, server } = await attached({}, start)
      await call(CREATE, { path: 'a.txt', content: 'words' })
      await call(CREATE, { path: 'a.txt', content: 'words' })
      const executed = () =>
        server.logged.filter(({ event }) => event === 'Tool.CreateFile.Executed')
      await until(async () => executed().length === 2)
      const sorted = executed().sort((a, b) => Number(b.Success) - Number(a.Success)) // sent separately from the answers
      expect(sorted).toMatchObject([
        { Path: 'a.txt', Overwrite: false, Success: true, ErrorCode: null, SizeBytes: 5 },
        { Path: 'a.txt', Overwrite: false, Success: false, ErrorCode: 'FileExists', Hash: null },
      ])
      for (const event of executed())
        expect(Object.keys(event)).toEqual(
          expect.arrayContaining(['SessionId', 'ConversationId', 'TurnId', 'Hash']),
        )
      expect(JSON.stringify(executed())).not.toContain('words')
    })

    test('reconnects after its stream broke, and answers what was asked meanwhile', async () => {
      const { call, server } = await attached({ 'a.txt': 'a' }, start)
      for (let round = 0; round < 3; round++) {
        server.cut()
        const asked = call(CREATE, { path: `n${round}.txt`, content: '' })
        expect(await asked).toMatchObject({ success: true, created: true })
      }
    })

    test('does a request once though its answer was lost and it is sent again', async () => {
      const { call, server, dir } = await attached({}, start)
      server.cutAfter(request => request.endsWith('/link/answers'), 1)
      const made = await call(CREATE, { path: 'a.txt', content: 'once' })
      expect(made).toMatchObject({ success: true, created: true })
      expect(readdirSync(dir)).toEqual(['a.txt'])
    })

    test('refuses what it does not know, at once', async () => {
      const { server, workspaceId } = await attached({}, start)
      const params = { workspaceId }
      const answer = await server.ask('review', { params })
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.value).toMatchObject({ success: false, message: expect.any(String) })
    })
  })
}

async function attached(files: Readonly<Record<string, string>>, start: StartClient) {
  const root = mkdtempSync(join(tmpdir(), 'filewright-client-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 20 }))
  const [dir, stateRoot] = [join(root, 'workspace'), join(root, 'state')]
  mkdirSync(dir)
  mkdirSync(stateRoot)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), content)
  }
  const server = await served()
  const { origin, token } = server
  const begin = () => start({ origin, token, key: 'folder', dir, stateRoot })
  let client = await begin()
  onTestFinished(() => client.close())
  const { workspaceId } = (await server.ask('listWorkspaces')).value.workspaces[0]
  const params = { workspaceId }
  const { sessionId } = (await server.ask('createSession', { params })).value
  return {
    server,
    workspaceId,
    sessionId,
    dir,
    close: () => client.close(),
    async restart() {
      await client.close()
      client = await begin()
    },
    call: async (tool: string, args: unknown, more: { toolCallId?: string } = {}) =>
      (await askCall(server, { workspaceId, sessionId }, { tool, arguments: args, ...more })).value,
  }
}

function askCall(server: Served, params: { workspaceId: string; sessionId: string }, body: object) {
  return server.ask('callTool', { params, body: { approve: 'all', ...body } })
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 60_000; !(await isSo()); ) {
    if (Date.now() > deadline) throw new Error('It did not come true within 60 s')
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

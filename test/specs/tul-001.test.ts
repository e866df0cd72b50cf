import fs, { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  COMMON_CODES,
  type RelativePath,
  toDocPath,
  unwrap,
  type WorkspaceId,
} from '@filewright/protocol'
import { openStores, type Stores } from '@filewright/server'
import { catalog, findTool } from '@filewright/tools'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'

const READ = 'workspace_read_file'

describe('where a read comes from', () => {
  verifies(
    'TUL-001 §1 no disk on the server',
    'with the client away, the store answers from its versions, and the folder next to it is not touched',
    async () => {
      const product = await embedded({ 'a.txt': 'known\n', 'b.txt': 'never read\n' })
      await product.call(READ, { path: 'a.txt' })
      await product.detach()
      product.write('a.txt', 'changed since\n') // a server that looks at the disk finds this
      const touched = touchesBelow(product.dir)
      const known = await product.call(READ, { path: 'a.txt' })
      expect(known).toMatchObject({ success: true, file: { content: 'known\n' } })
      expect(known.warnings[0]).toContain('may have changed')
      expect(await product.call(READ, { path: 'b.txt' })).toMatchObject({ errorCode: 'NOT_FOUND' })
      expect(touched).toEqual([])
      await product.attach() // the look itself works: a client does touch it
      await product.call(READ, { path: 'b.txt' })
      expect(touched).not.toEqual([])
    },
  )

  verifies(
    'TUL-001 §1 read only',
    'reads that succeed and reads that are refused change neither store, active files nor disk',
    async () => {
      const product = await embedded({ 'a.txt': 'one\n', 'active.txt': 'here\n' })
      await product.call(READ, { path: 'a.txt' })
      await addActive(product, 'active.txt')
      const before = await everything(product)
      for (const path of ['a.txt', 'A.TXT', 'active.txt', 'missing.txt', '../out.txt', ''])
        await product.call(READ, { path })
      expect(await everything(product)).toEqual(before)
    },
  )

  verifies(
    ['TUL-001 §5 store asked by path', 'TUL-001 §3 store when not active'],
    'the store is asked for the canonical path and for no similar one',
    async () => {
      const product = await embedded({ 'src/App.ts': 'app\n', 'App.ts': 'root\n' })
      const head = vi.spyOn(product.stores.sources, 'head')
      await product.call(READ, { path: '.\\SRC\\app.TS' })
      await product.call(READ, { path: 'lib/app.ts' })
      expect(head.mock.calls.map(([, docPath]) => docPath)).toEqual(['src/app.ts', 'lib/app.ts'])
      expect(await product.call(READ, { path: 'ap.ts' })).toMatchObject({ errorCode: 'NOT_FOUND' })
    },
  )
})

describe('active files', () => {
  verifies(
    ['TUL-001 §1 active before stored', 'CONTRACT §2 active over store'],
    'the stored version of an active file is never returned, whether older or newer',
    async () => {
      const product = await embedded({ 'a.txt': 'stored\n' })
      await product.call(READ, { path: 'a.txt' })
      await addActive(product, 'a.txt', 'unsaved\n')
      const older = await product.call(READ, { path: 'a.txt' })
      product.write('a.txt', 'saved later by another\n')
      const newer = await product.call(READ, { path: 'a.txt', maxBytes: 3 })
      for (const answer of [older, newer]) {
        expect(answer.errorCode).toBe('ALREADY_IN_CONTEXT')
        expect(JSON.stringify(answer)).not.toMatch(/stored\\n|saved later/)
      }
    },
  )

  verifies(
    [
      'TUL-001 §3 active files per session',
      'CONTRACT §2 active by api',
      'CONTRACT §2 active removed',
    ],
    'a file active in one session is read in another, and again after it was removed',
    async () => {
      const product = await embedded({ 'Src/A.txt': 'one\n' })
      const other = await product.newSession()
      await addActive(product, 'src/a.TXT')
      const params = { sessionId: product.sessionId }
      const { value } = await product.ask('listActiveFiles', { params })
      expect(value.files).toMatchObject([{ docPath: 'src/a.txt', displayPath: 'Src/A.txt' }])
      const read = (sessionId?: string) => product.call(READ, { path: 'Src/A.txt' }, { sessionId })
      expect(await read()).toMatchObject({ errorCode: 'ALREADY_IN_CONTEXT' })
      expect(await read(other)).toMatchObject({ success: true, file: { content: 'one\n' } })
      await product.ask('removeActiveFile', { params, query: { path: 'SRC/a.txt' } })
      expect(await read()).toMatchObject({ success: true })
    },
  )

  verifies(
    [
      'TUL-001 §3 active checked first',
      'TUL-001 §3 already in context',
      'TUL-001 §3 already in context message',
      'TUL-001 §5 active stops the look-up',
    ],
    'an active file with its unsaved text is answered without a request to the store, whatever maxBytes says',
    async () => {
      const product = await embedded({ 'Notes.md': 'one\n' })
      await addActive(product, 'notes.md', 'two\n')
      const asked = [
        vi.spyOn(product.stores.sources, 'head'),
        vi.spyOn(product.stores.sources, 'read'),
        vi.spyOn(product.stores.sources, 'moveHeads'),
      ]
      const answer = await product.call(READ, { path: 'notes.md', maxBytes: 1 })
      expect(answer).toMatchObject({ success: false, errorCode: 'ALREADY_IN_CONTEXT' })
      expect(answer.file).toBeUndefined()
      expect(answer.errors).toHaveLength(1)
      expect(answer.message).toMatch(/'Notes\.md' is active in this session.*use that/)
      for (const spy of asked) expect(spy).not.toHaveBeenCalled()
    },
  )

  verifies(
    'TUL-001 §5 arguments before active files',
    'bad arguments are reported even if the file they name is active',
    async () => {
      const product = await embedded({ 'a.txt': 'one\n' })
      await addActive(product, 'a.txt')
      for (const bad of [{ maxBytes: 0 }, { maxBytes: 'all' }, { lineStart: 0 }])
        expect(await product.call(READ, { path: 'a.txt', ...bad })).toMatchObject({
          errorCode: 'INVALID_ARGUMENT',
        })
    },
  )
})

describe('answers', () => {
  verifies(
    'TUL-001 §1 tool contract',
    'the tool is declared like every other and answers in the common envelope',
    async () => {
      const tool = findTool(READ)!
      expect(catalog).toContain(tool)
      const fields = Object.keys(findTool('workspace_list_files')!.declaration)
      expect(Object.keys(tool.declaration)).toEqual(expect.arrayContaining(fields))
      const product = await embedded({ 'a.txt': 'one\n' })
      const { sessionId } = product
      const read = await product.call('workspace.read_file', { path: 'a.txt' })
      const refused = await product.call(READ, { path: 'b.txt' })
      expect(read).toMatchObject({ success: true, errorCode: null, errors: [], sessionId })
      expect(refused).toMatchObject({ success: false, kind: 'missing', sessionId })
      for (const answer of [read, refused])
        expect([answer.message, answer.conversationId, answer.turnId, answer.toolCallId]).toEqual(
          Array(4).fill(expect.any(String)),
        )
      expect(tool.declaration.output.safeParse({ file: read.file }).success).toBe(true)
    },
  )

  verifies(
    'TUL-001 §4 error codes',
    'every code answered is declared, and the four of the document are',
    async () => {
      const declared = [
        ...Object.keys(COMMON_CODES),
        ...Object.keys(findTool(READ)!.declaration.failures),
      ]
      const four = ['ALREADY_IN_CONTEXT', 'NOT_FOUND', 'INVALID_ARGUMENT', 'INTERNAL_ERROR']
      expect(declared).toEqual(expect.arrayContaining(four))
      const product = await embedded({
        'a.txt': 'one\n',
        'active.txt': 'x\n',
        '.env': 'KEY=1',
        'b.bin': new Uint8Array([0, 1, 2]),
      })
      await addActive(product, 'active.txt')
      const answers = []
      for (const path of [
        'active.txt',
        'none.txt',
        '',
        '/etc/passwd',
        '.env',
        'b.bin',
        'a.txt#x:y',
      ])
        answers.push(await product.call(READ, { path }))
      answers.push(await product.call(READ, { path: 'a.txt', lineStart: 9 }))
      answers.push(await product.call(READ, 'not json'))
      breakStore(product)
      answers.push(await product.call(READ, { path: 'a.txt' }))
      expect(answers.every(({ success }) => success === false)).toBe(true)
      const codes = new Set(answers.map(({ errorCode }) => errorCode))
      for (const code of codes) expect(declared).toContain(code)
      for (const code of four) expect(codes).toContain(code)
    },
  )

  verifies(
    'TUL-001 §4 error codes',
    'a bad path is answered with one of the four, whatever makes it bad',
    async () => {
      const product = await embedded({ 'a.txt': 'one\n', 'sub/b.txt': 'two\n' })
      const at = (name: string) => join(product.dir, name)
      const outside = mkdtempSync(join(tmpdir(), 'filewright-outside-'))
      onTestFinished(() => rmSync(outside, { recursive: true, force: true }))
      symlinkSync(outside, at('out'))
      symlinkSync(join(outside, 'secret.txt'), at('out.txt'))
      symlinkSync('nowhere', at('dangling'))
      symlinkSync('circle', at('circle'))
      const wrong = [
        '..',
        '/etc/passwd',
        'c:/a.txt',
        'nul',
        'a\0b',
        'a.txt/',
        '   ',
        'x'.repeat(300),
      ]
      const misled = [
        'out/a.txt',
        'out.txt',
        'dangling',
        'circle',
        'circle/a',
        'a.txt/below',
        'sub',
      ]
      for (const path of [...wrong, ...misled]) {
        const { success, errorCode } = await product.call(READ, { path })
        expect({ path, success, errorCode }).toEqual({
          path,
          success: false,
          errorCode: expect.stringMatching(/^(NOT_FOUND|INVALID_ARGUMENT)$/),
        })
      }
    },
  )

  verifies(
    ['TUL-001 §5 unexpected is internal', 'TUL-001 §5 unexpected is logged'],
    'a store that throws is INTERNAL_ERROR: the cause only in the log, the session usable',
    async () => {
      const product = await embedded({ 'a.txt': 'one\n' })
      breakStore(product)
      const answer = await product.call(READ, { path: 'a.txt' })
      expect(answer).toMatchObject({
        success: false,
        errorCode: 'INTERNAL_ERROR',
        kind: 'internal',
      })
      expect(JSON.stringify(answer)).not.toContain('platter')
      const error = expect.objectContaining({ message: 'the platter is cracked' })
      expect(product.logged).toContainEqual(
        expect.objectContaining({ event: 'Tool.Failed', error }),
      )
      expect(await product.call(READ, { path: 'a.txt' })).toMatchObject({ success: true })
    },
  )
})

verifies(
  'TUL-001 §5 store is a port',
  'the tool answers alike over the store in memory and the one on disk',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'filewright-stores-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
    const inMemory = await readEverything()
    expect(await readEverything(unwrap(await openStores(folder)))).toEqual(inMemory)
    expect(inMemory.map(({ errorCode }) => errorCode)).toEqual([
      null,
      null,
      'ALREADY_IN_CONTEXT',
      'NOT_FOUND',
      'INVALID_ARGUMENT',
      null,
      'NOT_FOUND',
    ])
  },
)

/** The same reads over any store: found, cut, active, missing, refused, and with the client away. */
async function readEverything(stores?: Stores) {
  const product = await embedded(
    { 'A.txt': 'one\ntwö\n', 'b.txt': 'b' },
    { ...(stores && { stores }) },
  )
  await addActive(product, 'b.txt', 'unsaved')
  const answers = []
  for (const args of [
    { path: 'a.txt' },
    { path: 'a.txt', maxBytes: 7 },
    { path: 'b.txt' },
    { path: 'c.txt' },
    { path: '../c.txt' },
  ])
    answers.push(await product.call(READ, args))
  await product.detach()
  answers.push(await product.call(READ, { path: 'a.txt' }))
  answers.push(await product.call(READ, { path: 'c.txt' }))
  return answers.map(({ errorCode, message, warnings, file }) => ({
    errorCode,
    message,
    warnings,
    file,
  }))
}

function addActive(product: Embedded, path: string, buffer?: string) {
  const params = { sessionId: product.sessionId }
  return product.ask('addActiveFile', {
    params,
    body: { path, ...(buffer !== undefined && { buffer }) },
  })
}

/** The next look-up throws. */
function breakStore(product: Embedded) {
  vi.spyOn(product.stores.sources, 'head').mockRejectedValueOnce(
    new Error('the platter is cracked'),
  )
}

async function everything(product: Embedded) {
  const { sources } = product.stores
  const workspaceId = product.workspaceId as WorkspaceId
  const docPaths = readdirSync(product.dir).map(name => toDocPath(name as RelativePath))
  const heads = await sources.heads(workspaceId, docPaths)
  const histories = await Promise.all(
    docPaths.map(docPath => sources.history(workspaceId, docPath)),
  )
  const active = await product.ask('listActiveFiles', { params: { sessionId: product.sessionId } })
  const disk = readdirSync(product.dir).map(name => {
    const { mtimeMs, ino, size } = statSync(join(product.dir, name))
    return { name, mtimeMs, ino, size }
  })
  return { heads, histories, active: active.value, disk }
}

/** Every path below the folder that anything in this process asks the disk for, from now on. */
function touchesBelow(folder: string): readonly string[] {
  const touched: string[] = []
  const watch = (owner: object, name: string) => {
    const original = Reflect.get(owner, name) as (...given: unknown[]) => unknown
    Reflect.set(owner, name, (...given: unknown[]) => {
      if (String(given[0]).startsWith(folder)) touched.push(`${name} ${String(given[0])}`)
      return original(...given)
    })
    return () => Reflect.set(owner, name, original)
  }
  const names = [
    'open',
    'openSync',
    'readFile',
    'readFileSync',
    'stat',
    'statSync',
    'lstat',
    'lstatSync',
  ]
  const inPromises = ['open', 'readFile', 'stat', 'lstat', 'readdir']
  const restore = [
    ...[...names, 'readdir', 'readdirSync', 'createReadStream'].map(name => watch(fs, name)),
    ...inPromises.map(name => watch(fs.promises, name)),
  ]
  syncBuiltinESMExports()
  onTestFinished(() => {
    for (const undo of restore) undo()
    syncBuiltinESMExports()
  })
  return touched
}

import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDiskWorkspace } from '@filewright/client'
import { unwrap } from '@filewright/protocol'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startOwnClient } from '../client/start-own-client.ts'
import { type Answer, type Embedded, embedded, TOKEN } from '../embedded.ts'
import { PATIENCE } from '../patience.ts'
import { verifies } from '../verifies.ts'
import { attachIndependent } from './independent-client.ts'

const READ = 'workspace_read_file'
const PATCH = 'workspace_write_patch'
const CREATE = 'workspace_create_file'
const LINES = 'a\nb\nc\nd\n'

describe('versions', () => {
  verifies(
    ['CONTRACT §2 version wherever sha256', 'CONTRACT §2 version resolved first'],
    'any prefix of eight digits and more names the version, and only among those of its own file',
    async () => {
      const product = await embedded({ 'a.txt': LINES, 'b.txt': 'other\n' })
      const own = sha256(LINES)
      await product.call(READ, { path: 'a.txt' })
      const foreign = (await product.call(READ, { path: 'b.txt' })).file
      for (const digits of [8, 13, 64]) {
        const batch = replaceLine('a.txt', own.slice(0, digits), 1, 'a', 'A')
        await product.call(PATCH, batch, { approve: 'ask' })
        const { batchId } = await newest(product)
        expect(await product.call('workspace_get_patch_change', { id: batchId })).toMatchObject({
          files: [{ sha256: own }],
        })
      }
      for (const version of [foreign.version, foreign.sha256])
        expect(await product.call(PATCH, replaceLine('a.txt', version, 1, 'a', 'A'))).toMatchObject(
          {
            errorCode: 'CONFLICT',
          },
        )
    },
  )

  verifies(
    'CONTRACT §2 contentHash never guards',
    'the content hash of a CRLF file admits no write on it',
    async () => {
      const product = await embedded()
      product.write('a.txt', 'one\r\ntwo\r\n')
      await product.call(READ, { path: 'a.txt' })
      const replaced = await product.call(CREATE, {
        path: 'a.txt',
        content: 'one\ntwo\n',
        overwrite: true,
      })
      expect(replaced.hash).not.toBe(replaced.sha256)
      const guarded = await product.call(PATCH, replaceLine('a.txt', replaced.hash, 1, 'one', '1'))
      expect(guarded.errorCode).toBe('CONFLICT')
      expect(product.read('a.txt')).toBe('one\r\ntwo\r\n')
    },
  )
})

describe('the store', () => {
  verifies(
    ['CONTRACT §2 client away warns', 'CONTRACT §2 server opens no user file'],
    'with the client away the head is served with a warning, although the file on disk differs',
    async () => {
      const product = await embedded({ 'a.txt': LINES })
      await product.call(READ, { path: 'a.txt' })
      await product.detach()
      product.write('a.txt', 'newer\n')
      const away = await product.call(READ, { path: 'a.txt' })
      expect(away).toMatchObject({ success: true, file: { content: LINES } })
      expect(away.warnings).toEqual([expect.stringContaining('The client is away')])
      await product.attach()
      const back = await product.call(READ, { path: 'a.txt' })
      expect(back).toMatchObject({ file: { content: 'newer\n' }, warnings: [] })
    },
  )

  verifies(
    'CONTRACT §5 disk wins',
    'a file that another program saved after the upload is read as it is on disk',
    async () => {
      const product = await embedded({ 'a.txt': LINES })
      await product.call(READ, { path: 'a.txt' })
      await product.call(PATCH, replaceLine('a.txt', sha256(LINES), 1, 'a', 'A'))
      product.write('a.txt', 'by hand\n')
      const read = await product.call(READ, { path: 'a.txt' })
      expect(read.file).toMatchObject({ content: 'by hand\n', sha256: sha256('by hand\n') })
    },
  )

  verifies(
    'CONTRACT §5 undone',
    'an undone patch is a new version, and the history keeps every one',
    async () => {
      const product = await embedded({ 'a.txt': LINES })
      await product.call(READ, { path: 'a.txt' })
      await product.call(PATCH, replaceLine('a.txt', sha256(LINES), 1, 'a', 'A'))
      const patched = sha256(product.read('a.txt'))
      expect((await product.ask('undo', { body: {} })).status).toBe(200)
      expect(product.read('a.txt')).toBe(LINES)
      await vi.waitFor(async () => {
        const { value } = await product.ask('history', { query: { path: 'a.txt' } })
        const hashes = value.items.map((item: Answer) => item.sha256)
        expect(hashes).toEqual([sha256(LINES), patched, sha256(LINES)])
      }, PATIENCE)
    },
  )
})

describe('calls', () => {
  verifies(
    'CONTRACT §5 idempotent by tool call id',
    'a call sent again under its id is answered as before and not done again',
    async () => {
      const product = await embedded({ 'a.txt': LINES })
      await product.call(READ, { path: 'a.txt' })
      const batch = {
        files: [
          {
            docPath: 'a.txt',
            originalSha256: sha256(LINES),
            changes: [{ operation: 'insert', afterLine: 0, newLines: ['top'] }],
          },
        ],
      }
      const first = await product.call(PATCH, batch, { toolCallId: 'mine' })
      const again = await product.call(PATCH, batch, { toolCallId: 'mine' })
      expect(again).toEqual(first)
      expect(product.read('a.txt')).toBe(`top\n${LINES}`)
      const file = { path: 'b.txt', content: 'b' }
      const create = () => product.call(CREATE, file, { toolCallId: 'twice at once' })
      const [one, other] = await Promise.all([create(), create()])
      expect(one).toMatchObject({ success: true, created: true })
      expect(other).toEqual(one)
      const { value } = await product.ask('log', { params: { sessionId: product.sessionId } })
      const rows = value.rows.filter((row: Answer) => row.body.tool_call_id === one.toolCallId)
      expect(rows.map((row: Answer) => row.type)).toEqual(['call-start', 'tool_result'])
      expect(await product.stores.patches.list(product.workspaceId as never)).toHaveLength(1)
    },
  )

  test('an id that was used for another call is refused: its answer would be about something else', async () => {
    const product = await embedded()
    const file = { path: 'b.txt', content: 'b' }
    await product.call(CREATE, file, { toolCallId: 'mine' })
    const other = { ...file, path: 'c.txt' }
    const answer = await product.call(CREATE, other, { toolCallId: 'mine' })
    expect(answer).toMatchObject({ success: false, errorCode: 'CONFLICT' })
    expect(() => product.read('c.txt')).toThrow()
  })

  verifies(
    'CONTRACT §5 own tool call ids',
    'one id from two callers is two calls, each with its own internal id and result',
    async () => {
      const product = await embedded()
      const sessionId = await product.newSession()
      const one = await product.call(
        CREATE,
        { path: 'a.txt', content: 'a' },
        { toolCallId: 'call_1' },
      )
      const other = await product.call(
        CREATE,
        { path: 'b.txt', content: 'b' },
        { toolCallId: 'call_1', sessionId },
      )
      expect([one.path, other.path]).toEqual(['a.txt', 'b.txt'])
      for (const { toolCallId } of [one, other]) expect(toolCallId).toMatch(/^tc_[0-9a-f]{16}$/)
      expect(one.toolCallId).not.toBe(other.toolCallId)
    },
  )

  verifies(
    ['CONTRACT §3 suspended is pending', 'CONTRACT §4 workspace approved then applied'],
    'a waiting call answers pending with its approval; once approved it is applied at once',
    async () => {
      const product = await embedded({ 'a.txt': LINES })
      await product.call(READ, { path: 'a.txt' })
      const calls: [string, object][] = [
        [CREATE, { path: 'new.txt', content: 'new' }],
        [PATCH, replaceLine('a.txt', sha256(LINES), 2, 'b', 'B')],
      ]
      for (const [tool, args] of calls) {
        const pending = await product.call(tool, args, { approve: 'ask' })
        expect(pending).toMatchObject({ pending: true, approvalId: expect.any(String) })
        const params = { sessionId: product.sessionId, toolCallId: pending.toolCallId }
        expect((await product.ask('getCall', { params })).value).toEqual(pending)
        expect(readdirSync(product.dir)).not.toContain(tool === CREATE ? 'new.txt' : 'none')
        await approve(product, pending.approvalId)
        expect((await product.ask('getCall', { params })).value).toMatchObject({ success: true })
      }
      expect([product.read('new.txt'), product.read('a.txt')]).toEqual(['new', 'a\nB\nc\nd\n'])
    },
  )

  test('a rule that allows a path replaces the question; one that denies it ends the call', async () => {
    const product = await embedded()
    await product.ask('addRule', { body: { effect: 'allow', tool: CREATE, path: 'docs/**' } })
    await product.ask('addRule', { body: { effect: 'deny', path: 'docs/secret/**' } })
    const call = (path: string) => product.call(CREATE, { path, content: 'x' }, { approve: 'ask' })
    expect(await call('docs/a.md')).toMatchObject({ success: true })
    expect(await call('docs/secret/a.md')).toMatchObject({ errorCode: 'DENIED', kind: 'denied' })
    expect(await call('src/a.md')).toMatchObject({ pending: true })
    const denied = await product.call(CREATE, { path: 'docs/secret/b.md', content: 'x' })
    expect(denied.errorCode).toBe('DENIED') // approving a question does not override a rule that denies
  })

  verifies(
    'CONTRACT §3 result when the client dies',
    'a call whose client dies ends in one result',
    async () => {
      const product = await embedded()
      await product.detach()
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      onTestFinished(() => void vi.useRealTimers())
      const other = await attachIndependent(product, { isHeld: true })
      const calling = product.call(CREATE, { path: 'a.txt', content: 'a' })
      while (other.requests.length === 0) await vi.advanceTimersByTimeAsync(1)
      expect(other.requests).toHaveLength(1)
      other.close()
      await vi.advanceTimersByTimeAsync(60_000)
      const answer = await calling
      expect(answer).toMatchObject({
        success: false,
        kind: 'unavailable',
        errorCode: 'CLIENT_GONE',
      })
      const { value } = await product.ask('log', { params: { sessionId: product.sessionId } })
      const results = value.rows.filter(
        (row: Answer) => row.body.tool_call_id === answer.toolCallId && row.type === 'tool_result',
      )
      expect(results).toHaveLength(1)
    },
  )

  verifies(
    'CONTRACT §3 nothing was written first',
    'every refusal of a write begins with "Nothing was", for every tool and every refuser',
    async () => {
      const product = await embedded({ 'a.txt': LINES, 'b.bin': new Uint8Array([0, 1]) })
      await product.ask('addRule', { body: { effect: 'deny', path: 'denied.txt' } })
      const refused: [string, unknown][] = [
        [CREATE, { path: 'a.txt', content: '' }],
        [CREATE, { path: '../a.txt', content: '' }],
        [CREATE, { path: 'denied.txt', content: '' }],
        [CREATE, { path: 'a.txt' }],
        [PATCH, {}],
        [PATCH, replaceLine('none.txt', 'deadbeef', 1, 'a', 'b')],
        [PATCH, replaceLine('a.txt', 'deadbeef', 1, 'a', 'b')],
        [PATCH, replaceLine('b.bin', 'deadbeef', 1, 'a', 'b')],
        ['write_text_file', { path: '/a.txt', content: '' }],
        ['write_text_file', { path: 'a.xlsx', content: '' }],
        ['edit_text_file', { path: 'none.txt', edits: [{ search: 'a', replace: 'b' }] }],
        ['edit_text_file', { path: 'a.txt', edits: [] }],
        [
          'xlsx_operations',
          { path: 'none.xlsx', operations: [{ op: 'ensure_sheet', sheet: 'A' }] },
        ],
        ['file_operations', { operations: [{ op: 'delete', path: 'none.txt' }] }],
      ]
      for (const [tool, args] of refused) {
        const { success, message } = await product.call(tool, args, { approve: 'rules' })
        expect(success, `${tool} ${JSON.stringify(args)}`).toBe(false)
        expect(message).toMatch(/^Nothing was (written|changed): /)
      }
    },
  )
})

describe('looking up', () => {
  verifies(
    [
      'CONTRACT §4 workspace_get_patch_change by id',
      'CONTRACT §4 workspace_get_patch_change diff',
      'CONTRACT §4 workspace_get_patch_change any session',
      'CONTRACT §4 workspace_get_patch_change own workspace',
    ],
    'batch, file patch and change are found by id with their diff from any session, and from no other workspace',
    async () => {
      const product = await embedded({ 'a.txt': LINES })
      await product.call(READ, { path: 'a.txt' })
      const made = await product.call(PATCH, replaceLine('a.txt', sha256(LINES), 2, 'b', 'B'))
      const [file] = made.files
      const ids = [made.batchId, file.filePatchId, file.changes[0].changeId]
      const sessionId = await product.newSession()
      const foreign = await otherWorkspace(product)
      for (const id of ids) {
        const found = await product.call('workspace_get_patch_change', { id }, { sessionId })
        expect(found).toMatchObject({ success: true, batchId: made.batchId })
        expect(found.diff).toMatch(/^-b\n\+B$/m)
        expect(await foreign('workspace_get_patch_change', { id })).toMatchObject({
          success: false,
          errorCode: 'NOT_FOUND',
          newest: [],
        })
      }
    },
  )

  verifies('CONTRACT §4 workspace_list_files paged', 'pages list every file once', async () => {
    const names = Array.from({ length: 23 }, (_, i) => `f${i}.txt`)
    const product = await embedded(Object.fromEntries(names.map(name => [name, name])))
    expect(await allPages(product, 'workspace_list_files', 5)).toEqual([...names].sort())
  })

  verifies(
    [
      'CONTRACT §4 workspace_list_active_files paged',
      'CONTRACT §4 workspace_list_active_files entry',
    ],
    'active files are listed page by page, each with its six fields',
    async () => {
      const names = ['C.txt', 'a.txt', 'B.txt']
      const product = await embedded(Object.fromEntries(names.map(name => [name, name])))
      const params = { sessionId: product.sessionId }
      for (const path of names) await product.ask('addActiveFile', { params, body: { path } })
      await product.ask('addActiveFile', { params, body: { path: 'a.txt', buffer: 'unsaved' } })
      expect(await allPages(product, 'workspace_list_active_files', 2)).toEqual([
        'a.txt',
        'b.txt',
        'c.txt',
      ])
      const { files, total } = await product.call('workspace_list_active_files', {})
      expect(total).toBe(3)
      expect(files[0]).toEqual({
        docPath: 'a.txt',
        displayPath: 'a.txt',
        sizeBytes: 7,
        isDirty: true,
        isActive: true,
        sha256: sha256('unsaved'),
      })
      expect(files[1]).toMatchObject({
        displayPath: 'B.txt',
        isDirty: false,
        sha256: sha256('B.txt'),
      })
    },
  )

  verifies(
    ['TUL-004 §1 in the catalog', 'CONTRACT §4 execution locations'],
    'the catalog that the server advertises has each tool with where it runs',
    async () => {
      const product = await embedded()
      const { value } = await product.ask('tools')
      const where = (name: string) =>
        value.find((tool: Answer) => tool.name === name)?.executionLocation
      expect(where(CREATE)).toBe('client')
      expect(where(PATCH)).toBe('client')
      for (const name of ['list_files', 'get_file_info', 'read_file', 'write_text_file'])
        expect(where(name)).toBe('client')
      for (const name of ['edit_text_file', 'xlsx_operations', 'file_operations'])
        expect(where(name)).toBe('client')
      expect(where('recall_tool_result')).toBe('server')
      for (const name of [
        READ,
        'workspace_list_files',
        'workspace_list_active_files',
        'workspace_get_patch_change',
      ])
        expect(where(name)).toBe('server')
    },
  )
})

describe('one-call drafts', () => {
  verifies(
    [
      'CONTRACT §6 batch is a one-call draft',
      'CONTRACT §6 create is a one-call draft',
      'CONTRACT §5 approval holds',
    ],
    'a batch and a created file are drafts of one call, reviewed at their approval, which holds over a rebase',
    async () => {
      const product = await embedded({ 'a.txt': LINES })
      await product.call(READ, { path: 'a.txt' })
      const patch = await product.call(PATCH, replaceLine('a.txt', sha256(LINES), 4, 'd', 'D'), {
        approve: 'ask',
      })
      const create = await product.call(
        CREATE,
        { path: 'b.txt', content: 'b\n' },
        { approve: 'ask' },
      )
      const { value: approvals } = await product.ask('listApprovals')
      const { value: drafts } = await product.ask('listDrafts')
      for (const { approvalId } of [patch, create]) {
        const { draftId, changes } = approvals.find((each: Answer) => each.id === approvalId)
        const draft = drafts.find((each: Answer) => each.id === draftId)
        expect(draft).toMatchObject({ purpose: 'one-call', state: 'open' })
        const { value } = await product.ask('review', { query: { draftId } })
        expect(value.changes.map((change: Answer) => change.id)).toEqual(
          changes.map((change: Answer) => change.id),
        )
      }
      product.write('a.txt', `top\n${LINES}`)
      await approve(product, patch.approvalId)
      await approve(product, create.approvalId)
      expect([product.read('a.txt'), product.read('b.txt')]).toEqual(['top\na\nb\nc\nD\n', 'b\n'])
      const { value: after } = await product.ask('listDrafts')
      expect(after.map((draft: Answer) => draft.state)).toEqual(['published', 'published'])
    },
  )
})

function replaceLine(
  docPath: string,
  originalSha256: string,
  line: number,
  old: string,
  fresh: string,
) {
  const range = { startLine: line, endLine: line, expectedOriginalLines: [old], newLines: [fresh] }
  return { files: [{ docPath, originalSha256, changes: [{ operation: 'replace', ...range }] }] }
}

async function newest(product: Embedded) {
  const [batch] = await product.stores.patches.list(product.workspaceId as never)
  return batch!
}

function approve(product: Embedded, approvalId: string) {
  return product.ask('decide', { params: { approvalId }, body: { decision: 'approved' } })
}

async function allPages(product: Embedded, tool: string, limit: number): Promise<string[]> {
  const seen: string[] = []
  let after: string | undefined
  do {
    const page = await product.call(tool, { limit, ...(after && { after }) })
    expect(page.files.length).toBeLessThanOrEqual(limit)
    seen.push(...page.files.map((file: Answer) => file.docPath))
    after = page.next ?? undefined
  } while (after)
  return seen
}

/** Calls in a session of another workspace on the same server. */
async function otherWorkspace(product: Embedded) {
  const root = mkdtempSync(join(tmpdir(), 'filewright-other-'))
  mkdirSync(join(root, 'workspace'))
  writeFileSync(join(root, 'workspace/a.txt'), readFileSync(join(product.dir, 'a.txt')))
  const server = { origin: 'http://localhost', token: TOKEN }
  const client = await startOwnClient(server, {
    workspace: unwrap(await openDiskWorkspace(join(root, 'workspace'))),
    stateRoot: join(root, 'state'),
    fetch: product.server.fetch,
    key: 'other',
    name: 'other',
  })
  onTestFinished(async () => {
    await client.close()
    rmSync(root, { recursive: true, force: true, maxRetries: 20 })
  })
  const params = { workspaceId: client.workspaceId }
  const { value: session } = await product.ask('createSession', { params, body: {} })
  return async (tool: string, args: unknown) => {
    const body = { tool, arguments: args, approve: 'all' }
    const where = { ...params, sessionId: session.sessionId }
    return (await product.ask('callTool', { params: where, body })).value
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

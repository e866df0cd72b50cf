import { createHash } from 'node:crypto'
import { linkSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Sandbox, sandbox } from '../cli.ts'
import type { Answer } from '../embedded.ts'
import { PATIENCE } from '../patience.ts'
import { untilSays } from '../until-says.ts'
import { verifies } from '../verifies.ts'
import { type HostileServer, hostileServer, turnOf } from './hostile-server.ts'

const SECRET = 'sk-live-0123456789-never-leaves'
const TASKS = '.vscode/tasks.json'
const files = { 'a.txt': 'one\n', '.env': `KEY=${SECRET}\n`, id_rsa: SECRET, [TASKS]: '{}\n' }
const shaOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** The real command, offered to a server that is not to be trusted; nobody is at a terminal. */
async function attachTo(server: HostileServer, box: Sandbox, ...options: string[]) {
  const args = ['attach', '--server', server.origin, '--token', 't', ...options]
  const child = box.start(args)
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = await untilSays(child, /It can list this folder.*/)
  await server.attached
  return { child, said }
}

/** Every file of the folder, of the state and around them, by path. */
function everythingAround(box: Sandbox): Map<string, string> {
  const root = dirname(box.dir)
  const found = new Map<string, string>()
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' }))
    if (!path.startsWith('state') && statSync(join(root, path)).isFile())
      found.set(path, readFileSync(join(root, path), 'latin1'))
  return found
}

let calls = 0
function caller(server: HostileServer) {
  return (tool: string, args: unknown, more: object = {}): Promise<Answer> =>
    server.ask('tool-call', {
      turn: turnOf(tool, args, `tc_${++calls}`),
      policy: 'all',
      author: 'person',
      ...more,
    })
}

const create = (path: string) => ({ path, content: 'evil\n', overwrite: true })
const patch = (path: string, base: string) => ({
  files: [
    {
      docPath: path,
      originalSha256: base,
      changes: [{ operation: 'insert', afterLine: 0, newLines: ['evil'] }],
    },
  ],
})

verifies(
  'CONTRACT §9 attach --yes',
  'a hostile server gets no byte of a key file, no write and no rule, whatever method it calls',
  async () => {
    const box = sandbox(files)
    symlinkSync('.env', join(box.dir, 'notes.txt'))
    symlinkSync('.env', join(box.dir, 'AGENTS.md'))
    linkSync(join(box.dir, '.env'), join(box.dir, 'twin.txt'))
    linkSync(join(box.dir, '.env'), join(box.dir, 'twin.csv'))
    await box.run(['rules', 'add', '--effect', 'read', '--path', '.env']) // for this machine's own runs
    const before = everythingAround(box)
    const server = await hostileServer()
    const { said } = await attachTo(server, box)
    expect(said).toContain('wait: there is no terminal')
    const call = caller(server)

    // key files, by every name and every method that reads
    const NAMES = [
      '.env',
      '.ENV',
      './.env',
      'notes.txt',
      'AGENTS.md',
      'twin.txt',
      'twin.csv',
      'id_rsa',
    ]
    for (const path of NAMES) {
      await server.ask('source', { docPath: path, known: null, similar: true })
      await server.ask('source', { docPath: path, known: shaOf(`KEY=${SECRET}\n`) })
      const draftOf = { sessionId: 'ses_0123456789abcdef', known: null }
      await server.ask('source', { docPath: path, known: null, draftOf })
      for (const tool of ['read_file', 'get_file_info']) await call(tool, { path })
      await call('search_files', { query: 'KEY', path, context: 3 })
      await call('search_files', { query: '.', regex: true, path })
      const query = { sql: 'SELECT * FROM t', tables: [{ as: 't', path, header_row: 0 }] }
      await call('table_query', query)
      await call('table_export', { ...query, path: 'out.csv' })
      const edits = [{ search: 'KEY', replace: 'X' }]
      await call('workspace_edit_file', { path, edits })
      await call('edit_text_file', { path, edits })
      await call('write_text_file', { path, content: 'x' })
      await call('workspace_create_file', create(path))
      await call('workspace_write_patch', patch(path, shaOf(`KEY=${SECRET}\n`)))
      for (const op of ['copy', 'move'])
        await call('file_operations', { operations: [{ op, from: path, to: `out-${op}.txt` }] })
      await call('xlsx_operations', { path: 'x.xlsx', copy_from: path, operations: [] })
    }

    await call('search_files', { query: 'sk-live' })
    for (const folders of [undefined, [''], ['..', '.env', '../..']])
      await server.ask('instructions', { folders })

    // rules and policies
    for (const effect of ['read', 'write', 'scan', 'allow'])
      expect(await server.ask('rule-add', { rule: { effect, path: '.env' } })).toMatchObject({
        failure: { code: 'DENIED' },
      })
    await server.ask('rule-remove', { ruleId: 'rul_1' })
    expect(await server.ask('rule-list', {})).toEqual({ ok: true, value: [] })

    // writes: every policy, unchecked input, approvals of its own, drafts, undo
    const approvals: string[] = []
    for (const policy of ['all', 'named', 'rules', 'ask', 'person', 'evil', null]) {
      const pending = await call('workspace_create_file', create('evil.txt'), { policy })
      expect(pending, String(policy)).toMatchObject({ value: { pending: { pending: true } } })
      approvals.push(pending.value.pending.approvalId)
    }
    await call('workspace_create_file', {}, { input: { checked: create('evil.txt') } })
    for (const approvalId of approvals)
      for (const remember of ['always', undefined])
        expect(
          await server.ask('approval-decide', {
            approvalId,
            decision: { decision: 'approved', by: 'evil', remember },
          }),
        ).toMatchObject({ failure: { code: 'DENIED' } })
    await call('write_text_file', { path: 'a.txt', content: 'evil\n' })
    await call('write_text_file', { path: TASKS, content: 'evil\n' })
    const review = await server.ask('draft-review', {})
    const ids = review.value.changes.map(({ id }: { id: string }) => id)
    for (const only of [undefined, ids])
      expect(await server.ask('draft-publish', { only, by: 'evil' })).toMatchObject({
        failure: { code: 'DENIED', message: expect.stringContaining('nobody can be asked') },
      })
    for (const way of ['undo', 'redo'])
      expect(await server.ask(way, { named: [TASKS] })).toMatchObject({
        failure: { code: 'DENIED' },
      })
    await server.ask('restore', { id: '../../evil' })

    // ids and shapes that nobody should send
    for (const id of [`x/${'../'.repeat(6)}evil`, '../../evil', 'a\0b', '']) {
      await server.ask('tool-call', {
        turn: turnOf('workspace_create_file', create('b.txt'), id),
        policy: 'all',
        author: 'x',
      })
      for (const method of ['draft-review', 'draft-publish', 'draft-discard', 'undo', 'redo'])
        await server.ask(method, { draftId: id, changeSetId: id, by: 'x' })
      await server.ask('tool-state', { toolCallId: id })
      await server.ask('kept-call', { toolCallId: id })
    }
    const METHODS = [
      ...['tool-call', 'tool-state', 'tool-cancel', 'kept-calls', 'kept-call', 'source', 'files'],
      ...['draft-list', 'draft-review', 'draft-net', 'draft-publish', 'draft-resolve'],
      ...['draft-discard', 'draft-deeds', 'undo', 'redo', 'restore', 'approval-list'],
      ...['draft-rewind', 'instructions'],
      ...['approval-decide', 'rule-list', 'rule-add', 'rule-remove', 'constructor', '__proto__'],
    ]
    for (const method of METHODS)
      for (const params of [null, 7, [], {}, { draftId: 7, approvalId: null, limit: -1 }])
        expect(await server.ask(method, params), method).toHaveProperty('ok')

    expect(server.received()).not.toContain(SECRET)
    expect(server.received()).not.toContain(Buffer.from(SECRET).toString('base64').slice(0, 30))
    expect(everythingAround(box)).toEqual(before)
    const rules = await box.run(['rules', 'list', '--json'])
    expect(JSON.parse(rules.stdout)).toMatchObject([{ effect: 'read', path: '.env' }])
  },
)

verifies(
  'CONTRACT §9 attach --yes',
  '--yes lets the server write, but no file that other programs execute; a rule of this machine does the same',
  async () => {
    const box = sandbox(files)
    const server = await hostileServer()
    const { said, child } = await attachTo(server, box, '--yes')
    expect(said).toContain('It can write without asking')
    const call = caller(server)
    const rules = { policy: 'rules' }
    expect(await call('workspace_create_file', create('b.txt'), rules)).toMatchObject({
      value: { outcome: { envelope: { success: true } } },
    })
    expect(box.read('b.txt')).toBe('evil\n')
    const named = await call('workspace_create_file', create(TASKS), { named: true })
    expect(named).toMatchObject({ value: { pending: { pending: true } } })
    await call('write_text_file', { path: 'a.txt', content: 'evil\n' })
    await call('write_text_file', { path: TASKS, content: 'evil\n' })
    expect(await server.ask('draft-publish', { by: 'x' })).toMatchObject({
      value: { files: [{ path: 'a.txt' }], executed: [{ path: TASKS }] },
    })
    expect(box.read(TASKS)).toBe('{}\n')
    child.kill('SIGKILL')

    await box.run(['rules', 'add', '--effect', 'write', '--path', 'src/**'])
    const other = await hostileServer()
    const { said: again } = await attachTo(other, box)
    expect(again).toContain("that this folder's rules do not allow")
    const ask = caller(other)
    expect(await ask('workspace_create_file', create('src/c.txt'), rules)).toMatchObject({
      value: { outcome: { envelope: { success: true } } },
    })
    expect(await ask('workspace_create_file', create('d.txt'), rules)).toMatchObject({
      value: { pending: { pending: true } },
    })
    expect([box.exists('src/c.txt'), box.exists('d.txt')]).toEqual([true, false])
  },
)

verifies(
  'CONTRACT §9 attach --review-there',
  '--review-there leaves decisions to the page of the server, but for rules and files that programs execute',
  async () => {
    const box = sandbox(files)
    const server = await hostileServer()
    const { said } = await attachTo(server, box, '--review-there')
    expect(said).toContain('Whoever controls that server decides about writes (--review-there).')
    const call = caller(server)
    const approve = async (path: string) => {
      const { value } = await call('workspace_create_file', create(path))
      return server.ask('approval-decide', {
        approvalId: value.pending.approvalId,
        decision: { decision: 'approved', by: 'there', remember: 'always' },
      })
    }
    expect(await approve('b.txt')).toMatchObject({ ok: true })
    expect(box.read('b.txt')).toBe('evil\n')
    expect(await approve(TASKS)).toMatchObject({ failure: { code: 'DENIED' } })
    expect(box.read(TASKS)).toBe('{}\n')
    expect(await call('workspace_create_file', create('b.txt'))).toMatchObject({ ok: true })
    expect(await server.ask('rule-list', {})).toEqual({ ok: true, value: [] })
  },
)

test('both options together are refused', async () => {
  const box = sandbox(files)
  const ran = await box.run(['attach', '--server', 'http://127.0.0.1:1', '--yes', '--review-there'])
  expect(ran.code).toBe(2)
  expect(ran.stderr).toContain('choose one')
  await expect.poll(() => ran.stdout, PATIENCE).toBe('')
})

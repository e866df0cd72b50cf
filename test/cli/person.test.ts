import { execFile, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { finished, type Sandbox, sandbox } from '../cli.ts'
import { fakeModel } from '../fake-model.ts'
import { verifies } from '../verifies.ts'

const CREATE = [
  {
    text: 'I add it.',
    calls: [{ name: 'workspace_create_file', arguments: { path: 'new.md', content: '# New\n' } }],
  },
  { text: 'It stands.' },
]

test('a run uses the model of its own environment, whoever owns the state', async () => {
  const box = sandbox({ 'a.txt': 'a\n' })
  const { baseUrl, requests } = await fakeModel([{ text: 'I am here.' }])
  const owner = await startOwner(box)
  const env = { FILEWRIGHT_BASE_URL: baseUrl, FILEWRIGHT_MODEL: 'fake', FILEWRIGHT_API_KEY: 'k-1' }
  const ran = await box.run(['run', 'Hello?'], { env })
  expect(ran.stdout).toContain('I am here.')
  expect(requests[0]).toMatchObject({ model: 'fake', authorization: 'Bearer k-1' })
  await stop(owner)
})

test('a model set while a server runs is used by its next run', async () => {
  const box = sandbox({ 'a.txt': 'a\n' })
  const { baseUrl } = await fakeModel([{ text: 'I am here.' }])
  const owner = await startOwner(box)
  await box.run(['config', 'set', 'base-url', baseUrl])
  await box.run(['config', 'set', 'model', 'fake'])
  expect((await box.run(['run', 'Hello?'])).stdout).toContain('I am here.')
  await stop(owner)
})

test('a run that waits names the approvals of its own session only; so does resume, which does not wait', async () => {
  const box = sandbox({ 'a.txt': 'a\n' })
  const env = { FILEWRIGHT_BASE_URL: (await fakeModel(CREATE)).baseUrl, FILEWRIGHT_MODEL: 'fake' }
  await box.call('workspace_create_file', { path: 'other.md', content: 'x' })
  const ran = await box.run(['run', 'Add it.', '--toolset', 'workspace'], { env })
  expect(ran.code).toBe(9)
  expect(ran.stderr).toMatch(
    /Create new\.md: waits for a person.* approve apr_\w+ -C '.*work space'/,
  )
  expect(ran.stderr).not.toContain('other.md')

  const waiting = await box.run(['resume'], { env })
  expect(waiting.code).toBe(9)
  expect(waiting.stderr).toContain('Create new.md: waits for a person')

  const approved = await box.run(['resume', '--approve', 'all'], { env })
  expect(approved).toMatchObject({ code: 0 })
  expect(approved.stdout).toContain('It stands.')
  expect(box.read('new.md')).toBe('# New\n')
  expect(box.exists('other.md')).toBe(false)
})

test('log shows the session that was touched last, by a run or by a call', async () => {
  const box = sandbox({ 'a.txt': 'a\n' })
  await box.call('read_file', { path: 'a.txt' })
  await box.run(['run', 'Show me.'])
  expect((await box.run(['log'])).stdout).toContain('run-start')
  await box.call('workspace_create_file', { path: 'b.txt', content: 'b\n' })
  const { stdout } = await box.run(['log'])
  expect(stdout).toMatch(/approval {2}apr_\w+ waits for a person/)
})

test('undo and redo take a draft', async () => {
  const box = sandbox({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  const edit = async (path: string, search: string) => {
    const args = { path, edits: [{ search, replace: `${search}2` }] }
    return (await box.call('edit_text_file', args)).result.draftId
  }
  const first = await edit('a.txt', 'a')
  expect((await box.run(['undo', '--draft', first])).code).toBe(4)
  await box.run(['publish', '--yes'])
  await edit('b.txt', 'b')
  await box.run(['publish', '--yes'])
  expect((await box.run(['undo', '--draft', first])).code).toBe(0)
  expect([box.read('a.txt'), box.read('b.txt')]).toEqual(['a\n', 'b2\n'])
  expect((await box.run(['redo', '--draft', first])).code).toBe(0)
  expect(box.read('a.txt')).toBe('a2\n')
})

test('approvals and draft without a subcommand list; a pending call names the folder, to answer from elsewhere', async () => {
  const box = sandbox()
  const { result } = await box.call('workspace_create_file', { path: 'b.txt', content: 'b\n' })
  expect(result.message).toMatch(new RegExp(`approve ${result.approvalId} -C '.*/work space'$`))
  expect((await box.run(['approvals'])).stdout).toContain(result.approvalId)
  expect((await box.run(['draft'])).code).toBe(0)
})

const NAMED = {
  batchLabel: 'Rename b',
  batchKey: 'rename',
  files: [
    {
      docPath: 'a.txt',
      fileLabel: 'The list',
      fileKey: 'list',
      changes: [
        {
          operation: 'replace',
          startLine: 1,
          endLine: 1,
          expectedOriginalLines: ['b'],
          newLines: ['bee'],
          changeKey: 'b-longer',
          description: 'b is too short',
        },
      ],
    },
  ],
}

verifies(
  'TUL-002 §7.2 keys in the interface',
  "a person at a terminal sees the model's labels and keys next to what they name",
  async () => {
    const box = sandbox({ 'a.txt': 'b\n' })
    const { result } = await box.call('workspace_read_file', { path: 'a.txt' })
    const files = NAMED.files.map(file => ({ ...file, originalSha256: result.file.version }))
    await box.call('workspace_write_patch', { ...NAMED, files })
    const [title, file, change] = (await box.run(['approvals'])).stdout.split('\n')
    expect(title).toMatch(/ {2}Rename b {2}\[rename\]$/)
    expect(file).toBe('── a.txt  The list  [list]')
    expect(change).toMatch(/^ {2}\S+ {2}.+ {2}\[b-longer\] {2}\(b is too short\)$/)
  },
)

test('every command, argument and option says what it is', async () => {
  const box = sandbox()
  for (const command of [['draft'], ['approvals'], ['rules'], ['models'], ['config'], ['attach']]) {
    const { stdout } = await box.run([...command, '--help'])
    const entries = stdout.split('\n').filter(line => /^ {2}[\w-]/.test(line))
    for (const line of entries) expect(line).toMatch(/^ {2}\S.*? {2,}\S/)
  }
})

test('publish names every file that moved on, deleted ones too; a rule for no tool and an empty task are refused', async () => {
  const box = sandbox({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  await box.call('edit_text_file', { path: 'a.txt', edits: [{ search: 'a', replace: 'x' }] })
  await box.call('file_operations', { operations: [{ op: 'delete', path: 'b.txt' }] })
  box.write('a.txt', 'other\n')
  box.write('b.txt', 'other\n')
  const published = await box.run(['publish', '--yes'])
  expect(published.code).toBe(4)
  expect(published.stderr).toMatch(
    /2 files are in conflict.*"a\.txt" changed.*"b\.txt" was to be deleted/,
  )
  expect(box.read('b.txt')).toBe('other\n')
  expect(await box.run(['rules', 'add', '--effect', 'allow', '--tool', 'nope'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The tools are'),
  })
  expect((await box.run(['run', ' '])).stderr).toContain('name the task')
})

/** A separate terminal, if the system has the tool for one. */
const terminal = (box: Sandbox, args: string, answers: string, beforeAnswer = async () => {}) =>
  new Promise<{ code: number | null; shown: string }>(resolve => {
    const child = execFile(
      'script',
      ['-qec', `"${process.execPath}" "${box.bin}" ${args}`, '/dev/null'],
      { cwd: box.dir, env: { PATH: process.env.PATH, FILEWRIGHT_STATE: box.state, TERM: 'dumb' } },
      (error, stdout) => resolve({ code: error ? Number(error.code) : 0, shown: stdout }),
    )
    let left = answers.split('')
    let shown = ''
    child.stdout!.on('data', async (text: string) => {
      shown += text
      if (!/Approve\?[^:]*: /.test(shown)) return
      shown = ''
      const end = left.findIndex(
        letter => letter === '\n' || letter === '\x03' || letter === '\x04',
      )
      const answer = left.slice(0, end + 1).join('')
      left = left.slice(end + 1)
      await beforeAnswer()
      child.stdin!.write(answer)
    })
  })

test.skipIf(process.platform !== 'linux' || spawnSync('script', ['--version']).status !== 0)(
  'at an approval Ctrl+C is not a crash, the end of the input decides nothing, and a strange answer is asked again',
  async () => {
    const box = sandbox()
    const create = `call workspace_create_file '{"path":"b.txt","content":"b"}'`
    const cancelled = await terminal(box, create, '\x03')
    expect(cancelled.code).toBe(130)
    expect(cancelled.shown).not.toContain('AbortError')
    expect((await terminal(box, create, '\x04')).code).toBe(9)
    const asked = await terminal(box, create, 'maybe\ny\n')
    expect(asked.shown).toContain('"maybe" is neither an answer')
    expect(asked.code).toBe(0)
    expect(box.read('b.txt')).toBe('b')
  },
)

test.skipIf(process.platform !== 'linux' || spawnSync('script', ['--version']).status !== 0)(
  'answering an approval that somebody else has answered meanwhile says so, and how the call ended',
  async () => {
    const box = sandbox()
    const create = `call workspace_create_file '{"path":"b.txt","content":"b"}'`
    const denied = await terminal(box, create, 'y\n', async () => {
      expect((await box.run(['approvals', 'deny', 'all'])).code).toBe(0)
    })
    expect(denied.shown).toMatch(/was already denied by \w+, so it can no longer be approved/)
    expect(denied.shown).toMatch(/"errorCode": ?"DENIED"/)
    expect(denied.code).toBe(5)
    expect(box.exists('b.txt')).toBe(false)
  },
)

async function startOwner(box: Sandbox) {
  const owner = box.start(['serve', '--port', '0'])
  for await (const line of createInterface({ input: owner.stdout! }))
    if (line.includes('http://')) break
  return owner
}

async function stop(owner: ReturnType<Sandbox['start']>) {
  owner.kill('SIGTERM')
  await finished(owner)
}

test('a missing file to make active is reported to a person, with similar names', async () => {
  const box = sandbox({ 'a.txt': 'a\n', 'src/notes.md': 'n\n' })
  const tell = async (...args: string[]) => {
    const { code, stderr } = await box.run(args)
    expect(code).toBe(3)
    return stderr
  }
  const nowhere = await tell('active', 'add', 'nope')
  expect(nowhere).toBe(
    'filewright: No file "nope" was found in this workspace. Give its path from the root of the folder, such as "src/app.ts".\n',
  )
  expect(await tell('run', 'Hello?', '--active', 'nope')).toBe(nowhere)
  expect(await tell('active', 'add', 'notes.md')).toContain('Similar: src/notes.md.')
  expect(await tell('active', 'add', 'src')).toContain('It is a folder, with src/notes.md.')
})

test.each([
  ['--active', 'a.txt', '--active', 'nope'],
  ['--model', 'nobody/x'],
  ['--budget-tokens', '0'],
])('a run that cannot begin leaves no session: %s %s', async (...options) => {
  const box = sandbox({ 'a.txt': 'a\n' })
  expect((await box.run(['run', 'Hello?', ...options])).code).not.toBe(0)
  expect((await box.run(['log', '--sessions'])).stdout).toBe('')
})

test('the active files of a session are forgotten with it', async () => {
  const box = sandbox({ 'a.txt': 'a\n' })
  expect((await box.run(['active', 'add', 'a.txt'])).code).toBe(0)
  const kept = async () => {
    const { DatabaseSync } = (await import('@photostructure/sqlite')) as unknown as {
      DatabaseSync: new (
        file: string,
      ) => { prepare(sql: string): { all(): unknown[] }; close(): void }
    }
    const database = new DatabaseSync(`${box.state}/filewright.db`)
    const rows = database.prepare("select key from settings where key like 'active-files/%'").all()
    database.close()
    return rows.length
  }
  expect(await kept()).toBe(1)
  const [sessionId = ''] = (await box.run(['log', '--sessions'])).stdout.split(' ')
  expect((await box.run(['log', '--delete', sessionId])).code).toBe(0)
  expect(await kept()).toBe(0)
})

test.each([
  ['tools', '--json', '--mcp'],
  ['tools', '--openai', '--markdown'],
  ['tools', '--markdown', '--toolset=workshop'],
  ['log', '--jsonl', '--sent'],
  ['log', '--sent', '--sessions'],
  ['log', '--delete', '--jsonl'],
])('%s %s %s is refused: one of the two would be ignored', async (command, one, other) => {
  const { code, stdout, stderr } = await sandbox({ 'a.txt': 'a\n' }).run([command, one, other])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  const named = [one, other].map(option => option.replace(/=.*/, ''))
  expect(stderr).toMatch(/^error: option '.*' cannot be used with option '.*'/)
  for (const option of named) expect(stderr.split('\n')[0]).toContain(option)
})

test('a draft that holds no change says so, and publishing it asks nobody and closes it', async () => {
  const box = sandbox({ 'a.txt': 'a\n' })
  await box.call('write_text_file', { path: 'new.txt', content: 'n\n' })
  await box.call('file_operations', { operations: [{ op: 'delete', path: 'new.txt' }] })
  expect((await box.run(['draft', 'list'])).stdout).toMatch(/ {2}open {2}\S+ {2}no change\n$/)
  expect((await box.run(['review'])).stdout).toMatch(/^drf_\w+ {2}open {2}no change\n$/)
  const published = await box.run(['publish'])
  expect(published).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Nothing was written/),
  })
  expect((await box.run(['draft', 'list'])).stdout).toMatch(/ {2}published {2}\S+ {2}no change\n$/)
})

test('one byte and one file are in the singular', async () => {
  const box = sandbox({ 'a.txt': 'a' })
  expect((await box.run(['active', 'add', 'a.txt'])).stdout).toBe('a.txt  1 byte\n')
  expect((await box.run(['doctor', '-C', '.'])).stdout).toContain('1 file, 0 that no tool can use')
  const created = await box.call('workspace_create_file', { path: 'a.txt', content: 'b' })
  expect(created.result.message).toMatch(/\(version \w{8}, 1 byte\)/)
  await box.run(['active', 'remove', 'a.txt'])
  const read = await box.call('workspace_read_file', { path: 'a.txt', lineStart: 2 })
  expect(read.result.message).toContain("Cannot read line 2 of 'a.txt': it has 1 line.")
})

import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { finished, type Sandbox, sandbox } from '../cli.ts'
import { verifies } from '../verifies.ts'

const STATE = '.local/state/filewright'
const LARGE = ['--allow-large']

verifies(
  'CONTRACT §2 large tree asked',
  'a home folder is not scanned before a person says yes, and every command says how',
  async () => {
    const { run } = home()
    const refusal = /home folder.+--allow-large/
    const listed = await run(['call', 'list_files', '{}'])
    expect(listed.code).toBe(5)
    expect(JSON.parse(listed.stdout)).toMatchObject({
      errorCode: 'LIMIT_REACHED',
      kind: 'denied',
      question: 'home-folder',
      message: expect.stringMatching(refusal),
    })
    for (const command of [
      ['run', 'hello'],
      ['serve', '--port', '0'],
      ['attach', '--server', 'http://127.0.0.1:1', '--token', 'x'],
    ])
      expect(await run(command)).toMatchObject({
        code: 5,
        stdout: '',
        stderr: expect.stringMatching(refusal),
      })
    const read = await run(['call', 'read_file', '{"path":"a.txt"}'])
    expect(JSON.parse(read.stdout)).toMatchObject({ success: true, content: 'one\n' })
  },
)

test('after the yes a home folder is worked on, and the state in it is out of reach', async () => {
  const { box, env, run, call } = home()
  expect((await call('list_files', {}, LARGE)).files).toMatchObject([{ path: 'a.txt' }])
  expect(readdirSync(join(box.dir, STATE))).toContain('token')
  const own = [`${STATE}/token`, `.Local/State/Filewright/token`, '.cache/filewright/x']
  const calls = own.flatMap(path => [
    ['read_file', { path }],
    ['get_file_info', { path }],
    ['workspace_read_file', { path }],
    ['write_text_file', { path, content: 'x' }],
    ['workspace_create_file', { path, content: 'x', overwrite: true }],
    ['file_operations', { operations: [{ op: 'copy', from: path, to: 'copy.txt' }] }],
    ['file_operations', { operations: [{ op: 'move', from: 'a.txt', to: `${path}2` }] }],
    ['file_operations', { operations: [{ op: 'delete', path }] }],
  ])
  const input = calls.map(([tool, args]) => JSON.stringify({ tool, arguments: args })).join('\n')
  const tried = await box.run(['call', '--lines', '--yes', ...LARGE], { env, input })
  const answers = tried.stdout.trimEnd().split('\n')
  expect(answers).toHaveLength(calls.length)
  for (const answer of answers)
    expect(answer).toContain('no tool may read or write where Filewright keeps its state')
  expect(await call('write_text_file', { path: 'new.txt', content: 'n\n' })).toMatchObject({
    success: true,
  })
  expect((await run(['publish', '--yes'])).code).toBe(0)
  expect(box.read('new.txt')).toBe('n\n')
  expect((await run(['undo'])).code).toBe(0)
  expect(box.exists('new.txt')).toBe(false)
  expect((await run(['run', 'hello', '--publish', 'auto', ...LARGE])).code).toBe(0)
  expect((await call('list_files', {}, LARGE)).files.map((file: Named) => file.path)).toEqual([
    'a.txt',
    'demo-note.md',
    'demo-prices.xlsx',
  ])
})

test('a yes counts even if another process opened the folder without it', async () => {
  const { box, env, call } = home()
  const owner = box.start(['call', '--lines'], { env })
  const lines = createInterface({ input: owner.stdout! })[Symbol.asyncIterator]()
  const ask = async () => {
    owner.stdin!.write('{"tool":"list_files","arguments":{}}\n')
    return JSON.parse((await lines.next()).value).result
  }
  expect(await ask()).toMatchObject({ success: false, question: 'home-folder' })
  expect(await call('list_files', {}, LARGE)).toMatchObject({ success: true, total: 1 })
  expect(await ask()).toMatchObject({ success: true, total: 1 })
  owner.stdin!.end()
  await finished(owner)
})

test('a folder above the home folder can be opened too, and keeps the state out of reach', async () => {
  const box = sandbox({ 'users/me/a.txt': 'one\n' })
  const env = { HOME: join(box.dir, 'users/me'), FILEWRIGHT_STATE: '' }
  const listed = await box.run(['call', 'list_files', '{}'], { env })
  expect(JSON.parse(listed.stdout).files).toMatchObject([{ path: 'users/me/a.txt' }])
  const path = `users/me/${STATE}/token`
  const read = await box.run(['call', 'read_file', JSON.stringify({ path })], { env })
  expect(read.stdout).not.toContain(readFileSync(join(box.dir, path), 'utf8').trim())
  expect(JSON.parse(read.stdout)).toMatchObject({ success: false, errorCode: 'InvalidPath' })
})

test('the usual state folder stays out of reach when another is used', async () => {
  const { box, env } = home()
  mkdirSync(join(box.dir, STATE), { recursive: true })
  box.write(`${STATE}/token`, 'secret')
  const elsewhere = { ...env, FILEWRIGHT_STATE: box.state }
  const read = await box.run(['call', 'read_file', JSON.stringify({ path: `${STATE}/token` })], {
    env: elsewhere,
  })
  expect(JSON.parse(read.stdout)).toMatchObject({ success: false, errorCode: 'InvalidPath' })
})

test.skipIf(process.platform !== 'linux' || spawnSync('script', ['--version']).status !== 0)(
  'on a terminal the person is asked, and only a yes scans the folder',
  async () => {
    const { box, env, run, call } = home()
    const list = `call list_files '{}'`
    const no = await terminal(box, env, list, 'n\n')
    expect(no.code).toBe(5)
    expect(no.shown).toContain('nothing was scanned')
    expect(no.shown).not.toContain('"total"')
    expect((await run(['rules'])).stdout).toBe('')
    const yes = await terminal(box, env, list, 'y\n')
    expect(yes.code).toBe(0)
    expect(yes.shown).toContain('"total": 1')

    const again = await terminal(box, env, list, '')
    expect(again.code).toBe(0)
    expect(again.shown).not.toContain('[y/N]')
    expect(await call('list_files', {})).toMatchObject({ success: true, total: 1 })
    expect((await run(['run', 'hello'])).code).toBe(0)
    expect((await run(['doctor', '-C', '.'])).stdout).toMatch(/folder +1 file,/)
  },
)

test('a remembered yes is seen and taken back as a rule, and allows no write', async () => {
  const { box, run, call } = home()
  const added = await run(['rules', 'add', '--effect', 'scan'])
  expect(added.stdout).toMatch(/^rul_\w+ {2}scan {2}all of this folder/)
  expect((await run(['rules', 'add', '--effect', 'scan'])).stdout).toBe(added.stdout)
  expect(await call('list_files', {})).toMatchObject({ success: true, total: 1 })
  const create = { path: 'new.txt', content: 'n\n' }
  expect(await call('workspace_create_file', create)).toMatchObject({ pending: true })
  expect(box.exists('new.txt')).toBe(false)
  expect((await run(['rules', 'list'])).stdout).toBe(added.stdout)
  const [id] = added.stdout.split(' ')
  expect((await run(['rules', 'remove', id!])).code).toBe(0)
  expect(await call('list_files', {})).toMatchObject({ success: false, question: 'home-folder' })
})

test('a rule to scan is one for the whole folder or none', async () => {
  const { run } = home()
  const narrowed = await run(['rules', 'add', '--effect', 'scan', '--path', 'a/**'])
  expect(narrowed).toMatchObject({ code: 2, stdout: '' })
  expect(narrowed.stderr).toContain('No rule was made')
})

test('a yes given with --allow-large counts only for that command', async () => {
  const { call } = home()
  expect(await call('list_files', {}, LARGE)).toMatchObject({ success: true })
  expect(await call('list_files', {})).toMatchObject({ success: false, question: 'home-folder' })
})

test('if the stored yes is damaged, the question is asked again', async () => {
  const { box, run, call } = home()
  await run(['rules', 'add', '--effect', 'deny', '--path', 'x/**'])
  await run(['rules', 'add', '--effect', 'scan'])
  const workspaces = join(box.dir, STATE, 'workspaces')
  const rules = join(workspaces, readdirSync(workspaces)[0]!, 'rules.jsonl')
  const [first, ...rest] = readFileSync(rules, 'utf8').split('\n')
  writeFileSync(rules, [`\x07${first!.slice(3)}`, ...rest].join('\n'))
  expect(await call('list_files', {})).toMatchObject({ success: false, question: 'home-folder' })
  expect((await run(['run', 'hello'])).code).toBe(5)
})

interface Named {
  readonly path: string
}

/** The workspace is the home folder, and nothing says where the state is. */
function home() {
  const box = sandbox({ 'a.txt': 'one\n' })
  const env = { HOME: box.dir, FILEWRIGHT_STATE: '' }
  const run = (args: readonly string[]) => box.run(args, { env })
  const call = async (tool: string, args: unknown, flags: readonly string[] = []) =>
    JSON.parse((await run(['call', tool, JSON.stringify(args), ...flags])).stdout)
  return { box, env, run, call }
}

function terminal(
  box: Sandbox,
  env: Record<string, string>,
  args: string,
  answer: string,
): Promise<{ code: number | null; shown: string }> {
  return new Promise(resolve => {
    const child = execFile(
      'script',
      ['-qec', `"${process.execPath}" "${box.bin}" ${args}`, '/dev/null'],
      { cwd: box.dir, env: { PATH: process.env.PATH, TERM: 'dumb', ...env } },
      (error, stdout) => resolve({ code: error ? Number(error.code) : 0, shown: stdout }),
    )
    let shown = ''
    child.stdout!.on('data', (text: string) => {
      shown += text
      if (!shown.includes('[y/N] ')) return
      shown = ''
      child.stdin!.write(answer)
    })
  })
}

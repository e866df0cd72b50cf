import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'

test.each([
  { name: 'named', state: (dir: string) => join(dir, '.state') },
  {
    name: 'reached by a link',
    state: (dir: string) => join(dirname(dir), 'link', 'deep', '.state'),
  },
  { name: 'the workspace itself', state: (dir: string) => dir },
  { name: 'the home folder and the workspace', state: (dir: string) => dir, isHome: true },
  { name: 'beside a home folder', state: (dir: string) => join(dir, 'state'), home: 'home' },
])(
  'a state folder inside the workspace, $name, is refused before it is made',
  async ({ state, isHome, home }) => {
    const box = sandbox({ 'a.txt': 'one\n' })
    symlinkSync(box.dir, join(dirname(box.dir), 'link'))
    const env = {
      FILEWRIGHT_STATE: state(box.dir),
      ...((isHome || home) && { HOME: join(box.dir, home ?? '') }),
    }
    for (const command of [
      ['call', 'read_file', '{"path":"a.txt"}'],
      ['serve', '--port', '0'],
    ])
      expect(await box.run(command, { env })).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('is inside the workspace'),
      })
    expect(readdirSync(box.dir)).toEqual(['a.txt'])
  },
)

test('a state folder that cannot be created is reported in one sentence', async () => {
  const box = sandbox({ 'a.txt': 'one\n' })
  const file = join(dirname(box.dir), 'file')
  writeFileSync(file, '')
  for (const state of [file, join(file, 'below')]) {
    const env = { FILEWRIGHT_STATE: state }
    const { code, stderr } = await box.run(['call', 'read_file', '{"path":"a.txt"}'], { env })
    expect(code).toBe(8)
    expect(stderr).toMatch(
      /^filewright: Cannot keep state in ".+": .+ ENOTDIR\. Set FILEWRIGHT_STATE .+\n$/,
    )
  }
})

test('a review hides nothing from a terminal', async () => {
  const box = sandbox({ 'a.txt': 'keep\n' })
  const content = 'evil\u001b[1A\u001b[2K+keep\u202e\n'
  await box.call('write_text_file', { path: 'a.txt', content })
  const { stdout } = await box.run(['review'])
  expect(stdout).toContain('+evil\\u{1b}[1A\\u{1b}[2K+keep\\u{202e}\n')
})

test('damaged rules and uploads are reported and kept, allow nothing and stop nothing', async () => {
  const box = sandbox({ 'a.txt': 'one\n' })
  const create = (path: string) => box.call('workspace_create_file', { path, content: 'x' })
  await box.run(['rules', 'add', '--effect', 'allow', '--path', '*.md'])
  await box.run(['rules', 'add', '--effect', 'deny', '--path', '*.log'])
  expect((await create('one.md')).result).toMatchObject({ success: true })
  const [key] = readdirSync(join(box.state, 'workspaces'))
  const folder = join(box.state, 'workspaces', key!)
  const logs = ['rules.jsonl', 'uploads.jsonl'].map(name => join(folder, name))
  for (const path of logs) appendFileSync(path, '{"torn')
  const torn = await box.run(['call', 'read_file', '{"path":"a.txt"}'])
  expect(torn).toMatchObject({ code: 0, stderr: '' })
  const damage = (bytes: string, path: string) => {
    const [, ...rest] = bytes.split('\n')
    writeFileSync(path, ['garbage', 'null', ...rest].join('\n'))
  }
  for (const path of logs) damage(readFileSync(path, 'utf8'), path)
  const first = await create('two.md')
  expect(first.stderr).toMatch(/No rule allows anything any more/)
  expect(first.stderr).toMatch(/list of versions .+ damaged/)
  expect(first.result).toMatchObject({ pending: true })
  expect((await create('a.log')).result).toMatchObject({ errorCode: 'DENIED' })
  expect((await create('three.md')).stderr).toBe('')
  const { stdout } = await box.run(['doctor'])
  expect(stdout).toMatch(/damaged +kept as workspaces\/\w+\/damaged\/rules-[0-9a-f]{8}\.jsonl/)
  expect(stdout).toMatch(/damaged +kept as workspaces\/\w+\/damaged\/uploads-[0-9a-f]{8}\.jsonl/)
})

test('invalid settings stop nothing, and a folder where a log should be is reported in one sentence', async () => {
  const box = sandbox({ 'a.txt': 'one\n' })
  const read = () => box.run(['call', 'read_file', '{"path":"a.txt"}'])
  await read()
  writeFileSync(join(box.state, 'config.json'), '{"model":5,"base-url":null}')
  expect(await read()).toMatchObject({ code: 0, stderr: '' })
  for (const settings of ['null', '[1]', '{"model"']) {
    writeFileSync(join(box.state, 'config.json'), settings)
    const told = await read()
    expect(told.code).toBe(0)
    expect(told.stderr).toMatch(/^config\.json in the state folder is damaged, .+\n$/)
  }
  const [key] = readdirSync(join(box.state, 'workspaces'))
  const rules = join(box.state, 'workspaces', key!, 'rules.jsonl')
  rmSync(rules, { force: true })
  mkdirSync(rules)
  rmSync(join(box.state, 'config.json'))
  const refused = await read()
  expect(refused.code).toBe(8)
  expect(refused.stderr).toMatch(/^filewright: the state folder .+ cannot be used \(EISDIR.+\n$/)
})

test('an unnamed home folder does not count, and its state is not put among the files', async () => {
  const box = sandbox({ 'a.txt': 'one\n' })
  for (const HOME of ['', 'home']) {
    const env = { HOME, FILEWRIGHT_STATE: '' }
    const { code, stderr } = await box.run(['call', 'read_file', '{"path":"a.txt"}'], { env })
    expect(code).toBe(8)
    expect(stderr).toMatch(/^filewright: There is no home folder .+FILEWRIGHT_STATE.+\n$/)
    expect(readdirSync(box.dir)).toEqual(['a.txt'])
  }
})

test.skipIf(process.platform === 'win32')(
  'a state folder of ours that others can enter is closed to them',
  async () => {
    const box = sandbox({ 'a.txt': 'one\n' })
    mkdirSync(box.state)
    chmodSync(box.state, 0o755)
    expect((await box.call('read_file', { path: 'a.txt' })).code).toBe(0)
    expect(modeOf(box.state)).toBe(0o700)
    chmodSync(box.state, 0o777) // later, by another program
    expect((await box.call('read_file', { path: 'a.txt' })).code).toBe(0)
    expect(modeOf(box.state)).toBe(0o700)
  },
)

test.skipIf(process.platform === 'win32')(
  'a folder that holds other files and is open to others keeps no state',
  async () => {
    const box = sandbox({ 'a.txt': 'one\n' })
    mkdirSync(box.state)
    writeFileSync(join(box.state, 'shared.txt'), 'of a team')
    chmodSync(box.state, 0o775)
    expect(await box.run(['call', 'read_file', '{"path":"a.txt"}'])).toMatchObject({
      code: 8,
      stdout: '',
      stderr: expect.stringContaining('holds other files, and other users can enter it'),
    })
    expect(modeOf(box.state)).toBe(0o775)
    expect(readdirSync(box.state)).toEqual(['shared.txt'])
  },
)

function modeOf(path: string): number {
  return statSync(path).mode & 0o777
}

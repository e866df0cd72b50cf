import { linkSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { type Embedded, embedded } from '../embedded.ts'
import { fakeModel } from '../fake-model.ts'
import { verifies } from '../verifies.ts'

const TASKS = '.vscode/tasks.json'
const WHY = /Other programs execute ".*" unasked: .*\./
const files = { 'a.txt': 'one\n', [TASKS]: '{}\n', '.git/config': '[core]\n' }
const create = (path: string) => ({ path, content: 'evil\n', overwrite: true })
const write = (path: string) => ({ path, content: 'evil\n' })
const arrange = (op: string, from: string, to: string) => ({ operations: [{ op, from, to }] })
const RULES = { approve: 'rules' } as const

/** What a run with `--approve all` asks of the client, here with a rule that allows everything. */
async function withWildRule() {
  const product = await embedded(files)
  await product.ask('addRule', { body: { effect: 'write', path: '**' } })
  await product.ask('addRule', { body: { effect: 'write', path: '.vscode/**' } })
  return product
}

async function publish(product: Embedded, body: object = {}) {
  return (await product.ask('publish', { body: { by: 'me', ...body } })).value
}

verifies(
  'CONTRACT §6 executed files asked for',
  'no wildcard allows a file that other programs execute, however its path is spelled',
  async () => {
    const product = await withWildRule()
    expect(await product.call('workspace_create_file', create('b.txt'), RULES)).toMatchObject({
      success: true,
    })
    for (const path of [TASKS, '.VSCode/Tasks.json', './.vscode\\tasks.json', '.git/hooks/x']) {
      const asked = await product.call('workspace_create_file', create(path), RULES)
      expect(asked, path).toMatchObject({ pending: true })
    }
    const { value: approvals } = await product.ask('listApprovals')
    for (const approval of approvals) {
      expect(approval.needsPerson).toBe(true)
      expect(approval.warnings[0]).toMatch(WHY)
      expect(approval.executed[0].why).toMatch(WHY)
    }
    expect(product.read(TASKS)).toBe('{}\n')
    await product.ask('addRule', { body: { effect: 'write', path: TASKS } })
    expect(await product.call('workspace_create_file', create(TASKS), RULES)).toMatchObject({
      success: true,
    })
    expect(product.read(TASKS)).toBe('evil\n')
  },
)

test("a person's own yes covers the file that the call names, not one behind a link", async () => {
  const product = await embedded(files)
  symlinkSync('.git/config', join(product.dir, 'notes.txt'))
  const approve = { approve: 'all' } as const
  const linked = await product.call('workspace_create_file', create('notes.txt'), approve)
  expect(linked).toMatchObject({ pending: true })
  expect(product.read('.git/config')).toBe('[core]\n')
  const named = await product.call('workspace_create_file', create('.git/config'), approve)
  expect(named).toMatchObject({ success: true })
  expect(product.read('.git/config')).toBe('evil\n')
})

test('a second name of such a file does not reach it', async () => {
  const product = await embedded(files)
  linkSync(join(product.dir, '.git/config'), join(product.dir, 'notes.txt'))
  const approve = { approve: 'all' } as const
  await product.call('workspace_create_file', create('notes.txt'), approve)
  expect(product.read('.git/config')).toBe('[core]\n')
})

verifies(
  'CONTRACT §6 executed files asked for',
  'publishing a draft leaves such files until their changes are named, and writes the rest',
  async () => {
    const product = await embedded(files)
    await product.call('write_text_file', write('a.txt'))
    await product.call('write_text_file', write(TASKS))
    const { value: review } = await product.ask('review')
    expect(review.warnings).toEqual([expect.stringMatching(WHY)])
    expect(review.executed).toMatchObject([{ path: TASKS }])
    const published = await publish(product)
    expect(published).toMatchObject({ files: [{ path: 'a.txt' }], executed: [{ path: TASKS }] })
    expect(published.message).toMatch(/1 other change stays.*unasked.*publish --yes --only chg_/)
    expect([product.read('a.txt'), product.read(TASKS)]).toEqual(['evil\n', '{}\n'])
    const again = await publish(product)
    expect(again).toMatchObject({ errorCode: 'DENIED', executed: [{ path: TASKS }] })
    await publish(product, { only: published.executed[0].changeIds })
    expect(product.read(TASKS)).toBe('evil\n')
  },
)

test.each([
  ['a move onto it', [arrange('move', 'a.txt', '.git/hooks/pre-commit')]],
  ['a copy onto it', [arrange('copy', 'a.txt', '.envrc2/.husky/pre-push')]],
  ['a move away from it', [arrange('move', '.git/config', 'c.txt')]],
  ['a deletion', [{ operations: [{ op: 'delete', path: '.git/config' }] }]],
])('%s waits to be named', async (_, calls) => {
  const product = await embedded(files)
  for (const call of calls)
    expect(await product.call('file_operations', call)).toMatchObject({ success: true })
  const published = await publish(product)
  expect(published).toMatchObject({ errorCode: 'DENIED' })
  expect(published.message).toMatch(/^Nothing was written\. Other programs execute/)
  expect(product.read('.git/config')).toBe('[core]\n')
  const { value: review } = await product.ask('review')
  const only = review.changes.map(({ id }: { id: string }) => id)
  expect(await publish(product, { only })).toMatchObject({ undecided: 0 })
})

test('a draft of a link to such a file waits to be named', async () => {
  const product = await embedded(files)
  symlinkSync('.git/config', join(product.dir, 'notes.txt'))
  await product.call('edit_text_file', {
    path: 'notes.txt',
    edits: [{ search: 'core', replace: 'evil' }],
  })
  expect(await publish(product)).toMatchObject({ executed: [{ path: 'notes.txt' }] })
  expect(product.read('.git/config')).toBe('[core]\n')
})

test('what depends on such a file waits with it', async () => {
  const product = await embedded(files)
  await product.call('write_text_file', write(TASKS))
  const copied = await product.call('file_operations', arrange('copy', TASKS, 'copy.json'))
  expect(copied).toMatchObject({ success: true })
  await product.call('write_text_file', write('b.txt'))
  expect(await publish(product)).toMatchObject({ files: [{ path: 'b.txt' }] })
  expect(product.read(TASKS)).toBe('{}\n')
})

verifies(
  'CONTRACT §6 executed files asked for',
  'undo and redo write such a file only when it is named',
  async () => {
    const product = await embedded(files)
    await product.call('workspace_create_file', create(TASKS), { approve: 'all' })
    for (const [way, content] of [
      ['undo', '{}\n'],
      ['redo', 'evil\n'],
    ] as const) {
      const before = product.read(TASKS)
      const { value: refused } = await product.ask(way, { body: {} })
      expect(refused).toMatchObject({ errorCode: 'DENIED', message: expect.stringMatching(WHY) })
      expect(product.read(TASKS)).toBe(before)
      await product.ask(way, { body: { named: ['.VSCODE/tasks.json'] } })
      expect(product.read(TASKS)).toBe(content)
    }
  },
)

verifies(
  'CONTRACT §6 executed files asked for',
  'a run writes no such file with --approve all and a rule for everything: it waits, exit 9',
  async () => {
    const call = { name: 'workspace_create_file', arguments: create(TASKS) }
    const model = await fakeModel([{ text: '', calls: [call] }, { text: 'Done.' }])
    const box = sandbox(files)
    const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake' }
    await box.run(['rules', 'add', '--effect', 'write', '--path', '**'])
    const ran = await box.run(
      ['run', 'Go.', '--approve', 'all', '--publish', 'auto', '--toolset', 'workspace'],
      { env },
    )
    expect([ran.code, box.read(TASKS)]).toEqual([9, '{}\n'])
    const all = await box.run(['approvals', 'approve', 'all'])
    expect([all.code, box.read(TASKS)]).toEqual([9, '{}\n'])
    expect(all.stderr).toMatch(WHY)
    const id = /approvals approve (\S+)/.exec(ran.stderr)![1]!
    expect((await box.run(['approvals', 'approve', id])).code).toBe(0)
    expect(box.read(TASKS)).toBe('evil\n')
  },
)

verifies(
  'CONTRACT §6 executed files asked for',
  'a run publishes the rest with --publish auto; publish --yes --only names it, and undo asks again',
  async () => {
    const calls = ['a.txt', TASKS].map(path => ({
      name: 'write_text_file',
      arguments: write(path),
    }))
    const model = await fakeModel([{ text: '', calls }, { text: 'Done.' }])
    const box = sandbox(files)
    const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake' }
    const ran = await box.run(['run', 'Go.', '--publish', 'auto'], { env })
    expect([ran.code, box.read('a.txt'), box.read(TASKS)]).toEqual([9, 'evil\n', '{}\n'])
    const yes = await box.run(['publish', '--yes'])
    expect([yes.code, box.read(TASKS)]).toEqual([9, '{}\n'])
    expect(yes.stderr).toMatch(WHY)
    expect((await box.run(['review'])).stderr).toMatch(WHY)
    const id = /--only (chg_\S+)/.exec(yes.stderr)![1]!
    expect((await box.run(['publish', '--yes', '--only', id])).code).toBe(0)
    expect(box.read(TASKS)).toBe('evil\n')
    const undone = await box.run(['undo'])
    expect([undone.code, box.read(TASKS)]).toEqual([9, 'evil\n'])
    expect((await box.run(['undo', '--name', TASKS])).code).toBe(0)
    expect(box.read(TASKS)).toBe('{}\n')
  },
)

test('call --yes on the exact path counts as asked, without it the call waits', async () => {
  const box = sandbox(files)
  mkdirSync(join(box.dir, '.git/hooks'))
  const path = '.git/hooks/pre-commit'
  expect((await box.call('workspace_create_file', create(path))).code).toBe(9)
  expect((await box.call('workspace_create_file', create(path), ['--yes'])).code).toBe(0)
  expect(box.read(path)).toBe('evil\n')
})

verifies(
  'CONTRACT §6 executed files asked for',
  'what tells other agents what to do waits to be named, in a draft and in a call',
  async () => {
    const product = await embedded(files)
    await product.ask('addRule', { body: { effect: 'write', path: '**' } })
    const paths = [
      'CLAUDE.md',
      'docs/AGENTS.md',
      '.cursor/rules/all.mdc',
      'lefthook.yaml',
      'opencode.json',
    ]
    for (const path of paths) {
      await product.call('write_text_file', write(path))
      const asked = await product.call('workspace_create_file', create(`again/${path}`), RULES)
      expect(asked, path).toMatchObject({ pending: true })
    }
    await product.call('write_text_file', write('readme.md'))
    const published = await publish(product)
    expect(published.files.map(({ path }: { path: string }) => path)).toEqual(['readme.md'])
    expect(published.executed.map(({ path }: { path: string }) => path).sort()).toEqual(
      paths.toSorted(),
    )
  },
)

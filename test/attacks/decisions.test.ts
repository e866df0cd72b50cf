import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'

test('a draft is not lost when the only chosen change depends on another', async () => {
  const box = sandbox({ 'a.txt': 'one\n' })
  const edits = [
    { search: 'one', replace: 'two' },
    { search: 'two', replace: 'three' },
  ]
  for (const edit of edits) await box.call('edit_text_file', { path: 'a.txt', edits: [edit] })
  const { changes } = JSON.parse((await box.run(['review', '--json'])).stdout)
  const [first, second] = changes.map(({ id }: { id: string }) => id)

  expect(await box.run(['publish', '--yes', '--only', second])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      `${second} cannot be applied without changes that were left out`,
    ),
  })
  expect(await box.run(['publish', '--yes', '--only', first, second])).toMatchObject({ code: 0 })
  expect(box.read('a.txt')).toBe('three\n')
})

test('arguments may begin with a byte order mark', async () => {
  const box = sandbox({ 'a.txt': 'one\n' })
  const input = '\uFEFF{"path": "a.txt"}'
  expect(await box.run(['call', 'read_file', '-'], { input })).toMatchObject({ code: 0 })
})

test('an approved call cannot be denied afterwards', async () => {
  const box = sandbox()
  const { result } = await box.call('workspace_create_file', { path: 'a.txt', content: 'one\n' })
  expect(await box.run(['approvals', 'approve', result.approvalId])).toMatchObject({ code: 0 })
  expect(await box.run(['approvals', 'deny', result.approvalId])).toMatchObject({
    code: 4,
    stdout: '',
    stderr: expect.stringContaining('was already approved by'),
  })
  expect(box.read('a.txt')).toBe('one\n')
})

test('a denial that comes too late says how to undo exactly what that approval wrote', async () => {
  const box = sandbox({ 'a.txt': 'one\n' })
  const { result } = await box.call('workspace_create_file', { path: 'b.txt', content: 'two\n' })
  await box.run(['approvals', 'approve', result.approvalId])
  await box.call('write_text_file', { path: 'a.txt', content: 'later\n' })
  await box.run(['publish', '--yes'])
  const { stderr } = await box.run(['approvals', 'deny', result.approvalId])
  const [, changeSetId] = /"filewright undo (cs_\w+)" takes back/.exec(stderr)!
  expect(await box.run(['undo', changeSetId!])).toMatchObject({ code: 0 })
  expect(box.exists('b.txt')).toBe(false)
  expect(box.read('a.txt')).toBe('later\n')
})

test('an approval that wrote nothing says so, and does not suggest undoing something else', async () => {
  const box = sandbox({ 'a.txt': 'one\n' })
  const { result } = await box.call('workspace_create_file', {
    ...{ path: 'a.txt', content: 'two\n', overwrite: true },
  })
  box.write('a.txt', 'one\nand by hand\n')
  const approved = await box.run(['approvals', 'approve', result.approvalId])
  expect(approved).toMatchObject({ code: 4 })
  expect(approved.stdout).toMatch(/^Nothing was written: all of "a.txt" was to be replaced/)
  expect(approved.stdout).not.toContain('correctedChanges')
  const { stderr, code } = await box.run(['approvals', 'deny', result.approvalId])
  expect(code).toBe(4)
  expect(stderr).toContain('Nothing was written for it.')
  expect(box.read('a.txt')).toBe('one\nand by hand\n')
})

test('a denial and its consequences are stored together: no crash comes between', async () => {
  const box = sandbox()
  const { result } = await box.call('workspace_create_file', { path: 'a.txt', content: 'one\n' })
  await box.run(['approvals', 'deny', result.approvalId])
  const [workspace] = readdirSync(join(box.state, 'workspaces'))
  const closed = join(box.state, 'workspaces', workspace!, 'drafts/closed')
  const [log] = readdirSync(closed)
  const last = readFileSync(join(closed, log!), 'utf8').trim().split('\n').at(-1)!
  const types = (JSON.parse(last) as { type: string }[]).map(({ type }) => type)
  expect(types).toEqual(['decide', 'outcome', 'close'])
})

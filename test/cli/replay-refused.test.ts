import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Published, Review } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { type Sandbox, sandbox } from '../cli.ts'
import { textOf } from '../mcp/frames.ts'
import { connectStdio } from '../mcp/stdio-client.ts'

test('an operation that cannot be done again is named on the command line, dropped, and the rest is published', async () => {
  const box = await drafted()
  const read = await box.call('read_file', { path: 's.xlsx' })
  expect(read).toMatchObject({ result: { success: false } })
  const review: Review = JSON.parse((await box.run(['review', '--json'])).stdout)
  const [refused] = review.changes.filter(({ path }) => path === 's.xlsx')
  expect((await box.run(['draft', 'show'])).stderr).toContain(
    `filewright draft resolve ${refused!.id} --theirs`,
  )
  const first = await box.run(['publish', '--yes', '--json'])
  expect(first.code).toBe(9)
  expect((JSON.parse(first.stdout) as Published).undecided).toBe(1)
  expect(box.read('other.txt')).toBe('x\n')
  expect((await box.run(['publish', '--yes'])).code).toBe(9)
  expect((await box.run(['draft', 'resolve', refused!.id, '--theirs'])).code).toBe(0)
  expect((await box.run(['publish', '--yes'])).code).toBe(0)
  const written = await box.call('read_file', { path: 's.xlsx' })
  expect(JSON.stringify(written.result)).toMatch(/first.*second/)
})

test('an agent over MCP sees it, publishes the other files, and does not decide', async () => {
  const box = await drafted()
  const onRequest = ({ params }: { params: { message: string } }) => ({
    action: 'accept',
    content: { confirm: /type ([0-9a-f]{6})\b/.exec(params.message)![1] },
  })
  const capabilities = { elicitation: { form: {} } }
  const client = await connectStdio(box, { era: '2025-11-25', capabilities, onRequest })
  expect(textOf(await client.call('review_draft'))).toMatch(/filewright draft resolve chg_\w+/)
  expect(textOf(await client.call('publish_draft'))).toContain('1 other change stays')
  expect(box.read('other.txt')).toBe('x\n')
  expect(textOf(await client.call('publish_draft'))).toContain('filewright draft resolve')
})

test('a draft that makes something else than what was accepted waits until a person names its changes', async () => {
  const box = sandbox({ 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n' })
  for (const [path, search] of [
    ['a.txt', 'one'],
    ['a.txt', 'two'],
    ['b.txt', 'b'],
  ])
    await box.call('edit_text_file', { path, edits: [{ search, replace: 'changed' }] })
  const log = logOf(box)
  writeFileSync(log, readFileSync(log, 'utf8').replace(/"made":"\w+"/, '"made":"something else"'))
  const shown = await box.run(['review'])
  expect(shown.stderr).toContain('"a.txt" was recorded with other results')
  expect(shown.stdout).toContain('+changed')
  expect((await box.run(['publish', '--yes'])).code).toBe(9)
  expect([box.read('a.txt'), box.read('b.txt')]).toEqual(['one\ntwo\n', 'changed\n'])
  const { changes }: Review = JSON.parse((await box.run(['review', '--json'])).stdout)
  const named = await box.run(['publish', '--yes', '--only', ...changes.map(({ id }) => id)])
  expect(named.code).toBe(0)
  expect(box.read('a.txt')).toBe('changed\nchanged\n')
})

function logOf(box: Sandbox): string {
  const [key] = readdirSync(join(box.state, 'workspaces'))
  const folder = join(box.state, 'workspaces', key!, 'drafts', 'open')
  return join(folder, readdirSync(folder)[0]!)
}

/** The log of a workbook has an operation that refuses, as if another version had accepted it. */
async function drafted(): Promise<Sandbox> {
  const box = sandbox()
  const cell = (name: string, value: string) => ({
    path: 's.xlsx',
    create_if_missing: true,
    operations: [{ op: 'set_cells', sheet: 'Sheet1', cells: [{ cell: name, value }] }],
  })
  await box.call('write_text_file', { path: 'other.txt', content: 'x\n' })
  await box.call('xlsx_operations', cell('A1', 'first'))
  await box.call('xlsx_operations', cell('A2', 'second'))
  const log = logOf(box)
  const text = readFileSync(log, 'utf8')
  const refused = text.replace(/"sheet":"Sheet1"(,"cells":\[\{"cell":"A2")/, '"sheet":"Gone"$1')
  const lines = text.trim().split('\n')
  const last = refused
    .trim()
    .split('\n')
    .at(-1)!
    .replaceAll(/tc_\w+/g, 'tc_of_another_version')
  writeFileSync(log, `${[...lines, last].join('\n')}\n`)
  return box
}

import { existsSync } from 'node:fs'
import type { Review } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { type Sandbox, sandbox } from '../cli.ts'
import { leaveWork, workspace } from './recipe.ts'
import { keep, keptBuilds, openKept } from './state-folder.ts'

/**
 * The work that each kept build left, opened by today's; and the work that today's build leaves, so that the recipe runs.
 * `FILEWRIGHT_KEEP_STATE=<name> npx vitest run test/states` keeps what today's build leaves as `builds/<name>`
 * (CONTRIBUTING.md, "State of earlier versions").
 */
const makers: Readonly<Record<string, () => Promise<Sandbox>>> = {
  today: async () => {
    const box = sandbox()
    await leaveWork(box)
    if (process.env.FILEWRIGHT_KEEP_STATE) keep(box, process.env.FILEWRIGHT_KEEP_STATE)
    return box
  },
  ...Object.fromEntries(keptBuilds().map(build => [build, async () => openKept(build)])),
}

test('at least one build is kept', () => {
  expect(Object.keys(makers).length).toBeGreaterThan(1)
})

describe.each(Object.keys(makers))('the work that %s left', build => {
  test('is there, and goes on', { timeout: 300_000 }, async () => {
    const box = await makers[build]!()
    await goesOn(box)
  })
})

async function goesOn(box: Sandbox): Promise<void> {
  await formats(box)
  await looksAgain(box, 'stale')
  await looksAgain(box, 'refused')
  await parts(box)
  await undone(box)
  await waiting(box)
  await conversation(box)
}

async function formats(box: Sandbox): Promise<void> {
  const work = workspace(box, 'formats')
  const { changes } = JSON.parse((await work.run(['review', '--json'])).stdout)
  const paths = new Set(changes.map(({ path }: { path: string }) => path))
  expect([...paths].sort()).toEqual([
    'a.txt',
    'b.txt',
    'copy.xlsx',
    'd.docx',
    'p.pptx',
    's.xlsx',
    't.csv',
  ])
  await publishAll(work)
  const [text, sheet, copy, document, deck] = await work.calls([
    ['read_file', { path: 'b.txt' }],
    ['read_file', { path: 's.xlsx', sheet: 'U' }],
    ['read_file', { path: 'copy.xlsx', sheet: 'T' }],
    ['read_file', { path: 'd.docx' }],
    ['read_file', { path: 'p.pptx' }],
  ])
  expect(text.content).toContain('LINE 3\nmore\n')
  expect(JSON.stringify(sheet)).toContain('40')
  expect(JSON.stringify(copy)).toContain('copied')
  expect(JSON.stringify(document)).toContain('Dear Ann, the fee is 10.')
  expect(JSON.stringify(document)).toContain('Paid in 30 days.')
  expect(JSON.stringify(deck)).toContain('Even less')
  await work.run(['undo'])
  await work.run(['redo'])
}

/** A workbook whose draft may be another one now keeps no other file from review and publish. */
async function looksAgain(box: Sandbox, name: string): Promise<void> {
  const work = workspace(box, name)
  await publishAll(work)
  expect(box.read(`${name}/other.txt`)).toBe('x\n')
  const [sheet] = await work.calls([['read_file', { path: 's.xlsx', sheet: 'U' }]])
  expect(JSON.stringify(sheet)).toMatch(/1,?000/)
  expect(JSON.stringify(sheet)).toContain('500') // what the old build had shown as 20
}

/** A person names what was recorded by an earlier version, and drops what cannot be done again. */
async function publishAll(work: ReturnType<typeof workspace>): Promise<void> {
  const first = await work.run(['publish', '--yes'], [0, 9])
  if (first.code === 0) return
  for (let rounds = 0; rounds < 9; rounds++) {
    const { changes } = JSON.parse((await work.run(['review', '--json'])).stdout) as Review
    const broken = changes.filter(({ kind }) => kind === 'operation').map(({ id }) => id)
    if (broken.length === 0) {
      const named = changes.map(({ id }) => id)
      await work.run(['publish', '--yes', '--only', ...named])
      return
    }
    await work.run(['draft', 'resolve', ...broken, '--theirs'])
  }
}

async function parts(box: Sandbox): Promise<void> {
  const work = workspace(box, 'parts')
  const { changes } = JSON.parse((await work.run(['review', '--json'])).stdout)
  expect(changes.map(({ place }: { place: string }) => place)).toEqual(['line 8', 'U!B3'])
  await work.run(['undo']) // of what was published
  await work.run(['redo'])
  await publishAll(work)
  const [text, sheet] = await work.calls([
    ['read_file', { path: 'a.txt' }],
    ['read_file', { path: 's.xlsx', sheet: 'U' }],
  ])
  expect(text.content).toMatch(/LINE 2[\s\S]*LINE 8/)
  expect(JSON.stringify(sheet)).toMatch(/1,?000[\s\S]*500/)
}

async function undone(box: Sandbox): Promise<void> {
  const work = workspace(box, 'undone')
  const read = () => box.read('undone/a.txt')
  expect(read()).toBe('two\n')
  await work.run(['redo'])
  expect(read()).toBe('three\n')
  await work.run(['undo'])
  await work.run(['undo'])
  expect(read()).toBe('one\n')
}

async function waiting(box: Sandbox): Promise<void> {
  const work = workspace(box, 'waiting')
  const listed = (await work.run(['approvals', 'list'])).stdout
  const approvals = [...new Set(listed.match(/apr_\w+/g))]
  expect(approvals).toHaveLength(2)
  const [first, second] = approvals
  await work.run(['approvals', 'approve', first!])
  await work.run(['approvals', 'deny', second!])
  const written = ['first.md', 'second.md'].filter(path => existsSync(`${box.dir}/waiting/${path}`))
  expect(written).toHaveLength(1)
  const rules = (await work.run(['rules', 'list'])).stdout
  expect(rules).toContain('docs/**')
  const asked = JSON.stringify({ path: 'docs/a.md', content: '# A\n' })
  await work.run(['call', 'workspace_create_file', asked])
  const secret = JSON.stringify({ path: 'secret/a.md', content: '# A\n' })
  expect((await work.run(['call', 'workspace_create_file', secret], 5)).stdout).toContain('rul_')
}

async function conversation(box: Sandbox): Promise<void> {
  const work = workspace(box, 'conversation')
  const log = (await work.run(['log'])).stdout
  expect(log).toContain('Make it new.')
  expect(log).toContain('Done: it is new.')
  await work.published()
  expect(box.read('conversation/notes.txt')).toBe('new\n')
}

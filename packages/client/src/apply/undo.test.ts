import fs from 'node:fs'
import path from 'node:path'
import type { ChangeSetId, RelativePath } from '@filewright/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import { changeSet, create, remove, replace, sha256Of } from '../testing/apply-kit.ts'
import { openDiskPorts, readTree, writeTree } from '../testing/disk-ports.ts'
import { makeTempFolder } from '../testing/temp-folder.ts'
import { apply } from './apply.ts'
import { removeOldCheckpoints } from './checkpoints.ts'
import { findRedoable, findUndoable, redo, undo } from './undo.ts'

const before = { 'a.txt': 'one', 'gone.txt': 'two', 'Sub/b.txt': 'three' }
const after = { 'a.txt': 'ONE', 'Sub/b.txt': 'three', 'made/new/c.txt': 'four' }

verifies(
  ['CONTRACT §6 undo', 'CONTRACT §6 undo of undo', 'CONTRACT §6 publish keeps a checkpoint'],
  'undo restores the old bytes, undoing the undo the new ones, and so on',
  async () => {
    const { root, ports } = await openApplied()
    expect(await undo(id('cs_1'), ports, { as: id('cs_2') })).toMatchObject({ ok: true })
    expect(readTree(root)).toEqual(sorted(before))
    expect(fs.existsSync(path.join(root, 'made'))).toBe(false)
    expect(await redo(id('cs_1'), ports, { as: id('cs_3') })).toMatchObject({ ok: true })
    expect(readTree(root)).toEqual(sorted(after))
    expect(await undo(id('cs_3'), ports, { as: id('cs_4') })).toMatchObject({ ok: true })
    expect(readTree(root)).toEqual(sorted(before))
  },
)

test.each(['../cs_1', '', 'x'.repeat(101), 'cs_1\0'])(
  '%j is not a change set to undo',
  async given => {
    const { root, ports } = await openApplied()
    expect(await undo(id(given), ports, { as: id('cs_2') })).toMatchObject({
      failure: { code: 'NOT_FOUND' },
    })
    expect(readTree(root)).toEqual(sorted(after))
  },
)

test('a damaged checkpoint does not prevent the undo of others', async () => {
  const { root, ports } = await openApplied()
  const later = changeSet('cs_2', [replace('Sub/b.txt', 'three', 'THREE')])
  expect(await apply(later, ports)).toMatchObject({ ok: true })
  for (const damaged of ['', '{"changeSetId":"cs_1","fi']) {
    fs.writeFileSync(path.join(root, '../state/checkpoints/cs_1.json'), damaged)
    const found = await ports.checkpoints.list()
    expect(found.map(({ changeSetId }) => changeSetId)).toEqual(['cs_2'])
    expect(await undo(id('cs_1'), ports, { as: id('cs_3') })).toMatchObject({
      failure: { code: 'NOT_FOUND' },
    })
  }
  expect(await undo(id('cs_2'), ports, { as: id('cs_3') })).toMatchObject({ ok: true })
})

test('a file that changed since cannot be undone, and nothing is written', async () => {
  const { root, ports } = await openApplied()
  fs.writeFileSync(path.join(root, 'a.txt'), 'edited since')
  expect(await undo(id('cs_1'), ports, { as: id('cs_2') })).toMatchObject({
    failure: {
      code: 'CONFLICT',
      message: expect.stringContaining('"a.txt" was changed (now version c9699a50, was 2192e895)'),
      details: { files: [{ path: 'a.txt' }] },
    },
  })
  expect(readTree(root)).toEqual(sorted({ ...after, 'a.txt': 'edited since' }))
})

test('undo takes the last change set and redo the last undo, even when the clock was set back', async () => {
  const { ports } = await openApplied()
  const clocks = [50_000, 50_000, 10_000, 90_000, 1000, 70_000]
  const at = (now: number) => ({ ...ports, now: () => now })
  const text = (n: number) => (n === 1 ? 'ONE' : `${n}`)
  for (let n = 2; n <= 4; n++) {
    const set = changeSet(`cs_${n}`, [replace('a.txt', text(n - 1), text(n))])
    expect(await apply(set, at(clocks[n - 2]!))).toMatchObject({ ok: true })
  }
  for (const [n, undone] of ['cs_4', 'cs_3', 'cs_2'].entries()) {
    expect(findUndoable(await ports.checkpoints.list())?.changeSetId).toBe(undone)
    const as = { as: id(`cs_u${n}`) }
    expect(await undo(id(undone), at(clocks[3 + n]!), as)).toMatchObject({ ok: true })
    expect(findRedoable(await ports.checkpoints.list())?.changeSetId).toBe(undone)
  }
})

test('a refused undo or redo says exactly what prevents it', async () => {
  const { root, ports } = await openApplied()
  const at = (name: string) => path.join(root, name)
  const told = (sentence: string) => ({
    failure: { code: 'CONFLICT', message: expect.stringContaining(`since then ${sentence}, so`) },
  })
  fs.writeFileSync(at('gone.txt'), 'x')
  fs.rmSync(at('made/new/c.txt'))
  expect(await undo(id('cs_1'), ports, { as: id('cs_2') })).toMatchObject(
    told('a file "gone.txt" was created, "made/new/c.txt" was removed'),
  )
  fs.rmSync(at('gone.txt'))
  fs.writeFileSync(at('made/new/c.txt'), 'four')
  expect(await undo(id('cs_1'), ports, { as: id('cs_3') })).toMatchObject({ ok: true })
  fs.mkdirSync(at('made/new/c.txt'), { recursive: true })
  expect(await redo(id('cs_1'), ports, { as: id('cs_4') })).toMatchObject(
    told('a folder took the name "made/new/c.txt"'),
  )
  expect(readTree(root)).toEqual(sorted(before))
})

test.skipIf(process.platform === 'win32')(
  'a moved program stays executable, even when the move is undone and redone',
  async () => {
    const { root, ports } = await openApplied()
    fs.chmodSync(path.join(root, 'a.txt'), 0o751)
    const isProgram = (name: string) => (fs.statSync(path.join(root, name)).mode & 0o777) === 0o751
    const moved = { ...create('bin/run.sh', 'ONE'), like: 'a.txt' as RelativePath }
    await apply(changeSet('cs_2', [moved, remove('a.txt', 'ONE')]), ports)
    expect(isProgram('bin/run.sh')).toBe(true)
    await undo(id('cs_2'), ports, { as: id('cs_3') })
    expect(isProgram('a.txt')).toBe(true)
    await redo(id('cs_2'), ports, { as: id('cs_4') })
    expect(isProgram('bin/run.sh')).toBe(true)
  },
)

test.skipIf(process.platform === 'win32')(
  'a file that took the permissions of another gets its own back on undo',
  async () => {
    const { root, ports } = await openApplied()
    const modes = () =>
      ['a.txt', 'Sub/b.txt'].map(name => fs.statSync(path.join(root, name)).mode & 0o777)
    fs.chmodSync(path.join(root, 'a.txt'), 0o751)
    fs.chmodSync(path.join(root, 'Sub/b.txt'), 0o600)
    const exchanged = changeSet('cs_2', [
      { ...replace('a.txt', 'ONE', 'three'), like: 'Sub/b.txt' as RelativePath },
      { ...replace('Sub/b.txt', 'three', 'ONE'), like: 'a.txt' as RelativePath },
    ])
    await apply(exchanged, ports)
    expect(modes()).toEqual([0o600, 0o751])
    await undo(id('cs_2'), ports, { as: id('cs_3') })
    expect(modes()).toEqual([0o751, 0o600])
    await redo(id('cs_2'), ports, { as: id('cs_4') })
    expect(modes()).toEqual([0o600, 0o751])
  },
)

test.skipIf(process.getuid?.() !== 0)(
  'a moved or restored file keeps its owner, where the system allows it',
  async () => {
    const { root, ports } = await openApplied()
    const ownerOf = (name: string) => fs.statSync(path.join(root, name)).uid
    for (const name of ['a.txt', 'Sub/b.txt']) fs.chownSync(path.join(root, name), 1234, 1234)
    const moved = { ...create('c.txt', 'ONE'), like: 'a.txt' as RelativePath }
    const set = changeSet('cs_2', [moved, remove('a.txt', 'ONE'), remove('Sub/b.txt', 'three')])
    await apply(set, ports)
    expect(ownerOf('c.txt')).toBe(1234)
    await undo(id('cs_2'), ports, { as: id('cs_3') })
    expect(['a.txt', 'Sub/b.txt'].map(ownerOf)).toEqual([1234, 1234])
    await redo(id('cs_2'), ports, { as: id('cs_4') })
    expect(ownerOf('c.txt')).toBe(1234)
  },
)

test('a folder that an undo would empty stays when another program put a file into it', async () => {
  const { root, ports } = await openApplied()
  writeTree(root, { 'made/theirs.txt': 'x' })
  expect(await undo(id('cs_1'), ports, { as: id('cs_2') })).toMatchObject({ ok: true })
  expect(readTree(root)).toEqual(sorted({ ...before, 'made/theirs.txt': 'x' }))
  expect(fs.existsSync(path.join(root, 'made/new'))).toBe(false)
})

test('a replaced or deleted file is restored, even when its other name was written to', async () => {
  const { root, ports } = await openApplied()
  const at = (name: string) => path.join(root, name)
  fs.linkSync(at('a.txt'), at('a-too.txt'))
  fs.linkSync(at('Sub/b.txt'), at('b-too.txt'))
  const set = changeSet('cs_2', [replace('a.txt', 'ONE', '1'), remove('Sub/b.txt', 'three')])
  expect(await apply(set, ports)).toMatchObject({ ok: true })
  fs.appendFileSync(at('a-too.txt'), ' more')
  fs.appendFileSync(at('b-too.txt'), ' more')
  expect(await undo(id('cs_2'), ports, { as: id('cs_3') })).toMatchObject({ ok: true })
  expect(readTree(root)).toEqual(
    sorted({ ...after, 'a-too.txt': 'ONE more', 'b-too.txt': 'three more' }),
  )
})

test('a late write into the old file does not reach the undo, and is reported', async () => {
  const { root, state, ports } = await openApplied()
  fs.writeFileSync(path.join(state, 'checkpoints/cs_1.0.kept'), 'late write')
  expect(await undo(id('cs_1'), ports, { as: id('cs_2') })).toMatchObject({
    ok: true,
    value: { warnings: [expect.stringContaining('"filewright restore cs_1.0" brings them back')] },
  })
  expect(readTree(root)).toEqual(sorted(before))
  expect(await ports.checkpoints.displaced()).toMatchObject([
    { path: 'a.txt', sha256: sha256Of('late write'), isReported: true },
  ])
})

test('a checkpoint whose copies are damaged is not restored', async () => {
  const { root, state, ports } = await openApplied()
  const pack = path.join(state, 'checkpoints/cs_1.bases')
  fs.writeFileSync(pack, fs.readFileSync(pack, 'utf8').replace('one', 'two'))
  expect(await undo(id('cs_1'), ports, { as: id('cs_2') })).toMatchObject({
    failure: { code: 'CONFLICT', message: expect.stringContaining('"a.txt"') },
  })
  expect(readTree(root)).toEqual(sorted(after))
})

test('a change set without a checkpoint cannot be undone', async () => {
  const { ports } = await openApplied()
  expect(await undo(id('cs_0'), ports, { as: id('cs_2') })).toMatchObject({
    failure: { code: 'NOT_FOUND' },
  })
  expect(await redo(id('cs_1'), ports, { as: id('cs_2') })).toMatchObject({
    failure: { code: 'NOT_FOUND' },
  })
})

test('the next undo and the next redo are found from the checkpoints', async () => {
  const { ports } = await openApplied()
  const next = async () => {
    const list = await ports.checkpoints.list()
    return [findUndoable(list)?.changeSetId, findRedoable(list)?.changeSetId]
  }
  await apply(changeSet('cs_2', [replace('a.txt', 'ONE', 'second')]), ports)
  expect(await next()).toEqual(['cs_2', undefined])
  await undo(id('cs_2'), ports, { as: id('cs_3') })
  expect(await next()).toEqual(['cs_1', 'cs_2'])
  await undo(id('cs_1'), ports, { as: id('cs_4') })
  expect(await next()).toEqual([undefined, 'cs_1'])
  await redo(id('cs_1'), ports, { as: id('cs_5') })
  expect(await next()).toEqual(['cs_1', 'cs_2'])
  await redo(id('cs_2'), ports, { as: id('cs_6') })
  expect(await next()).toEqual(['cs_2', undefined])
})

test('checkpoints go after 30 days, or oldest first beyond 2 GB, but not those still needed', async () => {
  const { state, ports } = await openApplied()
  const first = (await ports.checkpoints.get(id('cs_1')))!
  for (const n of [2, 3, 4])
    await ports.checkpoints.record({
      ...first,
      changeSetId: id(`cs_${n}`),
      time: first.time + n,
      keptBytes: 800 * 1024 * 1024,
      files: [],
    })
  const now = first.time + 1000
  expect(
    await removeOldCheckpoints(ports.checkpoints, { now, keep: new Set([id('cs_1')]) }),
  ).toEqual(['cs_2'])
  expect(await removeOldCheckpoints(ports.checkpoints, { now })).toEqual([])
  const later = first.time + 3 + 30 * 24 * 60 * 60 * 1000
  expect(await removeOldCheckpoints(ports.checkpoints, { now: later })).toEqual(['cs_1'])
  expect(fs.readdirSync(path.join(state, 'checkpoints')).sort()).toEqual(['cs_3.json', 'cs_4.json'])
})

async function openApplied() {
  const folder = makeTempFolder()
  const root = path.join(folder, 'workspace')
  const state = path.join(folder, 'state')
  fs.mkdirSync(root)
  writeTree(root, before)
  const disk = await openDiskPorts(root, state)
  onTestFinished(() => disk.journal.close())
  let time = Date.now()
  const ports = { ...disk, now: () => ++time }
  const set = [
    replace('a.txt', 'one', 'ONE'),
    remove('gone.txt', 'two'),
    create('made/new/c.txt', 'four'),
  ]
  expect(await apply(changeSet('cs_1', set), ports)).toMatchObject({ ok: true })
  expect(readTree(root)).toEqual(sorted(after))
  return { root, state, ports }
}

function id(text: string): ChangeSetId {
  return text as ChangeSetId
}

function sorted(tree: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1)))
}

import fs from 'node:fs'
import path from 'node:path'
import { type ChangeSetId, inline } from '@filewright/protocol'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  change,
  changeSet,
  create,
  portsOnDisks,
  prepareDisks,
  remove,
  replace,
  sha256Of,
  treeOf,
} from '../testing/apply-kit.ts'
import { readTree, writeTree } from '../testing/disk-ports.ts'
import { afterCommit, afterIntent, openDisk, withFolders } from '../testing/faulty-disk.ts'
import { type DiskStep, MemoryDisk } from '../workspace/memory/memory-folder.ts'
import { errno, type NewFile } from '../workspace/paths/folder.ts'
import { apply, recover } from './apply.ts'
import { undo } from './undo.ts'

const LARGE = 'x'.repeat(5 * 1024 * 1024) // more than is held: streamed, and compared on the way

test('a changed large file is found before any file is swapped', async () => {
  const other = `${LARGE}y`
  for (const set of [
    [replace('a.txt', 'one', 'ours'), remove('large.txt', LARGE)],
    [replace('a.txt', 'one', 'ours'), change('large.txt', LARGE, [{ ...BASE, end: 3 }])],
  ]) {
    const disk = await openDisk({ 'a.txt': 'one', 'large.txt': other })
    const renamed: string[] = []
    const ports = withFolders(disk.ports, folder => ({
      rename: (name, to, toName) => {
        renamed.push(name)
        return folder.rename(name, to, toName)
      },
    }))
    expect(await apply(changeSet('cs_1', set), ports)).toMatchObject({
      failure: { code: 'CONFLICT', details: { files: [{ path: 'large.txt' }] } },
    })
    expect(renamed).toEqual([])
    expect(readTree(disk.root)).toEqual({ 'a.txt': 'one', 'large.txt': other })
  }
})

test.each([true, false])(
  'the base of a large file is copied for undo (the disk clones: %s)',
  async clones => {
    const disk = new MemoryDisk({ clones })
    prepareDisks([disk], { 'large.txt': LARGE, 'gone.txt': LARGE })
    const ports = await portsOnDisks([disk])
    const content = [{ ...BASE, end: 3 }, ...inline(Buffer.from('!'))]
    const set = [change('large.txt', LARGE, content), remove('gone.txt', LARGE)]
    expect(await apply(changeSet('cs_1', set), ports)).toMatchObject({ ok: true })
    const kept = [...disk.files()].find(([name]) => name.endsWith('cs_1.0.kept'))!
    disk.writeFile(kept[0], Buffer.from('written to by another program'))
    expect(await undo('cs_1' as ChangeSetId, ports, { as: 'cs_2' as ChangeSetId })).toMatchObject({
      ok: true,
    })
    expect(treeOf(disk).files).toEqual({ 'gone.txt': LARGE, 'large.txt': LARGE })
  },
)

test('slices past the end of a large file are refused', async () => {
  const disk = await openDisk({ 'large.txt': LARGE })
  const content = [{ ...BASE, end: LARGE.length + 1 }]
  const set = changeSet('cs_1', [
    { ...change('large.txt', LARGE, inline(Buffer.from(LARGE))), content },
  ])
  expect(await apply(set, disk.ports)).toMatchObject({
    failure: { code: 'INVALID_ARGUMENT', message: expect.stringContaining('past its end') },
  })
  expect(fs.statSync(path.join(disk.root, 'large.txt')).size).toBe(LARGE.length)
})

test('a sync that fails while a large file is written fails the change set, though a later one works', async () => {
  const disk = await openDisk({ 'large.txt': LARGE })
  let syncs = 0
  const failing = (file: NewFile): NewFile => ({
    write: pieces => file.write(pieces),
    stamp: () => file.stamp(),
    status: () => file.status(),
    close: () => file.close(),
    sync: async () => {
      if (++syncs === 1) throw errno('EIO', 'the disk lost what it was given')
      return file.sync()
    },
  })
  const ports = withFolders(disk.ports, folder => ({
    createFile: async (name, attributes) => failing(await folder.createFile(name, attributes)),
  }))
  const grown = Array.from({ length: 8 }, () => ({ ...BASE, end: LARGE.length }))
  const set = changeSet('cs_1', [change('large.txt', LARGE, grown)])
  expect(await apply(set, ports)).toMatchObject({ failure: { code: 'WRITE_FAILED' } })
  expect(syncs).toBeGreaterThan(0)
  expect(fs.statSync(path.join(disk.root, 'large.txt')).size).toBe(LARGE.length)
})

test('without hard links a file that has just appeared is not overwritten either', async () => {
  const disk = new MemoryDisk({ hardLinks: false, exchange: false })
  prepareDisks([disk], { 'a.txt': 'one' })
  const ports = await portsOnDisks([disk])
  disk.beforeStep = step => {
    if (step.do !== 'move' || step.name !== 'a.txt') return
    disk.beforeStep = undefined
    queueMicrotask(() => void disk.writeFile('ws/a.txt', Buffer.from('theirs')))
  }
  const result = await apply(changeSet('cs_1', [replace('a.txt', 'one', 'ours')]), ports)
  expect(result).toMatchObject({
    failure: { code: 'CONFLICT', details: { files: [{ found: sha256Of('theirs') }] } },
  })
  expect(treeOf(disk).files).toEqual({ 'a.txt': 'theirs' })
})

test('a late write that keeps the size and time of a recent file is found by its bytes', async () => {
  const disk = await openDisk({ 'a.txt': 'one' })
  const file = path.join(disk.root, 'a.txt')
  const now = new Date()
  fs.utimesSync(file, now, now) // to the millisecond, so that it can be set again
  const fd = fs.openSync(file, 'r+')
  const ports = afterCommit(disk.ports, () => {
    fs.writeSync(fd, 'ONE', 0)
    fs.futimesSync(fd, now, now)
    fs.closeSync(fd)
  })
  const result = await apply(changeSet('cs_1', [replace('a.txt', 'one', 'ours')]), ports)
  expect(result).toMatchObject({
    ok: true,
    value: { warnings: [expect.stringContaining('wrote into it after it was replaced')] },
  })
  const undone = await undo('cs_1' as ChangeSetId, disk.ports, { as: 'cs_2' as ChangeSetId })
  expect(undone).toMatchObject({
    ok: true,
    value: { warnings: [expect.stringContaining('"filewright restore cs_1.0" brings them back')] },
  })
  expect(readTree(disk.root)).toEqual({ 'a.txt': 'one' })
})

test('a decision that could not be synced and was taken back is not finished at the next start', async () => {
  const disk = new MemoryDisk()
  prepareDisks([disk], { 'a.txt': 'one' })
  const ports = await portsOnDisks([disk])
  let syncs = 0
  disk.beforeStep = step => {
    if (!isOnJournal(step)) return
    if (step.do === 'sync-file') syncs++ // of the intent, of the pairs, then of the decision
    if (syncs > 2) throw errno('EIO', 'the journal')
  }
  const result = await apply(changeSet('cs_1', [replace('a.txt', 'one', 'ours')]), ports)
  expect(result).toMatchObject({ failure: { code: 'WRITE_FAILED' } })
  disk.beforeStep = undefined
  const next = await portsOnDisks([disk])
  expect(await next.journal.unfinished()).toMatchObject([{ commit: { changeSetId: 'cs_1' } }])
  expect(await recover(next)).toMatchObject({ finished: [], undone: ['cs_1'] })
  expect(await next.checkpoints.list()).toEqual([])
  expect(treeOf(disk).files).toEqual({ 'a.txt': 'one' })
})

test('a late write to a file whose name is also taken is not replaced by the base', async () => {
  const disk = await openDisk({ 'a.txt': 'one' })
  const fd = fs.openSync(path.join(disk.root, 'a.txt'), 'r+')
  let isSaved = false
  const ports = withFolders(disk.ports, folder => ({
    link: async (name, to, toName) => {
      if (toName === 'b.txt' && !isSaved) {
        isSaved = true
        fs.writeSync(fd, 'LATE', 0)
        fs.closeSync(fd)
        fs.rmSync(path.join(disk.root, 'a.txt'))
        writeTree(disk.root, { 'a.txt': 'theirs', 'b.txt': 'theirs' })
      }
      return folder.link(name, to, toName)
    },
  }))
  const set = [replace('a.txt', 'one', 'ours'), create('b.txt', 'ours')]
  expect(await apply(changeSet('cs_1', set), ports)).toMatchObject({ ok: false })
  expect(readTree(disk.root)).toEqual({ 'a.txt': 'theirs', 'b.txt': 'theirs' })
  const displaced = await ports.checkpoints.displaced()
  const late = displaced.find(({ path, was }) => path === 'a.txt' && was === 'before')!
  expect(late).toMatchObject({ sha256: sha256Of('LATE'), isReported: true })
  const kept = (await ports.checkpoints.openDisplaced(late))!
  expect(Buffer.from(await kept.read(0, 100)).toString()).toBe('LATE')
  kept.close()
})

test('the end of a change set that was taken back is synced: else later files could pass for its own', async () => {
  const disk = new MemoryDisk({ hardLinks: false, exchange: false })
  prepareDisks([disk], { 'a.txt': 'one', 'b.txt': 'two' })
  const ports = await portsOnDisks([disk])
  const steps: DiskStep[] = []
  let isRefused = false
  disk.beforeStep = step => {
    if (isOnJournal(step)) steps.push(step)
    if (step.do !== 'move' || step.toName !== 'b.txt' || isRefused) return
    isRefused = true // once: it can be taken back
    throw errno('EACCES', 'b.txt')
  }
  const set = [replace('a.txt', 'one', 'ours'), replace('b.txt', 'two', 'ours')]
  expect(await apply(changeSet('cs_1', set), ports)).toMatchObject({ ok: false })
  expect(await ports.journal.unfinished()).toEqual([])
  expect(steps.slice(-2).map(step => step.do)).toEqual(['write', 'sync-file'])
})

test.skipIf(process.getuid?.() !== 0)(
  'a program whose owner we cannot keep does not get to run as us',
  async () => {
    const disk = await openDisk({ 'tool.sh': 'one' })
    const file = path.join(disk.root, 'tool.sh')
    fs.chownSync(file, 12_345, 12_345)
    fs.chmodSync(file, 0o4755)
    const chown = vi.spyOn(fs, 'fchownSync').mockImplementation(() => {
      throw errno('EPERM', 'not allowed')
    })
    onTestFinished(() => chown.mockRestore())
    const set = changeSet('cs_1', [replace('tool.sh', 'one', 'ours')])
    expect(await apply(set, disk.ports)).toMatchObject({ ok: true })
    expect(fs.statSync(file).mode & 0o7777).toBe(0o755)
  },
)

test('a folder that was swapped for another of its name is not mistaken for it', async () => {
  const disk = await openDisk({ 'Sub/a.txt': 'one' })
  const ports = afterIntent(disk.ports, () => {
    fs.renameSync(path.join(disk.root, 'Sub'), path.join(disk.root, 'aside'))
    writeTree(disk.root, { 'Sub/other.txt': 'theirs' })
  })
  const result = await apply(changeSet('cs_1', [replace('Sub/a.txt', 'one', 'ours')]), ports)
  expect(result).toMatchObject({ failure: { code: 'InvalidPath' } })
  expect(readTree(disk.root)).toEqual({ 'Sub/other.txt': 'theirs', 'aside/a.txt': 'one' })
})

function isOnJournal(step: DiskStep): boolean {
  return 'node' in step && Buffer.from(step.node.bytes).includes('"type":"intent"')
}

const BASE = { from: 'base' as const, start: 0 }

import fs from 'node:fs'
import path from 'node:path'
import { type ChangeSetId, inline } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { apply } from '../apply.ts'
import {
  change,
  changeSet,
  portsOnDisks,
  prepareDisks,
  remove,
  replace,
  sha256Of,
  treeOf,
} from '../testing/apply-kit.ts'
import { readTree, writeTree } from '../testing/disk-ports.ts'
import { afterCommit, afterIntent, openDisk, withFolders } from '../testing/faulty-disk.ts'
import { errno, type NewFile } from '../workspace/folder.ts'
import { MemoryDisk } from '../workspace/memory-folder.ts'
import { undo } from './undo.ts'

const LARGE = 'x'.repeat(5 * 1024 * 1024) // more than is held: streamed, and compared on the way

test('a large file that moved on is found before any file is swapped', async () => {
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

test('slices beyond the end of a large file are refused as such', async () => {
  const disk = await openDisk({ 'large.txt': LARGE })
  const content = [{ ...BASE, end: LARGE.length + 1 }]
  const set = changeSet('cs_1', [
    { ...change('large.txt', LARGE, inline(Buffer.from(LARGE))), content },
  ])
  expect(await apply(set, disk.ports)).toMatchObject({
    failure: { code: 'INVALID_ARGUMENT', message: expect.stringContaining('beyond its end') },
  })
  expect(fs.statSync(path.join(disk.root, 'large.txt')).size).toBe(LARGE.length)
})

test('a sync that fails while a large file is written fails the change set, though the last one works', async () => {
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
  expect(syncs).toBeGreaterThan(1)
  expect(fs.statSync(path.join(disk.root, 'large.txt')).size).toBe(LARGE.length)
})

test('without hard links a file that appeared meanwhile is not overwritten either', async () => {
  const disk = new MemoryDisk({ hardLinks: false })
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

test('a late write that left size and time of a young file as they were is found by its bytes', async () => {
  const disk = await openDisk({ 'a.txt': 'one' })
  const file = path.join(disk.root, 'a.txt')
  const fd = fs.openSync(file, 'r+')
  const { atime, mtime } = fs.fstatSync(fd)
  const ports = afterCommit(disk.ports, () => {
    fs.writeSync(fd, 'ONE', 0)
    fs.futimesSync(fd, atime, mtime)
    fs.closeSync(fd)
  })
  const result = await apply(changeSet('cs_1', [replace('a.txt', 'one', 'ours')]), ports)
  expect(result).toMatchObject({
    ok: true,
    value: { warnings: [expect.stringContaining('wrote into it after it was replaced')] },
  })
  expect(await undo('cs_1' as ChangeSetId, ports, { as: 'cs_2' as ChangeSetId })).toMatchObject({
    failure: { code: 'CONFLICT' },
  })
})

test('a folder that was put aside for another of its name meanwhile is not taken for it', async () => {
  const disk = await openDisk({ 'Sub/a.txt': 'one' })
  const ports = afterIntent(disk.ports, () => {
    fs.renameSync(path.join(disk.root, 'Sub'), path.join(disk.root, 'aside'))
    writeTree(disk.root, { 'Sub/other.txt': 'theirs' })
  })
  const result = await apply(changeSet('cs_1', [replace('Sub/a.txt', 'one', 'ours')]), ports)
  expect(result).toMatchObject({ failure: { code: 'InvalidPath' } })
  expect(readTree(disk.root)).toEqual({ 'Sub/other.txt': 'theirs', 'aside/a.txt': 'one' })
})

const BASE = { from: 'base' as const, start: 0 }

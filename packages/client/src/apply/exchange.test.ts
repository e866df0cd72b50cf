import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import { changeSet, create, replace, sha256Of } from '../testing/apply-kit.ts'
import { accessList, getAttribute, setAttribute } from '../testing/attributes.ts'
import { readTree, writeTree } from '../testing/disk-ports.ts'
import { afterIntent, openDisk, withFolders } from '../testing/faulty-disk.ts'
import { openDiskFolder } from '../workspace/disk/disk-folder.ts'
import { probeExchange } from '../workspace/disk/probe-exchange.ts'
import { apply } from './apply.ts'

const probed = await probeExchange(openDiskFolder(fs.realpathSync(os.tmpdir())))
const skip = !probed.startsWith('by an atomic exchange')
if (skip) console.warn(`No two files are exchanged here: files are replaced ${probed}.`)

const PATCHES = process.env.FILEWRIGHT_FULL === '1' ? 200 : 40
const READERS = 4
const READER = fileURLToPath(new URL('../../dist/testing/reader-child.js', import.meta.url))

verifies(
  'CONTRACT §6 name never vanishes',
  `${PATCHES} patches beside ${READERS} readers: every open finds the file, whole`,
  async () => {
    const text = (n: number) => `generation ${n}\n`.repeat(2000)
    const disk = await openDisk({ 'a.txt': text(0) }, { exchange: true })
    const readers = await Promise.all(
      Array.from({ length: READERS }, () => startReader(path.join(disk.root, 'a.txt'))),
    )
    for (let n = 0; n < PATCHES; n++) {
      const set = changeSet(`cs_${n}`, [replace('a.txt', text(n), text(n + 1))])
      expect(await apply(set, disk.ports)).toMatchObject({ ok: true, value: { warnings: [] } })
    }
    const seen = await Promise.all(readers.map(stopReader))
    for (const { opens, missing, broken } of seen) {
      expect({ missing, broken }).toEqual({ missing: 0, broken: 0 })
      expect(opens).toBeGreaterThan(PATCHES)
    }
  },
  { skip },
)

test.skipIf(skip)(
  'a file that a program saves while it is exchanged: both of its saves survive',
  async () => {
    const disk = await openDisk({ 'a.txt': 'one' }, { exchange: true })
    const saveAs = (text: string) => {
      writeTree(disk.root, { 'a.txt~': text })
      fs.renameSync(path.join(disk.root, 'a.txt~'), path.join(disk.root, 'a.txt'))
    }
    let exchanges = 0
    const ports = withFolders(
      afterIntent(disk.ports, () => saveAs('saved before')),
      folder => ({
        exchange: async (name, to, toName, spare) => {
          if (++exchanges === 2) saveAs('saved after') // when the first is about to go back in
          await folder.exchange(name, to, toName, spare)
        },
      }),
    )
    const result = await apply(changeSet('cs_1', [replace('a.txt', 'one', 'ours')]), ports)
    expect(result).toMatchObject({
      failure: { code: 'CONFLICT', details: { displaced: [{ path: 'a.txt' }] } },
    })
    expect(exchanges).toBe(3)
    expect(readTree(disk.root)).toEqual({ 'a.txt': 'saved after' })
    const kept = (await ports.checkpoints.displaced()).filter(({ isReported }) => isReported)
    expect(kept).toMatchObject([{ was: 'before', sha256: sha256Of('saved before') }])
  },
)

test.skipIf(skip)('a save over what was put back does not lose it: a copy is kept', async () => {
  const disk = await openDisk({ 'a.txt': 'one' }, { exchange: true })
  const ports = afterIntent(disk.ports, () => writeTree(disk.root, { 'a.txt': 'theirs' }))
  const result = await apply(changeSet('cs_1', [replace('a.txt', 'one', 'ours')]), ports)
  expect(result).toMatchObject({ failure: { code: 'CONFLICT' } })
  writeTree(disk.root, { 'a.txt': 'ours, read by an editor and saved' })
  const kept = await ports.checkpoints.displaced()
  expect(kept).toContainEqual(
    expect.objectContaining({ was: 'saved', sha256: sha256Of('theirs'), isReported: false }),
  )
})

test('a folder or a link that took the place at the last moment comes back', async () => {
  for (const put of [
    (at: string) => fs.mkdirSync(at),
    (at: string) => fs.symlinkSync('elsewhere', at),
  ]) {
    const disk = await openDisk({ 'a.txt': 'one' }, { exchange: true })
    const at = path.join(disk.root, 'a.txt')
    let isOnce = true
    const ports = withFolders(disk.ports, folder => ({
      exchange: async (name, to, toName, spare) => {
        if (isOnce) {
          fs.rmSync(at)
          put(at)
        }
        isOnce = false
        await folder.exchange(name, to, toName, spare)
      },
    }))
    const result = await apply(changeSet('cs_1', [replace('a.txt', 'one', 'ours')]), ports)
    expect(result).toMatchObject({
      failure: { code: 'CONFLICT', message: expect.stringContaining('a folder or a link') },
    })
    expect(fs.lstatSync(at).isFile()).toBe(false)
    expect(fs.readdirSync(disk.root)).toEqual(['a.txt'])
  }
})

test('a disk that refuses the exchange gets its files the old way', async () => {
  const disk = await openDisk({ 'a.txt': 'one', 'b.txt': 'two' }, { exchange: true })
  const ports = withFolders(disk.ports, () => ({
    exchange: () => Promise.reject(Object.assign(new Error('refused'), { code: 'EINVAL' })),
  }))
  const set = [replace('a.txt', 'one', 'ONE'), replace('b.txt', 'two', 'TWO'), create('c', 'x')]
  expect(await apply(changeSet('cs_1', set), ports)).toMatchObject({ ok: true })
  expect(readTree(disk.root)).toEqual({ 'a.txt': 'ONE', 'b.txt': 'TWO', c: 'x' })
})

const isLinux = process.platform === 'linux'
const ACCESS = 'system.posix_acl_access'

verifies(
  'CONTRACT §6 attributes go along',
  'a replaced file keeps its mode, access list and extended attributes',
  async () => {
    const disk = await openDisk({ 'a.txt': 'one', 'plain.txt': 'two' }, { exchange: true })
    const [file, plain] = ['a.txt', 'plain.txt'].map(name => path.join(disk.root, name)) as [
      string,
      string,
    ]
    const list = accessList({ owner: 6, user: 4 })
    fs.chmodSync(file, 0o640)
    expect(setAttribute(file, 'user.reviewed', Buffer.from('yes'))).toBe(true)
    expect(setAttribute(file, ACCESS, list)).toBe(true)
    fs.chmodSync(plain, 0o604)
    // every new file of the folder would get one
    const wide = accessList({ owner: 7, user: 7 })
    expect(setAttribute(disk.root, 'system.posix_acl_default', wide)).toBe(true)
    const { mode } = fs.statSync(file)
    const set = [replace('a.txt', 'one', 'ONE'), replace('plain.txt', 'two', 'TWO')]
    const applied = await apply(changeSet('cs_1', set), disk.ports)
    expect(applied).toMatchObject({ ok: true, value: { warnings: [] } })
    expect(getAttribute(file, 'user.reviewed')).toEqual(Buffer.from('yes'))
    expect(getAttribute(file, ACCESS)).toEqual(list)
    expect(fs.statSync(file).mode).toBe(mode)
    expect(getAttribute(plain, ACCESS)).toBeNull()
    expect(fs.statSync(plain).mode & 0o777).toBe(0o604)
  },
  { skip: !isLinux },
)

verifies('CONTRACT §6 attributes go along', 'what cannot be kept is a warning', async () => {
  const disk = await openDisk({ 'a.txt': 'one' })
  const ports = withFolders(disk.ports, () => ({ copyAttributes: async () => ['user.reviewed'] }))
  const applied = await apply(changeSet('cs_1', [replace('a.txt', 'one', 'ONE')]), ports)
  expect(applied).toMatchObject({
    ok: true,
    value: {
      warnings: ['The system did not allow "a.txt" to keep these attributes: user.reviewed.'],
    },
  })
})

async function startReader(file: string): Promise<ChildProcess> {
  const reader = fork(READER, [file], { execArgv: [] })
  onTestFinished(() => void reader.kill())
  await once(reader, 'message')
  return reader
}

async function stopReader(reader: ChildProcess): Promise<Record<string, number>> {
  reader.send('stop')
  const [seen] = (await once(reader, 'message')) as [Record<string, number>]
  return seen
}

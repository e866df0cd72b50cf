import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import {
  changeSet,
  create,
  portsOnDisks,
  prepareDisks,
  remove,
  replace,
  sha256Of,
  sorted,
  treeOf,
} from '../testing/apply-kit.ts'
import { readTree, writeTree } from '../testing/disk-ports.ts'
import { afterCommit, afterIntent, openDisk, withFolders } from '../testing/faulty-disk.ts'
import { after, before, folders, set } from '../testing/twenty-files.ts'
import {
  type DiskStep,
  MemoryDisk,
  type MemoryDiskOptions,
} from '../workspace/memory/memory-folder.ts'
import { errno } from '../workspace/paths/folder.ts'
import { apply, recover } from './apply.ts'

const FULL = process.env.FILEWRIGHT_FULL === '1'
const CODES = ['ENOSPC', 'EACCES', 'EBUSY']
const old = { files: sorted(before), folders: folders.before }
const fresh = { files: sorted(after), folders: folders.after }

verifies(
  [
    'CONTRACT §6 publish all or none',
    'CONTRACT §6 no temporary files',
    'TUL-004 §5.1 no partial file',
  ],
  'the disk fails at any one step: the old tree and no temporary file, or the new one',
  async () => {
    const steps = await countSteps()
    const outcomes = { refused: 0, applied: 0 }
    for (let failing = 0; failing < steps; failing++)
      for (const code of FULL ? CODES : [CODES[failing % CODES.length]!]) {
        const { disk, ports } = await openTwenty()
        let step = 0
        disk.beforeStep = () => {
          if (step++ === failing) throw errno(code, 'injected')
        }
        const result = await apply(set, ports)
        const where = `${code} at step ${failing} of ${steps}`
        if (result.ok) {
          await recover(ports)
          expect(treeOf(disk), where).toEqual(fresh)
          outcomes.applied++
        } else {
          expect(result.failure.code, where).toBe(code === 'EBUSY' ? 'LOCKED' : 'WRITE_FAILED')
          expect(result.failure.message, where).toMatch(/^Nothing was written: /)
          expect(treeOf(disk), where).toEqual(old)
          outcomes.refused++
        }
        expect(await ports.journal.unfinished(), where).toEqual([])
      }
    expect(outcomes.refused).toBeGreaterThan(steps / 2)
    expect(outcomes.applied).toBeGreaterThan(10)
  },
)

test.each<[name: string, options: MemoryDiskOptions]>([
  ['the disk', {}],
  ['a disk that folds capitals', { ignoreCase: true }],
  ['a disk without exchange', { exchange: false }],
  ['a disk that folds capitals, without exchange', { ignoreCase: true, exchange: false }],
  [
    'a disk that folds capitals, without hard links',
    { ignoreCase: true, hardLinks: false, exchange: false },
  ],
])(
  '%s fails for good at any step: once it works again, recovery gives the old or the new tree',
  async (_, options) => {
    const steps = await countSteps(options)
    for (let failing = 0; failing < steps; failing++) {
      const { disk, ports } = await openTwenty(options)
      let step = 0
      disk.beforeStep = () => {
        if (step++ >= failing) throw errno('EIO', 'injected')
      }
      const result = await apply(set, ports)
      disk.beforeStep = undefined
      const where = `from step ${failing} of ${steps}`
      await recover(ports)
      expect(treeOf(disk), where).toEqual(result.ok ? fresh : old)
      expect(await ports.journal.unfinished(), where).toEqual([])
      // and a new process sees the same
      const again = await recover(await portsOnDisks([disk]))
      expect(again.finished.length, where).toBeLessThanOrEqual(result.ok ? 1 : 0)
      expect(again.warnings, where).toEqual([])
      expect(treeOf(disk), where).toEqual(result.ok ? fresh : old)
    }
  },
)

describe('a network disk that lies', () => {
  test('about sizes: every byte is still read and written', async () => {
    const disk = await openDisk({ 'a.txt': 'one', 'b.txt': 'two' })
    const ports = withFolders(disk.ports, folder => ({
      statusOf: async name => {
        const status = await folder.statusOf(name)
        return status && { ...status, sizeBytes: 1 }
      },
      openFile: async name => {
        const file = await folder.openFile(name)
        return { ...file, status: { ...file.status, sizeBytes: 1 } }
      },
    }))
    const set = changeSet('cs_1', [
      replace('a.txt', 'one', 'ONE and more'),
      create('c.txt', 'three'),
    ])
    expect(await apply(set, ports)).toMatchObject({ ok: true })
    expect(readTree(disk.root)).toEqual({
      'a.txt': 'ONE and more',
      'b.txt': 'two',
      'c.txt': 'three',
    })
  })

  verifies(
    'CONTRACT §6 publish reads back',
    'about bytes: the bytes read back differ from those written, and the old file is back',
    async () => {
      const disk = await openDisk({ 'a.txt': 'one', 'b.txt': 'two' })
      const ports = withFolders(disk.ports, folder => ({
        createFile: async (name, attributes) => {
          const file = await folder.createFile(name, attributes)
          return Object.assign(Object.create(file), {
            write: (pieces: Uint8Array[]) => file.write([Buffer.concat(pieces).subarray(0, 4)]),
            stamp: () => file.stamp(),
            sync: () => file.sync(),
            status: () => file.status(),
            close: () => file.close(),
          })
        },
      }))
      const set = changeSet('cs_1', [
        replace('a.txt', 'one', 'four'),
        replace('b.txt', 'two', 'five cut'),
      ])
      expect(await apply(set, ports)).toMatchObject({
        failure: {
          code: 'WRITE_FAILED',
          message: expect.stringContaining('did not return what was written'),
        },
      })
      expect(readTree(disk.root)).toEqual({ 'a.txt': 'one', 'b.txt': 'two' })
    },
  )
})

describe('files synced while later ones are written', () => {
  const many = Array.from({ length: 40 }, (_, n) => create(`new/${n}.txt`, `new ${n}`))

  test('a failed sync is reported, and nothing is left behind', async () => {
    const disk = await openDisk({ 'a.txt': 'one' })
    let made = 0
    const ports = withFolders(disk.ports, folder => ({
      createFile: async (name, attributes) => {
        const file = await folder.createFile(name, attributes)
        if (made++ === 3) file.sync = () => Promise.reject(errno('EIO', 'injected'))
        return file
      },
    }))
    expect(await apply(changeSet('cs_1', many), ports)).toMatchObject({
      failure: { code: 'WRITE_FAILED', details: { path: 'new/3.txt', errno: 'EIO' } },
    })
    expect(made).toBe(40)
    expect(fs.readdirSync(disk.root)).toEqual(['a.txt'])
  })

  test('no file is closed or removed before its sync ends, when a later one cannot be written', async () => {
    const disk = await openDisk({ 'a.txt': 'one' })
    let made = 0
    let syncing = 0
    const found: number[] = []
    const ports = withFolders(disk.ports, folder => ({
      createFile: async (name, attributes) => {
        if (made++ === 20) throw errno('ENOSPC', 'injected')
        const file = await folder.createFile(name, attributes)
        const { sync, close } = file
        file.sync = async () => {
          syncing++
          await sync.call(file)
          await new Promise(setImmediate)
          syncing--
        }
        file.close = () => {
          found.push(syncing)
          close.call(file)
        }
        return file
      },
      remove: async name => {
        found.push(syncing)
        await folder.remove(name)
      },
    }))
    expect(await apply(changeSet('cs_1', many), ports)).toMatchObject({
      failure: { code: 'WRITE_FAILED', details: { errno: 'ENOSPC' } },
    })
    expect(found).toEqual(Array(40).fill(0))
    expect(fs.readdirSync(disk.root)).toEqual(['a.txt'])
  })
})

describe('another program', () => {
  test('removes a file between the check and the swap', async () => {
    const disk = await openDisk({ 'a.txt': 'one', 'b.txt': 'two' })
    const ports = afterIntent(disk.ports, () => fs.rmSync(path.join(disk.root, 'b.txt')))
    const result = await apply(
      changeSet('cs_1', [replace('a.txt', 'one', 'x'), remove('b.txt', 'two')]),
      ports,
    )
    expect(result).toMatchObject({
      failure: {
        code: 'CONFLICT',
        message: expect.stringContaining('"b.txt" has since disappeared'),
      },
    })
    expect(readTree(disk.root)).toEqual({ 'a.txt': 'one' })
  })

  test('puts a folder in its place', async () => {
    const disk = await openDisk({ 'a.txt': 'one', 'b.txt': 'two' })
    const ports = afterIntent(disk.ports, () => {
      fs.rmSync(path.join(disk.root, 'b.txt'))
      writeTree(disk.root, { 'b.txt/inner.txt': 'theirs' })
    })
    const result = await apply(
      changeSet('cs_1', [replace('a.txt', 'one', 'x'), replace('b.txt', 'two', 'y')]),
      ports,
    )
    expect(result).toMatchObject({ failure: { code: 'CONFLICT' } })
    expect(readTree(disk.root)).toEqual({ 'a.txt': 'one', 'b.txt/inner.txt': 'theirs' })
  })

  verifies(
    'CONTRACT §6 displaced bytes kept',
    'saves a file between the check and the swap: its bytes are restored',
    async () => {
      const disk = await openDisk({ 'a.txt': 'one', 'b.txt': 'two' })
      const ports = afterIntent(disk.ports, () => writeTree(disk.root, { 'b.txt': 'theirs' }))
      const result = await apply(
        changeSet('cs_1', [replace('a.txt', 'one', 'x'), replace('b.txt', 'two', 'y')]),
        ports,
      )
      expect(result).toMatchObject({
        failure: {
          code: 'CONFLICT',
          details: { files: [{ path: 'b.txt', found: sha256Of('theirs') }] },
        },
      })
      expect(readTree(disk.root)).toEqual({ 'a.txt': 'one', 'b.txt': 'theirs' })
    },
  )

  verifies(
    'CONTRACT §6 displaced bytes kept',
    'creates a file while the name is free: it is not overwritten',
    async () => {
      const disk = await openDisk({ 'a.txt': 'one' }, { exchange: false })
      const ports = withFolders(disk.ports, folder => ({
        rename: async (name, to, toName) => {
          await folder.rename(name, to, toName)
          if (name === 'a.txt') writeTree(disk.root, { 'a.txt': 'theirs' })
        },
      }))
      const result = await apply(changeSet('cs_1', [replace('a.txt', 'one', 'ours')]), ports)
      expect(result).toMatchObject({
        failure: {
          code: 'CONFLICT',
          message: expect.stringContaining('has since been created by another program'),
          details: { files: [{ found: sha256Of('theirs') }] },
        },
      })
      expect(readTree(disk.root)).toEqual({ 'a.txt': 'theirs' })
    },
  )

  verifies(
    'CONTRACT §6 displaced bytes kept',
    'holds the old file open and writes to it late: its bytes are kept and reported',
    async () => {
      const disk = await openDisk({ 'a.txt': 'one' })
      const fd = fs.openSync(path.join(disk.root, 'a.txt'), 'r+')
      const ports = afterCommit(disk.ports, () => {
        fs.writeSync(fd, 'LATE', 0)
        fs.closeSync(fd)
      })
      const result = await apply(changeSet('cs_1', [replace('a.txt', 'one', 'ours')]), ports)
      expect(result).toMatchObject({
        ok: true,
        value: { warnings: [expect.stringContaining('wrote into it after it was replaced')] },
      })
      expect(readTree(disk.root)).toEqual({ 'a.txt': 'ours' })
      const [late] = await ports.checkpoints.displaced()
      expect(late).toMatchObject({ path: 'a.txt', sha256: sha256Of('LATE'), isReported: true })
      const kept = await ports.checkpoints.openDisplaced(late!)
      expect(Buffer.from(await kept!.read(0, 100)).toString()).toBe('LATE')
      kept!.close()
    },
  )

  test.each([true, false])(
    'saves our new file right away: its version stays, with a warning (exchange: %s)',
    async exchange => {
      const disk = await openDisk({ 'a.txt': 'one' }, { exchange })
      const save = () => fs.writeFileSync(path.join(disk.root, 'a.txt'), 'theirs')
      const ports = withFolders(disk.ports, folder => ({
        link: (...step) => folder.link(...step).then(save),
        exchange: (...step) => folder.exchange(...step).then(save),
      }))
      const result = await apply(changeSet('cs_1', [replace('a.txt', 'one', 'ours')]), ports)
      expect(result).toMatchObject({
        ok: true,
        value: { warnings: [expect.stringContaining('was saved by another program right after')] },
      })
      expect(readTree(disk.root)).toEqual({ 'a.txt': 'theirs' })
    },
  )

  test.each([true, false])(
    'writes to our new file before a collision elsewhere takes it back: its bytes stay (exchange: %s)',
    async exchange => {
      const disk = await openDisk({ 'a.txt': 'one' }, { exchange })
      const ports = withFolders(disk.ports, folder => ({
        link: async (name, to, toName) => {
          if (toName === 'b.txt') {
            writeTree(disk.root, { 'a.txt': 'written into ours', 'b.txt': 'theirs' })
          }
          await folder.link(name, to, toName)
        },
      }))
      const result = await apply(
        changeSet('cs_1', [replace('a.txt', 'one', 'ours'), create('b.txt', 'x')]),
        ports,
      )
      expect(result).toMatchObject({ failure: { code: 'CONFLICT' } })
      expect(readTree(disk.root)).toEqual({ 'a.txt': 'written into ours', 'b.txt': 'theirs' })
      // the base it replaced is kept, and needs no report: it is what the change set was made on
      expect(await ports.checkpoints.displaced()).toMatchObject([
        { was: 'before', sha256: sha256Of('one'), isReported: false },
      ])
    },
  )
})

test.each([true, false])(
  'a bug in the middle of an apply is rethrown after everything is restored (exchange: %s)',
  async exchange => {
    const disk = await openDisk({ 'a.txt': 'one', 'b.txt': 'two' }, { exchange })
    const files = [
      replace('a.txt', 'one', 'x'),
      create('new/c.txt', ''),
      replace('b.txt', 'two', 'y'),
    ]
    let isOnce = true
    const failOnce = (toName: string) => {
      if (toName !== 'b.txt' || !isOnce) return
      isOnce = false
      throw new TypeError('a bug')
    }
    const ports = withFolders(disk.ports, folder => ({
      link: async (name, to, toName) => {
        failOnce(toName)
        await folder.link(name, to, toName)
      },
      exchange: async (name, to, toName, spare) => {
        failOnce(toName)
        await folder.exchange(name, to, toName, spare)
      },
    }))
    const bugged = changeSet('cs_1', files)
    await expect(apply(bugged, ports)).rejects.toThrow('a bug')
    expect(readTree(disk.root)).toEqual({ 'a.txt': 'one', 'b.txt': 'two' })
    const left = await Promise.all([0, 2].map(n => ports.checkpoints.open(bugged.id, n)))
    expect(left, 'nothing of it stays in the checkpoint').toEqual([null, null])
    expect(await ports.journal.unfinished()).toEqual([])
  },
)

test('a changed base leaves nothing for a later start', async () => {
  const { root, ports } = await openDisk({ 'a.txt': 'theirs' })
  const result = await apply(changeSet('cs_1', [replace('a.txt', 'one', 'ours')]), ports)
  expect(result).toMatchObject({ failure: { code: 'CONFLICT' } })
  expect(await ports.journal.unfinished()).toEqual([])
  expect(readTree(root)).toEqual({ 'a.txt': 'theirs' })
})

test('a folder renamed after a crash is found by the temporary files in it', async () => {
  const disk = await openDisk({ 'Sub/a.txt': 'one', 'b.txt': 'two' })
  const killed = new Error('killed')
  let isDead = false
  const ports = withFolders(disk.ports, folder => ({
    statusOf: async name => {
      if (isDead) throw killed
      return folder.statusOf(name)
    },
    sync: async () => {
      isDead ||= fs.readFileSync(path.join(disk.root, 'Sub/a.txt'), 'utf8') === 'ours'
      if (isDead) throw killed
    },
  }))
  const set = changeSet('cs_1', [
    replace('Sub/a.txt', 'one', 'ours'),
    replace('b.txt', 'two', 'ours'),
  ])
  await expect(apply(set, ports)).rejects.toBe(killed)
  expect(Object.keys(readTree(disk.root)).length).toBe(4)
  fs.renameSync(path.join(disk.root, 'Sub'), path.join(disk.root, 'moved'))
  expect(await recover(disk.ports)).toMatchObject({ undone: ['cs_1'], warnings: [] })
  expect(readTree(disk.root)).toEqual({ 'b.txt': 'two', 'moved/a.txt': 'one' })
})

test('a folder removed after a crash is given up, even when another folder cannot be read', async () => {
  const files = { 'Sub/a.txt': 'one', 'closed/b.txt': 'two', 'c.txt': 'three' }
  const disk = await openDisk(files, { exchange: true })
  const killed = new Error('killed')
  let isDead = false
  const dying = withFolders(disk.ports, folder => ({
    exchange: async (name, to, toName, spare) => {
      isDead = toName === 'c.txt'
      if (isDead) throw killed
      return folder.exchange(name, to, toName, spare)
    },
    statusOf: async name => (isDead ? Promise.reject(killed) : folder.statusOf(name)),
  }))
  const set = changeSet('cs_1', [
    replace('Sub/a.txt', 'one', 'ours'),
    replace('c.txt', 'three', 'ours'),
  ])
  await expect(apply(set, dying)).rejects.toBe(killed)
  fs.rmSync(path.join(disk.root, 'Sub'), { recursive: true })
  const ports = withFolders(disk.ports, folder => ({
    openFolder: async name =>
      name === 'closed' ? Promise.reject(errno('EACCES', name)) : folder.openFolder(name),
  }))
  expect(await recover(ports)).toMatchObject({ undone: ['cs_1'] })
  const next = changeSet('cs_2', [replace('c.txt', 'three', 'four')])
  expect(await apply(next, ports)).toMatchObject({ ok: true })
})

verifies(
  [
    'CONTRACT §6 publish staged and synced',
    'CONTRACT §6 publish verifies bases',
    'CONTRACT §6 publish reads back',
  ],
  'new bytes are synced before the first swap, folders after it, and only then is it decided',
  async () => {
    const { disk, ports } = await openTwenty()
    const steps: DiskStep[] = []
    disk.beforeStep = step => steps.push(step)
    await apply(set, ports)
    const indices = (isMeant: (step: DiskStep) => boolean) =>
      steps.flatMap((step, index) => (isMeant(step) ? [index] : []))
    const staged = indices(step => step.do === 'sync-file').slice(1, 18)
    const swaps = indices(
      step =>
        step.do === 'exchange' ||
        (step.do === 'move' && step.toName.endsWith('.old') && !step.name.startsWith('.')),
    )
    const noted = indices(
      step => step.do === 'write' && Buffer.from(step.bytes).includes('"type":"pairs"'),
    )
    const links = indices(
      step =>
        step.do === 'add' &&
        step.node.kind === 'file' &&
        !step.name.startsWith('.') &&
        step.name !== 'apply.journal' &&
        !step.name.endsWith('.part'),
    )
    const writes = indices(
      step => step.do === 'write' && Buffer.from(step.bytes).includes('"type":"commit"'),
    )
    expect(swaps.length).toBe(14)
    expect(Math.max(...staged)).toBeLessThan(Math.min(...swaps))
    expect(noted.length).toBe(1)
    expect(noted[0]).toBeLessThan(Math.min(...swaps))
    const folderSyncs = indices(step => step.do === 'sync-folder').filter(
      index => index > Math.max(...links) && index < writes[0]!,
    )
    expect(folderSyncs.length).toBeGreaterThan(0)
    expect(
      new Set(folderSyncs.map(index => (steps[index] as { folder: object }).folder)).size,
    ).toBe(folderSyncs.length)
  },
)

async function countSteps(options?: MemoryDiskOptions): Promise<number> {
  const { disk, ports } = await openTwenty(options)
  let steps = 0
  disk.beforeStep = () => steps++
  await apply(set, ports)
  return steps
}

async function openTwenty(options?: MemoryDiskOptions) {
  const disk = new MemoryDisk(options)
  prepareDisks([disk], before)
  return { disk, ports: await portsOnDisks([disk]) }
}

import fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { makeTempFolder } from '../testing/temp-folder.ts'
import { openBlobFolder } from './blob-folder.ts'
import { openLogFolder } from './log-folder.ts'
import { createUnsynced } from './unsynced.ts'

/** How much of each file was there when it was last given to the disk, by inode. */
const synced = new Map<number, number>()
let isFull = false

vi.mock('node:fs', async original => {
  const real = await original<typeof fs>()
  return {
    ...real,
    fdatasync(fd: number, done: (error: Error | null) => void) {
      const { ino, size } = real.fstatSync(fd)
      real.fdatasync(fd, error => {
        synced.set(ino, size)
        setTimeout(done, 5, error) // a slow disk
      })
    },
    writeSync(...given: Parameters<typeof fs.writeSync>) {
      if (isFull) throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' })
      return real.writeSync(...given)
    },
  }
})

afterEach(() => {
  isFull = false
})

test('a line counts as durable when its own file was synced, however many others are opened at that time', async () => {
  const root = makeTempFolder()
  const { logs } = open(root)
  const late: number[] = []
  const appending = async (n: number) => {
    const { kept } = await logs.begin('busy.jsonl', [{ n }])
    const { ino, size } = fs.statSync(join(root, 'busy.jsonl'))
    await kept
    if ((synced.get(ino) ?? 0) < size) late.push(n)
  }
  const busy: Promise<void>[] = []
  for (let n = 0; n < 60; n++) {
    busy.push(appending(2 * n), logs.append(`other${n}.jsonl`, [{ n }]), appending(2 * n + 1))
    await sleep(2)
  }
  await Promise.all(busy)
  expect(late).toEqual([])
  expect(await logs.read('busy.jsonl')).toHaveLength(120)
  logs.close()
})

test('bytes torn by a power loss are missing until they are stored again', async () => {
  const root = makeTempFolder()
  const first = open(root)
  const sha256 = await first.blobs.put(Buffer.from('the whole text'))
  first.logs.close()
  const path = join(root, 'blobs', sha256.slice(0, 2), sha256)
  for (const torn of ['', 'the whole']) {
    fs.writeFileSync(path, torn)
    const { logs, blobs } = open(root)
    expect(await blobs.get(sha256)).toBeUndefined()
    expect(await blobs.put(Buffer.from('the whole text'))).toBe(sha256)
    expect(String(await blobs.get(sha256))).toBe('the whole text')
    logs.close()
  }
})

test('bytes that another process stored also become durable with the next line', async () => {
  const root = makeTempFolder()
  const first = open(root)
  const sha256 = await first.blobs.put(Buffer.from('x'))
  first.logs.close()
  const { ino } = fs.statSync(join(root, 'blobs', sha256.slice(0, 2), sha256))
  const { logs, blobs } = open(root)
  await logs.append('log.jsonl', [{}])
  synced.clear()
  await blobs.put(Buffer.from('x'))
  await logs.append('log.jsonl', [{}])
  expect(synced.has(ino)).toBe(true)
  logs.close()
})

test('bytes that a full disk refused leave nothing behind', async () => {
  const root = makeTempFolder()
  const { logs, blobs } = open(root)
  const openFiles = () =>
    fs.existsSync('/proc/self/fd') ? fs.readdirSync('/proc/self/fd').length : 0
  const before = openFiles()
  isFull = true
  for (let n = 0; n < 5; n++)
    await expect(blobs.put(Buffer.from('too much'))).rejects.toThrow('ENOSPC')
  isFull = false
  expect(openFiles()).toBe(before)
  const left = fs.readdirSync(join(root, 'blobs'), { recursive: true, withFileTypes: true })
  expect(left.filter(entry => entry.isFile())).toEqual([])
  logs.close()
})

/** Logs and blobs of one state. */
function open(root: string) {
  const unsynced = createUnsynced()
  return {
    logs: openLogFolder(root, unsynced),
    blobs: openBlobFolder(join(root, 'blobs'), unsynced),
  }
}

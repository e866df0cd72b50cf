import fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { makeTempFolder } from '../testing/temp-folder.ts'
import { openStateFolder } from './state-folder.ts'

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

test('a line counts as durable when its own file was synced, however many others are opened meanwhile', async () => {
  const root = makeTempFolder()
  const state = await openStateFolder(root)
  const late: number[] = []
  const appending = async (n: number) => {
    const { kept } = await state.begin('busy.jsonl', [{ n }])
    const { ino, size } = fs.statSync(join(root, 'busy.jsonl'))
    await kept
    if ((synced.get(ino) ?? 0) < size) late.push(n)
  }
  const busy: Promise<void>[] = []
  for (let n = 0; n < 60; n++) {
    busy.push(appending(2 * n), state.append(`other${n}.jsonl`, [{ n }]), appending(2 * n + 1))
    await sleep(2)
  }
  await Promise.all(busy)
  expect(late).toEqual([])
  expect(await state.read('busy.jsonl')).toHaveLength(120)
  state.close()
})

test('bytes that a loss of power tore are put anew, and are gone until then', async () => {
  const root = makeTempFolder()
  const first = await openStateFolder(root)
  const sha256 = await first.putBlob(Buffer.from('the whole text'))
  first.close()
  const path = join(root, 'blobs', sha256.slice(0, 2), sha256)
  for (const torn of ['', 'the whole']) {
    fs.writeFileSync(path, torn)
    const state = await openStateFolder(root)
    expect(await state.getBlob(sha256)).toBeUndefined()
    expect(await state.putBlob(Buffer.from('the whole text'))).toBe(sha256)
    expect(String(await state.getBlob(sha256))).toBe('the whole text')
    state.close()
  }
})

test('bytes that another process put last with the next line too', async () => {
  const root = makeTempFolder()
  const first = await openStateFolder(root)
  const sha256 = await first.putBlob(Buffer.from('x'))
  first.close()
  const { ino } = fs.statSync(join(root, 'blobs', sha256.slice(0, 2), sha256))
  const state = await openStateFolder(root)
  await state.append('log.jsonl', [{}])
  synced.clear()
  await state.putBlob(Buffer.from('x'))
  await state.append('log.jsonl', [{}])
  expect(synced.has(ino)).toBe(true)
  state.close()
})

test('bytes that a full disk did not take leave nothing behind', async () => {
  const root = makeTempFolder()
  const state = await openStateFolder(root)
  const open = () => (fs.existsSync('/proc/self/fd') ? fs.readdirSync('/proc/self/fd').length : 0)
  const before = open()
  isFull = true
  for (let n = 0; n < 5; n++)
    await expect(state.putBlob(Buffer.from('too much'))).rejects.toThrow('ENOSPC')
  isFull = false
  expect(open()).toBe(before)
  const left = fs.readdirSync(join(root, 'blobs'), { recursive: true, withFileTypes: true })
  expect(left.filter(entry => entry.isFile())).toEqual([])
  state.close()
})

import fs from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { type OpenFile, readWhole } from '../paths/folder.ts'
import { hashLarge } from './disk-file.ts'
import { fstat } from './disk-status.ts'

const BUSY = expect.objectContaining({ code: 'EBUSY' })

test('a file that grows without end is given up, not held', async () => {
  let given = 0
  const endless: OpenFile = {
    status: { ...fstat(0), sizeBytes: 1_000 },
    async read(_, length, allocate = size => new Uint8Array(size)) {
      given += length
      return allocate(length)
    },
    close: () => {},
  }
  await expect(readWhole(endless)).rejects.toEqual(BUSY)
  expect(given).toBeLessThan(80 * 1024 * 1024)
})

test('a file that grows a little is read to its end', async () => {
  const whole = Buffer.alloc(3 * 1024 * 1024, 'x')
  const grown: OpenFile = {
    status: { ...fstat(0), sizeBytes: 1_000 },
    read: async (start, length) => whole.subarray(start, start + length),
    close: () => {},
  }
  expect((await readWhole(grown)).length).toBe(whole.length)
})

test.skipIf(process.platform === 'win32')('nor is it hashed without end', async () => {
  const fd = fs.openSync('/dev/zero', 'r')
  onTestFinished(() => fs.closeSync(fd))
  await expect(hashLarge(fd, 0)).rejects.toEqual(BUSY)
})

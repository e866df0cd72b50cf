import type fs from 'node:fs'
import { join } from 'node:path'
import { unwrap } from '@filewright/protocol'
import { expect, test, vi } from 'vitest'
import { tempFolder } from '../../testing/temp-folder.ts'
import { openDatabase } from './database.ts'

let failures = 0

vi.mock('node:fs', async original => {
  const real = await original<typeof fs>()
  return {
    ...real,
    fdatasync(fd: number, done: (error: Error | null) => void) {
      if (failures-- > 0) done(Object.assign(new Error('EIO: lost'), { code: 'EIO' }))
      else real.fdatasync(fd, done)
    },
  }
})

test('after one flush that failed nothing counts as durable any more: what the disk holds is not known', async () => {
  const database = unwrap(await openDatabase(join(tempFolder(), 'state.db')))
  const write = (key: string) =>
    database.write(() => database.run('insert into settings values (?, ?)', key, '1'))
  await write('before')
  failures = 1
  await expect(write('lost')).rejects.toThrow('EIO')
  await expect(write('after')).rejects.toThrow('EIO')
  await database.close()
})

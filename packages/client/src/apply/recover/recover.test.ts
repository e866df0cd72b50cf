import { expect, test } from 'vitest'
import { changeSet, portsOnDisks, prepareDisks, replace, treeOf } from '../../testing/apply-kit.ts'
import { MemoryDisk } from '../../workspace/memory/memory-folder.ts'
import { apply, recover } from '../apply.ts'

test('a change set whose files and checkpoint were complete is not said to be finished now', async () => {
  const disk = new MemoryDisk()
  prepareDisks([disk], { 'a.txt': 'one' })
  const ports = await portsOnDisks([disk])
  const cutOff = { ...ports, journal: { ...ports.journal, end: async () => {} } }
  await apply(changeSet('cs_1', [replace('a.txt', 'one', 'two')]), cutOff)
  const recovered = await recover(ports)
  expect(recovered.finished).toEqual([])
  expect(recovered.complete).toMatchObject([{ changeSetId: 'cs_1', files: [{ path: 'a.txt' }] }])
  expect(treeOf(disk).files).toEqual({ 'a.txt': 'two' })
})

test('one whose checkpoint was not complete is', async () => {
  const disk = new MemoryDisk()
  prepareDisks([disk], { 'a.txt': 'one' })
  const ports = await portsOnDisks([disk])
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  const checkpoints = { ...ports.checkpoints, record: () => Promise.reject(full) }
  await apply(changeSet('cs_1', [replace('a.txt', 'one', 'two')]), { ...ports, checkpoints })
  const recovered = await recover(ports)
  expect(recovered.finished).toMatchObject([{ changeSetId: 'cs_1' }])
  expect(recovered.complete).toEqual([])
})

import type { AppliedFile, ChangeSetId, RelativePath } from '@filewright/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { MemoryDisk } from '../workspace/memory/memory-folder.ts'
import { readWhole } from '../workspace/paths/folder.ts'
import type { Checkpoint, CheckpointStore, Displaced } from './checkpoints.ts'

const ONE = 'cs_1' as ChangeSetId

/** What every store of checkpoints does. `make` gives how to open a new, empty one, and to open it again later. */
export function checkpointsContract(
  name: string,
  make: () => () => Promise<CheckpointStore>,
): void {
  describe(name, () => {
    let open: () => Promise<CheckpointStore>
    let store: CheckpointStore
    let disk: MemoryDisk
    beforeEach(async () => {
      open = make()
      store = await open()
      disk = new MemoryDisk()
    })
    const textOf = async (file: Awaited<ReturnType<CheckpointStore['open']>>) =>
      file && String(Buffer.from(await readWhole(file).finally(() => file.close())))

    test('a kept file is gone from its folder and found under its number', async () => {
      const folder = disk.openRoot()
      disk.writeFile('old.txt', Buffer.from('old'))
      await store.keep(ONE, 2, folder, 'old.txt')
      await store.keep(ONE, 2, folder, 'old.txt') // again, after a crash
      expect(await folder.statusOf('old.txt')).toBeNull()
      await store.record(checkpoint('cs_1', 1))
      const again = await open()
      expect(await textOf(await again.open(ONE, 2))).toBe('old')
      expect(await again.open(ONE, 1)).toBeNull()
      const { folder: place, name } = again.placeOf(ONE, 2)
      expect(await place.statusOf(name)).toMatchObject({ kind: 'file' })
    })

    test('checkpoints are listed newest first, by their order before their time', async () => {
      for (const each of [checkpoint('cs_1', 10), checkpoint('cs_2', 30), checkpoint('cs_3', 20)])
        await store.record(each)
      await store.record({ ...checkpoint('cs_4', 5), order: 40 })
      const again = await open()
      const ids = (await again.list()).map(({ changeSetId }) => changeSetId)
      expect(ids).toEqual(['cs_4', 'cs_2', 'cs_3', 'cs_1'])
      expect(await again.get(ONE)).toEqual(checkpoint('cs_1', 10))
      for (const none of ['cs_9', '../cs_1', ''])
        expect(await again.get(none as ChangeSetId)).toBeNull()
    })

    test('a checkpoint is removed with the bytes it kept, and no other', async () => {
      for (const each of ['cs_1', 'cs_2']) {
        disk.writeFile('old.txt', Buffer.from(each))
        await store.keep(each as ChangeSetId, 0, disk.openRoot(), 'old.txt')
        await store.record(checkpoint(each, 1))
      }
      await store.remove(ONE)
      await store.remove(ONE)
      expect(await store.get(ONE)).toBeNull()
      expect(await store.open(ONE, 0)).toBeNull()
      expect(await textOf(await store.open('cs_2' as ChangeSetId, 0))).toBe('cs_2')
    })

    test('copies of bases are read on their own, come before the old file, and go with the checkpoint', async () => {
      const held = ['one', '', 'three'].map((text, index) => ({ index, bytes: Buffer.from(text) }))
      await store.keepBases(ONE, held)
      await store.keepBases(ONE, held) // again, after a crash
      const large = await store.createBase(ONE, 7)
      await large.write([Buffer.from('large')])
      large.close()
      disk.writeFile('old.txt', Buffer.from('old, and written to since'))
      await store.keep(ONE, 2, disk.openRoot(), 'old.txt')
      const files = Array.from({ length: 8 }, () => checkpoint('cs_1', 1).files[0]!)
      await store.record({ ...checkpoint('cs_1', 1), files })
      const again = await open()
      const texts = (of: CheckpointStore) =>
        Promise.all([0, 1, 2, 3, 7].map(async n => textOf(await of.open(ONE, n))))
      expect(await texts(again)).toEqual(['one', '', 'three', null, 'large'])
      await again.remove(ONE)
      expect(await texts(again)).toEqual([null, null, null, null, null])
    })

    test('copies of a change set that came to nothing are dropped', async () => {
      await store.keepBases(ONE, [{ index: 0, bytes: Buffer.from('one') }])
      ;(await store.createBase(ONE, 1)).close()
      await store.dropBases(ONE, [0, 1])
      await store.dropBases(ONE, [0, 1])
      expect(await store.open(ONE, 0)).toBeNull()
      expect(await store.open(ONE, 1)).toBeNull()
    })

    test('a displaced file is listed with its bytes until it is removed', async () => {
      disk.writeFile('theirs.txt', Buffer.from('theirs'))
      await store.keepDisplaced(displaced('before'), disk.openRoot(), 'theirs.txt')
      await store.keepCopy(displaced('after'), [Buffer.from('later')])
      await store.sync()
      const again = await open()
      const all = [...(await again.displaced())].sort((a, b) => (a.was < b.was ? 1 : -1))
      expect(all).toEqual([displaced('before'), displaced('after')])
      expect(await textOf(await again.openDisplaced(all[0]!))).toBe('theirs')
      expect(await textOf(await again.openDisplaced(all[1]!))).toBe('later')
      expect(await again.list()).toEqual([])
      await again.removeDisplaced(all[0]!)
      expect(await again.displaced()).toEqual([displaced('after')])
      expect(await again.openDisplaced(all[0]!)).toBeNull()
    })
  })
}

function checkpoint(changeSetId: string, time: number): Checkpoint {
  const file: AppliedFile = {
    docPath: 'old.txt' as AppliedFile['docPath'],
    path: 'old.txt' as RelativePath,
    before: null,
    after: null,
    sizeBytes: 0,
  }
  return {
    changeSetId: changeSetId as ChangeSetId,
    time,
    files: [file],
    madeFolders: [],
    keptBytes: 3,
  }
}

function displaced(was: Displaced['was']): Displaced {
  const path = 'theirs.txt' as RelativePath
  const facts = { sha256: null, sizeBytes: 6, time: 1, reason: 'in the way', isReported: true }
  return { changeSetId: ONE, index: 0, was, path, ...facts }
}

import { beforeEach, describe, expect, test } from 'vitest'
import type { LeftUploads, UploadList, WaitingUpload } from './upload-list.ts'

/** What every list of uploads does. `make` gives how to open a new, empty one, and to open it again later. */
export function uploadListContract(name: string, make: () => () => Promise<UploadList>): void {
  describe(name, () => {
    let open: () => Promise<UploadList>
    let list: UploadList
    beforeEach(async () => {
      open = make()
      list = await open()
      await list.load()
    })
    const left = async () => (await open()).load()

    test('an intended upload waits until it is added, an added one until it is settled', async () => {
      expect(await left()).toEqual({ intended: [], waiting: [], damage: undefined })
      for (const id of ['cs_1', 'cs_2', 'cs_3']) await list.intend(id)
      await list.add(upload('cs_1'))
      await list.add(upload('cs_2'))
      await list.settle('cs_1')
      await list.intend('cs_4') // durable, and with it what came before
      expect(await left()).toMatchObject({
        intended: ['cs_3', 'cs_4'],
        waiting: [upload('cs_2')],
      })
    })

    test('repeated compaction loses no remaining upload', async () => {
      const all: LeftUploads = { intended: ['cs_x'], waiting: [upload('cs_y')] }
      await list.intend('cs_x')
      await list.add(upload('cs_y'))
      for (let round = 0; round < 3; round++) {
        for (let n = 0; n < 150; n++) {
          await list.add(upload(`cs_${n}`))
          await list.settle(`cs_${n}`)
        }
        list = await open()
        expect(await list.load()).toMatchObject(all)
        await list.compact(all)
        expect(await left()).toMatchObject(all)
      }
      await list.settle('cs_y')
      expect(await left()).toMatchObject({ intended: ['cs_x'], waiting: [] })
    })
  })
}

function upload(changeSetId: string): WaitingUpload {
  return { changeSetId, files: [] }
}

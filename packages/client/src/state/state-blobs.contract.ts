import { beforeEach, describe, expect, test } from 'vitest'
import type { StateBlobs } from './state-blobs.ts'

const text = Buffer.from('some text')

/** What every store of a state's bytes does. `make` gives how to open a new, empty one, and to open it again later. */
export function stateBlobsContract(name: string, make: () => () => Promise<StateBlobs>): void {
  describe(name, () => {
    let open: () => Promise<StateBlobs>
    let blobs: StateBlobs
    beforeEach(async () => {
      open = make()
      blobs = await open()
    })

    test('bytes are found by their hash, even after a restart', async () => {
      const sha256 = await blobs.put(text)
      expect(sha256).toBe('b94f6f125c79e3a5ffaa826f584c10d52ada669e6762051b826b55776d05aed2')
      expect(await blobs.put(text)).toBe(sha256)
      for (const each of [blobs, await open()]) {
        expect(Buffer.from((await each.get(sha256))!)).toEqual(text)
        expect(await each.sizeOf(sha256)).toBe(9)
        expect(await each.list()).toEqual([{ sha256, sizeBytes: 9 }])
      }
    })

    test('bytes that were never stored are not found', async () => {
      const none = await (await make()()).put(text)
      expect(await blobs.get(none)).toBeUndefined()
      expect(await blobs.sizeOf(none)).toBeNull()
      expect(await blobs.list()).toEqual([])
    })

    test('bytes are removed unless they were stored since that moment', async () => {
      const before = Date.now() - 1000
      const sha256 = await blobs.put(text)
      expect(await blobs.remove(sha256, { unusedSince: before })).toBe(false)
      expect(await blobs.remove(sha256, { unusedSince: Date.now() + 60_000 })).toBe(true)
      expect(await blobs.get(sha256)).toBeUndefined()
      expect(await blobs.put(text)).toBe(sha256)
      expect(Buffer.from((await blobs.get(sha256))!)).toEqual(text)
    })
  })
}

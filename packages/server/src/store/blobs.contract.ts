import { createHash } from 'node:crypto'
import { type Sha256, unwrap } from '@filewright/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import type { Blobs } from './blobs.ts'

const MAX_BYTES = 1_000_000

/** What every blob store does. `make` gives a new, empty one that takes at most `maxBytes` a blob. */
export function blobsContract(
  name: string,
  make: (options: { maxBytes: number }) => Blobs | Promise<Blobs>,
): void {
  describe(name, () => {
    let blobs: Blobs
    beforeEach(async () => {
      blobs = await make({ maxBytes: MAX_BYTES })
    })

    test('bytes are found again by their sha256', async () => {
      const bytes = text('hello')
      const ref = unwrap(await blobs.put(bytes))
      expect(ref).toEqual({ sha256: hashOf(bytes), sizeBytes: 5 })
      expect(await blobs.has(ref.sha256)).toBe(true)
      expect(await blobs.size(ref.sha256)).toBe(5)
      expect(await blobs.get(ref.sha256)).toEqual(bytes)
    })

    verifies(
      'CONTRACT §2 blobs raw',
      'a stream of pieces is hashed while it is written',
      async () => {
        const ref = unwrap(await blobs.put(slowly('one ', 'two ', 'three'), { durable: false }))
        expect(ref).toEqual({ sha256: hashOf(text('one two three')), sizeBytes: 13 })
        expect(await gather((await blobs.stream(ref.sha256))!)).toEqual(text('one two three'))
      },
    )

    test('an empty blob is a blob', async () => {
      const ref = unwrap(await blobs.put(text('')))
      expect(await blobs.get(ref.sha256)).toEqual(text(''))
      expect(await gather((await blobs.stream(ref.sha256))!)).toEqual(text(''))
    })

    test('the same bytes put again are one blob', async () => {
      const first = unwrap(await blobs.put(text('twice'), { durable: false }))
      expect(unwrap(await blobs.put(text('twice')))).toEqual(first)
      expect(unwrap(await blobs.put(slowly('twi', 'ce')))).toEqual(first)
    })

    test('a caller that changes its buffer afterwards changes no blob', async () => {
      const buffer = text('mine')
      const { sha256 } = unwrap(await blobs.put(buffer))
      buffer.fill(0)
      expect(hashOf((await blobs.get(sha256))!)).toBe(sha256)
    })

    test('a part of a blob is read without the rest', async () => {
      const { sha256 } = unwrap(await blobs.put(text('0123456789')))
      expect(await blobs.get(sha256, { start: 2, end: 5 })).toEqual(text('234'))
      expect(await gather((await blobs.stream(sha256, { start: 8, end: 99 }))!)).toEqual(text('89'))
      expect(await blobs.get(sha256, { start: 20, end: 30 })).toEqual(text(''))
    })

    test('bytes that were never put are absent', async () => {
      const absent = hashOf(text('absent'))
      expect(await blobs.has(absent)).toBe(false)
      expect(await blobs.size(absent)).toBeUndefined()
      expect(await blobs.get(absent)).toBeUndefined()
      expect(await blobs.stream(absent)).toBeUndefined()
    })

    test('bytes that do not match their declared hash are not kept', async () => {
      const expected = hashOf(text('good'))
      for (const bad of [text('evil'), slowly('ev', 'il')])
        expect(await blobs.put(bad, { sha256: expected })).toMatchObject({
          ok: false,
          failure: { code: 'HASH_MISMATCH', kind: 'invalid' },
        })
      expect(await blobs.has(hashOf(text('evil')))).toBe(false)
    })

    test('more bytes than allowed are refused, whole and in pieces', async () => {
      const large = new Uint8Array(MAX_BYTES + 1)
      for (const pieces of [large, [large.subarray(0, MAX_BYTES), large.subarray(MAX_BYTES)]])
        expect(await blobs.put(pieces)).toMatchObject({ failure: { code: 'TOO_LARGE' } })
      expect(await blobs.has(hashOf(large))).toBe(false)
    })

    test('a stream that breaks leaves nothing and reports its cause', async () => {
      await expect(blobs.put(breaking('half'))).rejects.toThrow('the line is cut')
      expect(await blobs.has(hashOf(text('half')))).toBe(false)
    })

    verifies('CONTRACT §2 blobs resumable', 'a cut upload continues where it stopped', async () => {
      const bytes = text('first part, second part')
      const sha256 = hashOf(bytes)
      expect(await blobs.uploadOffset(sha256)).toBe(0)
      expect(unwrap(await blobs.appendUpload(sha256, 0, text('first part,')))).toEqual({
        offset: 11,
      })
      expect(await blobs.uploadOffset(sha256)).toBe(11)
      expect(await blobs.appendUpload(sha256, 0, bytes)).toMatchObject({
        failure: { code: 'CONFLICT', details: { offset: 11 } },
      })
      unwrap(await blobs.appendUpload(sha256, 11, slowly(' second', ' part')))
      expect(unwrap(await blobs.finishUpload(sha256))).toEqual({ sha256, sizeBytes: bytes.length })
      expect(await blobs.get(sha256)).toEqual(bytes)
      expect(unwrap(await blobs.finishUpload(sha256))).toEqual({ sha256, sizeBytes: bytes.length })
    })

    test('an upload whose bytes have another hash starts again', async () => {
      const sha256 = hashOf(text('right'))
      unwrap(await blobs.appendUpload(sha256, 0, text('wrong')))
      expect(await blobs.finishUpload(sha256)).toMatchObject({ failure: { code: 'HASH_MISMATCH' } })
      expect(await blobs.uploadOffset(sha256)).toBe(0)
      expect(await blobs.has(sha256)).toBe(false)
      expect(await blobs.finishUpload(sha256)).toMatchObject({ failure: { code: 'NOT_FOUND' } })
    })

    test('two requests cannot send the same upload at once', async () => {
      const sha256 = hashOf(text('ab'))
      const [first, second] = await Promise.all([
        blobs.appendUpload(sha256, 0, slowly('a', 'b')),
        blobs.appendUpload(sha256, 0, slowly('a', 'b')),
      ])
      expect(first.ok).toBe(true)
      expect(second).toMatchObject({ failure: { code: 'LOCKED' } })
      expect((await blobs.finishUpload(sha256)).ok).toBe(true)
    })

    test('a sweep removes unreferenced blobs, and spares those put just now', async () => {
      const named = unwrap(await blobs.put(text('named'))).sha256
      const orphan = unwrap(await blobs.put(text('orphan'))).sha256
      const isReferenced = (sha256: Sha256) => sha256 === named
      expect(await blobs.sweep({ isReferenced, graceMs: 60_000 })).toEqual({ removed: [] })
      expect(await blobs.sweep({ isReferenced, graceMs: 0, candidates: [named] })).toEqual({
        removed: [],
      })
      expect(await blobs.sweep({ isReferenced, graceMs: 0 })).toEqual({ removed: [orphan] })
      expect(await blobs.has(orphan)).toBe(false)
      expect(await blobs.get(orphan)).toBeUndefined()
      expect(await blobs.get(named)).toEqual(text('named'))
    })
  })
}

export function hashOf(bytes: Uint8Array): Sha256 {
  return createHash('sha256').update(bytes).digest('hex') as Sha256
}

function text(content: string): Uint8Array {
  return new TextEncoder().encode(content)
}

async function* slowly(...pieces: string[]) {
  for (const piece of pieces) {
    await new Promise(resolve => setImmediate(resolve))
    yield text(piece)
  }
}

async function* breaking(...pieces: string[]) {
  yield* slowly(...pieces)
  throw new Error('the line is cut')
}

async function gather(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return new Uint8Array(Buffer.concat(all))
}

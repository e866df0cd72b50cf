import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { createFileBlobs } from '../embedded/blobs-embedded.ts'
import { createMemoryBlobs } from '../memory/blobs-memory.ts'
import { blobsContract, hashOf } from '../store/blobs.contract.ts'
import { tempFolder } from '../testing/temp-folder.ts'

const root = tempFolder()
let count = 0

blobsContract('blobs in memory', createMemoryBlobs)
blobsContract('blobs in files', options =>
  createFileBlobs(join(root, `${count++}`), { ...options, cacheBytes: 0 }),
)
blobsContract('blobs in files with a cache', options =>
  createFileBlobs(join(root, `${count++}`), options),
)

const bytes = new TextEncoder().encode('some content')
const sha256 = hashOf(bytes)
const nameIn = (folder: string) => join(folder, sha256.slice(0, 2), sha256.slice(2))

test('a blob is stored under its hash and outlives the process', async () => {
  const folder = tempFolder()
  unwrap(await createFileBlobs(folder).put(bytes))
  expect(readdirSync(join(folder, sha256.slice(0, 2)))).toEqual([sha256.slice(2)])
  expect(readdirSync(join(folder, 'incoming'))).toEqual([])
  expect(await createFileBlobs(folder).get(sha256)).toEqual(bytes)
})

test('an upload continues after a restart', async () => {
  const folder = tempFolder()
  unwrap(await createFileBlobs(folder).appendUpload(sha256, 0, bytes.subarray(0, 4)))
  const restarted = createFileBlobs(folder)
  expect(await restarted.uploadOffset(sha256)).toBe(4)
  unwrap(await restarted.appendUpload(sha256, 4, bytes.subarray(4)))
  expect(unwrap(await restarted.finishUpload(sha256))).toEqual({ sha256, sizeBytes: bytes.length })
})

test('a torn blob is absent, and putting it again heals it', async () => {
  for (const torn of [new Uint8Array(), new Uint8Array(bytes.length), bytes.subarray(0, 3)]) {
    const folder = tempFolder()
    unwrap(await createFileBlobs(folder).put(bytes))
    writeFileSync(nameIn(folder), torn)
    const found = createFileBlobs(folder)
    expect(await found.get(sha256)).toBeUndefined()
    expect(await found.has(sha256)).toBe(false) // looked at once, and not taken for sound by that
    expect(await found.get(sha256)).toBeUndefined()
    writeFileSync(nameIn(folder), torn)
    const restarted = createFileBlobs(folder)
    unwrap(await restarted.put(bytes))
    expect(await restarted.get(sha256)).toEqual(bytes)
    expect(await createFileBlobs(folder).get(sha256)).toEqual(bytes)
  }
})

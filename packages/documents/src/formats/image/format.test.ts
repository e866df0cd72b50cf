import { crc32, deflateSync } from 'node:zlib'
import { unwrap } from '@filewright/protocol'
import { beforeAll, expect, test } from 'vitest'
import { verifies } from '../../../../../test/verifies.ts'
import { corpusFiles, hasCorpus, readCorpusFile } from '../../corpus.contract.ts'
import type { DocumentName, ReadableFormat } from '../../format.ts'
import { exifOf } from './exif.ts'
import { startImages } from './start.ts'

const nameOf = (path: string) => ({ docPath: path.toLowerCase(), path }) as DocumentName
const MANY = { maxBytes: 46_000 }

let images: ReadableFormat
beforeAll(async () => {
  images = await startImages()
})

verifies(
  [
    'ADR-0010 §File Information get_file_info image',
    'CONTRACT §4 get_file_info image',
    'CONTRACT §4 read_file image',
  ],
  'an image answers with its kind and size, and with the picture',
  () => {
    const document = unwrap(images.open(png(40, 30), nameOf('Logo.png')))
    const map = unwrap(document.map())
    expect(map.fields).toEqual({ kind: 'png', width: 40, height: 30, exif: {} })
    expect(map.text).toMatch(/^Logo.png: png image, 40 × 30 pixels, \d+ bytes$/)
    const reading = unwrap(document.read({}, MANY))
    expect(reading.text).toContain('the whole image as a picture of 40 × 30 pixels')
    expect(reading.pictures).toMatchObject([{ mediaType: 'image/png', width: 40, height: 30 }])
    const part = unwrap(document.read({ crop: [0.5, 0, 1, 1] }, MANY))
    expect(part.pictures).toMatchObject([{ width: 20, height: 30 }])
    expect(document.read({ crop: [1, 0, 0.5, 1] }, MANY)).toMatchObject({
      failure: { code: 'INVALID_ARGUMENT', message: expect.stringContaining('four numbers') },
    })
  },
)

test('a large picture is made smaller for a model', () => {
  const document = unwrap(images.open(png(4000, 100), nameOf('wide.png')))
  expect(unwrap(document.read({}, MANY)).pictures).toMatchObject([{ width: 1568, height: 39 }])
})

test('a bomb costs no more than its head', () => {
  const bomb = unwrap(images.open(png(40_000, 40_000, { isHollow: true }), nameOf('bomb.png')))
  expect(unwrap(bomb.map()).fields).toMatchObject({ width: 40_000, height: 40_000 })
  const before = process.memoryUsage().rss
  const reading = unwrap(bomb.read({}, MANY))
  expect(reading.pictures).toBeUndefined()
  expect(reading.text).toContain('more than is unpacked')
  expect(process.memoryUsage().rss - before).toBeLessThan(50e6)
})

test('what is no image, or a broken one, ends in one sentence', () => {
  for (const bytes of [Buffer.from('hello there'), new Uint8Array(0), png(10, 10).subarray(0, 12)])
    expect(images.open(bytes, nameOf('a.png'))).toMatchObject({
      failure: { code: 'UNREADABLE_FORMAT', message: expect.stringContaining('"a.png"') },
    })
  const cut = unwrap(images.open(png(400, 400).subarray(0, 60), nameOf('cut.png')))
  expect(unwrap(cut.read({}, MANY)).text).toContain('It is not shown: it is damaged')
})

test('what a camera noted is read from the head', () => {
  expect(exifOf(tiff())).toEqual({
    make: 'Cam',
    taken: '2026:01:02 03:04:05',
    place: '48.50000° N, 9.25000° E',
  })
  expect(exifOf(Buffer.concat([Buffer.from('junkExif\0\0'), tiff()]))).toHaveProperty('make', 'Cam')
  for (let length = 0; length < tiff().length; length += 7)
    expect(() => exifOf(tiff().subarray(0, length))).not.toThrow()
})

test.skipIf(!hasCorpus)('every image of the corpus answers with kind and size', () => {
  const files = corpusFiles(({ category, file }) => category === 'images' && !file.endsWith('.svg'))
  expect(files).toHaveLength(9)
  const shown = files.map(file => {
    const document = unwrap(images.open(readCorpusFile(file), nameOf(file.file)))
    const { fields } = unwrap(document.map())
    expect(fields.width, file.file).toBeGreaterThan(10)
    const { pictures, text } = unwrap(document.read({}, MANY))
    expect(pictures?.[0]?.bytes.length ?? 0, text).toBeLessThan(1_000_001)
    return `${fields.kind} ${pictures ? 'shown' : 'told'}`
  })
  expect(shown.sort()).toEqual([
    'bmp shown',
    'gif shown',
    'heic told',
    'jpeg shown',
    'jpeg shown',
    'jpeg shown',
    'png shown',
    'png shown',
    'tiff shown',
  ])
})

/** A grey picture; a hollow one says its size and has no pixels. */
function png(width: number, height: number, { isHollow = false } = {}): Uint8Array {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8)
  const rows = Buffer.alloc(isHollow ? 1 : (width + 1) * height, 0)
  const parts = [
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

function tiff(): Buffer {
  const file = Buffer.alloc(256)
  file.write('II*\0', 0, 'latin1')
  file.writeUInt32LE(8, 4)
  const entry = (at: number, tag: number, type: number, count: number, value: number) => {
    file.writeUInt16LE(tag, at)
    file.writeUInt16LE(type, at + 2)
    file.writeUInt32LE(count, at + 4)
    file.writeUInt32LE(value, at + 8)
  }
  file.writeUInt16LE(3, 8)
  entry(10, 0x010f, 2, 4, Buffer.from('Cam\0').readUInt32LE())
  entry(22, 0x8769, 4, 1, 60)
  entry(34, 0x8825, 4, 1, 80)
  file.writeUInt16LE(1, 60)
  entry(62, 0x9003, 2, 20, 200)
  file.write('2026:01:02 03:04:05\0', 200)
  file.writeUInt16LE(4, 80)
  entry(82, 1, 2, 2, Buffer.from('N\0\0\0').readUInt32LE())
  entry(94, 2, 5, 3, 140)
  entry(106, 3, 2, 2, Buffer.from('E\0\0\0').readUInt32LE())
  entry(118, 4, 5, 3, 164)
  for (const [index, part] of [48, 30, 0, 9, 15, 0].entries()) {
    file.writeUInt32LE(part, 140 + 8 * index)
    file.writeUInt32LE(1, 144 + 8 * index)
  }
  return file
}

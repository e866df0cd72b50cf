import { toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import { corpusFiles, readCorpusFile, sampleOf } from '../corpus.contract.ts'
import { OpcPackage } from './package.ts'
import { buildZip, type TestEntry } from './zip.contract.ts'
import { readZip } from './zip.ts'
import { zipContent } from './zip-content.ts'

const two: TestEntry[] = [
  { name: 'a.xml', data: '<a/>' },
  { name: 'dir/b.xml', data: '<b>'.padEnd(5000, 'x') },
]

function refusalOf(bytes: Uint8Array) {
  const result = readZip(bytes)
  if (result.ok) throw new Error('it was accepted')
  return result.failure
}

function edited(bytes: Uint8Array, edits: Record<string, string | null>): Uint8Array {
  const map = new Map(
    Object.entries(edits).map(([name, text]) => [name, text === null ? null : Buffer.from(text)]),
  )
  return toBytes(zipContent(unwrap(readZip(bytes)), map), bytes)
}

/** Bytes that no packer makes smaller, the same every time. */
function createNoise(length: number): Uint8Array {
  let seed = 7
  return Uint8Array.from({ length }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return seed >> 16
  })
}

describe('reading', () => {
  test('the entries of a plain zip', () => {
    const { entries } = unwrap(readZip(buildZip(two)))
    expect(entries.map(entry => [entry.name, entry.size])).toEqual([
      ['a.xml', 4],
      ['dir/b.xml', 5000],
    ])
  })

  test('descriptors, zip64 fields, comments and bytes in front are understood', () => {
    for (const options of [
      { descriptor: true },
      { zip64: true },
      { comment: 'hello' },
      { prefix: 100 },
      { prefix: 100, prefixCounted: true },
      { zip64: true, descriptor: true, prefix: 7, comment: 'x' },
    ])
      expect(
        unwrap(readZip(buildZip(two, options))).entries.map(entry => entry.name),
        JSON.stringify(options),
      ).toEqual(['a.xml', 'dir/b.xml'])
  })

  test('an empty entry with a descriptor, as folders have, gets its exact length', () => {
    const entries = [{ name: 'dir/', data: '' }, ...two]
    for (const zip64 of [false, true])
      expect(
        unwrap(readZip(buildZip(entries, { descriptor: true, zip64 }))).entries.map(
          ({ name, size }) => [name, size],
        ),
      ).toEqual([
        ['dir/', 0],
        ['a.xml', 4],
        ['dir/b.xml', 5000],
      ])
  })

  test('a cut file is unreadable at every length', () => {
    const bytes = buildZip(two)
    for (let length = 0; length < bytes.length; length += 7)
      expect(refusalOf(bytes.subarray(0, length)).code).toBe('UNREADABLE_FORMAT')
  })

  test('a changed byte anywhere never throws', () => {
    const bytes = buildZip(two, { descriptor: true, zip64: true })
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Uint8Array.from(bytes)
      damaged[at] = damaged[at]! ^ 0xff
      const result = readZip(damaged)
      if (!result.ok) expect(result.failure.message).toContain('Cannot open')
    }
  })

  test('duplicate, climbing and absolute names are refused', () => {
    expect(refusalOf(buildZip([two[0]!, { ...two[0]!, name: 'A.xml' }])).message).toContain(
      'two parts named',
    )
    expect(refusalOf(buildZip([{ name: '../a.xml', data: '' }])).message).toContain('climbs')
    expect(refusalOf(buildZip([{ name: 'x\\..\\a.xml', data: '' }])).message).toContain('climbs')
    expect(refusalOf(buildZip([{ name: '/etc/passwd', data: '' }])).message).toContain('absolute')
  })

  test('a local name that differs from the central one is refused', () => {
    expect(refusalOf(buildZip([{ ...two[0]!, localName: 'z.xml' }])).message).toContain(
      'different names',
    )
  })

  test('entries that overlap are refused', () => {
    const bytes = buildZip(two)
    const directory = unwrap(readZip(bytes)).entries
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    view.setUint32(directory[0]!.central.start + 20, 60, true)
    expect(refusalOf(bytes).message).toMatch(/overlap|name/)
  })

  verifies(
    ['CONTRACT §7 limit package entries', 'CONTRACT §8 sizes bounded first'],
    'too many entries are refused before anything is unpacked',
    () => {
      const many = Array.from({ length: 10_001 }, (_, index) => ({ name: `p${index}`, data: '' }))
      expect(refusalOf(buildZip(many)).code).toBe('TOO_LARGE')
    },
  )

  verifies('CONTRACT §7 limit package ratio', 'a bomb is refused by its ratio', () => {
    const bomb = { name: 'a', data: 'x'.repeat(11 * 1024 * 1024) }
    expect(refusalOf(buildZip([bomb])).message).toContain('times')
    expect(readZip(buildZip([{ name: 'a', data: 'x'.repeat(9 * 1024 * 1024) }])).ok).toBe(true)
  })

  verifies(
    'CONTRACT §7 limit package sizes',
    'a part or package that is too large is refused by its declared size',
    () => {
      const MB = 1024 * 1024
      expect(
        refusalOf(buildZip([{ name: 'a', data: 'x', declaredSize: 257 * MB }])).message,
      ).toContain('257 MB')
      const noise = createNoise(1.3 * MB)
      const parts = Array.from({ length: 5 }, (_, index) => ({
        name: `p${index}`,
        data: noise,
        declaredSize: 250 * MB,
      }))
      expect(refusalOf(buildZip(parts)).message).toContain('1250 MB')
      expect(readZip(buildZip(parts.slice(1))).ok).toBe(true)
    },
  )

  verifies(
    'CONTRACT §4 encrypted refused',
    'encryption is recognised, with what would work',
    () => {
      expect(refusalOf(buildZip([{ name: 'a', data: 'x', flags: 1 }])).code).toBe('ENCRYPTED')
      const ole = Buffer.alloc(2048)
      ole.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
      expect(refusalOf(ole).code).toBe('UNREADABLE_FORMAT')
      ole.write('EncryptedPackage', 1024, 'utf16le')
      expect(refusalOf(ole)).toMatchObject({
        code: 'ENCRYPTED',
        message: expect.stringContaining('without a password'),
      })
    },
  )

  test('a wrong checksum or a size that lies is refused when the part is read', () => {
    const types = { name: '[Content_Types].xml', data: '<Types/>' }
    for (const wrong of [{ crc: 1 }, { declaredSize: 3 }, { declaredSize: 9 }]) {
      const opened = unwrap(OpcPackage.open(buildZip([types, { ...two[0]!, ...wrong }])))
      expect(opened.part('a.xml').ok).toBe(false)
    }
  })
})

describe('writing', () => {
  const shapes = [
    {},
    { descriptor: true },
    { zip64: true },
    { comment: 'hello', prefix: 33 },
    { prefix: 9, prefixCounted: true, gap: 5 },
  ]

  test('no edit gives the same bytes', () => {
    for (const options of shapes) {
      const bytes = buildZip(two, options)
      expect(Buffer.compare(edited(bytes, {}), bytes)).toBe(0)
    }
  })

  test('an edit changes its part alone; parts are added and removed', () => {
    for (const options of shapes) {
      const bytes = Buffer.from(buildZip(two, options))
      const kept = Uint8Array.from(bytes)
      const after = edited(bytes, { 'a.xml': '<a>new</a>', 'new/é.xml': '<n/>' })
      const before = unwrap(readZip(bytes)).entries
      const archive = unwrap(readZip(after))
      expect(archive.entries.map(entry => entry.name)).toEqual(['a.xml', 'dir/b.xml', 'new/é.xml'])
      const [, untouched] = archive.entries
      expect(
        Buffer.compare(
          after.subarray(untouched!.start, untouched!.end),
          bytes.subarray(before[1]!.start, before[1]!.end),
        ),
      ).toBe(0)
      expect(Buffer.compare(bytes, kept)).toBe(0)
      const gone = unwrap(readZip(edited(after, { 'dir/b.xml': null })))
      expect(gone.entries.map(entry => entry.name)).toEqual(['a.xml', 'new/é.xml'])
    }
  })
})

const packages = corpusFiles(file => ['xlsx', 'docx', 'pptx'].includes(file.category))

test.skipIf(packages.length === 0)(
  'in real files every part but the edited one keeps its packed bytes',
  () => {
    for (const file of sampleOf(packages, 16)) {
      const bytes = readCorpusFile(file)
      const before = unwrap(readZip(bytes))
      const target = before.entries.find(entry => entry.name.endsWith('.rels'))!
      const after = edited(bytes, { [target.name]: '<changed/>' })
      const archive = unwrap(readZip(after))
      for (const [index, entry] of before.entries.entries()) {
        const own = archive.entries[index]!
        expect(own.name).toBe(entry.name)
        if (entry !== target)
          expect(
            Buffer.compare(
              after.subarray(own.start, own.end),
              bytes.subarray(entry.start, entry.end),
            ),
          ).toBe(0)
      }
    }
  },
)

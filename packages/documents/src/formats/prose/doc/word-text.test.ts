import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unwrap } from '@filewright/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openCompoundFile } from './compound-file.ts'
import { shownText } from './shown-text.ts'
import { wordText } from './word-text.ts'

// Made by LibreOffice from sample.fodt beside it.
const sample = readFileSync(join(import.meta.dirname, '../testing/sample.doc'))

test('the text of a doc: paragraphs, rows, notes and headers, without what was deleted', () => {
  expect(unwrap(wordText(sample, 'a.doc'))).toBe(
    [
      'Größe & Preis',
      'First paragraph with a link text and a note.',
      'Name | Value | ',
      'Pen |  | ',
      'two lines | € 12 | ',
      '日本語 text after',
      'a break, page 1',
      '— footnotes —',
      'The footnote.',
      '— headers and footers —',
      'Running head',
      '',
    ].join('\n'),
  )
})

test('of a field its result is shown, also within the code of another', () => {
  const nested =
    'a\u0013IF \u0013PAGE\u00141\u0015 = 1\u0014first\u0015 b\u0013TOC\u0015\u0014c\u0015'
  expect(shownText(nested)).toBe('afirst bc')
})

describe('a doc that cannot be read ends in one sentence', () => {
  const head = streamOffset()

  test.each([
    { what: 'encrypted', change: { at: head + 11, byte: 0x01 }, code: 'ENCRYPTED' },
    { what: 'of Word 95', change: { at: head, byte: 0xdc }, code: 'UNREADABLE_FORMAT' },
    { what: 'of another program', change: { at: head, byte: 0 }, code: 'UNREADABLE_FORMAT' },
    { what: 'with odd sectors', change: { at: 30, byte: 31 }, code: 'UNREADABLE_FORMAT' },
  ])('$what', ({ change, code }) => {
    const bytes = Buffer.from(sample)
    bytes[change.at] = change.byte
    expect(wordText(bytes, 'a.doc')).toMatchObject({
      ok: false,
      failure: { code, message: expect.stringMatching(/^Cannot read "a.doc": .*\.docx\.$/) },
    })
  })

  test('cut off anywhere', () => {
    for (let length = 0; length < sample.length - 600; length += 211)
      expect(wordText(sample.subarray(0, length), 'a.doc').ok).toBe(false)
  })

  test('sectors in a circle', () => {
    const fat = 512 * (sample.readUInt32LE(76) + 1)
    const bytes = Buffer.from(sample)
    for (let sector = 0; sector < 128; sector++) bytes.writeUInt32LE(sector, fat + 4 * sector)
    expect(wordText(bytes, 'a.doc').ok).toBe(false)
    const list = Buffer.from(sample)
    list.writeUInt32LE(0, 68) // the list of tables goes on in the first sector, which goes on in itself
    list.fill(0xff, 512, 1020).writeUInt32LE(0, 1020)
    expect(openCompoundFile(list)).toBeUndefined()
  })

  test('counts that are too large', () => {
    const table = 0x1a2
    for (const at of [0xfa, 0xfe, 0x102, 0x106, table, table + 4, 0x4c, 0x50]) {
      const bytes = Buffer.from(sample)
      bytes.writeUInt32LE(0xfffffff0, head + at)
      const read = wordText(bytes, 'a.doc')
      if (!read.ok) expect(read.failure.code).toBe('UNREADABLE_FORMAT')
    }
  })

  test('whatever its bytes are', () => {
    const edits = fc.array(fc.tuple(fc.nat(sample.length - 1), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 40,
    })
    fc.assert(
      fc.property(edits, changed => {
        const bytes = Buffer.from(sample)
        for (const [at, byte] of changed) bytes[at] = byte
        const read = wordText(bytes, 'a.doc')
        const length = read.ok ? read.value.length : read.failure.message.length
        expect(length).toBeLessThan(4 * sample.length)
      }),
      { numRuns: 300 },
    )
  })
})

/** Where the stream of the text begins in the file. */
function streamOffset(): number {
  const stream = openCompoundFile(sample)!.stream('WordDocument')!
  return sample.indexOf(stream.subarray(0, 64))
}

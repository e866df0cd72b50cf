import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verifies } from '../../../../../../test/verifies.ts'
import { decodeText } from './text.ts'

const bytesOf = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding)

verifies(
  [
    'CONTRACT §2 line ends LF or CRLF',
    'CONTRACT §2 lone CR is text',
    'TUL-002 §6 line ends with newline',
  ],
  'only LF and CRLF end a line; a lone CR, a form feed and U+2028 are text',
  () => {
    const doc = decodeText(bytesOf('a\rb\nc\fd\r\n\u2028e\u0085\n'))
    expect(doc.lines(1, doc.lineCount)).toEqual(['a\rb', 'c\fd', '\u2028e\u0085'])
    expect([1, 2, 3].map(n => doc.terminator(n))).toEqual(['lf', 'crlf', 'lf'])
    expect(doc.eol).toBe('mixed')
  },
)

verifies(
  'CONTRACT §2 BOM not in line 1',
  'a BOM is not part of line 1, in every encoding that has one',
  () => {
    const utf16be = bytesOf('\ufeffa\r\nb', 'utf16le').swap16()
    for (const bytes of [bytesOf('\ufeffa\r\nb'), bytesOf('\ufeffa\r\nb', 'utf16le'), utf16be]) {
      const doc = decodeText(bytes)
      expect(doc.lines(1, doc.lineCount)).toEqual(['a', 'b'])
      expect(doc).toMatchObject({ bom: true, eol: 'crlf', finalNewline: false })
    }
  },
)

verifies(
  'CONTRACT §2 empty file has no lines',
  'an empty file has no lines, with a BOM neither',
  () => {
    expect(decodeText(bytesOf(''))).toMatchObject({
      lineCount: 0,
      eol: 'none',
      finalNewline: false,
    })
    expect(decodeText(bytesOf('\ufeff'))).toMatchObject({ lineCount: 0, bom: true })
    expect(decodeText(bytesOf('\n'))).toMatchObject({ lineCount: 1, finalNewline: true })
  },
)

test('UTF-16 line ends are found by units, not by bytes', () => {
  const text = '\u0a0a\u0d0a x\n\u0a00\u000d\u000a\u010a' // halves of these look like newlines
  for (const doc of [
    decodeText(bytesOf(`\ufeff${text}`, 'utf16le')),
    decodeText(bytesOf(`\ufeff${text}`, 'utf16le').swap16()),
  ])
    expect(doc.lines(1, doc.lineCount)).toEqual(['\u0a0a\u0d0a x', '\u0a00', '\u010a'])
})

test('a slice is verbatim and is cut on a character border', () => {
  const doc = decodeText(bytesOf('né\r\n日本\nend\n'))
  expect(doc.slice(2, 1)).toMatchObject({ content: '日本\n', lineCount: 1, isTruncated: false })
  expect(doc.slice(1, 9, 2)).toMatchObject({ content: 'n', isTruncated: true, cutAfterBytes: 1 })
  expect(doc.slice(1, 9, 4)).toMatchObject({ content: 'né', sizeBytes: 3 }) // not between CR and LF
  expect(doc.slice(1, 9, 5)).toMatchObject({ content: 'né\r\n', lineCount: 1, isTruncated: true })
  expect(doc.slice(1, 9, 9)).toMatchObject({ content: 'né\r\n日', cutAfterBytes: 3 })
  expect(doc.slice(4, 1)).toMatchObject({ content: '', lineCount: 0 })
})

test('a slice of UTF-16 never splits a surrogate pair', () => {
  const doc = decodeText(bytesOf('\ufeffa😀b\n', 'utf16le'))
  expect(doc.slice(1, 1, 5).content).toBe('a')
  expect(doc.slice(1, 1, 6).content).toBe('a😀')
})

test('lines and terminators put together are the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r', '\r\n', '😀') }), text => {
      for (const bytes of [bytesOf(text), bytesOf(`\ufeff${text}`, 'utf16le')]) {
        const doc = decodeText(bytes)
        const ends = { lf: '\n', crlf: '\r\n', none: '' }
        let whole = ''
        for (let n = 1; n <= doc.lineCount; n++) {
          whole += doc.line(n) + ends[doc.terminator(n) ?? 'none']
          expect(doc.lineAt(doc.startOf(n))).toBe(n)
        }
        expect(whole).toBe(text)
      }
    }),
  )
})

test('a line of a megabyte and a hundred thousand lines are indexed alike', () => {
  const long = 'x'.repeat(2 ** 20)
  const doc = decodeText(bytesOf(`${'ab\n'.repeat(100_000)}${long}\r\nend`))
  expect(doc.lineCount).toBe(100_002)
  expect(doc.line(100_001)).toBe(long)
  expect(doc.longestLineBytes).toBe(2 ** 20)
})

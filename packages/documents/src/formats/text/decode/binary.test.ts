import { gzipSync } from 'node:zlib'
import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { isBinary } from './binary.ts'

test('files of common binary formats are binary, small ones too', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  for (const bytes of [
    png,
    gzipSync('a'),
    Buffer.from('%PDF-1.7\n1 0 obj'),
    Buffer.from('PK\x05\x06'),
    Buffer.from('a\0b'),
    Buffer.from('\0bin'),
    Buffer.from('x\0yz'),
    Buffer.of(1, 2, 3, 4, 5, 6),
  ])
    expect(isBinary(bytes)).toBe(true)
})

test('text of every encoding is text', () => {
  const texts = [
    '',
    'plain\n',
    '\x1b[31mred\x1b[0m\n',
    'BZ and PK and GIF are words\n',
    '日本語\n',
    '\ufeffwith BOM\n',
  ]
  for (const text of texts) expect(isBinary(Buffer.from(text))).toBe(false)
  for (const encoding of ['win1252', 'cp932', 'gbk', 'koi8-r'])
    expect(isBinary(iconv.encode('naïve 日本 привет\n', encoding))).toBe(false)
  expect(isBinary(Buffer.from('\ufeffwide\n', 'utf16le'))).toBe(false)
  expect(isBinary(Buffer.from('no mark\n', 'utf16le'))).toBe(false)
})

import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { verifies } from '../../../../../../test/verifies.ts'
import { codecFor, findUnencodable } from './codec.ts'
import { findEncoding } from './encoding.ts'
import { decodeText } from './text.ts'

const labelOf = (bytes: Uint8Array) => findEncoding(bytes).label

verifies('CONTRACT §2 ascii is utf-8', 'a file of ASCII bytes only is utf-8', () => {
  expect(labelOf(Buffer.from('plain\n\x1b[0m\x00'))).toBe('utf-8')
  expect(labelOf(Buffer.from(''))).toBe('utf-8')
})

const LEGACY: [text: string, encoding: string, label: string][] = [
  ['Привет мир\n', 'win1251', 'windows-1251'],
  ['Привет, как дела? Это тестовый файл.\n', 'koi8-r', 'koi8-r'],
  ['日本語のテキストです\nこれはテスト\n', 'cp932', 'shift_jis'],
  ['int main(){} // 日本語コメント\n', 'cp932', 'shift_jis'],
  ['if (x) {\nソース表示能力 bar\n', 'cp932', 'shift_jis'], // most high bytes are single
  ['日本語のテキストです\n', 'euc-jp', 'euc-jp'],
  ['你好，世界\n这是一个测试文件\n', 'gbk', 'gb18030'],
  ['繁體中文測試檔案\n', 'big5', 'big5'],
  ['안녕하세요 세계\n', 'euc-kr', 'euc-kr'],
  ['café au lait, déjà vu\n', 'win1252', 'windows-1252'],
  ['x = "£5" // smart “quotes” – €\n', 'win1252', 'windows-1252'],
  ['Größe: 5 m\nBreite ü\n', 'win1252', 'windows-1252'],
  ['Příliš žluťoučký kůň úpěl ďábelské ódy\n', 'win1250', 'windows-1250'],
  ['Zażółć gęślą jaźń\n', 'iso-8859-2', 'iso-8859-2'],
  ['Καλημέρα κόσμε\n', 'win1253', 'windows-1253'],
]
test.each(LEGACY)('%j in %s is found as %s and comes back', (text, encoding, label) => {
  const bytes = iconv.encode(text, encoding)
  const doc = decodeText(bytes)
  expect(doc.encoding).toBe(label)
  expect(doc.slice().content).toBe(text)
  expect(Buffer.from(doc.codec.encode(text)!)).toEqual(bytes)
})

test('bytes that no encoding explains become one character each', () => {
  const bytes = Buffer.from('a\x81\x8d\xffb \x90\x9d\n', 'latin1')
  const doc = decodeText(bytes)
  expect(doc.encoding).toBe('iso-8859-1')
  expect(Buffer.from(doc.codec.encode(doc.slice().content)!)).toEqual(bytes)
})

test('UTF-8 with a few broken bytes is still UTF-8', () => {
  const bytes = Buffer.concat([
    Buffer.from('Größe, Maß, Länge, Fuß\n'),
    Buffer.of(0x61, 0xff, 0x0a),
  ])
  expect(labelOf(bytes)).toBe('utf-8')
  expect(labelOf(Buffer.from('Grüße für Änderungen', 'utf8').subarray(0, -1).subarray(0, 13))).toBe(
    'utf-8',
  )
})

test('UTF-16 is found without its mark', () => {
  expect(labelOf(Buffer.from('text\n', 'utf16le'))).toBe('utf-16le')
  expect(labelOf(Buffer.from('text\n', 'utf16le').swap16())).toBe('utf-16be')
})

test('every WHATWG single-byte codec gives back each byte that it decodes', () => {
  for (const label of [
    'windows-1252',
    'windows-1250',
    'windows-1251',
    'koi8-r',
    'iso-8859-2',
    'ibm866',
    'iso-8859-1',
  ]) {
    const codec = codecFor(label)
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    expect(Buffer.from(codec.encode(codec.decode(bytes))!)).toEqual(Buffer.from(bytes))
  }
  expect(codecFor('windows-1252').decode(Uint8Array.of(0x80))).toBe('€')
})

test('the character that an encoding cannot hold is named', () => {
  expect(findUnencodable(codecFor('windows-1252'), 'ok €, not 😀')).toBe('😀')
  expect(findUnencodable(codecFor('shift_jis'), '日本 ñ')).toBe('ñ')
  expect(findUnencodable(codecFor('utf-8'), 'a\ud800')).toBe('\ud800')
  expect(codecFor('utf-16le').encode('a\ud800')).not.toBeNull()
})

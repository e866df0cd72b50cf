import { unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import type { DocumentName } from '../../format.ts'
import { buildZip } from '../../opc/zip.contract.ts'
import { proseFormat } from './format.ts'

const nameOf = (path: string) => ({ docPath: path, path }) as DocumentName
const MANY = { maxBytes: 46_000 }
const textOf = (bytes: Uint8Array, path: string) =>
  unwrap(unwrap(proseFormat.open(bytes, nameOf(path))).read({}, MANY)).fields.content

test('the text of an rtf, without its fonts', () => {
  const rtf =
    "{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}{\\*\\generator X;}\\pard First \\b bold\\b0  one\\par Gr\\'fc\\'dfe \\u8364? 5\\par a\\cell b\\cell\\row}"
  expect(textOf(Buffer.from(rtf), 'a.rtf')).toBe('First bold one\nGrüße € 5\na | b | \n')
})

test('text in however many groups is text', () => {
  const deep = `{\\rtf1 a ${'{'.repeat(50_000)}b${'}'.repeat(50_000)} c}`
  expect(textOf(Buffer.from(deep), 'a.rtf')).toBe('a b c')
})

test('the text of an odt, a paragraph a line', () => {
  const xml =
    '<office:text><text:h>Title</text:h><text:p>One<text:s text:c="2"/>two &amp; <text:span>three</text:span></text:p><table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>1</text:p></table:table-cell></table:table-row></table:table></office:text>'
  const zip = buildZip([{ name: 'content.xml', data: Buffer.from(xml) }])
  expect(textOf(zip, 'a.odt')).toBe('Title\nOne  two & three\na | 1 | \n')
})

test('what is neither ends in one sentence', () => {
  for (const bytes of [Buffer.from('hello'), Buffer.from('PK\u0003\u0004'), new Uint8Array(0)])
    expect(proseFormat.open(bytes, nameOf('a.odt')).ok).toBe(false)
  expect(proseFormat.open(Buffer.from('{\\rtf1'.repeat(5000)), nameOf('a.rtf')).ok).toBe(true)
})

test('a newer document or text under an old name is told apart, with what would work', () => {
  const docx = buildZip([{ name: 'word/document.xml', data: '<w/>' }])
  const refusal = (bytes: Uint8Array) => {
    const opened = proseFormat.open(bytes, nameOf('a.doc'))
    return opened.ok ? '' : opened.failure.message
  }
  expect(refusal(docx)).toMatch(/newer Word document .* ends in \.docx/)
  expect(refusal(Buffer.from('<html><p>Hello</p></html>'))).toMatch(/text .* ends in \.html/)
})

import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { verifies } from '../../../../../test/verifies.ts'
import { corpusFiles, readCorpusFile, sampleOf } from '../../corpus.contract.ts'
import { OpcPackage } from '../package.ts'
import { toUtf8 } from './encoding.ts'
import { isPlainXml } from './plain.ts'
import { findXmlProblem, XML_BAD, XML_END, XmlReader } from './reader.ts'
import { Splices } from './splice.ts'
import { decodeText, encodeAttribute, encodeText } from './text.ts'
import { attribute, child, parseXml, textOf, type XmlDocument } from './tree.ts'

const problemOf = (xml: string) => findXmlProblem(Buffer.from(xml))

test('well-formed parts have no problem', () => {
  for (const xml of [
    '<a/>',
    '\ufeff<?xml version="1.0"?><a b="1" c=\'"\'>t&amp;&#x41;<!-- c --><![CDATA[<&]]></a>\n',
    '<x:a xmlns:x="u"><x:b/ ></x:a>'.replace('/ ', '/'),
  ])
    expect(problemOf(xml)).toBeUndefined()
})

test('malformed XML is reported', () => {
  for (const xml of [
    '',
    'text',
    '<a>',
    '<a></b>',
    '<a/><b/>',
    '<a b=1/>',
    '<a b="1" b="2"/>',
    '<a b="<"/>',
    '<a>&nbsp;</a>',
    '<a>&#0;</a>',
    '<a>]]></a>',
    '<a><!-- -- --></a>',
    '<a',
    '<a b="1"c="2"/>',
    '</a>',
  ])
    expect(problemOf(xml), xml).toBeTypeOf('string')
})

test('the short cut for large parts never accepts a part that the reader refuses', () => {
  const piece = fc.constantFrom(
    '<a>',
    '</a>',
    '<b c="1"/>',
    '<b c="1" c="2">',
    '</b>',
    '&amp;',
    '&x;',
    ' ',
    'text',
    '<',
    '>',
    ']]>',
    '"',
    '<?xml version="1.0"?>',
    '<!-- -->',
    '\u0002',
    '<a b=',
    "'x'",
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
      const xml = Buffer.from(pieces.join(''))
      if (isPlainXml(xml)) expect(slowProblem(xml), xml.toString()).toBeUndefined()
    }),
    { numRuns: 2000 },
  )
})

function slowProblem(bytes: Uint8Array): string | undefined {
  const reader = new XmlReader(bytes)
  for (;;) {
    const kind = reader.next()
    if (kind === XML_END) return undefined
    if (kind === XML_BAD) return reader.problem
  }
}

test('a document type is refused, so no entity is ever expanded', () => {
  expect(problemOf('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')).toContain('document type')
})

verifies('CONTRACT §7 limit xml depth', 'nesting deeper than the limit is refused', () => {
  expect(problemOf('<a>'.repeat(256) + '</a>'.repeat(256))).toBeUndefined()
  expect(problemOf('<a>'.repeat(300) + '</a>'.repeat(300))).toContain('deeper')
})

test('text survives escaping', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), raw => {
      const text = raw.replace(
        /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu,
        '',
      )
      const xml = Buffer.from(`<a b="${encodeAttribute(text)}">${encodeText(text)}</a>`)
      const document = parseXml(xml) as XmlDocument
      expect(textOf(document, document.root)).toBe(text)
      expect(attribute(document.root, 'b')).toBe(text)
    }),
  )
})

test('CDATA is text, and an ampersand in it starts no reference', () => {
  const xml = Buffer.from('<a>x<![CDATA[<b>&amp;]]>&lt;</a>')
  expect(decodeText(xml, 3, xml.length - 4)).toBe('x<b>&amp;<')
})

test('an edit keeps every byte outside it', () => {
  const xml = Buffer.from(`\ufeff<?xml version='1.0'?>\r\n<r  a='1'\n b="2"><c/><!-- keep --></r >`)
  const document = parseXml(xml) as XmlDocument
  const splices = new Splices()
  const target = child(document.root, 'c')!
  splices.replace(target.start, target.end, '<c d="é"/>')
  expect(splices.apply(xml).toString()).toBe(xml.toString().replace('<c/>', '<c d="é"/>'))
})

test('UTF-16 parts are read and written back as they were', async () => {
  const { fromUtf8 } = await import('./encoding.ts')
  const bytes = Buffer.from(
    '\ufeff<?xml version="1.0" encoding="UTF-16"?><a>Zürich 😀</a>',
    'utf16le',
  )
  for (const own of [bytes, Buffer.from(bytes).swap16()]) {
    const { utf8, encoding } = toUtf8(own)!
    expect(findXmlProblem(utf8)).toBeUndefined()
    expect(Buffer.compare(fromUtf8(utf8, encoding), own)).toBe(0)
  }
})

const packages = corpusFiles(file => ['xlsx', 'docx', 'pptx'].includes(file.category))

test.skipIf(packages.length === 0)(
  'the reader agrees with saxes on every part of real files',
  () => {
    for (const file of sampleOf(packages, 16)) {
      const opened = OpcPackage.open(readCorpusFile(file))
      if (!opened.ok) continue
      for (const name of opened.value.names.filter(isXmlName)) {
        if (opened.value.sizeOf(name) > 1_000_000) continue
        const part = opened.value.part(name)
        const decoded = part.ok && toUtf8(part.value)
        if (!decoded) continue
        const problem = findXmlProblem(decoded.utf8)
        expect(problem === undefined, `${file.file} ${name}: ${problem}`).toBe(
          isWellFormed(decoded.utf8),
        )
      }
    }
  },
)

function isXmlName(name: string): boolean {
  return /\.(xml|rels|vml)$/.test(name)
}

function isWellFormed(bytes: Uint8Array): boolean {
  const parser = new SaxesParser()
  let failed = false
  parser.on('error', () => {
    failed = true
  })
  parser.on('doctype', () => {
    failed = true
  })
  const text = Buffer.from(bytes)
    .toString('utf8')
    .replace(/^(<\?xml[^>]*?)\sencoding=["'][^"']*["']/, '$1')
  try {
    parser.write(text).close()
  } catch {
    return false
  }
  return !failed
}

test('a reference named like a property of every object is unknown', () => {
  const xml = Buffer.from('<a>&constructor;&__proto__;&toString;&amp;</a>')
  expect(decodeText(xml, 3, xml.length - 4)).toBe('&constructor;&__proto__;&toString;&')
})

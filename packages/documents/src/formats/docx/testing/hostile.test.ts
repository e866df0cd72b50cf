import { unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { DocxDocument } from '../document.ts'
import {
  logged,
  NAME,
  openZoo,
  p,
  partText,
  r,
  saved,
  shown,
  W,
  zooDocument,
} from './zoo.contract.ts'

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
const opening = `${mark('begin')}<w:r><w:instrText> REF x </w:instrText></w:r>${mark('separate')}`
const times = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join('')

/** A part of notes or comments beside a body. */
function withPart(kind: 'footnotes' | 'comments', inner: string) {
  return {
    body: p('one') + p('two'),
    parts: { [`word/${kind}.xml`]: `<w:${kind} xmlns:w="${W}">${inner}</w:${kind}>` },
    links: [['rId9', kind, `${kind}.xml`]] as const,
    types: `<Override PartName="/word/${kind}.xml" ContentType="${WORD}.${kind}+xml"/>`,
  }
}

describe('a document that means harm', () => {
  test('with fields that never end is read: a paragraph knows only so many around it', () => {
    const body = times(400, index => p(opening, `text ${index}`))
    const { manuscript } = unwrap(DocxDocument.open(zooDocument({ body }), NAME))
    const last = manuscript.body.paragraphs.at(-1)!
    expect(last.openFields.length).toBeLessThanOrEqual(64)
    expect(manuscript.body.pieces(last).map(({ text }) => text)).toEqual(['text 399'])
  })

  test('with fields inside fields is edited behind their ends', () => {
    const nested = p(
      times(200, () => opening),
      'deep',
      times(200, () => mark('end')),
    )
    const { document } = openZoo({ body: nested + p('behind') })
    unwrap(document.apply(logged([{ op: 'replace_text', search: 'behind', replace: 'after' }])))
    expect(shown(document).at(-1)).toBe('p2|after')
  })

  test('with a page of text as the label of its list shows the beginning', () => {
    const level = `<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="${'L'.repeat(50_000)}%1"/></w:lvl>`
    const numbering = `<w:numbering xmlns:w="${W}"><w:abstractNum w:abstractNumId="0">${level}</w:abstractNum><w:num w:numId="3"><w:abstractNumId w:val="0"/></w:num></w:numbering>`
    const item = '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="3"/></w:numPr></w:pPr>'
    const { document } = openZoo({ body: times(50, () => p(item, 'x')), numbering })
    expect(shown(document).every(line => line.length < 100)).toBe(true)
  })

  test('with more notes than a call takes arguments gets one more', () => {
    const notes = times(150_000, index => `<w:footnote w:id="${index}"><w:p/></w:footnote>`)
    const { document, bytes } = openZoo(withPart('footnotes', notes))
    unwrap(document.apply(logged([{ op: 'add_footnote', search: 'one', text: 'New.' }])))
    expect(partText(saved(document, bytes).bytes)).toContain('<w:footnoteReference w:id="150000"/>')
  })

  test('with an id that no program can count on gets ids that fit', () => {
    const comment = `<w:comment w:id="99999999999999" w:author="a">${p(r('x'))}</w:comment>`
    const { document, bytes } = openZoo(withPart('comments', comment))
    unwrap(document.apply(logged([{ op: 'add_comment', search: 'one', text: 'New.' }])))
    expect(partText(saved(document, bytes).bytes)).toContain('<w:commentReference w:id="0"/>')
  })
})

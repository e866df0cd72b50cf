import { type Operation, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { docxFormat } from '../format.ts'
import { loggedWith, png } from './png.contract.ts'
import {
  logged,
  NAME,
  openZoo,
  p,
  partText,
  saved,
  shown,
  styled,
  table,
  W,
  type ZooDocument,
  zooDocument,
} from './zoo.contract.ts'

const NOTES = 'application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml'

/** A document with a style, a list, a note, a picture and a table that the other one does not have. */
const SOURCE: ZooDocument = {
  body: [
    styled('Heading1', 'Terms'),
    p(
      '<w:pPr><w:pStyle w:val="Clause"/></w:pPr>',
      'A clause',
      '<w:r><w:footnoteReference w:id="2"/></w:r>',
    ),
    p('<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="3"/></w:numPr></w:pPr>', 'Counted.'),
    p(
      '<w:r><w:drawing><wp:inline><wp:extent cx="9525" cy="9525"/><wp:docPr id="1" name="x"/><a:graphic><a:graphicData uri="x"><a:blip r:embed="rId8"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>',
    ),
    table(['a', 'b']),
    p('<w:del w:id="5" w:author="X"><w:r><w:delText>gone </w:delText></w:r></w:del>', 'End.'),
  ].join(''),
  styles: `<w:styles xmlns:w="${W}"><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style><w:style w:type="paragraph" w:styleId="Base"><w:name w:val="Base"/></w:style><w:style w:type="paragraph" w:styleId="Clause"><w:name w:val="Clause"/><w:basedOn w:val="Base"/><w:rPr><w:color w:val="FF0000"/></w:rPr></w:style></w:styles>`,
  numbering: `<w:numbering xmlns:w="${W}"><w:abstractNum w:abstractNumId="0"><w:nsid w:val="1"/><w:lvl w:ilvl="0"><w:start w:val="7"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1)"/></w:lvl></w:abstractNum><w:num w:numId="3"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
  parts: {
    'word/footnotes.xml': `<w:footnotes xmlns:w="${W}"><w:footnote w:id="2"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t> What it means.</w:t></w:r></w:p></w:footnote></w:footnotes>`,
    'word/media/image1.png': png(1, 1),
  },
  links: [
    ['rId7', 'footnotes', 'footnotes.xml'],
    ['rId8', 'image', 'media/image1.png'],
  ],
  types: `<Override PartName="/word/footnotes.xml" ContentType="${NOTES}"/>`,
}

function copied(operation: Partial<Operation> = {}) {
  const { document, bytes } = openZoo({ body: p('Above.') + p('Below.') })
  const { operations, inputs } = loggedWith('terms.docx', zooDocument(SOURCE), [
    { op: 'copy_blocks', from: 'terms.docx', after: 'p1', ...operation },
  ])
  const applied = unwrap(document.apply(operations, { inputs }))
  return { applied, ...saved(document, bytes) }
}

describe('copy_blocks', () => {
  test('a copied note stands in its part where its mark stands in the text', () => {
    const { document, bytes } = openZoo({ body: p('Above.') + p('Below.') })
    const { operations, inputs } = loggedWith('terms.docx', zooDocument(SOURCE), [
      { op: 'add_footnote', place: 'p2', text: 'Last.' },
      { op: 'copy_blocks', from: 'terms.docx', after: 'p1' },
    ])
    unwrap(document.apply(operations, { inputs }))
    const notes = partText(saved(document, bytes).bytes, 'word/footnotes.xml')
    expect(notes).toMatch(/w:id="0"[\s\S]*What it means\.[\s\S]*Last\./)
  })

  test('brings styles, numbering, notes and pictures along', () => {
    const { applied, bytes, document } = copied()
    expect(applied.results[0]!.message).toContain(
      'with 2 styles (Base, Clause), 1 list, 1 note, 1 picture',
    )
    expect(applied.warnings.join(' ')).toContain('tracked changes were taken as accepted')
    const lines = shown(document).join('\n')
    expect(lines).toMatch(
      /Above\.[\s\S]*Terms[\s\S]*A clause⟦footnote 1⟧[\s\S]*7.*Counted\.[\s\S]*⟦picture⟧[\s\S]*End\.[\s\S]*Below\./,
    )
    expect(lines).not.toContain('gone')
    expect(partText(bytes, 'word/styles.xml')).toMatch(
      /w:styleId="Clause".*<w:basedOn w:val="Base"\/>/,
    )
    expect(partText(bytes, 'word/footnotes.xml')).toContain('What it means.')
    expect(partText(bytes, 'word/_rels/document.xml.rels')).toContain('/word/media/image1.png')
  })

  test('copies the section or table that is named', () => {
    expect(copied({ blocks: 't1' }).applied.changes).toHaveLength(1)
    const lines = shown(copied({ blocks: 'p2-p3' }).document).join('\n')
    expect(lines).toContain('Counted.')
    expect(lines).not.toContain('Terms')
  })

  test('tracked, the blocks are insertions', () => {
    const { bytes } = copied({ blocks: 'p2', track: { author: 'Ann' } })
    expect(partText(bytes)).toMatch(/<w:ins [^>]*w:author="Ann"[^>]*><w:r><w:t[^>]*>A clause/)
  })

  test('tracked, a field and a link become runs that a rejection takes along', () => {
    const body = p(
      '<w:fldSimple w:instr=" SEQ Figure "><w:r><w:t>1</w:t></w:r></w:fldSimple>',
      '<w:bookmarkStart w:id="1" w:name="top"/><w:bookmarkEnd w:id="1"/>',
      '<w:hyperlink w:anchor="top"><w:r><w:t>up</w:t></w:r></w:hyperlink>',
    )
    const { document, bytes: base } = openZoo({ body: p('Above.') + p('Below.') })
    const { operations, inputs } = loggedWith('s.docx', zooDocument({ body }), [
      { op: 'copy_blocks', from: 's.docx', after: 'p1', track: { author: 'Ann' } },
    ])
    unwrap(document.apply(operations, { inputs }))
    const { bytes } = saved(document, base)
    expect(partText(bytes)).toContain('HYPERLINK \\l "top"')
    const open = unwrap(docxFormat.open(bytes, NAME))
    unwrap(open.apply(logged([{ op: 'reject_revisions' }], 'tc_2')))
    expect(shown(saved(open, bytes).document).map(line => line.replace(/^\S*\|/, ''))).toEqual([
      'Above.',
      'Below.',
    ])
    expect(partText(saved(open, bytes).bytes)).not.toContain('fldChar')
  })

  test('a file that is no document is refused', () => {
    const { document } = openZoo({ body: p('Above.') })
    const { operations, inputs } = loggedWith('a.docx', Buffer.from('x'), [
      { op: 'copy_blocks', from: 'a.docx', after: 'p1' },
    ])
    expect(document.apply(operations, { inputs })).toMatchObject({
      ok: false,
      failure: { code: 'UNREADABLE_FORMAT' },
    })
  })
})

const FIRST = [
  styled('Heading1', 'Terms'),
  p('The buyer pays within thirty days of the invoice.'),
  p('The seller delivers.'),
  table(['Item', 'Price'], ['Bolt', '1.00']),
  p('Signed in Berlin.'),
].join('')
const SECOND = [
  styled('Heading1', 'Terms'),
  p('The buyer pays within fourteen days of the invoice.'),
  p('Late payment costs interest.'),
  table(['Item', 'Price'], ['Bolt', '2.00']),
  p('Law of the seller applies.'),
  p('Signed in Paris.'),
].join('')

describe('compare_with', () => {
  const { document, bytes: base } = openZoo({ body: FIRST })
  const { operations, inputs } = loggedWith('b.docx', zooDocument({ body: SECOND }), [
    { op: 'compare_with', from: 'b.docx', author: 'Ann' },
  ])
  const applied = unwrap(document.apply(operations, { inputs }))
  const { bytes } = saved(document, base)
  const settled = (op: string) => {
    const open = unwrap(docxFormat.open(bytes, NAME))
    unwrap(open.apply(logged([{ op }], 'tc_2')))
    return shown(saved(open, bytes).document).map(line => line.replace(/^\S*\|/, ''))
  }
  const read = (body: string) =>
    shown(openZoo({ body }).document).map(line => line.replace(/^\S*\|/, ''))

  test('accepted, it reads as the other; rejected, as it was', () => {
    expect(settled('accept_revisions').slice(1)).toEqual(read(SECOND).slice(1))
    expect(settled('reject_revisions').slice(1)).toEqual(read(FIRST).slice(1))
  })

  test('the changes are tight around the words that differ', () => {
    expect(partText(bytes)).toMatch(/<w:delText[^>]*>thirty<\/w:delText>/)
    expect(applied.results[0]!.message).toContain('4 paragraphs changed, 1 inserted, 0 deleted')
  })

  test('a document with tracked changes of its own is refused', () => {
    const open = unwrap(docxFormat.open(bytes, NAME))
    const refused = open.apply(operations, { inputs })
    expect(refused).toMatchObject({ ok: false, failure: { code: 'CONFLICT' } })
  })

  test('an item that comes belongs to the list around it', () => {
    const item = (text: string) =>
      p('<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="2"/></w:numPr></w:pPr>', text)
    const list = openZoo({ body: item('One.') + item('Two.') + p('End.') })
    const log = loggedWith(
      'b.docx',
      zooDocument({ body: item('One.') + item('Two.') + item('Three.') + p('End.') }),
      [{ op: 'compare_with', from: 'b.docx' }],
    )
    unwrap(list.document.apply(log.operations, { inputs: log.inputs }))
    expect(shown(list.document).join('\n')).toMatch(/1 One\.\n.*2 Two\.\n.*3 Three\./)
  })

  test('the same text is no change', () => {
    const same = openZoo({ body: FIRST })
    const log = loggedWith('b.docx', zooDocument({ body: FIRST }), [
      { op: 'compare_with', from: 'b.docx' },
    ])
    const { changes, results } = unwrap(same.document.apply(log.operations, { inputs: log.inputs }))
    expect(changes).toEqual([])
    expect(results[0]!.message).toContain('is the same')
  })

  test('another picture at the same place is a difference', () => {
    const drawing =
      '<w:r><w:drawing><wp:inline><wp:extent cx="9525" cy="9525"/><wp:docPr id="1" name="x"/><a:graphic><a:graphicData uri="x"><a:blip r:embed="rId8"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>'
    const pictured = (width: number) => ({
      body: p('One.') + p(drawing) + p('Two.'),
      parts: { 'word/media/image1.png': png(width, 1) },
      links: [['rId8', 'image', 'media/image1.png']] as const,
    })
    const compare = (width: number) => {
      const { document, bytes } = openZoo(pictured(1))
      const { operations, inputs } = loggedWith('b.docx', zooDocument(pictured(width)), [
        { op: 'compare_with', from: 'b.docx' },
      ])
      const { results } = unwrap(document.apply(operations, { inputs }))
      return { message: results[0]!.message, ...saved(document, bytes) }
    }
    expect(compare(1).message).toContain('is the same')
    const { document, message } = compare(2)
    expect(message).toContain('1 inserted, 1 deleted')
    expect(shown(document, { view: 'marked' })).toContain('p2|{++⟦picture⟧++}')
    expect(shown(document, { view: 'marked' })).toContain('p3|{--⟦picture⟧--}')
  })
})

describe('links to bookmarks', () => {
  const link = (name: string, text: string) =>
    `<w:hyperlink w:anchor="${name}"><w:r><w:rPr><w:b/></w:rPr><w:t>${text}</w:t></w:r></w:hyperlink>`
  const marked = (name: string) =>
    `<w:bookmarkStart w:id="1" w:name="${name}"/><w:r><w:t>Here.</w:t></w:r><w:bookmarkEnd w:id="1"/>`
  const source = zooDocument({
    body: [
      p(link('comes', 'along'), link('stays', 'alone')),
      p(
        '<w:fldSimple w:instr=" PAGEREF stays \\h "><w:r><w:t>7</w:t></w:r></w:fldSimple>',
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> REF stays </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>8</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>',
      ),
      p(marked('comes')),
      p(marked('stays').replaceAll('"1"', '"2"')),
    ].join(''),
  })

  test('one that stays behind leaves the text of its link, with a warning', () => {
    const { document, bytes } = openZoo({ body: p('Above.') })
    const { operations, inputs } = loggedWith('terms.docx', source, [
      { op: 'copy_blocks', from: 'terms.docx', blocks: 'p1-p3', after: 'p1' },
    ])
    const { warnings } = unwrap(document.apply(operations, { inputs }))
    expect(warnings).toEqual([
      'links and cross-references to bookmarks that did not come along are now plain text: stays.',
    ])
    const text = partText(saved(document, bytes).bytes)
    expect(text).toContain('w:anchor="comes"')
    expect(text).not.toContain('stays')
    expect(text).toContain('<w:p><w:r><w:t>7</w:t></w:r><w:r><w:t>8</w:t></w:r></w:p>')
    expect(text).toContain('<w:r><w:rPr><w:b/></w:rPr><w:t>alone</w:t></w:r>')
  })
})

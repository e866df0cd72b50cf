import { type Operation, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { newRepairFaults } from '../../../../../../test/repair-lint/lint.ts'
import {
  logged,
  openZoo,
  p,
  partText,
  r,
  saved,
  shown,
  styled,
  W,
  type ZooDocument,
  zooDocument,
} from './zoo.contract.ts'

const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const picture =
  '<w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" name="Logo" descr="Logo"/></wp:inline></w:drawing></w:r>'
const page =
  '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>7</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
const tab = '<w:r><w:tab/></w:r>'
const section = (inner: string) => `<w:p><w:pPr><w:sectPr>${inner}</w:sectPr></w:pPr></w:p>`

/** Two sections; the second shows the header of the first. */
const letterhead: ZooDocument = {
  body: `${p('One')}${section('<w:headerReference w:type="default" r:id="rId9"/><w:pgSz w:w="11906" w:h="16838"/>')}${p('Two')}`,
  parts: {
    'word/header1.xml': `<w:hdr xmlns:w="${W}" xmlns:r="${R}"><w:p>${picture}${r('Old name')}${tab}${r('Page ')}${page}</w:p></w:hdr>`,
    'word/_rels/header1.xml.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="media/logo.png"/></Relationships>',
    'word/media/logo.png': new Uint8Array([1, 2, 3]),
  },
  links: [['rId9', 'header', 'header1.xml']],
  types:
    '<Override PartName="/word/header1.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.header+xml"/>',
}

function after(zoo: ZooDocument, ...operations: readonly Operation[]) {
  const { document, bytes } = openZoo(zoo)
  const applied = unwrap(document.apply(logged(operations)))
  return { ...saved(document, bytes), applied }
}

function failure(zoo: ZooDocument, operation: Operation): string {
  const result = openZoo(zoo).document.apply(logged([operation]))
  return result.ok ? 'done' : result.failure.message
}

describe('headers and footers', () => {
  test('new text leaves the picture and the page number', () => {
    const { bytes } = after(letterhead, { op: 'set_header', text: 'New name' })
    expect(partText(bytes, 'word/header1.xml')).toContain(
      `<w:p>${picture}${r('New name')}${tab}${r('Page ')}${page}</w:p>`,
    )
  })

  test.each(['Page {page}', 'of {pages}'])(
    '%s would stand there as it is, so it is refused',
    text => {
      expect(failure(letterhead, { op: 'set_footer', text })).toContain(
        'set_page_numbers {text: "Page {page} of {pages}", position: "footer"}',
      )
    },
  )

  test('pages that show another header are named, and the map says which show which', () => {
    const zoo = { ...letterhead, body: letterhead.body.replace('<w:pgSz', '<w:titlePg/><w:pgSz') }
    const { applied, document } = after(zoo, { op: 'set_header', text: 'New name' })
    expect(applied.warnings).toEqual([
      'The first page of section 1 shows a header of its own, which stays as it is; which: "first" sets it.',
    ])
    expect(after(letterhead, { op: 'set_header', text: 'New' }).applied.warnings).toEqual([])
    expect(unwrap(document.map()).fields.stories).toMatchObject([
      { name: 'header1', pages: ['section 1 default'] },
    ])
  })

  test('page numbers come on even pages too where those have a footer of their own', () => {
    const zoo = { body: p('One'), settings: '<w:evenAndOddHeaders/>' }
    const { bytes, document } = after(zoo, { op: 'set_page_numbers' })
    expect(partText(bytes).match(/<w:footerReference w:type="(default|even)"/g)).toHaveLength(2)
    expect(
      shown(document, { section: 'footers' }).filter(line => line.includes('PAGE')),
    ).toHaveLength(2)
  })

  test('a page number takes no content control away', () => {
    const control = `<w:sdt><w:sdtPr><w:alias w:val="Firm"/></w:sdtPr><w:sdtContent>${p('Weber')}</w:sdtContent></w:sdt>`
    const zoo = {
      body: `${p('One')}${section('<w:footerReference w:type="default" r:id="rId9"/>')}${p('Two')}`,
      parts: { 'word/footer1.xml': `<w:ftr xmlns:w="${W}" xmlns:r="${R}">${control}</w:ftr>` },
      links: [['rId9', 'footer', 'footer1.xml']] as const,
      types:
        '<Override PartName="/word/footer1.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.footer+xml"/>',
    }
    const { document } = after(zoo, { op: 'set_page_numbers' })
    expect(shown(document, { section: 'footers' }).join()).toMatch(/Weber.*PAGE/)
  })

  test('one section gets a header of its own with the picture, and the others keep theirs', () => {
    const { bytes, document } = after(letterhead, { op: 'set_header', text: 'Second', section: 2 })
    expect(partText(bytes, 'word/header1.xml')).toContain('Old name')
    expect(partText(bytes, 'word/header2.xml')).toContain(`${picture}${r('Second')}`)
    expect(partText(bytes, 'word/_rels/header2.xml.rels')).toContain('media/logo.png')
    expect(shown(document, { section: 'header2' }).join()).toContain('Second')
  })

  test('a header of the first page leaves the footer of that page', () => {
    const { bytes } = after(
      { body: p('One') },
      { op: 'set_footer', text: 'Foot' },
      { op: 'set_header', text: 'Title', which: 'first' },
    )
    const body = partText(bytes)
    expect(body).toContain('<w:titlePg/></w:sectPr>')
    expect(body.match(/<w:footerReference w:type="(default|first)"/g)).toHaveLength(2)
    expect(partText(bytes, 'word/footer2.xml')).toContain('Foot')
  })

  test('even pages are switched on where the schema wants it', () => {
    const { bytes } = after(
      { body: p('One'), settings: '<w:zoom w:percent="100"/><w:compat/>' },
      { op: 'set_header', text: 'Even', which: 'even' },
    )
    expect(partText(bytes, 'word/settings.xml')).toContain(
      '<w:zoom w:percent="100"/><w:evenAndOddHeaders/><w:compat/>',
    )
  })

  test('tracked: the words of the header become a revision', () => {
    const { bytes } = after(letterhead, {
      op: 'set_header',
      text: 'New name',
      track: { author: 'A' },
    })
    expect(partText(bytes, 'word/header1.xml')).toMatch(/<w:del [^>]*w:author="A".*Old/)
  })

  test('where only tracked changes are allowed, a new header is refused by name', () => {
    const settings = '<w:documentProtection w:edit="trackedChanges" w:enforcement="1"/>'
    expect(failure({ body: p('One'), settings }, { op: 'set_header', text: 'A' })).toContain(
      'a new header or footer has no form as a tracked change',
    )
  })

  test('a page number is added once', () => {
    const { bytes, applied } = after(
      { body: p('One') },
      { op: 'set_page_numbers', text: 'Page {page} of {pages}' },
      { op: 'set_page_numbers' },
    )
    const footer = partText(bytes, 'word/footer1.xml')
    expect(footer.match(/> PAGE </g)).toHaveLength(1)
    expect(footer).toContain('> NUMPAGES <')
    expect(JSON.stringify(applied)).toContain('footer1 shows the page number already')
  })
})

describe('pages', () => {
  test('a page turned on its side swaps its edges and keeps the rest', () => {
    const { bytes } = after(
      { body: p('One') },
      { op: 'set_page', orientation: 'landscape', margins: { left: 2.54 }, columns: 2 },
    )
    expect(partText(bytes)).toContain('<w:pgSz w:w="16838" w:h="11906" w:orient="landscape"/>')
    expect(partText(bytes)).toMatch(/w:left="1440".*<w:cols w:space="708" w:num="2"\/><\/w:sectPr>/)
  })

  test('tracked and rejected, the pages are as before, references first', () => {
    const { bytes } = after(
      letterhead,
      { op: 'set_page', paper: 'A5', track: { author: 'A' } },
      { op: 'reject_revisions' },
    )
    expect(partText(bytes)).toContain(letterhead.body)
  })

  test.each([
    [{ paper: 'B9' }, 'is no paper'],
    [{ margins: { middle: 1 } }, '{top, bottom, left, right, header, footer}'],
    [{ columns: 0 }, 'from 1 to 45'],
    [{}, 'needs paper, orientation, margins or columns'],
    [{ paper: 'A4', section: 9 }, 'there is no page section 9; the document has 1'],
  ])('%j is refused', (fields, reason) => {
    expect(failure({ body: p('One') }, { op: 'set_page', ...fields })).toContain(reason)
  })

  test('a break starts a page without an empty paragraph', () => {
    const { bytes } = after({ body: p('One') + p('Two') }, { op: 'insert_page_break', after: 'p1' })
    expect(partText(bytes)).toContain(
      `${p('One')}<w:p><w:pPr><w:pageBreakBefore/></w:pPr>${r('Two')}</w:p>`,
    )
  })

  test('a section break leaves both sections as the one was', () => {
    const { bytes } = after(
      { body: p('One') + p('Two') },
      { op: 'insert_section_break', before: 'p2', starts_on: 'continuous' },
      { op: 'set_page', columns: 2, section: 2 },
    )
    const [first, second] = partText(bytes).split(r('Two'))
    expect(first).toContain('<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr></w:pPr>')
    expect(second).toContain(
      '<w:sectPr><w:type w:val="continuous"/><w:pgSz w:w="11906" w:h="16838"/><w:cols',
    )
  })

  test('no break is made inside a table', () => {
    const table = `<w:tbl><w:tr><w:tc>${p('Cell')}</w:tc></w:tr></w:tbl>`
    expect(failure({ body: table + p('A') }, { op: 'insert_page_break', before: 'p1' })).toContain(
      'is in a table',
    )
  })
})

describe('the map', () => {
  test('leaves empty headings out and cuts long titles, which can still be named', () => {
    const long = 'Word '.repeat(40).trim()
    const { document } = openZoo({
      body: styled('Heading1', 'A') + styled('Heading1') + p('x') + styled('Heading1', long),
    })
    const { sections } = unwrap(document.map()).fields as {
      sections: { title: string; paragraphs: string }[]
    }
    expect(sections.map(({ paragraphs }) => paragraphs)).toEqual(['p1-p3', 'p4-p4'])
    expect(sections[1]!.title).toMatch(/^(Word )+Word…$|^(Word )+…$|^(Word )+\w+…$/)
    expect(shown(document, { section: sections[1]!.title }).join()).toContain(long)
  })

  test('a header that begins as a copy has marks of its own', () => {
    const marks = `<w:ins w:id="7" w:author="B">${r('New')}</w:ins><w:bookmarkStart w:id="8" w:name="x"/><w:bookmarkEnd w:id="8"/>`
    const header = letterhead.parts!['word/header1.xml'] as string
    const marked = {
      ...letterhead.parts,
      'word/header1.xml': header.replace('<w:p>', `<w:p>${marks}`),
    }
    const zoo = { ...letterhead, parts: marked }
    const { bytes } = after(zoo, { op: 'set_header', text: 'Even', which: 'even' })
    const faults = newRepairFaults(zooDocument(zoo), bytes)
    expect(faults.filter(own => / (id|name) /.test(own))).toEqual([])
    expect(partText(bytes, 'word/header1.xml')).toContain('w:name="x"')
  })
})

import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { newRepairFaults } from '../../../../../../test/repair-lint/lint.ts'
import { verifies } from '../../../../../../test/verifies.ts'
import { docxFormat } from '../format.ts'
import {
  bodyAfter,
  logged,
  NAME,
  openZoo,
  p,
  r,
  saved,
  shown,
  styled,
  table,
  W,
  zooDocument,
} from './zoo.contract.ts'

/** What an operation is refused with. */
function refusal(body: string, operation: Operation): string {
  const { document, bytes } = openZoo({ body })
  const result = document.apply(logged([operation]))
  expect(result.ok).toBe(false)
  expect(Buffer.compare(toBytes(unwrap(document.content()), bytes), bytes)).toBe(0)
  return result.ok ? '' : `${result.failure.code} ${result.failure.message}`
}

const link = `<w:hyperlink w:anchor="x">${r('the link')}</w:hyperlink>`
const field = (code: string, result: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${code}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${r(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`
const note = '<w:r><w:footnoteReference w:id="2"/></w:r>'

describe('a part that declares no namespace but its own', () => {
  const bare = zooDocument({
    body: '',
    parts: {
      'word/document.xml': `<w:document xmlns:w="${W}"><w:body>${p('One two')}${p('Three')}</w:body></w:document>`,
    },
  })
  test.each<Operation>([
    { op: 'set_hyperlink', search: 'two', url: 'https://example.org/' },
    { op: 'insert_markdown', after: 'p1', markdown: '[a](https://a.org) [b](https://b.org)' },
  ])('gets the one of links with them: $op', operation => {
    const document = unwrap(docxFormat.open(bare, NAME))
    unwrap(document.apply(logged([operation])))
    const own = saved(document, bare)
    expect(newRepairFaults(bare, own.bytes)).toEqual([])
    expect(shown(own.document).join()).toMatch(/\]\(https:/)
  })
})

describe('sections', () => {
  const body = [
    styled('Heading1', 'One'),
    p('a'),
    p('b'),
    styled('Heading1', 'Two'),
    p('c'),
    styled('Heading1', 'Three'),
  ].join('')
  const order = (operation: Operation) => {
    const { document } = openZoo({ body })
    unwrap(document.apply(logged([operation])))
    return shown(document)
      .filter(line => line.includes('|'))
      .map(line => line.slice(line.indexOf('|') + 1).trim())
      .join(' ')
  }

  test.each([
    ['One', { after: 'Two' }, '# Two c # One a b # Three'],
    ['One', { before: 'Three' }, '# Two c # One a b # Three'],
    ['Two', { before: 'One' }, '# Two c # One a b # Three'],
    ['p2-p3', { after: 'p5' }, '# One # Two c a b # Three'],
    [['p3', 'p5'], { before: 'p2' }, '# One b c a # Two # Three'],
  ])('%j moves as a whole, %j', (place, where, now) => {
    const move = { op: 'move_paragraph', place, ...where }
    expect(order(move)).toBe(now)
    const { document, bytes } = openZoo({ body })
    unwrap(document.apply(logged([{ ...move, track: { author: 'Ann' } }])))
    unwrap(document.apply(logged([{ op: 'accept_revisions' }], 'tc_2')))
    expect(newRepairFaults(bytes, saved(document, bytes).bytes)).toEqual([])
    const plain = openZoo({ body })
    unwrap(plain.document.apply(logged([move])))
    const reading = (own: typeof document) =>
      shown(own).map(line => line.slice(line.indexOf('|') + 1))
    expect(reading(document)).toEqual(reading(plain.document))
  })

  test('a section is not moved into itself, and not with a table', () => {
    expect(refusal(body, { op: 'move_paragraph', place: 'One', after: 'p2' })).toContain('itself')
    const tables = styled('Heading1', 'One') + table(['x', 'y']) + p('a') + styled('Heading1', 'T')
    expect(refusal(tables, { op: 'move_paragraph', place: 'One', after: 'T' })).toContain(
      '"One" holds a table, at p2, which cannot be moved',
    )
  })

  test('a heading takes another level alone', () => {
    const now = order({ op: 'set_style', place: 'One', style: 'heading 2' })
    expect(now).toBe('## One a b # Two c # Three')
  })
})

test.each<Operation>([
  { op: 'delete_paragraph', place: 'p1' },
  { op: 'move_paragraph', place: 'p1', after: 'p2' },
])('a bookmark that ends between two paragraphs still ends behind its start: $op', operation => {
  const start = '<w:bookmarkStart w:id="1" w:name="x"/>'
  const end = '<w:bookmarkEnd w:id="1"/>'
  const now = bodyAfter(`${p(start, 'One')}${end}${p('Two')}${p('Three')}`, operation)
  expect(now.indexOf(end)).toBeGreaterThan(now.indexOf(start))
  expect(now.indexOf(start)).toBeGreaterThanOrEqual(0)
})

describe('replace_text', () => {
  verifies(
    'CONTRACT §4 replace_text crosses runs',
    'finds text over runs and keeps the prevailing look',
    () => {
      expect(
        bodyAfter(p(r('Hel'), r('lo wor', '<w:b/>'), r('ld!')), {
          op: 'replace_text',
          search: 'Hello world',
          replace: 'Bye',
        }),
      ).toBe(p(r('Bye', '<w:b/>'), r('!')))
    },
  )

  test('leaves the look of words that stay', () => {
    expect(
      bodyAfter(p(r('old '), r('name', '<w:b/>'), r(' here')), {
        op: 'replace_text',
        search: 'old name here',
        replace: 'new name there',
      }),
    ).toBe(p(r('new '), r('name', '<w:b/>'), r(' there')))
  })

  verifies(
    'CONTRACT §4 replace_text exact',
    'is exact, with case, at every place unless nth picks one',
    () => {
      const body = p('a cat, a Cat, a cat')
      expect(bodyAfter(body, { op: 'replace_text', search: 'cat', replace: 'dog' })).toBe(
        p('a dog, a Cat, a dog'),
      )
      expect(bodyAfter(body, { op: 'replace_text', search: 'cat', replace: 'dog', nth: 2 })).toBe(
        p('a cat, a Cat, a dog'),
      )
      expect(
        bodyAfter(body, { op: 'replace_text', search: 'cat', replace: 'dog', match_case: false }),
      ).toBe(p('a dog, a dog, a dog'))
      expect(refusal(body, { op: 'replace_text', search: 'cat', replace: 'x', nth: 3 })).toContain(
        'there are 2 matches',
      )
    },
  )

  verifies(
    [
      'CONTRACT §4 replace_text fields',
      'ADR-0010 §Office Operations docx replace_text search',
      'ADR-0010 §Office Operations docx replace_text find',
    ],
    'takes search and replace, and find for search',
    () => {
      for (const name of ['search', 'find'])
        expect(bodyAfter(p('one'), { op: 'replace_text', [name]: 'one', replace: 'two' })).toBe(
          p('two'),
        )
    },
  )

  verifies(
    'CONTRACT §4 replace_text stays inside',
    'crosses no picture, tab, note mark or border of a link',
    () => {
      const tab = p(r('a'), '<w:r><w:tab/></w:r>', r('b'))
      expect(refusal(tab, { op: 'replace_text', search: 'ab', replace: 'x' })).toContain(
        'was not found',
      )
      expect(
        refusal(p(r('a'), note, r('b')), { op: 'replace_text', search: 'ab', replace: 'x' }),
      ).toContain('was not found')
      const picture = p(r('a'), '<w:r><w:drawing/></w:r>', r('b'))
      expect(refusal(picture, { op: 'replace_text', search: 'ab', replace: 'x' })).toContain(
        'was not found',
      )
      expect(
        refusal(p('see ', link), { op: 'replace_text', search: 'see the link', replace: 'x' }),
      ).toContain('crosses the border of a link')
      expect(
        bodyAfter(p('see ', link), { op: 'replace_text', search: 'the link', replace: 'it' }),
      ).toContain(`${r('it')}</w:hyperlink>`)
    },
  )

  test('touches no field code, and names the source of a computed result', () => {
    const body = p('See ', field(' REF _Ref7 \\h ', 'Section 2'))
    expect(refusal(body, { op: 'replace_text', search: 'Section', replace: 'Part' })).toContain(
      'a cross-reference to _Ref7',
    )
    expect(refusal(body, { op: 'replace_text', search: '_Ref7', replace: 'x' })).toContain(
      'was not found',
    )
    const toc = p(field(' TOC \\o "1-3" ', 'Terms')) + styled('Heading1', 'Terms')
    const { document } = openZoo({ body: toc })
    const { warnings } = unwrap(
      document.apply(logged([{ op: 'replace_text', search: 'Terms', replace: 'Rules' }])),
    )
    expect(warnings[0]).toContain('table of contents')
    expect(shown(document)[1]).toBe('p2|# Rules')
  })

  test('changes both forms of a text box and counts it once', () => {
    const box = (inner: string) => `<w:txbxContent>${inner}</w:txbxContent>`
    const body = p(
      `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx>${box(p('In the box'))}</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>${box(p('In the box'))}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>`,
    )
    const { document, bytes } = openZoo({ body })
    const { results, changes } = unwrap(
      document.apply(logged([{ op: 'replace_text', search: 'box', replace: 'frame' }])),
    )
    expect(results[0]).toMatchObject({ replacements: 1 })
    expect(changes).toHaveLength(1)
    const now = saved(document, bytes)
    expect(shown(now.document, { paragraphs: 'p2' }).join()).toContain('In the frame')
    expect(Buffer.from(now.bytes).length).toBeGreaterThan(0)
    expect(
      bodyAfter(body, { op: 'replace_text', search: 'box', replace: 'frame' }).split(
        'In the frame',
      ),
    ).toHaveLength(3)
  })

  test('leaves a control that shows data of the document, whose text Word would replace', () => {
    const bound =
      '<w:sdtPr><w:alias w:val="Title"/><w:dataBinding w:xpath="/a/b" w:storeItemID="{1}"/></w:sdtPr>'
    const inline = p('x ', `<w:sdt>${bound}<w:sdtContent>${r('Report')}</w:sdtContent></w:sdt>`)
    const block = `<w:sdt>${bound}<w:sdtContent>${p('Report')}</w:sdtContent></w:sdt>`
    for (const body of [inline, block])
      expect(refusal(body, { op: 'replace_text', search: 'Report', replace: 'x' })).toContain(
        'shows "Title" of the document\'s data (/a/b)',
      )
  })

  test('a prompt is no content', () => {
    const control = `<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>${r('Click here')}</w:sdtContent></w:sdt>`
    expect(refusal(p(control), { op: 'replace_text', search: 'Click', replace: 'x' })).toContain(
      'was not found',
    )
  })

  test('takes no-break spaces and curly quotes for plain ones only where nothing is exact, and says so', () => {
    const { document } = openZoo({ body: p('the\u00a0\u201cend\u201d') })
    const { warnings } = unwrap(
      document.apply(logged([{ op: 'replace_text', search: 'the "end"', replace: 'over' }])),
    )
    expect(warnings[0]).toContain('curly quotes')
    expect(shown(document)).toEqual(['p1|over'])
  })

  test('replaces several pairs and groups of an expression', () => {
    expect(
      bodyAfter(p('a b'), {
        op: 'replace_text',
        replacements: [
          { search: 'a', replace: '1' },
          { search: 'b', replace: '2' },
        ],
      }),
    ).toBe(p('1 2'))
    expect(
      bodyAfter(p('2025-06'), { op: 'replace_text', regex: '(\\d+)-(\\d+)', replace: '$2/$1' }),
    ).toBe(p('06/2025'))
  })
})

describe('paragraphs', () => {
  verifies(
    'CONTRACT §4 new paragraphs look alike',
    'look like their neighbour, after a heading like the text that follows',
    () => {
      const numbered =
        '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="2"/></w:numPr><w:pageBreakBefore/></w:pPr>'
      const list = bodyAfter(p(numbered, r('Lead', '<w:b/>'), r(' and much more text', '<w:i/>')), {
        op: 'insert_paragraph',
        after: 'p1',
        text: 'Next',
      })
      expect(list).toContain(
        '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="2"/></w:numPr></w:pPr><w:r><w:rPr><w:i/></w:rPr><w:t>Next</w:t></w:r></w:p>',
      )
      const after = bodyAfter(styled('Heading1', 'Title') + styled('Quote', 'Text'), {
        op: 'insert_paragraph',
        before: 'p2',
        text: 'New',
      })
      expect(after).toContain(
        '<w:p><w:pPr><w:pStyle w:val="Quote"/></w:pPr><w:r><w:t>New</w:t></w:r></w:p>',
      )
      const { document } = openZoo({ body: styled('Heading1', 'Title') + styled('Quote', 'Text') })
      unwrap(document.apply(logged([{ op: 'insert_paragraph', after: 'p1', text: 'New' }])))
      const { paragraphs } = unwrap(document.read({}, { maxBytes: 9999 })).fields as {
        paragraphs: { style?: string }[]
      }
      expect(paragraphs.map(({ style }) => style)).toEqual(['Heading1', 'Quote', 'Quote'])
    },
  )

  test('set in the form that read gives: looks stay by alignment, marks are set, tokens are kept', () => {
    const body = p(r('The '), r('big', '<w:color w:val="FF0000"/>'), r(' house'), note)
    expect(shown(openZoo({ body }).document)).toEqual(['p1|The big house⟦footnote 1⟧'])
    expect(
      bodyAfter(body, {
        op: 'set_paragraph',
        place: 'p1',
        text: 'The *very* big home⟦footnote 1⟧',
      }),
    ).toBe(
      p(
        r('The '),
        '<w:r><w:rPr><w:i/></w:rPr><w:t>very</w:t></w:r>',
        r(' '),
        r('big', '<w:color w:val="FF0000"/>'),
        r(' home'),
        note,
      ),
    )
    expect(refusal(body, { op: 'set_paragraph', place: 'p1', text: 'The house' })).toContain(
      'would lose ⟦footnote 1⟧',
    )
  })

  test('deleted with their notes; comments and bookmarks that reach further stay', () => {
    const body =
      p('<w:bookmarkStart w:id="1" w:name="b"/>', 'one') + p('two', '<w:bookmarkEnd w:id="1"/>')
    expect(bodyAfter(body, { op: 'delete_paragraph', place: 'p1' })).toBe(
      p('<w:bookmarkStart w:id="1" w:name="b"/>', 'two', '<w:bookmarkEnd w:id="1"/>'),
    )
    const section = p('<w:pPr><w:sectPr/></w:pPr>', 'end')
    expect(refusal(section + p('x'), { op: 'delete_paragraph', place: 'p1' })).toContain(
      'ends a section',
    )
  })

  verifies(
    'CONTRACT §6 paragraphs inserted before',
    'a refused insertion moves no later change',
    () => {
      const bytes = zooDocument({ body: p('one') + p('two') + p('two') })
      const log = logged([
        { op: 'insert_paragraph', after: 'p1', text: ['two new', 'two more'] },
        { op: 'replace_text', search: 'two', replace: '2', nth: 4 },
        { op: 'set_paragraph', place: 'p2', text: 'second' },
      ])
      const { changes } = unwrap(docxFormat.replay(bytes, log, new Set(), NAME))
      const refused = new Set(
        changes.filter(({ operation }) => operation.index === 0).map(({ id }) => id),
      )
      const left = unwrap(docxFormat.replay(bytes, log, refused, NAME))
      const document = unwrap(docxFormat.open(toBytes(left.content, bytes), NAME))
      expect(shown(document)).toEqual(['p1|one', 'p2|second', 'p3|2'])
      expect(left.dropped).toEqual([])
    },
  )

  verifies('CONTRACT §6 review paragraphs', 'a review shows paragraphs with their runs', () => {
    const { document } = openZoo({ body: p(r('The '), r('big', '<w:b/>'), r(' house')) })
    const { changes } = unwrap(
      document.apply(logged([{ op: 'replace_text', search: 'house', replace: 'home' }])),
    )
    expect(changes[0]).toMatchObject({
      kind: 'paragraph',
      place: 'paragraph 1',
      before: { text: 'The **big** house' },
      after: { text: 'The **big** home' },
    })
  })
})

describe('reading', () => {
  const body =
    p('Before') +
    styled('Heading1', 'Terms') +
    p('Pay.') +
    styled('Heading2', 'Late') +
    p('Interest.') +
    styled('Heading1', 'Law') +
    styled('ListNumber', 'first') +
    p('<w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="2"/></w:numPr></w:pPr>', 'inner')

  verifies(
    [
      'ADR-0010 §Reading Files read_file section heading',
      'ADR-0010 §Reading Files read_file section index',
      'CONTRACT §4 read_file section',
    ],
    'picks a section by its heading or its index',
    () => {
      const { document } = openZoo({ body })
      expect(shown(document, { section: 'terms' })).toEqual([
        'p2|# Terms',
        'p3|Pay.',
        'p4|## Late',
        'p5|Interest.',
      ])
      expect(shown(document, { section: '2' })).toEqual(['p4|## Late', 'p5|Interest.'])
      expect(shown(document, { section: '0' })).toEqual(['p1|Before'])
      const none = document.read({ section: '9' }, { maxBytes: 100 })
      expect(none.ok ? '' : none.failure.message).toContain('the last section is 3')
    },
  )

  test('computes the labels of lists, and finds paragraphs by them', () => {
    const { document } = openZoo({ body })
    expect(shown(document, { section: 'Law' })).toEqual(['p6|# Law', 'p7|1 first', 'p8|1.a) inner'])
    expect(shown(document, { paragraphs: '1.a)' })).toEqual(['p8|1.a) inner'])
  })

  test('pages by paragraphs, and the next region goes on', () => {
    const { document } = openZoo({ body })
    const first = unwrap(document.read({}, { maxBytes: 20 }))
    expect(first.next).toEqual({ paragraphs: 'p2-p8' })
    expect(unwrap(document.read(first.next!, { maxBytes: 1000 })).text).toContain('inner')
  })

  verifies(
    'CONTRACT §4 reading revisions',
    'a document with tracked changes reads as if they were accepted, and says so',
    () => {
      const { document } = openZoo({
        body: p(
          'a',
          '<w:del w:id="1" w:author="B"><w:r><w:delText>gone</w:delText></w:r></w:del>',
          '<w:ins w:id="2" w:author="B"><w:r><w:t>new</w:t></w:r></w:ins>',
        ),
      })
      const { text } = unwrap(document.read({}, { maxBytes: 1000 }))
      expect(text).toContain('p1|anew')
      expect(text).toContain('2 tracked changes')
    },
  )

  verifies(
    'CONTRACT §4 get_file_info document',
    'the map has sections with sizes, tables, images, comments and revisions',
    () => {
      const table = '<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Head</w:t></w:r></w:p></w:tc></w:tr></w:tbl>'
      const { document } = openZoo({
        body: `${body}${table}${p('<w:r><w:drawing><wp:inline><wp:docPr id="1" name="x" descr="A cat"/><a:blip/></wp:inline></w:drawing></w:r>')}${p('<w:ins w:id="2" w:author="Bo"><w:r><w:t>{{name}}</w:t></w:r></w:ins>')}`,
        parts: {
          'word/comments.xml': `<w:comments xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:comment w:id="0" w:author="C">${p('Why?')}</w:comment></w:comments>`,
        },
        links: [['rId9', 'comments', 'comments.xml']],
      })
      const { fields } = unwrap(document.map())
      expect(fields.sections).toContainEqual({
        index: 2,
        title: 'Late',
        level: 2,
        paragraphs: 'p4-p5',
        words: 2,
      })
      expect(fields.documentTables).toEqual([{ id: 't1', rows: 1, columns: 1, headers: ['Head'] }])
      expect(fields.images).toEqual([{ paragraph: 'p10', kind: 'picture', alt: 'A cat' }])
      expect(fields.stories).toEqual([{ name: 'comments', paragraphs: 1, start: 'Why?' }])
      expect(fields.revisions).toEqual({ count: 1, byAuthor: { Bo: 1 } })
      expect(fields.placeholders).toEqual([{ text: '{{name}}', paragraph: 'p11' }])
    },
  )
})

describe('a document that somebody saved meanwhile', () => {
  const base = zooDocument({ body: p('one') + p('two') + p('three') })
  const log = logged([
    { op: 'replace_text', search: 'three', replace: '3' },
    { op: 'insert_paragraph', after: 'p2', text: 'between' },
  ])
  const request = (current: Uint8Array) => ({
    name: NAME,
    base,
    current,
    log,
    refused: new Set<never>(),
    planned: unwrap(docxFormat.replay(base, log, new Set(), NAME)).content,
    version: 'v',
    since: 'since then',
    advice: 'Read it again.',
    isDraft: true,
  })

  verifies(
    'CONTRACT §6 moved document rebased',
    'takes the draft where its paragraphs are as they were, else it is a conflict',
    () => {
      const current = zooDocument({ body: p('zero') + p('one changed') + p('two') + p('three') })
      const rebased = unwrap(docxFormat.rebase!(request(current)))
      const document = unwrap(docxFormat.open(toBytes(rebased.content, current), NAME))
      expect(shown(document).map(line => line.split('|')[1])).toEqual([
        'zero',
        'one changed',
        'two',
        'between',
        '3',
      ])
      const again = unwrap(docxFormat.replay(current, rebased.log, new Set(), NAME))
      expect(
        Buffer.compare(toBytes(again.content, current), toBytes(rebased.content, current)),
      ).toBe(0)
      const other = docxFormat.rebase!(
        request(zooDocument({ body: p('one') + p('two') + p('three!') })),
      )
      expect(other.ok ? '' : other.failure.message).toContain(
        'paragraph 3: the paragraph changed on disk',
      )
    },
  )
})

describe('marks', () => {
  test('format_text formats the match alone', () => {
    expect(bodyAfter(p('one two three'), { op: 'format_text', search: 'two', bold: true })).toBe(
      '<w:p><w:r><w:t xml:space="preserve">one </w:t></w:r><w:r><w:rPr><w:b/><w:bCs/></w:rPr><w:t>two</w:t></w:r><w:r><w:t xml:space="preserve"> three</w:t></w:r></w:p>',
    )
    expect(refusal(p('one'), { op: 'format_text', search: 'one', color: 'red' })).toContain(
      'six digits',
    )
  })

  test('set_style names what still overrides the style, and clears it when asked', () => {
    const body = p('<w:pPr><w:jc w:val="center"/></w:pPr>', r('x', '<w:sz w:val="40"/>'))
    const { document } = openZoo({ body })
    const { warnings } = unwrap(
      document.apply(logged([{ op: 'set_style', place: 'p1', style: 'heading 1' }])),
    )
    expect(warnings[0]).toContain('p1 (jc, sz)')
    expect(
      bodyAfter(body, { op: 'set_style', place: 'p1', style: 'Heading 1', clear_direct: true }),
    ).toContain('<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>')
    expect(refusal(body, { op: 'set_style', place: 'p1', style: 'Nope' })).toContain(
      'the styles are Normal',
    )
  })

  test('set_hyperlink links the match, and a link in the text gets the new target', () => {
    const body = p('see ', link)
    const linked = bodyAfter(body, { op: 'set_hyperlink', search: 'see', url: '#top' })
    expect(linked).toContain(
      '<w:hyperlink w:anchor="top"><w:r><w:rPr><w:rStyle w:val="Hyperlink"/></w:rPr><w:t xml:space="preserve">see</w:t></w:r></w:hyperlink>',
    )
    expect(bodyAfter(body, { op: 'set_hyperlink', search: 'link', url: '#top' })).toContain(
      '<w:hyperlink w:anchor="top">',
    )
    expect(
      refusal(body, { op: 'set_hyperlink', search: 'see', url: 'javascript:alert(1)' }),
    ).toContain('no address')
  })

  test('add_comment takes one match, and comments that are there stay', () => {
    const comments = `<w:comments xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:comment w:id="4" w:author="C">${p('Why?')}</w:comment></w:comments>`
    const { document, bytes } = openZoo({
      body: p('one two one'),
      parts: { 'word/comments.xml': comments },
      links: [['rId9', 'comments', 'comments.xml']],
    })
    const several = document.apply(logged([{ op: 'add_comment', search: 'one', text: 'x' }]))
    expect(several.ok ? '' : several.failure.message).toContain('there are 2')
    unwrap(
      document.apply(
        logged([{ op: 'add_comment', search: 'two', text: 'Which?', author: 'Ann Lee' }]),
      ),
    )
    const after = saved(document, bytes)
    expect(shown(after.document, { section: 'comments' }).join('\n')).toMatch(
      /Why\?[\s\S]*comment 5[\s\S]*Which\?/,
    )
    expect(shown(after.document)[0]).toBe('p1|one two⟦comment 5⟧ one')
  })
})

import { type Reading, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { logged, openZoo, p, r, shown, styled, table, W, type ZooDocument } from './zoo.contract.ts'

const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
const code = (text: string) =>
  `<w:r><w:instrText xml:space="preserve"> ${text} </w:instrText></w:r>`
const field = (text: string, result: string) =>
  mark('begin') + code(text) + mark('separate') + r(result) + mark('end')
const control = (properties: string, content: string) =>
  `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml'

function mapOf(body: string, more: Partial<ZooDocument> = {}) {
  return unwrap(openZoo({ body, ...more }).document.map())
}

describe('the map lists', () => {
  test('fields and where cross-references lead, without links and forms', () => {
    const start = '<w:bookmarkStart w:id="1" w:name="_Ref7"/>'
    const body =
      styled('Heading1', start, 'Terms', '<w:bookmarkEnd w:id="1"/>') +
      p('See ', field('REF _Ref7 \\h', 'Terms'), ' on page ', field('PAGEREF _Ref7', '3')) +
      p(field('HYPERLINK "https://a.org"', 'a link'), ' ', field('FORMTEXT', 'x'))
    const { fields, text } = mapOf(body)
    expect(fields.fields).toEqual([
      { kind: 'REF', paragraph: 'p2', shows: 'Terms', target: '_Ref7', to: 'p1' },
      { kind: 'PAGEREF', paragraph: 'p2', shows: '3', target: '_Ref7', to: 'p1' },
    ])
    expect(text).toContain('p2: REF _Ref7 (p1) "Terms"')
    expect(fields.bookmarks).toBeUndefined()
  })

  test('bookmarks that a person made', () => {
    const named = '<w:bookmarkStart w:id="1" w:name="price"/>'
    const { fields } = mapOf(p('a') + p(named, 'b', '<w:bookmarkEnd w:id="1"/>'))
    expect(fields.bookmarks).toEqual([{ name: 'price', paragraph: 'p2' }])
  })

  test('content controls with what they hold', () => {
    const body = p(
      control('<w:alias w:val="City"/><w:text/>', r('Rome')),
      control('<w:showingPlcHdr/><w:text/>', r('Click here')),
    )
    expect(mapOf(body).fields.controls).toEqual([
      { kind: 'text', paragraph: 'p1', name: 'City', value: 'Rome' },
      { kind: 'text', paragraph: 'p1', value: '' },
    ])
  })

  test('comments with author, place, answers and whether they are resolved', () => {
    const w14 = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'
    const comment = (id: number, author: string, text: string) =>
      `<w:comment w:id="${id}" w:author="${author}"><w:p w14:paraId="0000000${id}"><w:r><w:t>${text}</w:t></w:r></w:p></w:comment>`
    const more: Partial<ZooDocument> = {
      links: [
        ['rId9', 'comments', 'comments.xml'],
        [
          'rId10',
          'http://schemas.microsoft.com/office/2011/relationships/commentsExtended',
          'commentsExtended.xml',
        ],
      ],
      types: `<Override PartName="/word/comments.xml" ContentType="${WORD}.comments+xml"/><Override PartName="/word/commentsExtended.xml" ContentType="${WORD}.commentsExtended+xml"/>`,
      parts: {
        'word/comments.xml': `<w:comments xmlns:w="${W}" ${w14}>${comment(3, 'Ann', 'Why?')}${comment(4, 'Bob', 'So.')}</w:comments>`,
        'word/commentsExtended.xml':
          '<w15:commentsEx xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"><w15:commentEx w15:paraId="00000003" w15:done="1"/><w15:commentEx w15:paraId="00000004" w15:paraIdParent="00000003" w15:done="0"/></w15:commentsEx>',
      },
    }
    const reference = (id: number) => `<w:r><w:commentReference w:id="${id}"/></w:r>`
    const body = p('one') + p('two', reference(3), reference(4))
    const { fields, text } = mapOf(body, more)
    expect(fields.comments).toEqual([
      { id: '3', author: 'Ann', text: 'Why?', paragraph: 'p2', isResolved: true },
      { id: '4', author: 'Bob', text: 'So.', paragraph: 'p2', answers: '3' },
    ])
    expect(text).toContain('4: Bob on p2, answers 3: So.')
    const { document } = openZoo({ body, ...more })
    expect(shown(document, { section: 'comments' })).toEqual([
      '[comment 3 by Ann]',
      'comments/p1|Why?',
      '[comment 4 by Bob]',
      'comments/p2|So.',
    ])
  })

  test('numbered paragraphs with the labels that are printed', () => {
    const body = styled('ListNumber', 'First') + styled('ListNumber', 'Second') + p('text')
    expect(mapOf(body).fields.numbered).toEqual([
      { paragraph: 'p1', label: '1', start: 'First' },
      { paragraph: 'p2', label: '2', start: 'Second' },
    ])
  })

  test('paragraphs that deviate from their style, and not a word in bold', () => {
    const body =
      p('plain') +
      p('a ', r('word', '<w:b/>')) +
      p(r('all ', '<w:b/><w:sz w:val="30"/>'), r('bold', '<w:b/>')) +
      p('<w:pPr><w:jc w:val="center"/></w:pPr>', 'centred')
    const { fields, text } = mapOf(body)
    expect(fields.styles).toEqual([
      { name: 'Normal', count: 4, deviating: ['p3-p4'], deviations: ['b', 'jc'] },
    ])
    expect(text).toContain('Normal: p3-p4 (b, jc)')
  })

  test('pages as Word last laid them out', () => {
    const turn = '<w:r><w:lastRenderedPageBreak/><w:t>next</w:t></w:r>'
    const { fields, text } = mapOf(p('one') + p(turn) + p('two ', turn))
    expect(fields.pages).toEqual([
      { page: 1, paragraph: 'p1' },
      { page: 2, paragraph: 'p2' },
      { page: 3, paragraph: 'p3' },
    ])
    expect(text).toContain('pages as Word last laid them out: 1 p1, 2 p2, 3 p3')
    expect(mapOf(p('one')).fields.pages).toBeUndefined()
  })

  test('notes by their number, without the lines in front of them', () => {
    const note = (id: number, text: string, type = '') =>
      `<w:footnote w:id="${id}"${type}>${p(text)}</w:footnote>`
    const more: Partial<ZooDocument> = {
      links: [['rId9', 'footnotes', 'footnotes.xml']],
      types: `<Override PartName="/word/footnotes.xml" ContentType="${WORD}.footnotes+xml"/>`,
      parts: {
        'word/footnotes.xml': `<w:footnotes xmlns:w="${W}">${note(0, '', ' w:type="separator"')}${note(7, 'seven')}${note(5, 'five')}</w:footnotes>`,
      },
    }
    const reference = (id: number) => `<w:r><w:footnoteReference w:id="${id}"/></w:r>`
    const body = p('a', reference(7), 'b', reference(5))
    expect(mapOf(body, more).fields.stories).toEqual([
      { name: 'footnotes', paragraphs: 2, notes: 2, start: 'seven / five' },
    ])
    const { document } = openZoo({ body, ...more })
    expect(shown(document, { section: 'footnotes' }).filter(line => line.startsWith('['))).toEqual([
      '[line in front of the footnotes]',
      '[footnote 1]',
      '[footnote 2]',
    ])
  })
})

describe('a read', () => {
  test('gives programs the form that set_paragraph takes, where it is more than the text', () => {
    const { document } = openZoo({ body: p('a ', r('word', '<w:b/>')) + p('plain') })
    const { fields } = unwrap(document.read({}, { maxBytes: 1_000 }))
    expect(fields.paragraphs).toEqual([
      { id: 'p1', text: 'a word', form: 'a **word**' },
      { id: 'p2', text: 'plain' },
    ])
  })

  test('says in which cell a paragraph is', () => {
    const { document } = openZoo({ body: table(['a', 'b']) + p('end') })
    const { fields } = unwrap(document.read({}, { maxBytes: 1_000 }))
    expect(fields.paragraphs).toEqual([
      { id: 'p1', text: 'a', cell: 't1, row 1, column 1' },
      { id: 'p2', text: 'b', cell: 't1, row 1, column 2' },
      { id: 'p3', text: 'end' },
    ])
  })
})

describe('a read of what is not there', () => {
  function why(region: Record<string, unknown>, body = p('one') + p('two') + p('three')): string {
    const { document } = openZoo({ body })
    unwrap(document.apply(logged([{ op: 'delete_paragraph', place: 'p2' }])))
    const result = document.read(region, { maxBytes: 1_000 })
    return result.ok ? 'read' : result.failure.message
  }

  test('names the end of a range that was deleted, and its neighbours', () => {
    expect(why({ paragraphs: 'p2-p3' })).toContain(
      'no paragraph p2 for the range "p2-p3"; the nearest are p1 and p3',
    )
    expect(why({ paragraphs: 'p1-p9' })).toContain('no paragraph p9')
  })

  test('says that a document has none of such parts', () => {
    for (const section of ['headers', 'footers', 'footnotes', 'comments'])
      expect(why({ section })).toContain(`the document has no ${section}`)
  })
})

describe('a list of tracked changes', () => {
  const inserted = (id: number) =>
    p(`<w:ins w:id="${id}" w:author="Ann" w:date="2026-01-02T00:00:00Z">${r(`word${id}`)}</w:ins>`)
  const { document } = openZoo({
    body: Array.from({ length: 9 }, (_, id) => inserted(id)).join(''),
  })

  test('is read in pages to its end, with fields for programs', () => {
    let region: Record<string, unknown> | undefined = { section: 'revisions' }
    const ids: string[] = []
    for (let page = 0; region && page < 20; page++) {
      const reading: Reading = unwrap(document.read(region, { maxBytes: 150 }))
      ids.push(...(reading.fields.revisions as { id: string }[]).map(({ id }) => id))
      region = reading.next
    }
    expect(ids).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8'])
    const all = unwrap(document.read({ section: 'revisions' }, { maxBytes: 10_000 }))
    expect(all.next).toBeUndefined()
    expect((all.fields.revisions as object[])[0]).toEqual({
      id: '0',
      kind: 'inserted',
      author: 'Ann',
      date: '2026-01-02',
      place: 'p1',
      text: 'word0',
    })
  })

  test('names the row of a table that was inserted or deleted', () => {
    const row = (mark: string) => `<w:tr><w:trPr>${mark}</w:trPr><w:tc>${p('')}</w:tc></w:tr>`
    const change = (name: string, id: number) => `<w:${name} w:id="${id}" w:author="Ann"/>`
    const inner = `<w:tbl>${row('')}${row(change('del', 2))}</w:tbl>`
    const { document: own } = openZoo({
      body: `<w:tbl>${row('')}<w:tr><w:tc>${inner}${p('')}</w:tc></w:tr>${row(change('ins', 1))}</w:tbl>`,
    })
    expect(unwrap(own.read({ section: 'revisions' }, { maxBytes: 1_000 })).text).toBe(
      'revision 2: Ann, row deleted at t2, row 2\nrevision 1: Ann, row inserted at t1, row 3',
    )
  })

  test('ends where the last one is', () => {
    const result = document.read({ section: 'revisions 10' }, { maxBytes: 100 })
    expect(result.ok ? '' : result.failure.message).toContain('the last is 9')
  })
})

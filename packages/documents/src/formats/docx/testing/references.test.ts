import { type Operation, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import {
  bodyAfter,
  logged,
  openZoo,
  p,
  partText,
  r,
  saved,
  styled,
  type ZooDocument,
} from './zoo.contract.ts'

function after(zoo: ZooDocument, ...operations: readonly Operation[]) {
  const { document, bytes } = openZoo(zoo)
  unwrap(document.apply(logged(operations)))
  return saved(document, bytes).bytes
}

function failure(zoo: ZooDocument, operation: Operation): string {
  const result = openZoo(zoo).document.apply(logged([operation]))
  return result.ok ? 'done' : result.failure.message
}

describe('references', () => {
  test('a bookmark goes around the matched text alone, moves, and goes without the text', () => {
    const set: Operation = { op: 'set_bookmark', name: 'price', search: 'two' }
    expect(bodyAfter(p('one two three'), set)).toBe(
      `<w:p>${r('one ')}<w:bookmarkStart w:id="1" w:name="price"/><w:r><w:t>two</w:t></w:r><w:bookmarkEnd w:id="1"/><w:r><w:t xml:space="preserve"> three</w:t></w:r></w:p>`,
    )
    const moved = bodyAfter(p('one two three'), set, { ...set, search: 'one' })
    expect(moved.match(/bookmarkStart/g)).toHaveLength(1)
    expect(bodyAfter(p('one two'), set, { op: 'delete_bookmark', name: 'price' })).not.toContain(
      'bookmark',
    )
  })

  test('a bookmark is refused by a bad name, and where it is not there', () => {
    expect(failure({ body: p('x') }, { op: 'set_bookmark', name: 'a b', search: 'x' })).toContain(
      'name is a letter',
    )
    expect(failure({ body: p('x') }, { op: 'delete_bookmark', name: 'q' })).toContain(
      'there are none',
    )
  })

  test('contents and captions are marked for update', () => {
    const body = bodyAfter(
      p('x'),
      { op: 'insert_toc', before: 'p1', levels: 2 },
      { op: 'insert_caption', after: 'p1', text: 'A view' },
    )
    expect(body).toMatch(/w:dirty="true".*TOC \\o "1-2".*SEQ Figure.*: A view/)
    expect(body.match(/w:dirty="true"/g)).toHaveLength(2)
  })

  test('a reference looks like the text, not like a mark of a comment or a link, and records no change', () => {
    const changed =
      '<w:b/><w:rPrChange w:id="7" w:author="B" w:date="2026-01-01T00:00:00Z"><w:rPr/></w:rPrChange>'
    const mark =
      '<w:r><w:rPr><w:rStyle w:val="CommentReference"/></w:rPr><w:commentReference w:id="0"/></w:r>'
    const body = p(r('See', changed), mark) + styled('Heading1', 'Terms')
    const refer = { op: 'insert_cross_reference', target: 'Terms', place: 'p1' }
    for (const track of [false, { author: 'Ann' }]) {
      const now = bodyAfter(body, { ...refer, track })
      expect(now.match(/w:id="7"/g)).toHaveLength(1)
      expect(now.match(/CommentReference/g)).toHaveLength(1)
      expect(now).toContain('<w:r><w:rPr><w:b/></w:rPr><w:t>Terms</w:t></w:r>')
    }
  })

  test('a reference in the text that it would show is refused', () => {
    const refer = { op: 'insert_cross_reference', target: 'p1', place: 'p1' }
    expect(failure({ body: p('One') }, { ...refer, show: 'text' })).toContain('show: "page"')
    expect(failure({ body: p('One') }, { ...refer, show: 'page' })).toBe('done')
    const marked: Operation = { op: 'set_bookmark', name: 'x', search: 'One' }
    expect(bodyAfter(p('One two'), marked, { ...refer, target: 'x' })).toContain('REF x')
  })

  test('properties are set in their part, with one type, made where there is none', () => {
    const bytes = after(
      { body: p('x') },
      { op: 'set_properties', properties: { title: 'A & B', author: 'Ann' } },
    )
    expect(partText(bytes, 'docProps/core.xml')).toContain(
      '<dc:title>A &amp; B</dc:title><dc:creator>Ann</dc:creator>',
    )
    expect(partText(bytes, '_rels/.rels')).toContain('docProps/core.xml')
    const types = '<Override PartName="/docprops/Core.xml" ContentType="application/xml"/>'
    const typed = after(
      { body: p('x'), types },
      { op: 'set_properties', properties: { title: 'A' } },
    )
    expect(partText(typed, '[Content_Types].xml').match(/core/gi)).toHaveLength(2)
    expect(
      failure({ body: p('x') }, { op: 'set_properties', properties: { colour: 'red' } }),
    ).toContain('"colour" cannot be set')
  })
})

describe('insert_cross_reference', () => {
  const CAPTION = p(
    'Figure ',
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> SEQ Figure </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>2</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>',
    ': a tree',
  )
  const CLAUSE = p(
    '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="2"/></w:numPr></w:pPr>',
    'Pay.',
  )
  const BODY = p('See below.') + styled('Heading1', 'Terms') + CLAUSE + CAPTION

  function referring(operation: object) {
    return bodyAfter(BODY, {
      op: 'insert_cross_reference',
      search: 'See',
      ...operation,
    } as never)
  }

  test('shows the text of a heading, which Word keeps up to date', () => {
    const body = referring({ target: 'Terms' })
    const name = /w:name="(_Ref\d{9})"/.exec(body)![1]
    expect(body).toMatch(new RegExp(`See</w:t>.*REF ${name} \\\\h .*>Terms<.* below\\.`))
    expect(body).toMatch(
      /<w:bookmarkStart [^>]*\/><w:r><w:t[^>]*>Terms<\/w:t><\/w:r><w:bookmarkEnd/,
    )
  })

  test('shows the number of a numbered paragraph', () => {
    expect(referring({ target: 'p3' })).toMatch(/REF _Ref\d+ \\r \\h .*<w:t[^>]*>1<\/w:t>/)
  })

  test('shows the label and number of a caption, and bookmarks no more than these', () => {
    const body = referring({ target: 'figure 2' })
    expect(body).toMatch(/REF _Ref\d+ \\h .*>Figure 2<\/w:t>/)
    expect(body).toMatch(
      /w:fldCharType="end"\/><\/w:r><w:bookmarkEnd [^>]*\/><w:r><w:t[^>]*>: a tree/,
    )
  })

  test('is a tracked insertion where changes are tracked', () => {
    const body = referring({ target: 'Terms', track: { author: 'Ann' } })
    expect(body).toMatch(
      /<w:ins [^>]*w:author="Ann"[^>]*>(?:(?!<\/w:ins>).)*REF _Ref.*>Terms<.*?<\/w:ins>/,
    )
  })

  test('a second reference uses the same bookmark', () => {
    const twice = bodyAfter(
      BODY,
      { op: 'insert_cross_reference', search: 'See', target: 'Terms' },
      { op: 'insert_cross_reference', search: 'below', target: 'Terms' },
    )
    expect(twice.match(/w:name="_Ref/g)).toHaveLength(1)
  })
})

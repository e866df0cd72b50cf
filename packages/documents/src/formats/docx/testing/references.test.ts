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
      'needs name',
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

  test('properties are set in their part, made where there is none', () => {
    const bytes = after(
      { body: p('x') },
      { op: 'set_properties', properties: { title: 'A & B', author: 'Ann' } },
    )
    expect(partText(bytes, 'docProps/core.xml')).toContain(
      '<dc:title>A &amp; B</dc:title><dc:creator>Ann</dc:creator>',
    )
    expect(partText(bytes, '_rels/.rels')).toContain('docProps/core.xml')
    expect(
      failure({ body: p('x') }, { op: 'set_properties', properties: { colour: 'red' } }),
    ).toContain('"colour" cannot be set')
  })
})

import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { docxFormat } from '../format.ts'
import { rebase } from '../rebase.ts'
import { annotated } from './annotated.contract.ts'
import {
  logged,
  NAME,
  openZoo,
  p,
  partText,
  r,
  saved,
  shown,
  type ZooDocument,
} from './zoo.contract.ts'

function after(zoo: ZooDocument, ...operations: readonly Operation[]) {
  const { document, bytes } = openZoo(zoo)
  const applied = unwrap(document.apply(logged(operations)))
  return { ...saved(document, bytes), applied }
}

function failure(zoo: ZooDocument, operation: Operation): string {
  const result = openZoo(zoo).document.apply(logged([operation]))
  return result.ok ? 'done' : result.failure.message
}

describe('notes', () => {
  test('a first footnote brings its part, with separators', () => {
    const { bytes, document } = after(
      { body: p('The price is fixed.') },
      { op: 'add_footnote', search: 'price', text: 'Net.' },
    )
    expect(shown(document).join()).toContain('The price⟦footnote 1⟧ is fixed.')
    const notes = partText(bytes, 'word/footnotes.xml')
    expect(notes).toContain('w:type="continuationSeparator" w:id="0"')
    expect(notes).toContain('<w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> Net.</w:t>')
    expect(partText(bytes, '[Content_Types].xml')).toContain('/word/footnotes.xml')
  })

  test('a note is numbered by its place, not by its id', () => {
    const { bytes, applied } = after(
      annotated,
      { op: 'add_footnote', search: 'and', place: 'p1', text: 'x' },
      { op: 'set_note', note: 'footnote 1', text: 'Changed' },
    )
    expect(JSON.stringify(applied)).toContain('Added footnote 2')
    expect(partText(bytes, 'word/footnotes.xml')).toMatch(/w:id="4".* Changed.*w:id="5"/)
  })

  describe('notes stand in their part as their marks do in the text', () => {
    const notesOf = (bytes: Uint8Array, kind = 'footnote') =>
      [...partText(bytes, `word/${kind}s.xml`).matchAll(/ w:id="(\d+)"(.*?)(?=<w:\w+note |$)/g)]
        .map(([, id, rest]) => `${id}${[...rest!.matchAll(/<w:t[^>]*>([^<]*)/g)].map(own => own[1]).join('')}`) // biome-ignore format: one line
        .slice(1) // the separator with id 0
    const marksOf = (bytes: Uint8Array, kind = 'footnote') =>
      [...partText(bytes).matchAll(new RegExp(`${kind}Reference w:id="(\\d+)"`, 'g'))].map(
        ([, id]) => Number(id),
      )
    const two = [
      { op: 'add_footnote', place: 'p2', text: 'Later' },
      { op: 'add_footnote', place: 'p1', text: 'Earlier' },
    ]
    const base: ZooDocument = { body: p('One') + p('Two') + p('Three') }

    test('a new one stands behind that of the mark before it, and those behind it make room', () => {
      const { bytes } = after(base, ...two)
      expect(notesOf(bytes)).toEqual(['1 Earlier', '2 Later'])
      expect(marksOf(bytes)).toEqual([1, 2])
      const between = { op: 'add_footnote', search: 'First', text: 'x', place: 'p1' }
      const first = after(annotated, between).bytes
      expect(notesOf(first)).toEqual(['1 x', '3 Two', '2 One'])
      expect(marksOf(first)).toEqual([1, 2, 3])
      const tracked = { ...between, search: 'nd sec', track: { author: 'A' } }
      const within = after(annotated, tracked).bytes
      expect(notesOf(within)).toEqual(['6 Two', '4 One', '5 x'])
      expect(marksOf(within)).toEqual([4, 5, 6])
    })

    test('one that moves with its paragraph goes to its new place', () => {
      const move = { op: 'move_paragraph', place: 'p1', after: 'p3' }
      const { bytes } = after(base, ...two, move)
      expect(notesOf(bytes)).toEqual(['1 Later', '2 Earlier'])
      expect(marksOf(bytes)).toEqual([1, 2])
    })

    test('an endnote likewise', () => {
      const ends = two.map(own => ({ ...own, op: 'add_endnote' }))
      const { bytes } = after(base, ...ends)
      expect(notesOf(bytes, 'endnote')).toEqual(['1 Earlier', '2 Later'])
      expect(marksOf(bytes, 'endnote')).toEqual([1, 2])
    })

    test('an id that a note without a mark has stays its own', () => {
      const { bytes } = after(
        {
          ...annotated,
          body: annotated.body.replace('<w:r><w:footnoteReference w:id="4"/></w:r>', ''),
        },
        { op: 'add_footnote', search: 'First', place: 'p1', text: 'x' },
        { op: 'add_footnote', search: 'First', place: 'p1', text: 'y' },
        { op: 'add_footnote', search: 'First', place: 'p1', text: 'z' },
      )
      const ids = marksOf(bytes)
      expect(ids).toEqual([...ids].sort((a, b) => a - b))
      expect(ids).not.toContain(4)
    })

    test('a note that was named stays the one, without the insertion that gave it another id', () => {
      const { document, bytes } = openZoo(base)
      const log = logged([
        two[0]!,
        two[1]!,
        { op: 'set_note', note: 'footnote 2', text: 'Changed' },
      ])
      const { changes } = unwrap(document.apply(log))
      const refused = changes.find(({ place }) => place === 'footnote in paragraph 1')!
      const some = unwrap(docxFormat.replay(bytes, log, new Set([refused.id]), NAME))
      expect(notesOf(toBytes(some.content, bytes))).toEqual(['1 Changed'])
    })

    test('deleted in a file where another note came before it, it is the same one', () => {
      const [later, earlier] = two
      const saves = after(base, later!).bytes
      const theirs = after(base, later!, earlier!).bytes
      const log = logged([{ op: 'delete_note', note: 'footnote 1' }])
      const planned = unwrap(docxFormat.replay(saves, log, new Set(), NAME)).content
      const words = { version: 'v', since: 'since', advice: 'Read it again.', isDraft: true }
      const moved = rebase({
        ...{ name: NAME, base: saves, current: theirs, log, refused: new Set() },
        ...{ planned, ...words },
      })
      expect(notesOf(toBytes(unwrap(moved).content, theirs))).toEqual(['1 Earlier'])
    })
  })

  test('a deleted note takes its text with it; tracked, only its mark is deleted', () => {
    const plain = after(annotated, { op: 'delete_note', note: 'footnote 2' })
    expect(partText(plain.bytes)).not.toContain('w:footnoteReference w:id="2"')
    expect(partText(plain.bytes, 'word/footnotes.xml')).not.toContain(' Two')
    const tracked = after(annotated, {
      op: 'delete_note',
      note: 'footnote 2',
      track: { author: 'A' },
    })
    expect(partText(tracked.bytes)).toMatch(
      /<w:del [^>]*><w:r><w:footnoteReference w:id="2"\/><\/w:r><\/w:del>/,
    )
    expect(partText(tracked.bytes, 'word/footnotes.xml')).toContain(' Two')
    // our own pending note goes as a whole
    const track = { author: 'A' }
    const [note, gone] = [
      { op: 'add_footnote', search: 'One', text: 'Pending', track },
      { op: 'delete_note', note: 'footnote 1', track },
    ]
    const none = after({ body: p('One') }, note!, gone!)
    expect(partText(none.bytes, 'word/footnotes.xml')).not.toContain('Pending')
  })

  test('tracked: the mark is an insertion', () => {
    const { bytes } = after(
      { body: p('Text') },
      { op: 'add_endnote', place: 'p1', text: 'x', track: { author: 'A' } },
    )
    expect(partText(bytes)).toMatch(
      /<w:ins [^>]*w:author="A"[^>]*><w:r>.*<w:endnoteReference w:id="1"\/><\/w:r><\/w:ins>/,
    )
  })

  test('a note that is not there is refused with those that are', () => {
    expect(failure(annotated, { op: 'set_note', note: 'footnote 9', text: 'x' })).toContain(
      'the footnotes go from 1 to 2',
    )
    expect(failure(annotated, { op: 'delete_note', note: 'endnote 1' })).toContain(
      'the document has no endnotes',
    )
  })
})

describe('comments', () => {
  test('a reply joins the thread in every part', () => {
    const { bytes } = after(annotated, {
      op: 'reply_comment',
      comment: 1,
      text: 'I see.',
      author: 'Bob',
    })
    const id = /w14:paraId="([0-9A-F]{8})"><w:r><w:t>I see/.exec(
      partText(bytes, 'word/comments.xml'),
    )?.[1]
    expect(partText(bytes, 'word/commentsExtended.xml')).toContain(
      `<w15:commentEx w15:paraId="${id}" w15:paraIdParent="0000000A" w15:done="0"/>`,
    )
    expect(partText(bytes, 'word/commentsIds.xml')).toContain(
      `w16cid:paraId="${id}" w16cid:durableId="${id}"`,
    )
    expect(partText(bytes)).toContain(
      '<w:commentReference w:id="1"/></w:r><w:r><w:commentReference w:id="3"/></w:r>',
    )
  })

  test('a thread is made where the document has none', () => {
    const { bytes } = after(
      { body: p('Text') },
      { op: 'add_comment', search: 'Text', text: 'Why?' },
      { op: 'reply_comment', comment: 0, text: 'So.' },
      { op: 'resolve_comment', comment: 0 },
    )
    const comments = partText(bytes, 'word/comments.xml')
    expect(comments).toContain('mc:Ignorable="w14"')
    const ids = [...comments.matchAll(/w14:paraId="([0-9A-F]{8})"/g)].map(match => match[1])
    expect(new Set(ids).size).toBe(2)
    expect(partText(bytes, 'word/commentsExtended.xml')).toContain(
      `w15:paraId="${ids[0]}" w15:done="1"`,
    )
  })

  test('a thread is resolved by its first comment and opened again', () => {
    const done = after(annotated, { op: 'resolve_comment', comment: 1 })
    expect(partText(done.bytes, 'word/commentsExtended.xml')).toContain(
      'w15:paraId="0000000A" w15:done="1"',
    )
    const open = after(
      annotated,
      { op: 'resolve_comment', comment: 0 },
      { op: 'resolve_comment', comment: 0, resolved: false },
    )
    expect(partText(open.bytes, 'word/commentsExtended.xml')).toBe(
      annotated.parts!['word/commentsExtended.xml'],
    )
  })

  test('a comment goes with its replies and leaves the others', () => {
    const { bytes } = after(annotated, { op: 'delete_comment', comment: 0 })
    expect(partText(bytes)).toContain(
      `<w:p>${r('Disputed')}${r(' and ')}<w:commentRangeStart w:id="2"/>`,
    )
    for (const part of ['comments', 'commentsExtended', 'commentsIds'])
      expect(partText(bytes, `word/${part}.xml`)).toMatch(/^(?!.*0000000[AB]).*0000000C/s)
  })

  test('new text keeps the paragraph that the thread names', () => {
    const { bytes } = after(annotated, { op: 'set_comment', comment: 2, text: 'One\nTwo' })
    expect(partText(bytes, 'word/comments.xml')).toMatch(
      /<w:p><w:r><w:t>One<\/w:t><\/w:r><\/w:p><w:p w14:paraId="0000000C">.*Two/,
    )
  })

  test('a comment that is not there is refused with those that are', () => {
    expect(failure(annotated, { op: 'delete_comment', comment: 9 })).toContain(
      'there is no comment 9; the comments are 0, 1, 2',
    )
    expect(failure({ body: p('x') }, { op: 'reply_comment', comment: 1, text: 'x' })).toContain(
      'has no comments',
    )
  })

  test('without one that is refused the other comments and notes are there, each with what was done to it', () => {
    const { document, bytes } = openZoo({ body: p('One') + p('Two') + p('Three') })
    const log = logged([
      { op: 'add_comment', place: 'p1', text: 'First' },
      { op: 'add_comment', place: 'p2', text: 'Second' },
      { op: 'reply_comment', comment: 1, text: 'Yes' },
      { op: 'resolve_comment', comment: 1 },
      { op: 'add_footnote', place: 'p1', text: 'A' },
      { op: 'add_footnote', place: 'p2', text: 'B' },
      { op: 'set_note', note: 'footnote 2', text: 'Other' },
    ])
    const { changes } = unwrap(document.apply(log))
    const refused = changes.filter(({ place }) => / paragraph 1$/.test(place))
    const ids = new Set(refused.map(({ id }) => id))
    const some = unwrap(docxFormat.replay(bytes, log, ids, NAME))
    expect(some.dropped).toEqual([])
    expect(some.changes).toHaveLength(changes.length - refused.length)
    const content = toBytes(some.content, bytes)
    const left = unwrap(docxFormat.open(content, NAME))
    const shownNow = shown(left, { view: 'marked' }).join('\n')
    expect(shownNow).not.toMatch(/First|⟦comment 2⟧/)
    expect(partText(content, 'word/comments.xml')).toMatch(/Second.*Yes/)
    expect(partText(content, 'word/commentsExtended.xml')).toContain('w15:done="1"')
    expect(partText(content)).toMatch(
      /One<.*Two.*commentReference w:id="0".*commentReference w:id="1"/,
    )
    expect(partText(content, 'word/footnotes.xml')).toContain('Other')
  })

  test('in a part of a draft the tracked changes that were meant are settled, not those of the same ids', () => {
    const old = '<w:ins w:id="5" w:author="Bob"><w:r><w:t>Bob</w:t></w:r></w:ins>'
    const { document, bytes } = openZoo({ body: p('One ', old) + p('Two') + p('Three') })
    const track = { author: 'Ann' }
    const log = logged([
      { op: 'accept_revisions' },
      { op: 'replace_text', search: 'Two', replace: '2', track },
      { op: 'replace_text', search: 'Three', replace: '3', track },
      { op: 'reject_revisions', place: 'p3' },
    ])
    const { changes } = unwrap(document.apply(log))
    const some = unwrap(docxFormat.replay(bytes, log, new Set([changes[0]!.id]), NAME))
    const left = unwrap(docxFormat.open(toBytes(some.content, bytes), NAME))
    expect(shown(left, { view: 'marked' }).slice(0, 3)).toEqual([
      'p1|One {++Bob++}',
      'p2|{--Two--}{++2++}',
      'p3|Three',
    ])
  })
})

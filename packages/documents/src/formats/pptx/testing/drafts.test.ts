import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../../../../../test/verifies.ts'
import { OpcPackage } from '../../../opc/index.ts'
import { buildZip } from '../../../opc/zip.contract.ts'
import { pptxFormat } from '../format.ts'
import { looseEnds } from './whole.contract.ts'
import {
  content,
  edited,
  entriesOf,
  logged,
  NAME,
  partText,
  said,
  sp,
  table,
  title,
  zooDeck,
} from './zoo.contract.ts'

const deck = zooDeck({
  slides: [
    { shapes: `${title('One')}${content('First')}` },
    { shapes: `${title('Two')}${content('Second')}`, notes: 'Say two' },
    { shapes: `${title('Three')}${table(4, ['a', 'b'], ['c', 'd'])}` },
  ],
})

function replay(
  bytes: Uint8Array,
  operations: readonly Operation[],
  isRefused: (at: number) => boolean,
) {
  const log = logged(operations)
  const { changes } = unwrap(pptxFormat.replay(bytes, log, new Set(), NAME))
  const refused = new Set(changes.filter((_, at) => isRefused(at)).map(({ id }) => id))
  const replayed = unwrap(pptxFormat.replay(bytes, log, refused, NAME))
  return { ...replayed, bytes: toBytes(replayed.content, bytes) }
}

verifies(
  'CONTRACT §6 slides inserted before',
  'a refused slide moves no later change: each keeps the slide and shape it meant',
  () => {
    const operations = [
      { op: 'add_slide', at: 0, title: 'New' },
      { op: 'set_slide_text', index: 2, title: 'Second title' },
      { op: 'delete_slide', index: 3 },
      { op: 'move_slide', index: 1, to: 2 },
    ]
    expect(titles(replay(deck, operations, () => false).bytes)).toEqual([
      'New',
      'Second title',
      'One',
    ])
    const left = replay(deck, operations, at => at === 0)
    expect(titles(left.bytes)).toEqual(['Second title', 'One'])
    expect(left.changes.map(({ place }) => place)).toEqual([
      'slide 2 › Title 1 #2',
      'slide 3',
      'slide 1 moved',
    ])
  },
)

verifies(
  'CONTRACT §6 review slides',
  'a review names the slide and the shape of each change',
  () => {
    const { changes } = replay(
      deck,
      [
        { op: 'set_slide_text', index: 1, body: 'Other' },
        { op: 'set_table', index: 2, values: [['x']], row: 2 },
        { op: 'set_notes', index: 1, text: 'Say nothing' },
      ],
      () => false,
    )
    expect(changes.map(({ place, before, after }) => [place, before?.text, after?.text])).toEqual([
      ['slide 2 › Content Placeholder 2 #3', 'Second', 'Other'],
      ['slide 3 › Table 4 #4, row 2, column 1', 'c', 'x'],
      ['slide 2 › notes', 'Say two', 'Say nothing'],
    ])
  },
)

verifies(
  'CONTRACT §6 moved deck rebased',
  'a deck that somebody saved meanwhile takes the draft where its shapes are as they were',
  () => {
    const log = logged([
      { op: 'set_slide_text', index: 1, title: 'Mine' },
      { op: 'add_slide', at: 3, title: 'End' },
    ])
    const current = edited(
      deck,
      { op: 'move_slide', index: 1, to: 0 },
      { op: 'set_slide_text', index: 1, body: 'Theirs' },
      { op: 'delete_slide', index: 2 },
    )
    const conflict = rebase(log, current)
    expect(conflict.ok ? '' : conflict.failure.message).toMatch(/new slide \d+: it changed on disk/)
    const moved = rebase(log.slice(0, 1), current)
    expect(titles(toBytes(unwrap(moved).content, current))).toEqual(['Mine', 'One'])
    const changed = edited(deck, { op: 'set_slide_text', index: 1, title: 'Theirs' })
    const refused = rebase(log, changed)
    expect(refused.ok ? '' : refused.failure.message).toMatch(
      /slide 2 › Title 1 #2: it changed on disk; the draft has "Mine"/,
    )
    const again = unwrap(pptxFormat.replay(current, unwrap(moved).log, new Set(), NAME))
    expect(titles(toBytes(again.content, current))).toEqual(['Mine', 'One'])
  },
)

function rebase(log: ReturnType<typeof logged>, current: Uint8Array, base = deck) {
  const planned = unwrap(pptxFormat.replay(base, log, new Set(), NAME)).content
  return pptxFormat.rebase!({
    name: NAME,
    base,
    current,
    log,
    refused: new Set(),
    planned,
    version: 'v2',
    since: 'since then',
    advice: 'Read it again.',
    isDraft: true,
  })
}

describe('what somebody else wrote meanwhile', () => {
  test.each([
    ['notes where there were none', 0],
    ['notes that were there', 1],
  ])('%s is not written over', (_, index) => {
    const theirs = edited(deck, { op: 'set_notes', index, text: 'Theirs' })
    const result = rebase(logged([{ op: 'set_notes', index, text: 'Mine' }]), theirs)
    expect(result.ok ? '' : result.failure.message).toMatch(
      /notes: it changed on disk; the draft has "Mine"/,
    )
  })

  const bare = zooDeck({ slides: [{ shapes: content('Text') }, { shapes: content('More') }] })
  const titled = logged([{ op: 'set_slide_text', index: 0, title: 'Mine' }])

  test('a title in the place of the same layout is not written over', () => {
    const theirs = edited(bare, { op: 'hide_slide', index: 1 }, { op: 'set_slide_text', index: 0, title: 'Theirs' }) // biome-ignore format: one line
    const result = rebase(titled, withNewIds(theirs), bare)
    expect(result.ok ? '' : result.failure.message).toMatch(/it changed on disk/)
  })

  test('an empty title that came is filled', () => {
    const theirs = withNewIds(edited(bare, { op: 'apply_layout', index: 0, layout: 'Two Content' }))
    const bytes = toBytes(unwrap(rebase(titled, theirs, bare)).content, theirs)
    expect(partText(bytes, 'ppt/slides/slide1.xml').match(/type="title"/g)).toHaveLength(1)
    expect(titles(bytes)[0]).toBe('Mine')
  })
})

/** As another program would have numbered what it added. */
function withNewIds(bytes: Uint8Array): Uint8Array {
  const names = [...entriesOf(bytes).keys()]
  return buildZip(
    names.map(name => {
      const part = unwrap(unwrap(OpcPackage.open(bytes)).part(name))
      const text = Buffer.from(part).toString('latin1')
      const data = /slides\/slide\d+\.xml$/.test(name)
        ? Buffer.from(text.replace(/cNvPr id="\d{6,}"/g, 'cNvPr id="77"'), 'latin1')
        : part
      return { name, data }
    }),
  )
}

function titles(bytes: Uint8Array): readonly string[] {
  const { fields } = unwrap(unwrap(pptxFormat.open(bytes, NAME)).read({}, { maxBytes: 1_000_000 }))
  return (fields.slides as { title: string }[]).map(own => own.title)
}

describe('changes of a deck', () => {
  test('a copy is edited, and the original keeps every byte', () => {
    const copied = edited(
      deck,
      { op: 'duplicate_slide', index: 1 },
      { op: 'set_slide_text', index: 2, title: 'Copy' },
      { op: 'set_notes', index: 2, text: 'Say copy' },
      { op: 'duplicate_slide', index: 3 },
      { op: 'set_table', index: 4, values: [['copy']] },
    )
    const before = entriesOf(deck)
    const after = entriesOf(copied)
    for (const name of before.keys())
      if (/\/(slides|notesSlides)\//.test(name))
        expect(Buffer.compare(before.get(name)!, after.get(name)!), name).toBe(0)
    expect(said(copied, { slide_index: 2 })).toEqual(['Copy', 'Second', 'Say copy'])
    expect(said(copied, { slide_index: 4 })).toEqual(['Three', 'copy | b', 'c | d'])
    expect(looseEnds(copied)).toEqual([])
  })

  test('a slide that is copied and deleted leaves the deck as it read', () => {
    fc.assert(
      fc.property(fc.nat(2), fc.nat(3), (index, to) => {
        const bytes = edited(
          deck,
          { op: 'duplicate_slide', index, to },
          { op: 'delete_slide', index: to },
        )
        expect(said(bytes)).toEqual(said(deck))
        expect(looseEnds(bytes)).toEqual([])
        expect([...entriesOf(bytes).keys()]).toEqual([...entriesOf(deck).keys()])
      }),
      { numRuns: 12 },
    )
  })

  test('any part of the changes can be refused, and the rest says the same as if it stood alone', () => {
    const operations = [
      { op: 'replace_text', search: 'T', replace: 'X' },
      { op: 'append_bullets', index: 0, bullets: ['More'] },
      { op: 'add_slide', at: 1, title: 'New', body: 'Text' },
      { op: 'append_bullets', index: 1, bullets: ['To the new one'] },
      { op: 'insert_table_rows', index: 3, values: [['e', 'f']] },
      { op: 'set_table', index: 3, values: [['g']], row: 3 },
      { op: 'delete_slide', index: 2 },
    ]
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }), refused => {
        const { bytes, changes, dropped } = replay(deck, operations, at => refused[at]!)
        expect(looseEnds(bytes)).toEqual([])
        const text = said(bytes).join('\n')
        const isLeft = (op: string, place: RegExp) =>
          changes.some(change => change.operation.op === op && place.test(change.place))
        expect(text.includes('To the new one')).toBe(isLeft('append_bullets', /new slide/))
        expect(/^g \| f$/m.test(text)).toBe(isLeft('set_table', /row 3/))
        expect(/^More$/m.test(text)).toBe(isLeft('append_bullets', /slide 1/))
        for (const id of dropped) expect(changes.some(change => change.id === id)).toBe(false)
      }),
      { numRuns: 20 },
    )
  })

  test('what a layout brought goes with it', () => {
    const operations = [
      { op: 'apply_layout', index: 0, layout: 'Two Content' },
      { op: 'set_placeholder', index: 0, placeholder: '2', text: 'On the right' },
      { op: 'set_slide_text', index: 0, title: 'Kept' },
    ]
    const left = replay(deck, operations, at => at === 0)
    expect(left.dropped).toHaveLength(1)
    expect(said(left.bytes, { slide_index: 0 })).toEqual(['Kept', 'First'])
  })

  test.each<Operation>([
    { op: 'replace_text', search: 'T', replace: 'X' },
    { op: 'format_text', search: 'T', bold: true },
    { op: 'set_hyperlink', search: 'T', url: 'https://example.org/' },
    { op: 'set_footer', text: 'Draft' },
    { op: 'set_slide_text', index: 0, title: 'Kept', body: 'Gone' },
    { op: 'set_table', index: 4, values: [['x'], ['y'], ['z']] },
    { op: 'set_table', index: 4, values: [['x', 'y', 'z']] },
    { op: 'delete_table_rows', index: 4, rows: [1, 3] },
    { op: 'delete_table_columns', index: 4, columns: [1, 3] },
    { op: 'format_table', index: 4, shading: 'D9E2F3' },
  ])('what is left of an operation on things of which one was refused is done: $op', operation => {
    const operations = [
      { op: 'duplicate_slide', index: 0 },
      { op: 'add_slide', at: 1, title: 'The new one', body: 'Text' },
      { op: 'insert_table_rows', index: 4, values: [['T', 'f']] },
      { op: 'insert_table_columns', index: 4, values: ['T', 'g', 'h'] },
      { op: 'apply_layout', index: 0, layout: 'Title Only' },
      { op: 'apply_layout', index: 0, layout: 'Two Content' },
      operation,
    ]
    const all = replay(deck, operations, () => false).changes
    for (const [at, { id }] of all.entries()) {
      const some = replay(deck, operations, own => own === at)
      const left = [...some.changes.map(own => own.id), ...some.dropped, id]
      expect(new Set(left)).toEqual(new Set(all.map(own => own.id)))
      expect(looseEnds(some.bytes)).toEqual([])
    }
  })

  test('two versions are compared by slide and shape', () => {
    const after = edited(
      deck,
      { op: 'set_slide_text', index: 0, body: 'Changed' },
      { op: 'delete_slide', index: 1 },
      { op: 'add_slide', title: 'Fresh' },
    )
    const difference = unwrap(pptxFormat.diff!(deck, after, NAME))
    if (difference.by !== 'places') throw new Error('Decks are compared by places')
    expect(
      difference.changes.map(({ kind, place, before, after: now }) => [
        kind,
        place,
        before?.text,
        now?.text,
      ]),
    ).toEqual([
      ['slide', 'slide 2', 'Two\nTwo\nSecond', undefined],
      ['text', 'slide 1 › Content Placeholder 2 #3', 'First', 'Changed'],
      ['slide', expect.stringMatching(/^slide 3$/), undefined, 'Fresh\nFresh'],
    ])
  })
})

describe('what stands twice', () => {
  const twice = zooDeck({
    slides: [{ shapes: `${sp(2, 'Box', 'a')}${sp(2, 'Other', 'b')}${sp(4, 'Box', 'c')}` }],
  })
  test.each([
    [
      { op: 'set_shape_text', index: 0, shape: 2, text: 'x' },
      /the id 2 stands for 2 shapes of slide 0; name one by its id: 2~1 \(Box\), 2~2 \(Other\)/,
    ],
    [
      { op: 'set_shape_text', index: 0, shape: 'box', text: 'x' },
      /the name "box" stands for 2 shapes/,
    ],
  ])('%j is refused as ambiguous', (operation, message) => {
    const result = unwrap(pptxFormat.open(twice, NAME)).apply(logged([operation]))
    expect(result.ok ? '' : result.failure.message).toMatch(message)
  })

  test('one of them can be named as the map shows it', () => {
    const bytes = edited(twice, { op: 'set_shape_text', index: 0, shape: '2~2', text: 'x' })
    expect(said(bytes)).toEqual(['a', 'x', 'c'])
    expect(partText(bytes, 'ppt/slides/slide1.xml')).toContain('<a:t>x</a:t>')
  })
})

verifies(
  'CONTRACT §4 get_file_info deck',
  'the map of a deck has slides with titles, layouts and notes',
  () => {
    const { text, fields } = unwrap(unwrap(pptxFormat.open(deck, NAME)).map())
    expect(fields).toMatchObject({
      slides: [
        { index: 0, title: 'One', layout: 'Title and Content' },
        { index: 1, title: 'Two', notes: 'Say two' },
        { index: 2, title: 'Three', shapes: [{ id: '2' }, { id: '4', kind: 'table 2 × 2' }] },
      ],
    })
    expect(text).toContain('slide_index 1: Two [layout Title and Content, notes]')
  },
)

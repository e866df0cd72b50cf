import { type Change, type ChangeId, type Operation, unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { docxFormat } from '../format.ts'
import { logged, NAME, openZoo, p, styled } from './zoo.contract.ts'

/** What is refused with a change: all that needs it. */
function closure(changes: readonly Change[], first: ChangeId): ReadonlySet<ChangeId> {
  const refused = new Set([first])
  for (const { id, dependsOn } of changes)
    if (dependsOn.some(own => refused.has(own))) refused.add(id)
  return refused
}

const LIST: Operation = {
  op: 'insert_list',
  items: ['One.', 'Two.', 'Three.'],
  ordered: true,
  after: 'p1',
}
const VALUES = [
  ['a', 'b'],
  ['c', 'd'],
]

/** Later operations, by what they take from the paragraphs that an earlier one made. */
const REFERRING: Readonly<Record<string, (ids: readonly string[]) => Operation>> = {
  'a list beside it': () => ({
    op: 'insert_list',
    items: ['A.', 'B.'],
    ordered: true,
    after: 'p2',
  }),
  'a list like it': ([id]) => ({ op: 'insert_list', items: ['A.'], like: id, after: 'p2' }),
  'a list behind it': ([, , id]) => ({ op: 'insert_list', items: ['A.'], after: id }),
  'a paragraph like it': ([id]) => ({ op: 'insert_paragraph', text: 'A.', like: id, after: 'p2' }),
  'a paragraph behind it': ([id]) => ({ op: 'insert_paragraph', text: 'A.', after: id }),
  'a list that counts anew': ([, id]) => ({ op: 'restart_list', place: id, start: 7 }),
  'a list that goes on behind it': () => ({ op: 'continue_list', place: 'p3' }),
  'a reference to it': ([id]) => ({
    op: 'insert_cross_reference',
    target: id,
    search: 'Last',
    show: 'number',
  }),
  'a move behind it': ([id]) => ({ op: 'move_paragraph', place: 'p2', after: id }),
  'a move of them': ids => ({ op: 'move_paragraph', place: ids, after: 'p2' }),
  'a style for them': ids => ({ op: 'set_style', place: ids, style: 'Heading 1' }),
  'their deletion': ids => ({ op: 'delete_paragraph', place: ids }),
  'their new text': ids => ({
    op: 'set_paragraphs',
    paragraphs: ids.map(id => ({ place: id, text: 'New.' })),
  }),
  'a footnote in it': () => ({ op: 'add_footnote', search: 'One', text: 'Note.' }),
  'a comment on it': () => ({ op: 'add_comment', search: 'One', text: 'Why?' }),
  'a replacement in all': () => ({ op: 'replace_text', search: '.', replace: '!' }),
  'a page break in front of it': ([id]) => ({ op: 'insert_page_break', before: id }),
  'a section break behind it': ([id]) => ({ op: 'insert_section_break', after: id }),
  'Markdown behind it': ([id]) => ({
    op: 'insert_markdown',
    markdown: '# A\n\n- b\n- c',
    after: id,
  }),
  'a table behind it': ([id]) => ({ op: 'insert_table', values: VALUES, after: id }),
}

const BODY = p('First.') + p('Last.') + styled('ListNumber', 'Old.')

test.each(Object.entries(REFERRING))(
  'each item of a list can be refused beside %s',
  (_, referring) => {
    const first = openZoo({ body: BODY }).document
    const ids = unwrap(first.apply(logged([LIST]))).results[0]!.paragraphs as string[]
    const { document, bytes } = openZoo({ body: BODY })
    const log = logged([LIST, referring(ids)])
    const { changes, traces } = unwrap(document.apply(log))
    const traced = log.map((own, at) => ({ ...own, trace: traces[at]! }))
    const firstOf = changes.filter(({ operation }) => operation.index === 0)
    expect(firstOf).toHaveLength(3)
    for (const { id } of firstOf) {
      const refused = closure(changes, id)
      const replayed = unwrap(docxFormat.replay(bytes, traced, refused, NAME))
      const kept = changes.filter(own => !refused.has(own.id)).map(own => own.id)
      expect(replayed.changes.map(own => own.id)).toEqual(kept)
    }
  },
)

test('a table that looks like a new one is refused with it', () => {
  const { document } = openZoo({ body: BODY })
  const tables = ['p1', 'p2'].map(after => ({ op: 'insert_table', values: VALUES, after }))
  const { changes } = unwrap(document.apply(logged(tables)))
  expect(changes[1]!.dependsOn).toEqual([changes[0]!.id])
})

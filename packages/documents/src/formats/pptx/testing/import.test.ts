import { type Operation, type Sha256, toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { newRepairFaults, repairFaults } from '../../../../../../test/repair-lint/lint.ts'
import {
  type CorpusFile,
  corpusFiles,
  hasCorpus,
  readCorpusFile,
  sampleOf,
} from '../../../corpus.contract.ts'
import { DeckDocument } from '../document.ts'
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

const HASH = 'b'.repeat(64) as Sha256
const TYPE = 'application/vnd.openxmlformats-officedocument.presentationml'

/** With a chart, notes, a table in a style of its own, a link between slides, a comment and a picture. */
const SOURCE = edited(
  zooDeck({
    slides: [
      {
        shapes: `${title('First there')}${content('See <a:r/>'.replace('<a:r/>', 'two'))}`,
        notes: 'Say there',
        links: [
          ['rId5', 'slide', 'slide2.xml'],
          ['rId6', 'comments', '../comments/comment1.xml'],
        ],
      },
      {
        layout: 6,
        shapes: `${title('Second there')}${table(4, ['a', 'b']).replace('<a:tblPr firstRow="1" bandRow="1"/>', '<a:tblPr><a:tableStyleId>{AAAAAAAA-0000-0000-0000-000000000001}</a:tableStyleId></a:tblPr>')}`,
      },
    ],
    parts: {
      'ppt/comments/comment1.xml': `<p:cmLst xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"/>`,
    },
    types: `<Override PartName="/ppt/comments/comment1.xml" ContentType="${TYPE}.comments+xml"/>`,
  }),
  {
    op: 'add_chart',
    index: 1,
    type: 'column',
    categories: ['May'],
    series: [{ name: 'Tea', values: [3] }],
  },
  { op: 'set_hyperlink', index: 0, search: 'two', url: '#1' },
)
const TARGET = zooDeck({
  slides: [
    { shapes: `${title('One')}${content('Here')}` },
    { shapes: `${title('Two')}${content('Here too')}`, notes: 'Say two' },
  ],
})

function log(operations: readonly Operation[]) {
  return logged(operations).map(each => ({ ...each, inputs: { 'other.pptx': HASH } }))
}

function imported(
  fields: Record<string, unknown>,
  bytes = TARGET,
  source = SOURCE,
  more: readonly Operation[] = [],
) {
  const document = unwrap(DeckDocument.open(bytes, NAME))
  const operations = log([{ op: 'import_slides', from: 'other.pptx', ...fields }, ...more])
  const result = document.apply(operations, {
    inputs: { [HASH]: source },
    allowBreakSignature: true,
  })
  return { document, result, saved: () => toBytes(unwrap(document.content()), bytes) }
}

function titles(bytes: Uint8Array): readonly string[] {
  const { fields } = unwrap(unwrap(pptxFormat.open(bytes, NAME)).read({}, { maxBytes: 1_000_000 }))
  return (fields.slides as { title: string }[]).map(own => own.title)
}

describe('slides of another deck', () => {
  test('come whole, in the design of this deck', () => {
    const { saved, result } = imported({ at: 1 })
    const bytes = saved()
    expect(titles(bytes)).toEqual(['One', 'First there', 'Second there', 'Two'])
    expect(said(bytes, { slide_index: 1 })).toEqual(['First there', 'See two', 'Say there'])
    expect(said(bytes, { slide_index: 2 })).toContain('Tea: 3')
    expect(looseEnds(bytes)).toEqual([])
    expect(newRepairFaults(TARGET, bytes)).toEqual([])
    expect(unwrap(DeckDocument.open(bytes, NAME)).deck.masters).toHaveLength(1)
    expect(unwrap(result).warnings).toEqual(['Comments on 1 slide of other.pptx stay behind.'])
    // the link follows the slide that it opened
    const own = unwrap(DeckDocument.open(bytes, NAME)).deck
    const [, first, second] = own.slides
    const link = own.package.links(first!.page.part).find(({ kind }) => kind === 'slide')
    expect(link?.target).toBe(second!.page.part)
    const before = entriesOf(TARGET)
    for (const [name, bytesOf] of entriesOf(bytes))
      if (before.has(name) && !/presentation\.xml|Content_Types/.test(name))
        expect(Buffer.compare(bytesOf, before.get(name)!), name).toBe(0)
  })

  test('a chart that came along is edited with its workbook', () => {
    const { saved } = imported({ slides: [1] }, TARGET, SOURCE, [
      { op: 'set_chart', index: 2, series: [{ name: 'Tea', values: [9] }] },
    ])
    expect(said(saved(), { slide_index: 2 })).toContain('Tea: 9')
    expect(looseEnds(saved())).toEqual([])
  })

  test('bring master, layouts and theme where design is source, once', () => {
    const red = zooDeck({
      slides: [{ shapes: title('Red') }, { shapes: title('Redder') }],
      parts: {
        'ppt/theme/theme1.xml': partText(SOURCE, 'ppt/theme/theme1.xml').replace(
          /name="[^"]*"/,
          'name="Red"',
        ),
      },
    })
    const once = imported({ design: 'source', slides: '0' }, TARGET, red)
    expect(unwrap(once.result).changes.map(({ description }) => description)).toEqual([
      'design Red of other.pptx with 8 layouts',
      'slide 1 of other.pptx, layout Title and Content',
    ])
    const bytes = once.saved()
    const { deck } = unwrap(DeckDocument.open(bytes, NAME))
    expect(deck.masters).toHaveLength(2)
    expect(deck.layoutOf(deck.slides[2]!.page)?.master?.part).toBe(deck.masters[1]!.part)
    const ids = [
      ...deck.masters.map(own => deck.masterId(own)),
      ...deck.layouts.map(own => deck.layoutId(own)),
    ]
    expect(new Set(ids).size).toBe(ids.length)
    expect(looseEnds(bytes)).toEqual([])
    expect(newRepairFaults(TARGET, bytes)).toEqual([])
    const again = imported({ design: 'source', slides: '1' }, bytes, red).saved()
    expect(unwrap(DeckDocument.open(again, NAME)).deck.masters).toHaveLength(2)
    expect(titles(again)).toEqual(['One', 'Two', 'Red', 'Redder'])
  })

  test('a refused slide stays behind alone, a refused design takes its slides along', () => {
    const red = zooDeck({
      slides: [{ shapes: title('Red') }, { shapes: title('Redder') }],
      parts: {
        'ppt/theme/theme1.xml': partText(SOURCE, 'ppt/theme/theme1.xml').replace(
          /name="[^"]*"/,
          'name="Red"',
        ),
      },
    })
    const operations = log([
      { op: 'import_slides', from: 'other.pptx', design: 'source' },
      { op: 'set_slide_text', index: 3, title: 'Reddest' },
    ])
    const inputs = { [HASH]: red }
    const all = unwrap(pptxFormat.replay(TARGET, operations, new Set(), NAME, inputs))
    const [design, first, second, text] = all.changes
    expect(second!.dependsOn).toEqual([design!.id])
    expect(text!.dependsOn).toEqual([second!.id])
    const some = unwrap(pptxFormat.replay(TARGET, operations, new Set([first!.id]), NAME, inputs))
    expect(titles(toBytes(some.content, TARGET))).toEqual(['One', 'Two', 'Reddest'])
    const none = new Set(all.changes.map(({ id }) => id))
    const left = unwrap(pptxFormat.replay(TARGET, operations, none, NAME, inputs))
    expect(Buffer.compare(toBytes(left.content, TARGET), TARGET)).toBe(0)
  })

  test('slides of another size are scaled with their texts', () => {
    const small = zooDeck({
      slides: [
        {
          shapes: sp(5, 'Box', '<a:p><a:r><a:rPr sz="2000"/><a:t>Boxed</a:t></a:r></a:p>').replace(
            '<p:spPr/>',
            '<p:spPr><a:xfrm><a:off x="0" y="1000"/><a:ext cx="6096000" cy="3429000"/></a:xfrm></p:spPr>',
          ),
        },
      ],
      parts: {
        'ppt/presentation.xml': partText(
          zooDeck({ slides: [{ shapes: '' }] }),
          'ppt/presentation.xml',
        ).replace(/<p:sldSz[^>]*>/, '<p:sldSz cx="6096000" cy="3429000"/>'),
      },
    })
    const { saved, result } = imported({}, TARGET, small)
    const { deck } = unwrap(DeckDocument.open(saved(), NAME))
    const xml = partText(saved(), deck.slides[2]!.page.part)
    expect(xml).toContain('<a:off x="0" y="2000"/><a:ext cx="12192000" cy="6858000"/>')
    expect(xml).toContain('sz="4000"')
    expect(unwrap(result).warnings[0]).toMatch(/480 × 270 points.*960 × 540.*scaled to 200 %/)
  })

  test.each([
    [{ slides: [2] }, /the other deck has no slide 2; its last slide is 1/],
    [{ slides: 'x' }, /slides is a list of indexes from 0/],
    [{ slides: [0, 0] }, /named twice/],
    [{ design: 'mine' }, /design is "target"/],
  ])('%j is refused', (fields, message) => {
    const { result } = imported(fields)
    expect(result.ok ? '' : result.failure.message).toMatch(message)
  })
})

const isDeck = ({ file, category }: CorpusFile) =>
  category === 'pptx' && /\.(pptx|pptm|potx)$/.test(file)
const files = sampleOf(corpusFiles(isDeck), 3)
const other = corpusFiles(isDeck)[5]

describe.skipIf(!hasCorpus)('slides of real decks', () => {
  test.each(files)('$file: imported into another deck in both designs', file => {
    const source = readCorpusFile(file)
    const there = unwrap(DeckDocument.open(source, NAME))
    if (there.deck.slides.length === 0) return
    const target = readCorpusFile(other!)
    const count = unwrap(DeckDocument.open(target, NAME)).deck.slides.length
    for (const design of ['target', 'source']) {
      const { result, saved } = imported({ design }, target, source)
      if (!result.ok) {
        expect(result.failure.message).toMatch(/strict|does not have/)
        continue
      }
      const bytes = saved()
      expect(titles(bytes)).toEqual([...titles(target), ...titles(source)])
      expect(looseEnds(bytes).filter(fault => !looseEnds(target).includes(fault))).toEqual([])
      const { deck } = unwrap(DeckDocument.open(bytes, NAME))
      expect(deck.slides).toHaveLength(count + there.deck.slides.length)
      if (repairFaults(source).length === 0) expect(newRepairFaults(target, bytes)).toEqual([])
      // what was imported can be deleted again, and nothing of it stays
      const document = unwrap(DeckDocument.open(bytes, NAME))
      const away = deck.slides.slice(count).map(() => ({ op: 'delete_slide', index: count }))
      unwrap(document.apply(logged(away), { allowBreakSignature: true }))
      expect(titles(toBytes(unwrap(document.content()), bytes))).toEqual(titles(target))
    }
  })
})

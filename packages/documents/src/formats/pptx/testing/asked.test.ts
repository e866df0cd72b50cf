import { type Operation, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { pptxFormat } from '../format.ts'
import {
  content,
  edited,
  logged,
  NAME,
  partText,
  said,
  sp,
  table,
  title,
  zooDeck,
} from './zoo.contract.ts'

/** What came up when real decks were worked on. */
const deck = zooDeck({
  slides: [
    { layout: 1, shapes: sp(2, 'Title 1', 'Report', '<p:ph type="ctrTitle"/>') },
    {
      shapes: `${title('List')}${content('<a:p><a:r><a:t>One</a:t></a:r></a:p><a:p><a:pPr lvl="1"/><a:r><a:t>Below</a:t></a:r></a:p><a:p/>')}`,
      notes: 'Say One',
    },
    { layout: 8, shapes: sp(2, 'Box', 'Alone') },
    { layout: 6, shapes: `${title('Table')}${table(4, ['A', 'B'], ['1', '2'], ['3', '4'])}` },
  ],
})

function applied(operation: Operation) {
  return unwrap(pptxFormat.open(deck, NAME)).apply(logged([operation]))
}

function refusal(operation: Operation) {
  const result = applied(operation)
  if (result.ok) throw new Error('It was done')
  return result.failure
}

describe('slides that are added', () => {
  test.each([
    ['behind a blank slide', { at: 3, title: 'New', body: 'Text' }, 'Title and Content'],
    ['with a title alone', { at: 3, title: 'New' }, 'Title and Content'],
    ['without any text', { at: 3 }, 'Blank'],
    ['behind the title slide', { at: 1, title: 'New' }, 'Title and Content'],
    ['behind a slide with a title alone', { at: 4, title: 'New' }, 'Title Only'],
    [
      'behind a slide with a title alone, with a body',
      { at: 4, title: 'New', body: 'Text' },
      'Title and Content',
    ],
  ])('%s they have a layout with a place for each text', (_, fields, layout) => {
    const [result] = unwrap(applied({ op: 'add_slide', ...fields })).results
    expect(result).toMatchObject({ layout })
  })
})

describe('bullets', () => {
  test('look like most of the bullet above, not like its bold beginning', () => {
    const person = '<a:p><a:r><a:rPr b="1"/><a:t>Ann Lee</a:t></a:r><a:r><a:rPr sz="1400"/><a:t>, head of support</a:t></a:r></a:p>' // biome-ignore format: one paragraph
    const bytes = edited(zooDeck({ slides: [{ shapes: content(person) }] }), {
      op: 'append_bullets',
      index: 0,
      bullets: ['Bob Ray, sales'],
    })
    expect(partText(bytes, 'ppt/slides/slide1.xml')).toMatch(
      /<a:rPr sz="1400"\/><a:t>Bob Ray, sales</,
    )
  })

  test('of a level that the body has not look like the line above, not like a remark at its end', () => {
    const remark = '<a:p><a:r><a:rPr sz="1000" i="1"/><a:t>Draft</a:t></a:r></a:p>'
    const goal = '<a:p><a:r><a:rPr sz="2000"/><a:t>Goal</a:t></a:r></a:p>'
    const bytes = edited(zooDeck({ slides: [{ shapes: content(`${goal}<a:p/>${remark}`) }] }), {
      op: 'set_slide_text',
      index: 0,
      body: ['Goals', { text: 'Ship', level: 1 }],
    })
    expect(partText(bytes, 'ppt/slides/slide1.xml')).toMatch(/<a:rPr sz="2000"\/><a:t>Ship</)
  })

  test('begin with the spaces with which the others of their level begin', () => {
    const line = (text: string) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`
    const bulletsAfter = (...texts: readonly string[]) => {
      const bytes = zooDeck({ slides: [{ shapes: content(texts.map(line).join('')) }] })
      const more = { op: 'append_bullets', index: 0, bullets: ['New'] }
      return partText(edited(bytes, more), 'ppt/slides/slide1.xml')
    }
    expect(bulletsAfter(' One', ' Two')).toMatch(/<a:t[^>]*> New</)
    expect(bulletsAfter(' One', 'Two')).toMatch(/<a:t[^>]*>New</)
  })

  test('come in front of an empty line at the end', () => {
    const bytes = edited(deck, {
      op: 'append_bullets',
      index: 1,
      bullets: ['Two', { text: 'Under it', level: 1 }],
    })
    const [, list] = /name="Content Placeholder 2".*?(<a:p>.*?)<\/p:txBody>/s.exec(
      partText(bytes, 'ppt/slides/slide2.xml'),
    )!
    expect([...list!.matchAll(/<a:p\/>|<a:t>(.*?)<\/a:t>/g)].map(own => own[1] ?? '')).toEqual([
      'One',
      'Below',
      'Two',
      'Under it',
      '',
    ])
  })
})

test('an answer names slides as a call does', () => {
  for (const operation of [
    { op: 'replace_text', search: 'One', replace: 'Uno' },
    { op: 'format_text', search: 'One', bold: true },
  ])
    expect(unwrap(applied(operation)).results[0]).toMatchObject({
      places: expect.arrayContaining(['slide_index 1 › Content Placeholder 2 #3']),
    })
})

describe('columns', () => {
  test.each([
    ['a list for each new column', [['C', '5', '6']]],
    ['a list for each row', [['C'], ['5'], ['6']]],
    ['a value for each row', ['C', '5', '6']],
  ])('take their values as %s', (_, values) => {
    const bytes = edited(deck, { op: 'insert_table_columns', index: 3, values })
    expect(said(bytes, { slide_index: 3 })).toEqual([
      'Table',
      'A | B | C',
      '1 | 2 | 5',
      '3 | 4 | 6',
    ])
  })

  test('take rows from a square of values', () => {
    const values = ['abc', 'def', 'ghi'].map(row => [...row])
    const bytes = edited(deck, { op: 'insert_table_columns', index: 3, values })
    expect(said(bytes, { slide_index: 3 })[1]).toBe('A | B | a | b | c')
  })
})

test('a slide whose placeholder holds a table says so where it has no place for bullets', () => {
  const filled = table(7, ['A']).replace('<p:nvPr/>', '<p:nvPr><p:ph idx="1"/></p:nvPr>')
  const bytes = zooDeck({ slides: [{ shapes: title('T') + filled }] })
  const result = unwrap(pptxFormat.open(bytes, NAME)).apply(
    logged([{ op: 'append_bullets', index: 0, bullets: ['One'] }]),
  )
  expect(result.ok ? '' : result.failure.message).toContain(
    'no body placeholder, and neither has its layout "Title and Content" (it has title, obj, filled with 7 (Table 7))',
  )
})

test('rows below the end of the slide are warned of', () => {
  const few = unwrap(applied({ op: 'insert_table_rows', index: 3, count: 2 }))
  expect(few.warnings).toEqual([])
  const many = unwrap(applied({ op: 'insert_table_rows', index: 3, count: 20 }))
  expect(many.warnings).toEqual([
    expect.stringMatching(/^Table 4 ends \d+(\.\d)? points below slide 3; delete rows/),
  ])
})

describe('links and looks', () => {
  test.each([
    { op: 'set_hyperlink', index: 1, search: 'One', url: 'https://example.org/?a=1&b=2' },
    { op: 'format_text', index: 1, search: 'One', bold: true },
  ])('$op leaves the notes alone', operation => {
    const bytes = edited(deck, operation)
    const notes = 'ppt/notesSlides/notesSlide2.xml'
    expect(partText(bytes, notes)).toBe(partText(deck, notes))
    const named = edited(deck, { ...operation, shape: 'notes' })
    expect(partText(named, notes)).not.toBe(partText(deck, notes))
  })

  test.each([
    ['slide 2', '#2'],
    ['www.example.org/a', 'https://www.example.org/a'],
  ])('the address %j is refused, and %j offered', (url, meant) => {
    const { message, details } = refusal({ op: 'set_hyperlink', index: 1, search: 'One', url })
    expect(message).toContain(`${JSON.stringify(url)} is no address`)
    expect(details?.meant).toEqual([expect.objectContaining({ url: meant })])
  })

  test('an address with spaces is refused', () => {
    const operation = { op: 'set_hyperlink', index: 1, search: 'One', url: 'our home page' }
    expect(refusal(operation).message).toContain('has no spaces')
  })
})

test('a placeholder that comes with a layout is empty, and not without text', () => {
  const bytes = edited(deck, { op: 'apply_layout', index: 1, layout: 'Two Content' })
  expect(partText(bytes, 'ppt/slides/slide2.xml')).toMatch(
    /<p:ph [^>]*idx="2"\/>.*?<p:spPr\/><p:txBody><a:bodyPr\/><a:lstStyle\/><a:p\/><\/p:txBody><\/p:sp>/,
  )
})

test('a slide that is not well-formed is no slide of the deck, in a map and in an edit', () => {
  const broken = zooDeck({
    slides: [{ shapes: title('One') }, { shapes: '<p:sp>' }, { shapes: title('Three') }],
  })
  const { fields } = unwrap(unwrap(pptxFormat.open(broken, NAME)).map())
  expect(fields.slides).toMatchObject([{ title: 'One' }, { index: 1, title: 'Three' }])
  const bytes = edited(broken, { op: 'set_slide_text', index: 1, title: 'New' })
  expect(said(bytes)).toEqual(['One', 'New'])
  expect(partText(bytes, 'ppt/slides/slide2.xml')).toBe(partText(broken, 'ppt/slides/slide2.xml'))
})

describe('what lies over something else is told', () => {
  const text = ['One', 'Two', 'Three', 'Four', 'Five'].join('\n')
  const crowded = zooDeck({
    slides: [{ shapes: `${title('List')}${content(text)}` }, { shapes: title('Empty') }],
  })
  const chart = { op: 'add_chart', type: 'pie', categories: ['a'], series: [{ values: [1] }] }
  const under = (top: number) => {
    const box = `<p:spPr><a:xfrm><a:off x="0" y="${top}"/><a:ext cx="2000000" cy="400000"/></a:xfrm></p:spPr>`
    const beside = sp(5, 'Box', 'Below').replace('<p:spPr/>', box)
    return zooDeck({ slides: [{ shapes: `${table(4, ['A'], ['1'])}${beside}` }] })
  }
  const warningsOf = (bytes: Uint8Array, operation: Operation) =>
    unwrap(unwrap(pptxFormat.open(bytes, NAME)).apply(logged([operation]))).warnings

  test('a chart in the middle of a slide with text', () => {
    expect(warningsOf(crowded, { ...chart, index: 0 })).toEqual([
      expect.stringMatching(
        /^Chart \(\d+\) on slide 0 lies over Content Placeholder 2 \(3\); move_shape makes room\.$/,
      ),
    ])
    expect(warningsOf(crowded, { ...chart, index: 1 })).toEqual([])
  })

  test('not one below its lines', () => {
    expect(warningsOf(crowded, { ...chart, index: 0, top: 420, height: 100 })).toEqual([])
  })

  test('a table that grows onto what stands below it', () => {
    const row = { op: 'insert_table_rows', index: 0, values: [['2']] }
    expect(warningsOf(under(760_000), row)).toEqual([
      'Table 4 (4) on slide 0 lies over Box (5); move_shape makes room.',
    ])
    expect(warningsOf(under(1_500_000), row)).toEqual([])
    expect(warningsOf(under(300_000), row)).toEqual([])
  })
})

test('what stands in a group is told and moved by its place on the slide', () => {
  const space = (tag: string, own: string, inner = '') =>
    `<${tag}><a:xfrm>${own}${inner}</a:xfrm></${tag}>`
  const at = (left: number, top: number, width: number, height: number) =>
    `<a:off x="${left * 12_700}" y="${top * 12_700}"/><a:ext cx="${width * 12_700}" cy="${height * 12_700}"/>`
  const half = '<a:chOff x="1270000" y="0"/><a:chExt cx="2540000" cy="1270000"/>' // 200 × 100 points from 100, 0
  const inner = sp(9, 'Inner', 'In').replace('<p:spPr/>', space('p:spPr', at(120, 20, 40, 30)))
  const bytes = zooDeck({
    slides: [
      {
        shapes: `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="8" name="Group"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>${space('p:grpSpPr', at(300, 200, 100, 50), half)}${inner}</p:grpSp>`,
      },
    ],
  })
  const document = unwrap(pptxFormat.open(bytes, NAME))
  expect(unwrap(document.map()).fields.slides).toMatchObject([
    { shapes: [{ id: '8' }, { id: '9', left: 310, top: 210, width: 20, height: 15 }] },
  ])
  const moved = edited(bytes, { op: 'move_shape', index: 0, shape: '9', left: 350 })
  expect(partText(moved, 'ppt/slides/slide1.xml')).toContain(at(200, 20, 40, 30))
})

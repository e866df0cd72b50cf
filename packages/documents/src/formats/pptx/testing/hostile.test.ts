import { type Operation, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { OpcPackage } from '../../../opc/index.ts'
import { buildZip } from '../../../opc/zip.contract.ts'
import { randomFrom } from '../../docx/testing/random-edits.contract.ts'
import { DeckDocument } from '../document.ts'
import { randomDeckOperation } from './random-edits.contract.ts'
import { content, edited, logged, NAME, sp, table, title, zooDeck } from './zoo.contract.ts'

const line = (properties: string, text = 'Text') =>
  `<a:p><a:pPr ${properties}/><a:r><a:rPr sz="1800"/><a:t>${text}</a:t></a:r></a:p>`
const cell = (attributes: string) =>
  `<a:tc ${attributes}><a:txBody><a:bodyPr/><a:p><a:r><a:t>x</a:t></a:r></a:p></a:txBody></a:tc>`
const group = (inner: string, depth: number): string =>
  `${`<p:grpSp><p:nvGrpSpPr><p:cNvPr id="9" name="G"/></p:nvGrpSpPr><p:grpSpPr/>`.repeat(depth)}${inner}${'</p:grpSp>'.repeat(depth)}`
const plain = zooDeck({ slides: [{ shapes: title('One') + content('Two') }, { shapes: '' }] })
const charted = edited(plain, {
  op: 'add_chart',
  index: 0,
  type: 'column',
  categories: ['A', 'B'],
  series: [{ name: 'S', values: [1, 2] }],
})

/** The deck with parts written anew. */
function rewritten(bytes: Uint8Array, change: (name: string, text: string) => string): Uint8Array {
  const opc = unwrap(OpcPackage.open(bytes))
  return buildZip(
    opc.names.map(name => {
      const part = unwrap(opc.part(name))
      if (!/\.(xml|rels)$/.test(name)) return { name, data: part }
      return { name, data: change(name, Buffer.from(part).toString('utf8')) }
    }),
  )
}

const inPart = (bytes: Uint8Array, part: RegExp, from: string | RegExp, to: string) =>
  rewritten(bytes, (name, text) => (part.test(name) ? text.replace(from, to) : text))

const decks: Readonly<Record<string, Uint8Array>> = {
  'levels below zero and beyond all lists': zooDeck({
    slides: [
      {
        shapes:
          title('T') +
          content(['-1', '-9999', '1e9', '99999999', 'NaN', '1.5', 'x'].map(own => line(`lvl="${own}"`)).join('')), // biome-ignore format: a list
        notes: line('lvl="-3"', 'Notes'),
      },
    ],
  }),
  'margins, columns and sizes without end': zooDeck({
    slides: [
      {
        shapes: `${title('T')}${content(line('marL="99999999999" indent="-99999999999"')).replace('<a:bodyPr/>', '<a:bodyPr numCol="99999999" lIns="-99999999" tIns="1e300" wrap="none"><a:normAutofit fontScale="-5"/></a:bodyPr>')}`,
      },
      { shapes: content('Text').replace('<a:t>', '<a:rPr sz="-100"/><a:t>') },
    ],
  }),
  'a page of no size': inPart(
    plain,
    /presentation\.xml$/,
    /<p:sldSz[^>]*>/,
    '<p:sldSz cx="0" cy="-5"/>',
  ),
  'groups in groups': zooDeck({ slides: [{ shapes: group(sp(3, 'In', 'Deep'), 60) }] }),
  'three thousand shapes with one id': zooDeck({
    slides: [{ shapes: sp(2, 'S', 'a').repeat(3_000) }],
  }),
  'a slide that is listed five hundred times': inPart(
    plain,
    /presentation\.xml$/,
    /<p:sldIdLst>.*<\/p:sldIdLst>/,
    `<p:sldIdLst>${'<p:sldId id="256" r:id="rId100"/>'.repeat(500)}</p:sldIdLst>`,
  ),
  'cells that span more than there is': zooDeck({
    slides: [
      {
        shapes: table(
          4,
          ['a', cell('gridSpan="2000000000"'), cell('hMerge="1"')],
          [cell('rowSpan="-7"'), cell('vMerge="1" gridSpan="-1"'), cell('rowSpan="NaN"')],
        ),
      },
      { shapes: table(4, ['a'], ['b']).replaceAll('<a:gridCol w="6000000"/>', '') },
      { shapes: table(4, ['a']).replace(/<a:tr .*<\/a:tr>/, '') },
    ],
  }),
  'a chart with a thousand million points': inPart(
    charted,
    /charts\/chart1\.xml$/,
    /<c:ptCount val="2"\/>/g,
    '<c:ptCount val="1000000000"/><c:pt idx="-1"><c:v>1</c:v></c:pt><c:pt idx="999999999"><c:v>x</c:v></c:pt>',
  ),
  'a chart whose cells are at the end of the world': inPart(
    charted,
    /charts\/chart1\.xml$/,
    /Sheet1!\$B\$2:\$B\$3/g,
    'Sheet1!$ZZZ$99999999:$ZZZ$100000000',
  ),
  'a chart whose workbook is the deck': inPart(
    charted,
    /charts\/_rels\/chart1\.xml\.rels$/,
    /Target="[^"]*"/,
    'Target="/ppt/presentation.xml"',
  ),
  'a slide that is its own layout and its own notes': rewritten(plain, (name, text) =>
    /slides\/_rels\/slide1\.xml\.rels$/.test(name)
      ? text
          .replace(/Target="[^"]*slideLayout2\.xml"/, 'Target="slide1.xml"')
          .replace('</Relationships>', '<Relationship Id="rId77" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/notesSlide" Target="slide1.xml"/></Relationships>') // biome-ignore format: a part
      : text,
  ),
  'a layout whose master is the layout': inPart(
    plain,
    /slideLayouts\/_rels\/slideLayout2\.xml\.rels$/,
    /Target="[^"]*slideMaster1\.xml"/,
    'Target="slideLayout2.xml"',
  ),
  'links that leave the package': inPart(
    plain,
    /slides\/_rels\/slide1\.xml\.rels$/,
    '</Relationships>',
    '<Relationship Id="rId8" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/chart" Target="../../../../../etc/passwd"/><Relationship Id="rId8" Type="x" Target=""/></Relationships>',
  ),
  'slides without a tree of shapes': inPart(
    plain,
    /slides\/slide\d\.xml$/,
    /<p:cSld>.*<\/p:cSld>/,
    '<p:cSld/>',
  ),
  'sections of slides that are not there': zooDeck({
    slides: [{ shapes: title('One') }],
    sections:
      '<p:extLst><p:ext uri="{521415D9-36F7-43E2-AB2F-B90AF26B5E84}"><p14:sectionLst xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main"><p14:section name="A" id="{1}"><p14:sldIdLst><p14:sldId id="999"/><p14:sldId id="256"/><p14:sldId id="256"/></p14:sldIdLst></p14:section><p14:section/></p14:sectionLst></p:ext></p:extLst>',
  }),
}

const everything: readonly Operation[] = [
  { op: 'set_slide_text', index: 0, title: 'New', body: ['A', { text: 'B', level: 2 }] },
  { op: 'append_bullets', index: 0, bullets: ['One more'] },
  { op: 'set_notes', index: 0, text: 'Notes' },
  { op: 'replace_text', search: 'Text', replace: 'Words' },
  { op: 'format_text', search: 'e', bold: true },
  { op: 'set_table', index: 0, values: [['x', 'y'], ['z']] },
  { op: 'insert_table_rows', index: 0, values: [['r']] },
  { op: 'insert_table_columns', index: 0 },
  { op: 'delete_table_columns', index: 0, columns: [1] },
  { op: 'delete_table_rows', index: 0, rows: [1] },
  { op: 'set_chart', index: 0, series: [{ values: [5, 6] }] },
  { op: 'set_footer', text: 'Foot', slide_number: true },
  { op: 'apply_layout', index: 0, layout: 'Two Content' },
  { op: 'duplicate_slide', index: 0 },
  { op: 'move_slide', index: 0, to: 1 },
  { op: 'add_slide', title: 'T', body: 'B' },
  { op: 'add_table', index: 0, values: [['a']] },
  { op: 'delete_slide', index: 0 },
]

describe('hostile decks', () => {
  test.each(Object.entries(decks))('%s: read, edited or refused, never thrown', (_, bytes) => {
    const document = unwrap(DeckDocument.open(bytes, NAME))
    const { text } = unwrap(document.map())
    expect(text.length).toBeLessThan(5_000_000)
    const shown = unwrap(document.read({}, { maxBytes: 50_000, styles: true }))
    expect(shown.text.length).toBeLessThan(5_000_000)
    unwrap(document.search({ text: 'e', maxHits: 5 }))
    for (const own of unwrap(document.tables())) Array.from(own.rows())
    for (const [at, operation] of everything.entries()) {
      const result = document.apply(logged([operation], `tc_${at}`))
      if (!result.ok) expect(result.failure.message).toMatch(/^Nothing was written: /)
    }
    unwrap(document.map())
    unwrap(document.content())
  })

  test.each(Object.entries(decks))('%s: random edits are done or refused', (_, bytes) => {
    const random = randomFrom(bytes.length)
    const document = unwrap(DeckDocument.open(bytes, NAME))
    for (let at = 0; at < 12 && document.deck.slides.length > 0; at++) {
      const operation = randomDeckOperation(document, random)
      const result = document.apply(logged([operation], `tc_${at}`))
      if (!result.ok) expect(result.failure.message).toMatch(/^Nothing was written: /)
    }
    unwrap(document.read({}, { maxBytes: 20_000 }))
    unwrap(document.content())
  })

  test('a level that no list has is shown as the nearest that one has', () => {
    const { text } = unwrap(
      unwrap(DeckDocument.open(decks['levels below zero and beyond all lists']!, NAME)).read(
        {},
        { maxBytes: 10_000 },
      ),
    )
    const levels = text.split('\n').filter(own => own.endsWith('Text'))
    expect(levels.map(own => (own.length - 4) / 2)).toEqual([0, 0, 8, 8, 0, 1, 0])
  })
})

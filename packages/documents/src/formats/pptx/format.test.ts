import type { Operation, Sha256 } from '@filewright/protocol'
import { unwrap } from '@filewright/protocol'
import { testFormat } from '../../format.contract.ts'
import type { OpenDocument } from '../../format.ts'
import { factsOf } from '../../known-formats.ts'
import { buildZip } from '../../opc/zip.contract.ts'
import { pptxFormat } from './format.ts'
import {
  content,
  edited,
  entriesOf,
  logged,
  NAME,
  partText,
  sp,
  table,
  title,
  zooDeck,
} from './testing/zoo.contract.ts'

const MAIN = 'ppt/presentation.xml'
const LINKS = 'ppt/_rels/presentation.xml.rels'
const TYPES = '[Content_Types].xml'
const slide = (number: number) => `ppt/slides/slide${number}.xml`
const slideLinks = (number: number) => `ppt/slides/_rels/slide${number}.xml.rels`

const deck = edited(
  zooDeck({
    slides: [
      { layout: 1, shapes: sp(2, 'Title 1', 'Report', '<p:ph type="ctrTitle"/>') },
      {
        shapes: `${title('Sales of <a:r/>'.replace('<a:r/>', 'May'))}${content('Up\nDown')}`,
      },
      {
        layout: 6,
        shapes: `${title('Prices')}${table(4, ['Item', 'Price'], ['Tea', '3'])}${sp(5, 'Box', '<a:p><a:r><a:rPr b="1"/><a:t>Best be</a:t></a:r><a:r><a:rPr i="1"/><a:t>fore May</a:t></a:r></a:p>')}`,
      },
    ],
  }),
  { op: 'set_notes', index: 1, text: 'Say hello' },
)

const HASH = 'a'.repeat(64) as Sha256
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

function example(
  operation: Operation,
  touches: readonly string[],
  shows: (text: string, document: OpenDocument, bytes: Uint8Array) => boolean,
) {
  return {
    title: `${operation.op}`,
    bytes: deck,
    operations: logged([operation]),
    touches,
    shows: (document: OpenDocument, bytes: Uint8Array) =>
      shows(unwrap(document.read({}, { maxBytes: 100_000 })).text, document, bytes),
  }
}

/** A picture of the workspace, pinned by the log. */
function withPicture(operation: Operation, touches: readonly string[]) {
  const own = example(operation, touches, text => text.includes('Our logo'))
  return {
    ...own,
    operations: own.operations.map(each => ({ ...each, inputs: { 'logo.png': HASH } })),
    inputs: { [HASH]: PNG },
  }
}

testFormat(factsOf('pptx'), pptxFormat, {
  name: NAME,
  partsOf: entriesOf,
  examples: [
    example({ op: 'replace_text', search: 'before May', replace: 'by June' }, [slide(3)], text =>
      text.includes('Best by June'),
    ),
    example(
      { op: 'replace_text', search: 'May', replace: 'June' },
      [slide(2), slide(3)],
      text => text.includes('Sales of June') && text.includes('before June'),
    ),
    example(
      { op: 'set_slide_text', index: 1, title: 'New', body: ['One', { text: 'Two', level: 1 }] },
      [slide(2)],
      text => text.includes('New') && text.includes('One\n  Two'),
    ),
    example({ op: 'append_bullets', index: 1, bullets: ['Sideways'] }, [slide(2)], text =>
      text.includes('Up\nDown\nSideways'),
    ),
    example(
      { op: 'set_placeholder', index: 0, placeholder: 'subTitle', text: 'For May' },
      [slide(1)],
      text => text.includes('For May'),
    ),
    example({ op: 'set_shape_text', index: 2, shape: 5, text: 'A box' }, [slide(3)], text =>
      text.includes('A box'),
    ),
    example({ op: 'append_text', index: 2, shape: 'Box', text: 'And more' }, [slide(3)], text =>
      text.includes('before May\nAnd more'),
    ),
    example(
      { op: 'set_notes', index: 1, text: 'Say goodbye' },
      ['ppt/notesSlides/notesSlide1.xml'],
      text => text.includes('Say goodbye'),
    ),
    example(
      { op: 'set_notes', index: 0, text: 'Welcome' },
      [MAIN, LINKS, TYPES, slideLinks(1)],
      text => text.includes('Welcome'),
    ),
    example({ op: 'set_table', index: 2, values: [['Coffee', 4]], row: 2 }, [slide(3)], text =>
      text.includes('Coffee | 4'),
    ),
    example({ op: 'insert_table_rows', index: 2, values: [['Milk', 1]] }, [slide(3)], text =>
      text.includes('Tea | 3\nMilk | 1'),
    ),
    example(
      { op: 'delete_table_rows', index: 2, rows: ['Tea'] },
      [slide(3)],
      text => !text.includes('Tea'),
    ),
    example({ op: 'insert_table_columns', index: 2, values: ['Unit', 'kg'] }, [slide(3)], text =>
      text.includes('Tea | 3 | kg'),
    ),
    example({ op: 'delete_table_columns', index: 2, columns: ['Price'] }, [slide(3)], text =>
      text.includes('\nTea\n'),
    ),
    example(
      { op: 'format_table', index: 2, shading: 'D9E2F3', rows: [1], header: false },
      [slide(3)],
      (_, __, bytes) => partText(bytes, slide(3)).includes('D9E2F3'),
    ),
    example(
      { op: 'format_text', search: 'before', bold: true, color: 'C00000' },
      [slide(3)],
      (_, __, bytes) => partText(bytes, slide(3)).includes('C00000'),
    ),
    example(
      { op: 'set_hyperlink', search: 'May', url: 'https://example.org', index: 1 },
      [slide(2), slideLinks(2)],
      (_, __, bytes) => partText(bytes, slide(2)).includes('hlinkClick'),
    ),
    example(
      { op: 'add_slide', title: 'Last', body: 'End', notes: 'Bye' },
      [MAIN, LINKS, TYPES],
      text => text.includes('slide_index 3: Last') && text.includes('End'),
    ),
    example({ op: 'duplicate_slide', index: 1 }, [MAIN, LINKS, TYPES], text =>
      text.includes('slide_index 2: Sales of May'),
    ),
    example({ op: 'move_slide', index: 2, to: 0 }, [MAIN], text =>
      text.includes('slide_index 0: Prices'),
    ),
    example(
      { op: 'delete_slide', index: 1 },
      [
        MAIN,
        LINKS,
        TYPES,
        slide(2),
        slideLinks(2),
        'ppt/notesSlides/notesSlide1.xml',
        'ppt/notesSlides/_rels/notesSlide1.xml.rels',
      ],
      text => !text.includes('Sales'),
    ),
    example({ op: 'hide_slide', index: 1 }, [slide(2)], text => text.includes('[hidden]')),
    example(
      { op: 'apply_layout', index: 1, layout: 'Two Content' },
      [slide(2), slideLinks(2)],
      text => text.includes('layout Two Content'),
    ),
    example(
      { op: 'set_footer', text: 'Secret', slide_number: true, date: '1 May' },
      [slide(1), slide(2), slide(3)],
      (_, document) => JSON.stringify(unwrap(document.map()).fields).includes('Secret'),
    ),
    example(
      { op: 'add_text_box', index: 0, text: 'Boxed', left: 10, top: 20, width: 200 },
      [slide(1)],
      text => text.includes('Boxed'),
    ),
    example({ op: 'add_table', index: 0, values: [['x', 'y']] }, [slide(1)], text =>
      text.includes('x | y'),
    ),
    example(
      { op: 'delete_shape', index: 2, shape: 5 },
      [slide(3)],
      text => !text.includes('before May'),
    ),
    example({ op: 'move_shape', index: 2, shape: 'Table 4', left: 11 }, [slide(3)], (_, document) =>
      JSON.stringify(unwrap(document.map()).fields).includes('"left":11'),
    ),
    example({ op: 'set_alt_text', index: 2, shape: 5, alt: 'A date' }, [slide(3)], text =>
      text.includes('alt "A date"'),
    ),
    example(
      {
        op: 'add_chart',
        index: 0,
        type: 'line',
        categories: ['a'],
        series: [{ name: 'n', values: [1] }],
      },
      [slide(1), slideLinks(1), TYPES],
      text => text.includes('n: 1'),
    ),
    {
      ...example({ op: 'import_slides', from: 'other.pptx' }, [MAIN, LINKS, TYPES], text =>
        text.includes('slide_index 3: From there'),
      ),
      operations: logged([{ op: 'import_slides', from: 'other.pptx' }]).map(each => ({
        ...each,
        inputs: { 'other.pptx': HASH },
      })),
      inputs: { [HASH]: zooDeck({ slides: [{ shapes: title('From there') }] }) },
    },
    withPicture({ op: 'add_image', index: 0, image: 'logo.png', alt: 'Our logo' }, [
      slide(1),
      slideLinks(1),
      TYPES,
    ]),
  ],
  hostile: {
    'not a zip': Buffer.from('hello'),
    'a zip of nothing': buildZip([]),
    'another kind of package': buildZip([
      {
        name: '[Content_Types].xml',
        data: '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
      },
    ]),
    'a main part that is cut off': buildZip([
      {
        name: '[Content_Types].xml',
        data: '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
      },
      {
        name: '_rels/.rels',
        data: '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="ppt/presentation.xml"/></Relationships>',
      },
      { name: 'ppt/presentation.xml', data: '<p:presentation><p:sld' },
    ]),
  },
})

import type { Operation } from '@filewright/protocol'
import { unwrap } from '@filewright/protocol'
import { testFormat } from '../../format.contract.ts'
import type { OpenDocument } from '../../format.ts'
import { factsOf } from '../../known-formats.ts'
import { OpcPackage, readZip } from '../../opc/index.ts'
import { buildZip } from '../../opc/zip.contract.ts'
import { docxFormat } from './format.ts'
import { annotated } from './testing/annotated.contract.ts'
import { MORE_EXAMPLES } from './testing/examples.contract.ts'
import {
  logged,
  NAME,
  p,
  partText,
  r,
  styled,
  table,
  type ZooDocument,
  zooDocument,
} from './testing/zoo.contract.ts'

const BODY = 'word/document.xml'
const LINKS = 'word/_rels/document.xml.rels'
const TYPES = '[Content_Types].xml'

const letter: ZooDocument = {
  body: [
    styled('Heading1', 'Terms'),
    p('The ', r('buy', '<w:b/>'), r('er pays', '<w:i/>'), ' in advance.'),
    p('The seller delivers.'),
    '<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="1"/></w:tblGrid><w:tr><w:tc><w:tcPr/><w:p><w:r><w:t>Cell</w:t></w:r></w:p></w:tc></w:tr></w:tbl>',
    styled('Heading1', 'Law'),
    p('The law of the seller applies.'),
  ].join(''),
}

const template: ZooDocument = {
  body: [
    p('{{buyer}} pays.'),
    '<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="1"/></w:tblGrid><w:tr><w:tc><w:tcPr/><w:p><w:r><w:t>{{item}}</w:t></w:r></w:p></w:tc></w:tr></w:tbl>',
    p('[Date]'),
  ].join(''),
}
const TABLE = table(['a1', 'b1', 'c1'], ['a2', 'b2', 'c2']) + p('End.')

function example(title: string, operation: Operation, shows: (text: string) => boolean) {
  return {
    title,
    bytes: zooDocument(letter),
    operations: logged([operation]),
    touches: [BODY],
    shows: (document: OpenDocument) => shows(unwrap(document.read({}, { maxBytes: 100_000 })).text),
  }
}

/** What no read shows is in the bytes of a part. */
function partExample(operation: Operation, shows: RegExp, part = BODY) {
  return {
    ...example(operation.op as string, operation, () => false),
    shows: (_: OpenDocument, bytes: Uint8Array) =>
      unwrap(OpcPackage.open(bytes)).has(part) && shows.test(partText(bytes, part)),
  }
}

function readPart(document: OpenDocument, section: string): string {
  const reading = document.read({ section }, { maxBytes: 100_000 })
  return reading.ok ? reading.value.text : ''
}

/** Operations on notes and comments that are in the file. */
const NOTE_EXAMPLES = [
  annotatedExample({ op: 'set_note', note: 'footnote 1', text: 'New.' }, ['footnotes'], / New\./),
  annotatedExample(
    { op: 'delete_note', note: 'footnote 1' },
    ['footnotes', 'document'],
    /^(?!.*w:id="4").*Two/,
  ),
  annotatedExample(
    { op: 'reply_comment', comment: 0, text: 'New.' },
    ['comments', 'commentsExtended', 'commentsIds', 'document'],
    /w:id="3".*New\./,
  ),
  annotatedExample(
    { op: 'resolve_comment', comment: 0 },
    ['commentsExtended'],
    /w15:paraId="0000000A" w15:done="1"/,
  ),
  annotatedExample(
    { op: 'set_comment', comment: 0, text: 'New.' },
    ['comments'],
    /w:id="0".*New\./,
  ),
  annotatedExample(
    { op: 'delete_comment', comment: 0 },
    ['comments', 'commentsExtended', 'commentsIds', 'document'],
    /^(?!.*(Why|Because)).*Hm/,
  ),
]

/** The first of the parts shows it. */
function annotatedExample(operation: Operation, parts: readonly string[], shows: RegExp) {
  return {
    ...partExample(operation, shows, `word/${parts[0]}.xml`),
    bytes: zooDocument(annotated),
    touches: parts.map(name => `word/${name}.xml`),
  }
}

testFormat(factsOf('docx'), docxFormat, {
  name: NAME,
  partsOf: bytes =>
    new Map(
      unwrap(readZip(bytes)).entries.map(entry => [
        entry.name,
        bytes.subarray(entry.start, entry.end),
      ]),
    ),
  examples: [
    example(
      'replace_text',
      { op: 'replace_text', search: 'buyer pays', replace: 'client pays' },
      text => text.includes('client'),
    ),
    example(
      'replace_text at every place',
      { op: 'replace_text', search: 'seller', replace: 'vendor' },
      text => text.includes('The vendor delivers.') && text.includes('law of the vendor'),
    ),
    example(
      'set_paragraph',
      { op: 'set_paragraph', place: 'p3', text: 'The seller **never** delivers.' },
      text => text.includes('The seller **never** delivers.'),
    ),
    example(
      'set_paragraphs',
      {
        op: 'set_paragraphs',
        paragraphs: [
          { place: 'p3', text: 'A' },
          { place: 'p6', text: 'B' },
        ],
      },
      text => text.includes('p3|A') && text.includes('p6|B'),
    ),
    example(
      'insert_paragraph',
      { op: 'insert_paragraph', after: 'p2', text: ['One.', 'Two.'] },
      text => /One\.\n[^\n]*Two\.\n[^\n]*The seller delivers/.test(text),
    ),
    example('append_paragraph', { op: 'append_paragraph', text: 'The end.' }, text =>
      text.endsWith('The end.'),
    ),
    example(
      'delete_paragraph',
      { op: 'delete_paragraph', place: 'p2-p3' },
      text => !text.includes('buyer') && !text.includes('delivers'),
    ),
    example(
      'move_paragraph',
      { op: 'move_paragraph', place: 'p3', before: 'p2' },
      text => text.indexOf('delivers') < text.indexOf('advance'),
    ),
    partExample(
      { op: 'set_style', place: 'p3', style: 'Quote' },
      /<w:pStyle w:val="Quote"\/><\/w:pPr><w:r><w:t[^>]*>The seller delivers/,
    ),
    example(
      'format_text',
      { op: 'format_text', search: 'seller', bold: true, color: 'C00000' },
      text => text.includes('The **seller** delivers.'),
    ),
    {
      ...example(
        'set_hyperlink',
        { op: 'set_hyperlink', search: 'advance', url: 'https://example.org/a' },
        text => text.includes('[advance](https://example.org/a)'),
      ),
      touches: [BODY, LINKS],
    },
    {
      ...example('add_comment', { op: 'add_comment', search: 'delivers', text: 'When?' }, text =>
        text.includes('delivers⟦comment 0⟧'),
      ),
      touches: [BODY, LINKS, TYPES],
    },
    {
      ...example(
        'fill_placeholders',
        {
          op: 'fill_placeholders',
          placeholders: { buyer: 'Ann', items: [{ item: 'Pen' }, { item: 'Ink' }] },
        },
        text => text.includes('Ann pays') && /Pen[\s\S]*Ink/.test(text),
      ),
      bytes: zooDocument(template),
    },
    {
      ...example('add_footnote', { op: 'add_footnote', search: 'delivers', text: 'Soon.' }, text =>
        text.includes('delivers⟦footnote 1⟧'),
      ),
      touches: [BODY, LINKS, TYPES],
    },
    {
      ...example('add_endnote', { op: 'add_endnote', search: 'delivers', text: 'Soon.' }, text =>
        text.includes('delivers⟦endnote 1⟧'),
      ),
      touches: [BODY, LINKS, TYPES],
    },
    ...NOTE_EXAMPLES,
    ...MORE_EXAMPLES,
    partExample(
      { op: 'set_bookmark', name: 'b', search: 'advance' },
      /<w:bookmarkStart w:id="(\d+)" w:name="b"\/><w:r><w:t>advance<\/w:t><\/w:r><w:bookmarkEnd w:id="\1"\/>/,
    ),
    {
      ...partExample(
        { op: 'delete_bookmark', name: 'old' },
        /<w:p><w:r><w:t[^>]*>Text<\/w:t><\/w:r><\/w:p>/,
      ),
      bytes: zooDocument({
        body: p('<w:bookmarkStart w:id="1" w:name="old"/>', 'Text', '<w:bookmarkEnd w:id="1"/>'),
      }),
    },
    example('insert_caption', { op: 'insert_caption', after: 'p3', text: 'A view' }, text =>
      text.includes('A view'),
    ),
    example('insert_toc', { op: 'insert_toc', before: 'p1' }, text =>
      text.includes('Update this field'),
    ),
    {
      ...partExample(
        { op: 'set_properties', properties: { title: 'A' } },
        /<dc:title>A<\/dc:title>/,
        'docProps/core.xml',
      ),
      touches: ['_rels/.rels', TYPES],
    },
    {
      ...example('set_header', { op: 'set_header', text: 'ACME' }, () => false),
      shows: document => readPart(document, 'header1').includes('ACME'),
      touches: [BODY, LINKS, TYPES],
    },
    {
      ...example('set_footer', { op: 'set_footer', text: ['One', 'Two'] }, () => false),
      shows: document => readPart(document, 'footer1').includes('Two'),
      touches: [BODY, LINKS, TYPES],
    },
    {
      ...example(
        'set_page_numbers',
        { op: 'set_page_numbers', text: 'Page {page}', start: 3 },
        () => false,
      ),
      shows: document => readPart(document, 'footer1').includes('Page '),
      touches: [BODY, LINKS, TYPES],
    },
    partExample(
      { op: 'set_page', paper: 'Letter', margins: { left: 3 } },
      /<w:pgSz w:w="12240" w:h="15840"\/><w:pgMar [^>]*w:left="1701"/,
    ),
    partExample(
      { op: 'insert_page_break', before: 'Law' },
      /<w:pStyle w:val="Heading1"\/><w:pageBreakBefore\/><\/w:pPr><w:r><w:t[^>]*>Law/,
    ),
    partExample(
      { op: 'insert_section_break', after: 'p3' },
      /<w:pPr><w:sectPr>.*<\/w:sectPr><\/w:pPr><w:r><w:t[^>]*>The seller delivers/,
    ),
    {
      ...example(
        'insert_markdown',
        {
          op: 'insert_markdown',
          after: 'p3',
          markdown: '# New\n\n1. one\n2. two\n\n[x](https://x.org)',
        },
        text => /# New\n[^\n]*1 one\n[^\n]*2 two\n[^\n]*\[x\]/.test(text),
      ),
      touches: [BODY, LINKS, 'word/numbering.xml'],
    },
    {
      ...example('clean', { op: 'clean' }, text => !text.includes('secret')),
      bytes: zooDocument({
        body:
          p('x ', r('secret', '<w:vanish/>')) +
          p('<w:ins w:id="1" w:author="B"><w:r><w:t>y</w:t></w:r></w:ins>'),
      }),
    },
    example(
      'insert_table',
      {
        op: 'insert_table',
        after: 'p3',
        values: [
          ['Name', 'Sum'],
          ['Ann', 12],
        ],
      },
      text => text.includes('Ann') && text.includes('12'),
    ),
    example(
      'set_table',
      { op: 'set_table', table: 't1', values: [['Value']] },
      text => text.includes('Value') && !text.includes('Cell'),
    ),
    example(
      'insert_table_rows',
      { op: 'insert_table_rows', table: 't1', values: [['One'], ['Two']] },
      text => /Cell[\s\S]*One[\s\S]*Two/.test(text),
    ),
    example(
      'delete_table_rows',
      { op: 'delete_table_rows', table: 't1', rows: 'Cell' },
      text => !text.includes('Cell'),
    ),
    example(
      'insert_table_columns',
      { op: 'insert_table_columns', table: 't1', values: ['Beside'] },
      text => text.includes('Beside'),
    ),
    {
      ...example(
        'delete_table_columns',
        { op: 'delete_table_columns', table: 't1', columns: 2 },
        text => text.includes('c') && !text.includes('b2'),
      ),
      bytes: zooDocument({ body: TABLE }),
    },
    {
      ...example(
        'merge_table_cells',
        { op: 'merge_table_cells', table: 't1', row: 1, column: 1, to_row: 2, to_column: 2 },
        text => /a1[\s\S]*b1[\s\S]*a2[\s\S]*b2[\s\S]*c1/.test(text),
      ),
      bytes: zooDocument({ body: TABLE }),
    },
    partExample(
      { op: 'format_table', table: 't1', shading: 'D9E2F3', widths: [100] },
      /<w:gridCol w:w="2000"\/>.*<w:tcW w:w="2000"[^>]*\/><w:shd [^>]*w:fill="D9E2F3"/,
    ),
  ],
  hostile: {
    empty: new Uint8Array(0),
    'not a zip': Buffer.from('hello'),
    'no content types': buildZip([{ name: 'word/document.xml', data: '<x/>' }]),
    'a body that is cut off': zooDocument({ body: '<w:p><w:r>' }),
    'a document type': zooDocument({
      body: '',
      parts: {
        'word/document.xml':
          '<!DOCTYPE x [<!ENTITY a "b">]><w:document xmlns:w="x">&a;</w:document>',
      },
    }),
    'another root': zooDocument({ body: '', parts: { 'word/document.xml': '<x/>' } }),
    'deeply nested': zooDocument({ body: '<w:sdt>'.repeat(400) + '</w:sdt>'.repeat(400) }),
  },
})

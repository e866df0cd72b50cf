import { createHash } from 'node:crypto'
import { type Operation, unwrap } from '@filewright/protocol'
import type { FormatExample } from '../../../format.contract.ts'
import type { OpenDocument } from '../../../format.ts'
import { png } from '../../docx/testing/png.contract.ts'
import { THREADED_PARTS } from './threaded.contract.ts'
import { logged, type ZooBook, zooBook } from './zoo.contract.ts'

const DATA = 'xl/worksheets/sheet1.xml'
const DATA_LINKS = 'xl/worksheets/_rels/sheet1.xml.rels'
const SUMS = 'xl/worksheets/sheet2.xml'
const WORKBOOK = 'xl/workbook.xml'
const WORKBOOK_LINKS = 'xl/_rels/workbook.xml.rels'
const TYPES = '[Content_Types].xml'
const THREADS = 'xl/threadedComments/threadedComment1.xml'

const book: ZooBook = {
  ...THREADED_PARTS,
  strings: ['Region', 'Year', 'Net', 'North', 'South'],
  names: '<definedName name="Rate">0.19</definedName>',
  sheets: {
    Data: {
      ...THREADED_PARTS.sheet,
      rows: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row><row r="2"><c r="A2" t="s"><v>3</v></c><c r="B2"><v>2025</v></c><c r="C2"><v>10</v></c></row><row r="3"><c r="A3" t="s"><v>4</v></c><c r="B3"><v>2026</v></c><c r="C3"><v>20</v></c></row>',
    },
    Sums: '<row r="1"><c r="A1"><f>SUM(Data!C2:C3)</f><v>30</v></c></row>',
  },
}

const PICTURE = png(30, 20)
const HASH = createHash('sha256').update(PICTURE).digest('hex')

const table = { op: 'add_table', sheet: 'Data', range: 'A1:C3', name: 'Sales' }
const chart = { op: 'add_chart', sheet: 'Data', type: 'column', source: 'A1:C3', cell: 'E2' }
const image = { op: 'add_image', sheet: 'Data', image: 'logo.png', cell: 'E2' }
const pivot = {
  op: 'add_pivot',
  sheet: 'Sums',
  source: 'Data!A1:C3',
  rows: ['Region'],
  values: ['Net'],
  cell: 'C3',
  name: 'P',
}
const note = { op: 'set_comment', sheet: 'Data', cell: 'C3', text: 'Check', author: 'Ann' }
const link = { op: 'set_hyperlink', sheet: 'Data', cell: 'E9', url: 'https://a.example/' }
const rule = { op: 'data_validation', sheet: 'Data', range: 'E1', type: 'list', list: ['a', 'b'] }

const textOf = (document: OpenDocument) => unwrap(document.map()).text
/** What a map or a read says, after and not before. */
const says = (words: string | RegExp) => (document: OpenDocument) => {
  const read = document.read({ sheet: 'Data' }, { maxBytes: 9_000 })
  const text = `${textOf(document)}\n${read.ok ? read.value.text : ''}`
  return typeof words === 'string' ? text.includes(words) : words.test(text)
}

function example(
  title: string,
  operations: readonly Operation[],
  touches: readonly string[],
  shows: FormatExample['shows'],
): FormatExample {
  const log = logged(operations).map(own => ({ ...own, inputs: { 'logo.png': HASH as never } }))
  return {
    title,
    bytes: zooBook(book),
    operations: log,
    inputs: { [HASH]: PICTURE },
    touches,
    shows,
  }
}

const linked = [DATA, DATA_LINKS, TYPES]
const renamed = (from: string) => (document: OpenDocument) => !says(from)(document)

/** Every operation on the objects of a workbook. */
export const OBJECT_EXAMPLES: readonly FormatExample[] = [
  example('add_table', [table], linked, says('table Sales A1:C3')),
  example(
    'edit_table',
    [table, { op: 'edit_table', table: 'Sales', new_name: 'Deals', totals: { Net: 'sum' } }],
    [...linked, WORKBOOK],
    says('table Deals A1:C4'),
  ),
  example(
    'remove_table',
    [table, { op: 'remove_table', table: 'Sales' }, { ...note, text: 'was a table' }],
    [...linked, 'xl/comments1.xml', 'xl/drawings/vmlDrawing1.vml'],
    says('was a table'),
  ),
  example(
    'define_name',
    [{ op: 'define_name', name: 'Nets', refers_to: 'Data!C2:C3' }],
    [WORKBOOK],
    says('Nets = Data!$C$2:$C$3'),
  ),
  example(
    'edit_name',
    [{ op: 'edit_name', name: 'Rate', refers_to: '0.2' }],
    [WORKBOOK],
    says('Rate = 0.2'),
  ),
  example('remove_name', [{ op: 'remove_name', name: 'Rate' }], [WORKBOOK], renamed('Rate = 0.19')),
  example('data_validation', [rule], [DATA], says('E1 list "a,b"')),
  example(
    'remove_validation',
    [
      { ...rule, range: 'E1:E9' },
      { op: 'remove_validation', sheet: 'Data', range: 'E2:E8' },
    ],
    [DATA],
    says('E1 E9 list'),
  ),
  example(
    'set_comment',
    [note],
    ['xl/comments1.xml', 'xl/drawings/vmlDrawing1.vml'],
    says('comments at B2, C3'),
  ),
  example(
    'set_comment in a conversation',
    [{ ...note, cell: 'B2', text: 'Because' }],
    [THREADS, 'xl/comments1.xml', 'xl/persons/person.xml'],
    says('Because'),
  ),
  example(
    'remove_comment',
    [{ op: 'remove_comment', sheet: 'Data', cell: 'B2' }],
    [...linked, THREADS, 'xl/comments1.xml', 'xl/drawings/vmlDrawing1.vml'],
    renamed('comments at B2'),
  ),
  example('set_hyperlink', [link], [DATA, DATA_LINKS], says('E9 to https://a.example/')),
  example(
    'remove_hyperlink',
    [
      { ...link, cell: 'E9:E11' },
      { op: 'remove_hyperlink', sheet: 'Data', cell: 'E10' },
    ],
    [DATA, DATA_LINKS],
    says('E9 to https://a.example/, E11 to https://a.example/'),
  ),
  example('add_chart', [chart], linked, says('column chart at E2')),
  example(
    'edit_chart',
    [chart, { op: 'edit_chart', sheet: 'Data', chart: 'Chart 1', type: 'line', title: 'New' }],
    linked,
    says('line chart "New" at E2'),
  ),
  example(
    'remove_chart',
    [
      { ...chart, name: 'One' },
      { ...chart, name: 'Two' },
      { op: 'remove_chart', sheet: 'Data', chart: 'One' },
    ],
    linked,
    document => says('named "Two"')(document) && renamed('named "One"')(document),
  ),
  example('add_image', [image], linked, says('1 image: "Picture 1" at E2')),
  example(
    'replace_image',
    [image, { op: 'replace_image', sheet: 'Data', image: 'logo.png', alt: 'Another' }],
    linked,
    says('(Another)'),
  ),
  example(
    'move_image',
    [image, { op: 'move_image', sheet: 'Data', cell: 'H9' }],
    linked,
    says('"Picture 1" at H9'),
  ),
  example(
    'remove_image',
    [image, { ...image, cell: 'H9' }, { op: 'remove_image', sheet: 'Data', picture: 1 }],
    linked,
    says('1 image: "Picture 2" at H9'),
  ),
  example(
    'add_pivot',
    [pivot],
    [SUMS, WORKBOOK, WORKBOOK_LINKS, TYPES],
    says('pivot table P at C3:D6 of Data!A1:C3: rows Region; values Sum of Net'),
  ),
  example(
    'edit_pivot',
    [pivot, { op: 'edit_pivot', pivot: 'P', columns: ['Year'] }],
    [SUMS, WORKBOOK, WORKBOOK_LINKS, TYPES],
    says('rows Region; columns Year; values Sum of Net'),
  ),
  example(
    'remove_pivot',
    [pivot, { ...pivot, cell: 'C20', name: 'Q' }, { op: 'remove_pivot', pivot: 'P' }],
    [SUMS, WORKBOOK, WORKBOOK_LINKS, TYPES],
    document => says('pivot table Q')(document) && renamed('pivot table P')(document),
  ),
  example('protect', [{ op: 'protect', sheet: 'Data' }], [DATA], says('protected: an edit needs')),
  example(
    'protect the structure',
    [{ op: 'protect' }],
    [WORKBOOK],
    says('its structure is protected'),
  ),
  example(
    'set_properties',
    [{ op: 'set_properties', properties: { title: 'Budget', company: 'Acme' } }],
    [TYPES, '_rels/.rels'],
    says('properties: title "Budget", company "Acme"'),
  ),
]

import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import { xlsxFormat } from '../../packages/documents/src/formats/xlsx/format.ts'
import { THREADED_PARTS } from '../../packages/documents/src/formats/xlsx/testing/threaded.contract.ts'
import {
  logged,
  NAME,
  type ZooBook,
  zooBook,
} from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'

const rows = ['North', 'South']
  .map(
    (region, at) =>
      `<row r="${at + 2}"><c r="A${at + 2}" t="inlineStr"><is><t>${region}</t></is></c><c r="B${at + 2}"><v>${2025 + at}</v></c><c r="C${at + 2}"><v>${at + 1}</v></c></row>`,
  )
  .join('')
const header = ['Region', 'Year', 'Net']
  .map((text, at) => `<c r="${'ABC'[at]}1" t="inlineStr"><is><t>${text}</t></is></c>`)
  .join('')

const book: ZooBook = {
  ...THREADED_PARTS,
  sheets: {
    Data: { ...THREADED_PARTS.sheet, rows: `<row r="1">${header}</row>${rows}` },
    Sums: '',
  },
}

const operations: readonly Operation[] = [
  { op: 'define_name', name: 'Rate', refers_to: '0.19' },
  { op: 'add_table', sheet: 'Data', range: 'A1:C3', name: 'Sales', totals: { Net: 'sum' } },
  { op: 'add_chart', sheet: 'Data', type: 'column', source: 'A1:C3', legend: 'bottom', cell: 'E2' },
  { op: 'add_chart', sheet: 'Data', type: 'line', source: 'A1:C3', cell: 'E22' },
  {
    op: 'data_validation',
    sheet: 'Data',
    range: 'E1',
    type: 'list',
    list: ['Yes', 'No'],
    prompt: 'Say it',
  },
  { op: 'set_comment', sheet: 'Data', cell: 'B2', text: 'Because', author: 'Bob' },
  {
    op: 'add_pivot',
    sheet: 'Sums',
    source: 'Data!A1:C3',
    rows: ['Region'],
    columns: ['Year'],
    values: ['Net'],
  },
]

/** Something of everything that a rule looks at, with nothing to repair. */
export const SOUND_WORKBOOK: Uint8Array = made()

function made(): Uint8Array {
  const base = zooBook(book)
  const document = unwrap(xlsxFormat.open(base, NAME))
  unwrap(document.apply(logged(operations)))
  return toBytes(unwrap(document.content()), base)
}

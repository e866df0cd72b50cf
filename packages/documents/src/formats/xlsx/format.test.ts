import type { Operation } from '@filewright/protocol'
import { unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { testFormat } from '../../format.contract.ts'
import type { OpenDocument } from '../../format.ts'
import { factsOf } from '../../known-formats.ts'
import { OpcPackage, readZip } from '../../opc/index.ts'
import { buildZip } from '../../opc/zip.contract.ts'
import { xlsxFormat } from './format.ts'
import { OBJECT_EXAMPLES } from './testing/object-examples.contract.ts'
import { logged, NAME, shown, type ZooBook, zooBook } from './testing/zoo.contract.ts'

const SHEET1 = 'xl/worksheets/sheet1.xml'
const SHEET2 = 'xl/worksheets/sheet2.xml'
const WORKBOOK = 'xl/workbook.xml'
const STYLES = 'xl/styles.xml'
const LISTS = [WORKBOOK, 'xl/_rels/workbook.xml.rels', '[Content_Types].xml']

const sales: ZooBook = {
  strings: ['Region', 'North', 'South'],
  names: '<definedName name="Total">Sales!$B$4</definedName>',
  sheets: {
    Sales: {
      rows: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>10</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2" s="1"><v>3.5</v></c></row><row r="4"><c r="B4"><f>SUM(B1:B2)</f><v>13.5</v></c></row>',
      tail: '<mergeCells count="1"><mergeCell ref="D1:E1"/></mergeCells>',
    },
    Costs: '<row r="1"><c r="A1"><f>Sales!B4*2</f><v>27</v></c><c r="B1"><v>5</v></c></row>',
  },
}

function example(
  title: string,
  operation: Operation,
  touches: readonly string[],
  shows: (document: OpenDocument, bytes: Uint8Array) => boolean,
) {
  return { title, bytes: zooBook(sales), operations: logged([operation]), touches, shows }
}

const sheetNames = (document: OpenDocument) =>
  (unwrap(document.map()).fields.sheets as { name: string }[]).map(sheet => sheet.name).join()
const partText = (bytes: Uint8Array, name: string) =>
  Buffer.from(unwrap(unwrap(OpcPackage.open(bytes)).part(name))).toString('utf8')
const looksOf = (document: OpenDocument, sheet: string) =>
  unwrap(document.read({ sheet }, { maxBytes: 10_000, styles: true })).text
const mapText = (document: OpenDocument) => unwrap(document.map()).text

testFormat(factsOf('xlsx'), xlsxFormat, {
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
      'set_cells',
      { op: 'set_cells', sheet: 'Sales', cells: [{ cell: 'A2', value: 'West' }] },
      [SHEET1],
      own => shown(own, 'Sales', 'A2') === 'West',
    ),
    example(
      'set_cells under formulas',
      { op: 'set_cells', sheet: 'Sales', cells: [{ cell: 'B1', value: 4 }] },
      [SHEET1, SHEET2, WORKBOOK],
      own => shown(own, 'Costs', 'A1') === '? {=Sales!B4*2}',
    ),
    example(
      'set_range',
      {
        op: 'set_range',
        sheet: 'Costs',
        start: 'C3',
        values: [
          [1, 'x'],
          [true, null],
        ],
      },
      [SHEET2],
      own => shown(own, 'Costs', 'C4') === 'TRUE',
    ),
    example(
      'clear_range',
      { op: 'clear_range', sheet: 'Costs', range: 'B1:B9' },
      [SHEET2],
      own => shown(own, 'Costs', 'B1') === '',
    ),
    example(
      'find_replace',
      { op: 'find_replace', search: 'North', replace: 'Nord' },
      [SHEET1],
      own => shown(own, 'Sales', 'A2') === 'Nord',
    ),
    example('merge_cells', { op: 'merge_cells', sheet: 'Costs', range: 'D4:E5' }, [SHEET2], own =>
      mapText(own).includes('D4:E5'),
    ),
    example(
      'unmerge_cells',
      { op: 'unmerge_cells', sheet: 'Sales', range: 'D1:E1' },
      [SHEET1],
      own => !mapText(own).includes('D1:E1'),
    ),
    example('hide rows', { op: 'hide', sheet: 'Sales', rows: '2:2' }, [SHEET1], own =>
      mapText(own).includes('hidden rows: 2'),
    ),
    example('hide columns', { op: 'hide', sheet: 'Sales', columns: 'B:C' }, [SHEET1], own =>
      mapText(own).includes('hidden columns: B-C'),
    ),
    example('hide a sheet', { op: 'hide', sheet: 'Costs' }, [WORKBOOK], own =>
      mapText(own).includes('"Costs" (hidden)'),
    ),
    example(
      'set_column_widths',
      { op: 'set_column_widths', sheet: 'Sales', widths: { 'A:B': 20 } },
      [SHEET1],
      (_, bytes) => /<col min="1" max="2" width="20"/.test(partText(bytes, SHEET1)),
    ),
    example(
      'set_style',
      { op: 'set_style', sheet: 'Sales', range: 'A2:B2', style: { bold: true } },
      [SHEET1, STYLES],
      own => looksOf(own, 'Sales').includes('A2: bold'),
    ),
    example(
      'set_style like',
      { op: 'set_style', sheet: 'Costs', range: 'A1', like: 'Sales!B2' },
      [SHEET2],
      own => looksOf(own, 'Costs').includes('A1: format "#,##0.00"'),
    ),
    example('clear_style', { op: 'clear_style', sheet: 'Sales', range: 'B1:B4' }, [SHEET1], own =>
      looksOf(own, 'Sales').includes('none'),
    ),
    example(
      'conditional_format',
      {
        op: 'conditional_format',
        sheet: 'Sales',
        range: 'B1:B4',
        rule: { cell: '>', value: 5 },
        style: { fill: 'FFC7CE' },
      },
      [SHEET1, STYLES],
      own => mapText(own).includes('1. B1:B4 {"cell":">","value":5}: fill FFC7CE'),
    ),
    example('freeze_panes', { op: 'freeze_panes', sheet: 'Sales', at: 'A2' }, [SHEET1], own =>
      mapText(own).includes('frozen: 1 row'),
    ),
    example(
      'auto_filter',
      { op: 'auto_filter', sheet: 'Sales', range: 'A1:B2', filters: { Region: ['South'] } },
      [SHEET1, WORKBOOK],
      own => mapText(own).includes('filter on A1:B2'),
    ),
    example(
      'print_setup',
      { op: 'print_setup', sheet: 'Costs', print: { area: 'A1:B1', orientation: 'landscape' } },
      [SHEET2, WORKBOOK],
      own => mapText(own).includes('print: area A1:B1, orientation landscape'),
    ),
    example('group', { op: 'group', sheet: 'Sales', rows: '1:2' }, [SHEET1], own =>
      mapText(own).includes('grouped: rows 1:2'),
    ),
    example(
      'set_row_heights',
      { op: 'set_row_heights', sheet: 'Sales', heights: { 2: 30, 9: 12 } },
      [SHEET1],
      (_, bytes) => /<row ht="30"[^>]* r="2">.*<row r="9" ht="12"/.test(partText(bytes, SHEET1)),
    ),
    example(
      'ensure_sheet',
      { op: 'ensure_sheet', sheet: 'New' },
      LISTS,
      own => sheetNames(own) === 'Sales,Costs,New',
    ),
    example(
      'delete_sheet',
      { op: 'delete_sheet', sheet: 'Sales' },
      [...LISTS, SHEET1, SHEET2],
      own => shown(own, 'Costs', 'A1') === '? {=#REF!*2}',
    ),
    example(
      'rename_sheet',
      { op: 'rename_sheet', sheet: 'Sales', new_name: "Bob's sales" },
      [WORKBOOK, SHEET1, SHEET2],
      own => shown(own, 'Costs', 'A1') === "27 {='Bob''s sales'!B4*2}",
    ),
    example(
      'move_sheet',
      { op: 'move_sheet', sheet: 'Costs', index: 0 },
      [WORKBOOK],
      own => sheetNames(own) === 'Costs,Sales',
    ),
    example(
      'copy_sheet',
      { op: 'copy_sheet', sheet: 'Sales', new_name: 'Copy' },
      LISTS,
      own => sheetNames(own) === 'Sales,Copy,Costs' && shown(own, 'Copy', 'A2') === 'North',
    ),
    ...OBJECT_EXAMPLES,
  ],
  hostile: {
    'no bytes': new Uint8Array(0),
    'not a zip': Buffer.from('hello, this is text'),
    'a zip without content types': buildZip([{ name: 'a.txt', data: 'x' }]),
    'a cut file': zooBook(sales).subarray(0, 900),
    'an entity bomb in the strings': zooBook({
      sheets: { A: '' },
      parts: {
        'xl/sharedStrings.xml': '<!DOCTYPE sst [<!ENTITY a "b">]><sst><si><t>&a;</t></si></sst>',
      },
    }),
    'an entity bomb in the sheet': zooBook({
      sheets: { A: '' },
      parts: { [SHEET1]: '<!DOCTYPE w [<!ENTITY a "b">]><worksheet><sheetData/></worksheet>' },
    }),
    'a workbook part that is not XML': zooBook({
      sheets: { A: '' },
      parts: { [WORKBOOK]: '<workbook><sheets>' },
    }),
    'a sheet that is cut': zooBook({
      sheets: { A: '' },
      parts: { [SHEET1]: '<worksheet><sheetFormatPr' },
    }),
    'a Word document': buildZip([
      {
        name: '[Content_Types].xml',
        data: '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
      },
      {
        name: '_rels/.rels',
        data: '<Relationships><Relationship Id="r" Type="x/officeDocument" Target="word/document.xml"/></Relationships>',
      },
      { name: 'word/document.xml', data: '<document/>' },
    ]),
  },
})

test('the first sheet of a new workbook is reported when it stays empty next to others', () => {
  const make = (...operations: Operation[]) => {
    const document = unwrap(xlsxFormat.open(unwrap(xlsxFormat.create(NAME)), NAME))
    return unwrap(document.apply(logged(operations))).warnings
  }
  const ensure = { op: 'ensure_sheet', sheet: 'Data' }
  expect(make(ensure)).toEqual([
    'The sheet "Sheet1" came with the workbook and is empty; delete_sheet removes it.',
  ])
  expect(make(ensure, { op: 'delete_sheet', sheet: 'Sheet1' }).join()).not.toContain('came with')
  const set = { op: 'set_cells', sheet: 'Sheet1', cells: [{ cell: 'A1', value: 1 }] }
  expect(make(ensure, set)).toEqual([])
  expect(make(set, ensure)).toEqual([])
})

test('a query gets the cells of each sheet by row, as values', () => {
  const document = unwrap(xlsxFormat.open(zooBook(sales), NAME))
  const [first, second] = unwrap(document.tables!())
  expect(first).toMatchObject({
    name: 'Sales',
    region: { sheet: 'Sales' },
    box: { top: 1, left: 1, bottom: 4, right: 2 },
  })
  expect([...first!.rows()]).toEqual([
    { row: 1, cells: ['Region', 10] },
    { row: 2, cells: ['North', 3.5] },
    { row: 4, cells: [null, 13.5] },
  ])
  expect([...first!.rows({ top: 2, bottom: 9, left: 2, right: 3 })]).toEqual([
    { row: 2, cells: [3.5, null] },
    { row: 4, cells: [13.5, null] },
  ])
  expect(second!.name).toBe('Costs')
  unwrap(
    document.apply(
      logged([{ op: 'set_cells', sheet: 'Sales', cells: [{ cell: 'B1', value: 4 }] }]),
    ),
  )
  expect([...unwrap(document.tables!())[0]!.rows()].at(-1)).toEqual({
    row: 4,
    cells: [null, null],
    isStale: true,
  })
})

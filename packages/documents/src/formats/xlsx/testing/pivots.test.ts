import { expect, test } from 'vitest'
import { edited, partText, shown, type ZooBook } from './zoo.contract.ts'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const rel = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const links = (kind: string, target: string) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${rel}/${kind}" Target="${target}"/></Relationships>`
const book: ZooBook = {
  sheets: {
    Sums: {
      rows: '<row r="3"><c r="A3"><v>1</v></c><c r="B3"><v>2</v></c></row>',
      links: [['rId1', 'pivotTable', '../pivotTables/pivotTable1.xml']],
    },
    Data: '<row r="1"><c r="A1"><v>1</v></c></row>',
  },
  workbookLinks: [['rId50', 'pivotCacheDefinition', 'pivotCache/pivotCacheDefinition1.xml']],
  parts: {
    'xl/pivotTables/pivotTable1.xml': `<pivotTableDefinition xmlns="${MAIN}" name="P"><location ref="A3:B6"/></pivotTableDefinition>`,
    'xl/pivotTables/_rels/pivotTable1.xml.rels': links(
      'pivotCacheDefinition',
      '../pivotCache/pivotCacheDefinition1.xml',
    ),
    'xl/pivotCache/pivotCacheDefinition1.xml': `<pivotCacheDefinition xmlns="${MAIN}"><cacheSource type="worksheet"><worksheetSource ref="A1:E9" sheet="Data"/></cacheSource><cacheFields count="2"><cacheField name="Region"/><cacheField name="Net"/></cacheFields></pivotCacheDefinition>`,
  },
}
const set = (sheet: string, cell: string) => ({
  op: 'set_cells',
  sheet,
  cells: [{ cell, value: 9 }],
})

test('a write to a cell that a pivot table fills is reported', () => {
  expect(edited(book, [set('Sums', 'B3')]).warnings).toEqual([
    'Sums!A3:B6 is the pivot table P, which overwrites its cells when it is refreshed; to change what it shows, change its source (Data!A1:E9).',
  ])
  expect(edited(book, [set('Sums', 'B7')]).warnings).toEqual([])
})

const CACHE = 'xl/pivotCache/pivotCacheDefinition1.xml'

test('a pivot table whose source changed is refreshed when the file is opened', () => {
  expect(partText(edited(book, [set('Data', 'E9')]).bytes, CACHE)).toContain('refreshOnLoad="1"')
  expect(partText(edited(book, [set('Data', 'F1')]).bytes, CACHE)).not.toContain('refreshOnLoad')
  const rows = { op: 'insert_rows', sheet: 'Data', at: 3 }
  const moved = partText(edited(book, [rows]).bytes, CACHE)
  expect(moved).toContain('refreshOnLoad="1"')
  expect(moved).toContain('ref="A1:E10"')
})

test('a header of its source that is written is reported', () => {
  expect(edited(book, [set('Data', 'B1')]).warnings.join()).toContain(
    'a pivot table knows its fields by their headers (Region, Net)',
  )
  expect(edited(book, [set('Data', 'B2')]).warnings.join()).not.toContain('header')
})

test('the answer says that a pivot table keeps its values when its source changes', () => {
  const rename = { op: 'rename_sheet', sheet: 'Data', new_name: 'Input' }
  const stays = (place: string) => [
    `Pivot tables based on ${place} show their old values until a spreadsheet program opens the file; it then refreshes them.`,
  ]
  expect(edited(book, [set('Data', 'E9')]).warnings).toEqual(stays('Data!A1:E9'))
  expect(edited(book, [rename, set('Input', 'A2')]).warnings).toEqual(stays('Input!A1:E9'))
  expect(edited(book, [set('Data', 'F1')]).warnings).toEqual([])
})

test.each([
  [{ op: 'delete_rows', sheet: 'Data', rows: '8:9' }, 'Data!A1:E9'],
  [{ op: 'insert_rows', sheet: 'Data', at: 3 }, 'Data!A1:E10'],
  [{ op: 'append_rows', sheet: 'Data', range: 'A1:E9', values: [[1]] }, 'Data!A1:E10'],
  [{ op: 'fill', sheet: 'Data', range: 'A1:A3' }, 'Data!A1:E9'],
  [{ op: 'replace_values', map: { 1: 2 } }, 'Data!A1:E9'],
  [{ op: 'copy_range', sheet: 'Sums', range: 'B3', to: 'Data!B2' }, 'Data!A1:E9'],
])('$0.op tells of the pivot tables that read what it changes', (operation, place) => {
  expect(edited(book, [operation]).warnings).toContain(
    `Pivot tables based on ${place} show their old values until a spreadsheet program opens the file; it then refreshes them.`,
  )
})

test('rows above or beside a source are no change of it', () => {
  expect(edited(book, [{ op: 'insert_rows', sheet: 'Data', at: 1 }]).warnings).toEqual([])
  expect(edited(book, [{ op: 'delete_columns', sheet: 'Data', columns: 'G' }]).warnings).toEqual([])
})

test('a column inserted into a source needs a header, and a deleted one takes its field along', () => {
  const inserted = edited(book, [{ op: 'insert_columns', sheet: 'Data', at: 'B' }]).warnings
  expect(inserted.join()).toContain('The columns inserted into Data!A1:F9 have no header')
  const deleted = edited(book, [{ op: 'delete_columns', sheet: 'Data', columns: 'B' }]).warnings
  expect(deleted.join()).toContain('A header of Data!A1:E9 was deleted')
})

test('a value replaced in a pivot table is reported', () => {
  expect(edited(book, [{ op: 'replace_values', map: { 2: 5 }, sheet: 'Sums' }]).warnings).toEqual([
    'Sums!A3:B6 is the pivot table P, which overwrites its cells when it is refreshed; to change what it shows, change its source (Data!A1:E9).',
  ])
})

test.each([
  [
    ['Mar', 'Jan', 'feb', 'Jan'],
    ['Jan', 'feb', 'Mar'],
  ],
  [
    ['Tuesday', 'Monday'],
    ['Monday', 'Tuesday'],
  ],
  [
    ['Mar', 'Jan', 'Old'],
    ['Jan', 'Mar', 'Old'],
  ],
  [
    ['May', 'April', 'Sum'],
    ['April', 'May', 'Sum'],
  ],
])('%j stand in a new pivot table as %j', (labels, expected) => {
  const source = [['When', 'Net'], ...labels.map((own, index) => [own, index])]
  const { after, bytes } = edited({ sheets: { S: '', P: '' } }, [
    { op: 'set_range', sheet: 'S', start: 'A1', values: source },
    {
      op: 'add_pivot',
      sheet: 'P',
      source: `S!A1:B${source.length}`,
      rows: ['When'],
      values: [{ field: 'Net', function: 'sum' }],
    },
  ])
  const places = expected.map((_, index) => shown(after, 'P', `A${4 + index}`))
  expect(places).toEqual(expected)
  const definition = partText(bytes, 'xl/pivotCache/pivotCacheDefinition1.xml')
  const items = [...definition.matchAll(/<s v="(\w+)"/g)].map(own => own[1])
  expect(items).toEqual(expected)
})

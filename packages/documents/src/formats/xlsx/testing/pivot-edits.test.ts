import { describe, expect, test } from 'vitest'
import { newRepairFaults } from '../../../../../../test/repair-lint/lint.ts'
import { structureFaults } from './structure.contract.ts'
import { edited, logged, openZoo, partText, shown, type ZooBook } from './zoo.contract.ts'

const rows = [
  ['North', 2025, 10],
  ['South', 2025, 20],
  ['North', 2026, 30],
  ['South', 2026, 5],
  ['North', 2026, 2],
] as const
const book: ZooBook = {
  strings: ['Region', 'Year', 'Net', 'North', 'South'],
  sheets: {
    Data: `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row>${rows
      .map(
        ([region, year, net], at) =>
          `<row r="${at + 2}"><c r="A${at + 2}" t="s"><v>${region === 'North' ? 3 : 4}</v></c><c r="B${at + 2}"><v>${year}</v></c><c r="C${at + 2}" s="1"><v>${net}</v></c></row>`,
      )
      .join('')}`,
    Sums: '',
  },
}
const CACHE = 'xl/pivotCache/pivotCacheDefinition1.xml'
const TABLE = 'xl/pivotTables/pivotTable1.xml'
const add = {
  op: 'add_pivot',
  sheet: 'Sums',
  source: 'Data!A1:C6',
  rows: ['Region'],
  values: [{ field: 'Net', function: 'sum' }],
  cell: 'A3',
  name: 'P',
}

function done(...operations: { op: string; [key: string]: unknown }[]) {
  const own = edited(book, operations)
  expect(newRepairFaults(own.before, own.bytes)).toEqual([])
  expect(structureFaults(own.bytes)).toEqual([])
  return own
}
function refused(...operations: { op: string; [key: string]: unknown }[]): string {
  const { document } = openZoo(book)
  const result = document.apply(logged(operations))
  return result.ok ? 'done' : result.failure.message
}

describe('add_pivot', () => {
  test('shows its values, and is read again when the file is opened', () => {
    const { bytes, after, changes } = done(add)
    expect(partText(bytes, CACHE)).toContain('saveData="0" refreshOnLoad="1"')
    expect(partText(bytes, CACHE)).toContain('<worksheetSource ref="A1:C6" sheet="Data"/>')
    expect(partText(bytes, CACHE)).toContain(
      '<sharedItems count="2"><s v="North"/><s v="South"/></sharedItems>',
    )
    expect(partText(bytes, TABLE)).toContain(
      '<location ref="A3:B6" firstHeaderRow="1" firstDataRow="1" firstDataCol="1"/>',
    )
    expect(partText(bytes, TABLE)).toContain(
      '<dataField name="Sum of Net" fld="2" baseField="0" baseItem="0" numFmtId="4"/>',
    )
    expect(partText(bytes, 'xl/workbook.xml')).toContain('<pivotCaches><pivotCache cacheId="1"')
    expect(
      ['A3', 'B3', 'A4', 'B4', 'B5', 'A6', 'B6'].map(cell => shown(after, 'Sums', cell)),
    ).toEqual(['Region', 'Sum of Net', 'North', '42.00', '25.00', 'Grand Total', '67.00'])
    expect(changes).toMatchObject([
      { place: 'Sums!A3 pivot table P', after: { text: 'P: Sum of Net\nrows Region' } },
    ])
  })

  test('with columns, several values and filters', () => {
    const columns = done({ ...add, columns: ['Year'] })
    expect(partText(columns.bytes, TABLE)).toContain('firstHeaderRow="1" firstDataRow="2"')
    expect(['C4', 'B5', 'C5', 'D5', 'D7'].map(cell => shown(columns.after, 'Sums', cell))).toEqual([
      '2026',
      '10.00',
      '32.00',
      '42.00',
      '67.00',
    ])
    const two = done({
      ...add,
      values: ['Net', { field: 'Net', function: 'average' }],
      filters: ['Year'],
      cell: 'A1',
    })
    expect(partText(two.bytes, TABLE)).toContain('rowPageCount="1" colPageCount="1"')
    expect(partText(two.bytes, TABLE)).toContain(
      '<colFields count="1"><field x="-2"/></colFields><pageFields count="1">',
    )
    expect(['A1', 'B1', 'B3', 'C3', 'C4'].map(cell => shown(two.after, 'Sums', cell))).toEqual([
      'Year',
      '(All)',
      'Sum of Net',
      'Average of Net',
      '14.00',
    ])
  })

  test('of a table names it', () => {
    const table = { op: 'add_table', sheet: 'Data', range: 'A1:C6', name: 'Sales' }
    const { bytes, changes } = done(table, { ...add, source: 'Sales' })
    expect(partText(bytes, CACHE)).toContain('<worksheetSource name="Sales"/>')
    expect(changes[1]!.dependsOn).toEqual([changes[0]!.id])
    const renamed = done(
      table,
      { ...add, source: 'Sales' },
      { op: 'edit_table', table: 'Sales', new_name: 'Deals' },
    )
    expect(partText(renamed.bytes, CACHE)).toContain('<worksheetSource name="Deals"/>')
    const plain = done(table, { ...add, source: 'Sales' }, { op: 'remove_table', table: 'Sales' })
    expect(partText(plain.bytes, CACHE)).toContain('ref="A1:C6" sheet="Data"')
  })

  test.each([
    [{ rows: ['Regio'] }, 'did you mean "Region"'],
    [{ values: [] }, 'needs values'],
    [{ values: [{ field: 'Net', function: 'median' }] }, 'is no function'],
    [{ columns: ['Region'] }, 'once'],
    [{ sheet: 'Data', cell: 'B2' }, 'hold values'],
    [{ source: 'Data!A1:D6' }, 'needs a header'],
  ])('with %j is refused: %s', (given, problem) => {
    expect(refused({ ...add, ...given })).toContain(problem)
  })
})

test('edit_pivot shows other fields in its place', () => {
  const { bytes, after, changes } = done(add, {
    op: 'edit_pivot',
    pivot: 'P',
    rows: ['Year'],
    values: [{ field: 'Net', function: 'max' }],
    new_name: 'Q',
  })
  expect(partText(bytes, TABLE)).toContain('name="Q"')
  expect(partText(bytes, TABLE)).toContain('subtotal="max"')
  expect(['A3', 'B3', 'A4', 'B4', 'B5', 'B6'].map(cell => shown(after, 'Sums', cell))).toEqual([
    'Year',
    'Max of Net',
    '2025',
    '20.00',
    '30.00',
    '30.00',
  ])
  expect(changes[1]!.dependsOn).toContain(changes[0]!.id)
})

test('remove_pivot takes its cells and its cache', () => {
  const { bytes, after } = done(add, { op: 'remove_pivot', pivot: 'P' })
  expect(() => partText(bytes, CACHE)).toThrow()
  expect(partText(bytes, 'xl/workbook.xml')).not.toContain('pivotCache')
  expect(shown(after, 'Sums', 'B4')).toBe('')
})

import { factsOf, loadFormat } from '@filewright/documents'
import { unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import {
  NAME,
  type ZooBook,
  zooBook,
} from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { runQuery } from '../../packages/engine/src/query/run-query.ts'
import { describeTables } from '../../packages/tools/src/query-warnings.ts'

const text = (at: string, index: number) => `<c r="${at}" t="s"><v>${index}</v></c>`
const number = (at: string, value: number) => `<c r="${at}"><v>${value}</v></c>`

/** A title above the table, its totals below, and a mixed column beside it. */
const BOOK: ZooBook = {
  strings: ['Report', 'Region', 'Net', 'North', 'n/a', 'Total', 'Rest', 'late'],
  sheets: {
    S: {
      rows: `<row r="1">${text('A1', 0)}</row><row r="3">${text('A3', 1)}${text('B3', 2)}${text('C3', 6)}</row><row r="4">${text('A4', 3)}${number('B4', 5)}${number('C4', 1)}</row><row r="5">${text('A5', 3)}${text('B5', 4)}${text('C5', 7)}</row><row r="6">${text('A6', 5)}${number('B6', 5)}</row>`,
      tail: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
      links: [['rId1', 'table', '../tables/table1.xml']],
    },
  },
  parts: {
    'xl/tables/table1.xml':
      '<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" name="Quant" displayName="Quant" ref="A3:B6" totalsRowCount="1"><tableColumns count="2"><tableColumn id="1" name="Region"/><tableColumn id="2" name="Net"/></tableColumns></table>',
  },
  types:
    '<Override PartName="/xl/tables/table1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml"/>',
}

function query(sql: string, more: { readonly table?: string } = {}) {
  const source = { bytes: zooBook(BOOK), log: [] }
  const files = [{ format: factsOf('xlsx').id, name: NAME, source, ...more }]
  return runQuery(files, sql, { maxRows: 100, maxCharacters: 10_000 }, loadFormat)
}

describe('a table of a workbook', () => {
  test('is a table in SQL where the query names it, without its totals', async () => {
    const { rows, columns } = unwrap(await query('SELECT * FROM quant'))
    expect(columns).toEqual(['_row', 'Region', 'Net'])
    expect(rows).toEqual([
      [4, 'North', 5],
      [5, 'North', 'n/a'],
    ])
    const joined = await query('SELECT count(*) FROM S JOIN "Quant" USING (_row)')
    expect(unwrap(joined).rows).toEqual([[2]])
  })

  test('is asked for by name, and is no second table where nobody names it', async () => {
    expect(unwrap(await query('SELECT count(*) FROM t', { table: 'Quant' })).rows).toEqual([[2]])
    expect(unwrap(await query('SELECT count(*) FROM t')).tables.map(({ name }) => name)).toEqual([
      'S',
    ])
    const unknown = await query('SELECT 1', { table: 'Quantity' })
    expect(!unknown.ok && unknown.failure.message).toContain('Its tables are "S", "Quant"')
  })
})

test('texts among numbers are told of the columns that a query names, once and together', async () => {
  const warnings = async (sql: string) =>
    describeTables(unwrap(await query(sql, { table: 'S' })).tables, sql)
  expect(await warnings('SELECT Region FROM S')).toEqual([])
  expect(await warnings('SELECT * FROM S')).toEqual([])
  expect(await warnings("SELECT Net FROM S WHERE typeof(Net) <> 'text'")).toEqual([])
  const [one, ...others] = await warnings('SELECT sum(Net), max("Rest") FROM S')
  expect(others).toEqual([])
  expect(one).toMatch(
    /^S\."Net" has 1 text such as "n\/a" among 2 numbers; S\."Rest" has 1 text .*: SUM and AVG/,
  )
})

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { factsOf, loadFormat } from '@filewright/documents'
import { type DocPath, type RelativePath, unwrap } from '@filewright/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { QueriedFile } from '../engine.ts'
import { runQuery } from './run-query.ts'

const SALES = 'region;amount;note\nNorth;1,5;a\nSouth;NP;\nNorth;2,5;b\n;;\nWest;;007\n'

function csv(text: string, rest: Partial<QueriedFile> = {}): QueriedFile {
  const name = { docPath: 'sales.csv' as DocPath, path: 'Sales.csv' as RelativePath }
  const source = { bytes: new TextEncoder().encode(text), log: [] }
  return { format: factsOf('csv').id, name, source, ...rest }
}

const OPTIONS = { maxRows: 1000, maxCharacters: 1_000_000 }

const query = (sql: string, files: readonly QueriedFile[] = [csv(SALES)]) =>
  runQuery(files, sql, OPTIONS, loadFormat)

const rows = async (sql: string, files?: readonly QueriedFile[]) =>
  unwrap(await query(sql, files)).rows

const refusal = async (sql: string, files?: readonly QueriedFile[]) => {
  const result = await query(sql, files)
  if (result.ok) throw new Error(`It ran: ${JSON.stringify(result.value)}`)
  return result.failure
}

describe('a query', () => {
  test('keeps the type of each cell, leaves blanks blank and knows the rows of the source', async () => {
    expect(await rows('SELECT _row, amount, typeof(amount), note FROM Sales')).toEqual([
      [2, 1.5, 'real', 'a'],
      [3, 'NP', 'text', null],
      [4, 2.5, 'real', 'b'],
      [6, null, 'null', '007'],
    ])
  })

  test('computes totals, joins files and calls a single table t', async () => {
    expect(await rows('SELECT region, sum(amount) FROM t GROUP BY region ORDER BY 1')).toEqual([
      ['North', 4],
      ['South', 0],
      ['West', null],
    ])
    const heads = csv('region,head\nNorth,Ada\n', { as: 'heads' })
    expect(
      await rows('SELECT DISTINCT head FROM Sales JOIN heads USING (region)', [csv(SALES), heads]),
    ).toEqual([['Ada']])
  })

  test('takes REGEXP, in any case with (?i)', async () => {
    expect(await rows("SELECT DISTINCT region FROM t WHERE region REGEXP '^[NS]'")).toHaveLength(2)
    expect(await rows("SELECT count(*) FROM t WHERE region REGEXP '(?i)^north$'")).toEqual([[2]])
  })

  test('reads a part, with the row that has the names or with letters', async () => {
    const part = csv('title;;\n;;\nname;value;x\na;1;2\nb;2;3\n', { range: 'A3:B5', headerRow: 3 })
    expect(await rows('SELECT name, value FROM t WHERE _row = 5', [part])).toEqual([['b', 2]])
    const bare = csv('1,2\n3,4\n', { headerRow: null })
    expect(await rows('SELECT sum(A), sum(B) FROM t', [bare])).toEqual([[4, 6]])
    expect((await refusal('SELECT 1', [csv(SALES, { range: 'X1:Y2' })])).message).toContain(
      '"X1:Y2" is no range of "Sales"',
    )
  })

  test('answers a wrong name with those that exist', async () => {
    expect(await refusal('SELECT amuont FROM Sales')).toMatchObject({
      code: 'INVALID_ARGUMENT',
      message:
        'Cannot run the query: there is no column amuont. "Sales" has the columns _row, "region", "amount", "note". It is also called t.',
    })
    expect((await refusal('SELECT "amuont" FROM Sales')).message).toContain('no column')
    expect((await refusal('SELECT 1 FROM Costs')).message).toContain('there is no table Costs')
    expect((await refusal('SELECT 1', [csv(SALES, { table: 'Costs' })])).message).toContain(
      'Its tables are "Sales"',
    )
  })

  test('tells of text among numbers, which SUM and AVG take for 0', async () => {
    expect(unwrap(await query('SELECT avg(amount) FROM t')).tables).toMatchObject([
      { mixed: [{ column: 'amount', numbers: 2, texts: 1, example: 'NP' }] },
    ])
  })

  test('reads amounts with a currency by number(), and tells of them', async () => {
    const costs = csv('item;cost\na;1.200,50 €\nb;(20,00 €)\nc;NP\n')
    const result = unwrap(await query('SELECT sum(number(cost)), sum(cost) FROM t', [costs]))
    expect(result.rows[0]![0]).toBe(1180.5)
    expect(result.tables[0]!.amounts).toEqual([
      { column: 'cost', count: 2, example: '1.200,50 €', decimal: ',' },
    ])
    expect(await rows("SELECT number('1.234'), number('1.234', ','), number('x')")).toEqual([
      [1.234, 1234, null],
    ])
  })

  test('reads dates that are text by isodate(), and tells of them', async () => {
    const visits = csv('day;seen\n31.12.2025;03/14/2025\n1.2.2025;1/2/2025\nsoon;\n')
    const sql =
      "SELECT strftime('%m', isodate(day)), strftime('%m', day), isodate(seen, 'mdy') FROM t"
    const result = unwrap(await query(sql, [visits]))
    expect(result.rows).toEqual([
      ['12', null, '2025-03-14'],
      ['02', null, '2025-01-02'],
      [null, null, null],
    ])
    expect(result.tables[0]!.dates).toEqual([
      { column: 'day', count: 2, example: '31.12.2025', order: 'dmy' },
      { column: 'seen', count: 2, example: '03/14/2025', order: 'mdy' },
    ])
  })

  test('gives the first rows and counts all', async () => {
    const many = csv(`n\n${Array.from({ length: 5000 }, (_, i) => i).join('\n')}\n`)
    const result = unwrap(await query('SELECT n FROM t', [many]))
    expect([result.rows.length, result.rowCount]).toEqual([1000, 5000])
  })

  test('names columns once, in any case, and the nameless by letters', async () => {
    const odd = csv('A,a,,_row\n1,2,3,4\n5,6,7,8\n', { headerRow: 1 })
    expect(unwrap(await query('SELECT 1', [odd])).tables[0]!.columns).toEqual([
      'A',
      'a_2',
      'C',
      '_row_2',
    ])
  })
})

describe('an attack is refused before it runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'filewright-query-'))
  const target = join(folder, 'written')
  test.each([
    `ATTACH '${target}' AS other`,
    'PRAGMA database_list',
    'SELECT * FROM pragma_database_list',
    "SELECT load_extension('/lib/x.so')",
    'SELECT 1; DROP TABLE Sales',
    'SELECT 1 /* ; */; -- \n DELETE FROM Sales',
    `VACUUM INTO '${target}'`,
    'WITH a AS (SELECT 1) INSERT INTO Sales SELECT 1, 2, 3, 4',
    'DELETE FROM Sales',
    'CREATE TABLE x AS SELECT 1',
    `SELECT writefile('${target}', 'x')`,
    'REPLACE INTO Sales VALUES (1, 2, 3, 4)',
    "SELECT fts3_tokenizer('simple')",
    'EXPLAIN SELECT 1',
    'SELECT\0 1',
    '',
  ])('%s', async sql => {
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    expect(await refusal(sql)).toMatchObject({ code: 'INVALID_ARGUMENT' })
    expect(existsSync(target)).toBe(false)
  })

  test('but a string, a comment or a quoted name may say anything', async () => {
    expect(
      await rows(`SELECT 'DROP; x' AS "delete" /* attach */ -- pragma\n FROM t LIMIT 1;`),
    ).toEqual([['DROP; x']])
    expect(await rows("SELECT replace('a', 'a', 'b')")).toEqual([['b']])
  })
})

import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createProcessEngine } from '@filewright/engine'
import { expect, onTestFinished, test } from 'vitest'
import { zooBook } from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'

const hostMain = fileURLToPath(new URL('../../packages/engine/dist/host-main.js', import.meta.url))
const SALES = `region,amount\n${Array.from({ length: 3000 }, (_, i) => `R${i % 7},${i}`).join('\n')}\n`

/** The product with its queries in a child process, as the command line runs it. */
async function product() {
  const engine = createProcessEngine({ command: [process.execPath, hostMain] })
  onTestFinished(() => engine.close())
  return embedded({ 'sales.csv': SALES, 'book.xlsx': BOOK }, { wrapEngine: () => engine })
}

const BOOK = zooBook({
  strings: ['name', 'n', 'x', 'NP'],
  sheets: {
    'My sheet':
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row r="3"><c r="A3" t="s"><v>2</v></c><c r="B3"><v>4</v></c></row><row r="4"><c r="A4" t="s"><v>2</v></c><c r="B4" t="s"><v>3</v></c></row>',
  },
})

const over = (sql: string, path = 'sales.csv') => ({ sql, tables: [{ path }] })

verifies(
  [
    'CONTRACT §4 table_query select',
    'CONTRACT §4 table_query totals computed',
    'CONTRACT §7 limit table_query rows',
  ],
  'totals are those of all rows, and at most 1,000 rows are shown with their number',
  async () => {
    const { call } = await product()
    expect(await call('table_query', over('SELECT sum(amount) FROM t'))).toMatchObject({
      rows: [[(3000 * 2999) / 2]],
    })
    const all = await call('table_query', over('SELECT _row, amount FROM sales'))
    expect([all.rows.length, all.rowCount]).toEqual([1000, 3000])
    expect(all.rows[999]).toEqual([1001, 999])
    const sheet = await call('table_query', over('SELECT * FROM "My sheet"', 'book.xlsx'))
    expect(sheet).toMatchObject({
      columns: ['_row', 'name', 'n'],
      rows: [
        [3, 'x', 4],
        [4, 'x', 'NP'],
      ],
    })
  },
)

/** Those that only a stopped process ends; what is refused before is in run-query.test.ts. */
const ENDLESS = [
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n',
  `SELECT '${'a'.repeat(40)}!' REGEXP '^(a+)+$'`,
  'SELECT count(*) FROM t a, t b, t c, t d',
]
const LARGE = [
  'SELECT length(hex(zeroblob(400000000)))',
  'WITH RECURSIVE n(s) AS (SELECT hex(randomblob(1000000)) UNION ALL SELECT s || s FROM n LIMIT 12) SELECT length(group_concat(s)) FROM n',
]
const isFull = process.env.FILEWRIGHT_FULL === '1'

verifies(
  ['CONTRACT §7 limit table_query time', 'CONTRACT §4 table_query only select'],
  'a query that takes longer than 10 s is stopped, and the next one works',
  async () => {
    const { call, dir } = await product()
    for (const sql of isFull ? ENDLESS : ENDLESS.slice(0, 1)) {
      const started = performance.now()
      const stopped = await call('table_query', over(sql))
      expect(stopped, sql).toMatchObject({ success: false, errorCode: 'TIMEOUT', kind: 'limit' })
      expect(stopped.message).toContain('it took longer than 10 s and was stopped')
      expect(performance.now() - started).toBeGreaterThan(9_000)
    }
    expect(await call('table_query', over('SELECT count(*) FROM t'))).toMatchObject({
      rows: [[3000]],
    })
    expect(readdirSync(dir).sort()).toEqual(['book.xlsx', 'sales.csv'])
  },
)

verifies(
  'CONTRACT §7 limit table_query memory',
  'a query that takes more than 512 MB is stopped, and the next one works',
  async () => {
    const { call } = await product()
    for (const sql of isFull ? LARGE : LARGE.slice(0, 1)) {
      const stopped = await call('table_query', over(sql))
      expect(stopped, sql).toMatchObject({ success: false, errorCode: 'TOO_LARGE', kind: 'limit' })
      expect(stopped.message).toContain('it took more than 512 MB of memory and was stopped')
    }
    expect(await call('table_query', over('SELECT 1'))).toMatchObject({ rows: [[1]] })
  },
)

test('an export that is too large writes nothing', async () => {
  const { call } = await product()
  const sql = 'SELECT a.amount FROM t a, t b LIMIT 260000'
  expect(await call('table_export', { ...over(sql), to: 'out.csv' })).toMatchObject({
    success: false,
    errorCode: 'TOO_LARGE',
  })
  expect((await call('list_files', {})).total).toBe(2)
})

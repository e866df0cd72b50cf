import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createProcessEngine, type Engine } from '@filewright/engine'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, embedded } from '../embedded.ts'

const hostMain = fileURLToPath(new URL('../../packages/engine/dist/host-main.js', import.meta.url))
const ROWS = 3_000
const SALES = `region,amount\n${Array.from({ length: ROWS }, (_, i) => `R${i % 7},${i}`).join('\n')}\n`
const isFull = process.env.FILEWRIGHT_FULL === '1'

/** Refused at once: nothing of it runs. */
const REFUSED: Readonly<Record<string, string>> = {
  'another database': "ATTACH 'stolen.db' AS other",
  'a copy of the database': "VACUUM INTO 'stolen.db'",
  'a setting': 'PRAGMA writable_schema = 1',
  'a setting as a table': "SELECT * FROM pragma_table_info('t')",
  'a library': "SELECT load_extension('./evil.so')",
  'a library under a quoted name': `SELECT "load_extension"('./evil.so')`,
  'a second statement': 'SELECT 1; DROP TABLE sales',
  'a second statement behind a comment': 'SELECT 1 /* ; */; -- \n DELETE FROM sales',
  'a write in a query': 'WITH a AS (SELECT 1) INSERT INTO sales SELECT 1, 2, 3',
  'a file that is written': "SELECT writefile('stolen.db', 'x')",
  'a file that is written, quoted': `SELECT "writefile"('stolen.db', 'x')`,
  'a file that is read': "SELECT readfile('/etc/passwd')",
  'an expression too deep': `SELECT ${'('.repeat(9_000)}1${')'.repeat(9_000)}`,
  'an expression too long': `SELECT 1${'+1'.repeat(9_000)}`,
  'a value beyond all bounds': 'SELECT zeroblob(2000000000)',
}

/** Ended with the process that runs it, when its 10 s or its 512 MB are used up. */
const STOPPED: Readonly<Record<string, string>> = {
  'a recursion without end':
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n',
  'an expression that doubles its time': `SELECT '${'a'.repeat(40)}!' REGEXP '^(a+)+$'`,
  'a join of everything with everything': 'SELECT count(*) FROM t a, t b, t c, t d',
  'a huge result': 'SELECT a.region, b.region, c.amount FROM t a, t b, t c',
  'a value as large as memory': 'SELECT length(hex(zeroblob(400000000)))',
  'random bytes without end':
    'WITH RECURSIVE n(s) AS (SELECT hex(randomblob(1000000)) UNION ALL SELECT s || s FROM n LIMIT 12) SELECT length(group_concat(s)) FROM n',
  'a pattern that pads':
    "SELECT length(printf('%900000000d', 1)) + length(hex(zeroblob(300000000)))",
}

describe('an attack by SQL', () => {
  let engine: Engine
  beforeAll(() => {
    engine = createProcessEngine({ command: [process.execPath, hostMain] })
  })
  afterAll(() => engine.close())

  /** A product of its own for each attack; the process that runs queries goes on. */
  async function victim() {
    const product = await embedded({ 'sales.csv': SALES }, { wrapEngine: () => engine })
    return async (tool: string, sql: string): Promise<Answer> => {
      const to = tool === 'table_export' ? { to: 'out.csv' } : {}
      const answer = await product.call(tool, { sql, tables: [{ path: 'sales.csv' }], ...to })
      expect(readdirSync(product.dir)).toEqual(['sales.csv'])
      expect(readFileSync(join(product.dir, 'sales.csv'), 'utf8')).toBe(SALES)
      expect(existsSync('stolen.db')).toBe(false)
      return answer
    }
  }

  test.each(Object.entries(REFUSED))('%s is refused', async (_, sql) => {
    const attack = await victim()
    for (const tool of ['table_query', 'table_export']) {
      const answer = await attack(tool, sql)
      expect(answer).toMatchObject({ success: false, errorCode: 'INVALID_ARGUMENT' })
      expect(answer.message).toMatch(/cannot run the query: /i)
      expect(JSON.stringify(answer)).not.toContain('root:')
    }
    expect(await attack('table_query', 'SELECT count(*) FROM t')).toMatchObject({ rows: [[ROWS]] })
  })

  test.skipIf(!isFull).each(Object.entries(STOPPED))('%s is stopped', async (_, sql) => {
    const attack = await victim()
    const answer = await attack('table_query', sql)
    expect(answer).toMatchObject({ success: false, kind: 'limit' })
    expect(['TIMEOUT', 'TOO_LARGE']).toContain(answer.errorCode)
    expect(answer.message).toContain('was stopped')
    expect(await attack('table_query', 'SELECT count(*) FROM t')).toMatchObject({ rows: [[ROWS]] })
  })
})

import type {
  LoadedTable,
  QueryOptions,
  QueryResult,
  ReadableDocument,
  TableCell,
} from '@filewright/documents'
import { fail, LIMITS, ok, type Result } from '@filewright/protocol'
import type { QueriedFile } from '../engine.ts'
import type { LoadFormat } from '../load-format.ts'
import { atHand } from '../streamed.ts'
import { admitStatement, refuse } from './admit-statement.ts'
import { toNumber } from './amounts.ts'
import { toIsoDate } from './dates.ts'
import { findTables } from './find-tables.ts'
import { loadTable, quoted } from './load-table.ts'
import { openQueryDatabase, type QueryDatabase, type SqliteValue } from './sqlite.ts'

/** What a SELECT compiles to: SQLITE_READ, SQLITE_SELECT, SQLITE_FUNCTION, SQLITE_RECURSIVE. */
const READING = new Set([20, 21, 31, 33])
const FUNCTION = 31
const DANGEROUS = new Set(['load_extension', 'fts3_tokenizer'])
const [ALLOW, DENY] = [0, 1] as const
const VALUE_CHARACTERS = 32_767 // of one value: what a cell of a sheet holds
const ONLY = 't' // also the name of a table that is alone

/** One SELECT over tables that are copied into memory; nothing outlives it. */
export async function runQuery(
  files: readonly QueriedFile[],
  sql: string,
  options: QueryOptions,
  loadFormat: LoadFormat,
): Promise<Result<QueryResult>> {
  const admitted = admitStatement(sql)
  if (!admitted.ok) return admitted
  const database = await openQueryDatabase()
  try {
    const tables: LoadedTable[] = []
    for (const file of files) {
      const document = await openFile(file, loadFormat)
      if (!document.ok) return document
      const taken = new Set(tables.map(({ name }) => name))
      const found = findTables(file, document.value, { sql, taken })
      if (!found.ok) return found
      for (const { name, table, part } of found.value)
        tables.push(loadTable(database, name, table, part))
    }
    if (tables.length === 1 && tables[0]!.name.toLowerCase() !== ONLY)
      database.exec(`CREATE TEMP VIEW ${ONLY} AS SELECT * FROM ${quoted(tables[0]!.name)}`)
    return select(database, sql, tables, options)
  } finally {
    database.close()
  }
}

async function openFile(
  { format, name, source }: QueriedFile,
  loadFormat: LoadFormat,
): Promise<Result<ReadableDocument>> {
  const opened = (await loadFormat(format)).open(atHand(source.bytes), name)
  if (!opened.ok || source.log.length === 0) return opened
  if (!('apply' in opened.value)) throw new Error(`The format ${format} has no log`)
  const document = opened.value as ReadableDocument & { apply(...args: unknown[]): Result<unknown> }
  const applied = document.apply(source.log, source.options)
  return applied.ok ? opened : applied
}

function select(
  database: QueryDatabase,
  sql: string,
  tables: readonly LoadedTable[],
  { maxRows, maxCharacters }: QueryOptions,
): Result<QueryResult> {
  addRegexp(database)
  addNumber(database)
  addIsoDate(database)
  database.setAuthorizer?.((action, _, name) =>
    READING.has(action) && !(action === FUNCTION && DANGEROUS.has(name?.toLowerCase() ?? ''))
      ? ALLOW
      : DENY,
  )
  try {
    const statement = database.prepare(sql)
    statement.setReadBigInts(true)
    statement.setReturnArrays?.(true)
    let columns = statement.columns?.().map(({ name }) => name)
    const rows: TableCell[][] = []
    let rowCount = 0
    let characters = 0
    for (const row of statement.iterate()) {
      columns ??= Object.keys(row as object)
      if (++rowCount > maxRows || characters > maxCharacters) continue
      const values = Object.values(row as object).map(toCell)
      characters += values.reduce<number>((sum, value) => sum + String(value).length, 0)
      rows.push(values)
    }
    return ok({ columns: columns ?? [], rows, rowCount, tables })
  } catch (error) {
    return toFailure(error as Error, tables)
  }
}

/** `value REGEXP pattern`; `(?i)` at its beginning ignores case. */
function addRegexp(database: QueryDatabase): void {
  const compiled = new Map<SqliteValue, RegExp>()
  database.function('regexp', { deterministic: true }, (pattern, value) => {
    if (pattern === null || pattern === undefined || value === null || value === undefined)
      return null
    let expression = compiled.get(pattern)
    if (!expression) {
      const source = String(pattern)
      const isAnyCase = source.startsWith('(?i)')
      expression = new RegExp(isAnyCase ? source.slice(4) : source, isAnyCase ? 'i' : '')
      if (compiled.size < LIMITS.queryRows) compiled.set(pattern, expression)
    }
    return expression.test(String(value)) ? 1 : 0
  })
}

/** `number(value)`, or `number(value, ',')` where the comma is the decimal mark. */
function addNumber(database: QueryDatabase): void {
  const options = { deterministic: true, varargs: true }
  database.function('number', options, (value, decimal) =>
    toNumber(toCell(value ?? null), decimal === ',' || decimal === '.' ? decimal : undefined),
  )
}

/** `isodate(value)`; `isodate(value, 'dmy')` or `'mdy'` where the dates do not say what comes first. */
function addIsoDate(database: QueryDatabase): void {
  const options = { deterministic: true, varargs: true }
  database.function('isodate', options, (value, order) =>
    toIsoDate(toCell(value ?? null), order === 'dmy' || order === 'mdy' ? order : undefined),
  )
}

function toCell(value: SqliteValue): TableCell {
  if (typeof value === 'bigint')
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (value instanceof Uint8Array)
    return Buffer.from(value.subarray(0, VALUE_CHARACTERS / 2)).toString('hex')
  return typeof value === 'string' ? value.slice(0, VALUE_CHARACTERS) : value
}

function toFailure({ message }: Error, tables: readonly LoadedTable[]): Result<never> {
  if (/not authorized|authorization/.test(message))
    return refuse('it does more than read the tables')
  const [, what, name] = /no such (column|table): (.+)/.exec(message) ?? []
  const known = describeTables(tables)
  if (what === 'table')
    return fail('INVALID_ARGUMENT', `Cannot run the query: there is no table ${name}. ${known}`)
  if (what === 'column')
    return fail('INVALID_ARGUMENT', `Cannot run the query: there is no column ${name}. ${known}`)
  return fail('INVALID_ARGUMENT', `Cannot run the query: ${message}. ${known}`)
}

const SHOWN_COLUMNS = 60

function describeTables(tables: readonly LoadedTable[]): string {
  const each = tables.map(({ name, columns }) => {
    const more = columns.length > SHOWN_COLUMNS ? ` and ${columns.length - SHOWN_COLUMNS} more` : ''
    return `${quoted(name)} has the columns _row, ${columns.slice(0, SHOWN_COLUMNS).map(quoted).join(', ')}${more}.`
  })
  const alias = tables.length === 1 ? ` It is also called ${ONLY}.` : ''
  return `${each.join(' ')}${alias}`
}

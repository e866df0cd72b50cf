import type { OperationTable, RowFields, TableCell } from '@filewright/documents'
import {
  type Fields,
  fail,
  isFields,
  LIMITS,
  lookUp,
  type Operation,
  ok,
  type Result,
} from '@filewright/protocol'
import type { FileFailure, Files, TableSource } from '../client-context.ts'

type Row = Readonly<Record<string, Exclude<TableCell, null>>>

/** The operations of a call with the rows that they take from tables. */
export interface RowedCall {
  /** One copy of the file for each, under this path; absent: the file itself is edited. */
  readonly copies?: readonly { readonly path: string; readonly operations: readonly Operation[] }[]
  readonly operations: readonly Operation[]
}

const OPTIONS = { maxRows: LIMITS.queryRows, maxCharacters: 4 * 1024 * 1024 }
export const MOST_COPIES = 500

/** Rows become plain values, so that the log needs no other file. */
export async function withRows(
  operations: readonly Operation[],
  table: OperationTable,
  files: Files,
): Promise<Result<RowedCall, FileFailure>> {
  const filled: Operation[] = []
  let perRow: { at: number; fields: RowFields; rows: readonly Row[]; to: string } | undefined
  for (const [at, operation] of operations.entries()) {
    const fields = lookUp(table.operations, String(operation.op))?.rows
    const from = fields && operation[fields.from]
    if (!fields || from === undefined || from === null) {
      filled.push(operation)
      continue
    }
    const rows = await rowsOf(from, files)
    if (!rows.ok) return rows
    const to = operation[fields.to]
    if (typeof to !== 'string') filled.push(withAll(operation, fields, rows.value))
    else if (perRow) return refuse('only one operation of a call can make a file for each row')
    else {
      perRow = { at, fields, rows: rows.value, to }
      filled.push(operation)
    }
  }
  if (!perRow) return ok({ operations: filled })
  const { at, fields, rows, to } = perRow
  const paths = pathsFor(to, rows)
  if (!paths.ok) return paths
  return ok({
    operations: filled,
    copies: rows.map((row, number) => ({
      path: paths.value[number]!,
      operations: filled.with(at, withValues(filled[at]!, fields, row)),
    })),
  })
}

async function rowsOf(from: unknown, files: Files): Promise<Result<readonly Row[], FileFailure>> {
  const source = sourceOf(from)
  if (!source) return refuse('rows_from names a table: a path, or {path, table, range}')
  const sql = 'SELECT * FROM "rows"' // _row first, then the columns in their order
  const found = await files.query([{ ...source, as: 'rows' }], sql, OPTIONS)
  if (!found.ok) return found
  const { rows, rowCount } = found.value
  const [, ...columns] = found.value.columns
  if (rowCount === 0) return refuse(`"${source.path}" has no rows`)
  if (rowCount > MOST_COPIES)
    return refuse(
      `"${source.path}" has ${rowCount} rows, and a call takes ${MOST_COPIES}; name a part with range, such as A1:F${MOST_COPIES}`,
    )
  const texts = source.range === undefined ? await textsOf(source.path, rowCount, files) : NONE
  return ok(
    rows.map(([row, ...cells]) => {
      const given = columns.flatMap((column, at): [string, Row[string]][] => {
        const cell = cells[at]
        if (cell === null || cell === undefined) return []
        return [[column, texts.get(Number(row))?.[at]?.trim() || cell]]
      })
      return Object.fromEntries(given)
    }),
  )
}

const NONE: ReadonlyMap<number, readonly string[]> = new Map()

/** Cells as the file spells them, by row, where a read shows that: `120.00` is not 120 in a letter. */
async function textsOf(
  path: string,
  rowCount: number,
  files: Files,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const texts = new Map<number, readonly string[]>()
  for (let next = 1; texts.size <= rowCount + HEAD_ROWS; ) {
    const read = await files.read(path, { row_start: next }, {})
    const rows = read.ok ? read.value.fields.rows : undefined
    if (!Array.isArray(rows) || rows.length === 0) break
    for (const [at, row] of rows.entries()) texts.set(next + at, row)
    next += rows.length
  }
  return texts
}

const HEAD_ROWS = 50 // lines above the table

function sourceOf(from: unknown): TableSource | undefined {
  if (typeof from === 'string' && from !== '') return { path: from }
  if (!isFields(from) || typeof from.path !== 'string') return undefined
  const { path, table, range } = from
  return {
    path,
    ...(typeof table === 'string' && { table }),
    ...(typeof range === 'string' && { range }),
  }
}

function withAll(operation: Operation, fields: RowFields, rows: readonly Row[]): Operation {
  const { [fields.from]: _, ...rest } = operation
  const given = isFields(rest[fields.values]) ? (rest[fields.values] as Fields) : {}
  return { ...rest, op: operation.op, [fields.values]: { ...given, rows } }
}

/** What the call itself gives stands beside the row, and the row comes first. */
function withValues(operation: Operation, fields: RowFields, row: Row): Operation {
  const { [fields.from]: _, [fields.to]: __, ...rest } = operation
  const given = isFields(rest[fields.values]) ? (rest[fields.values] as Fields) : {}
  return { ...rest, op: operation.op, [fields.values]: { ...given, ...row } }
}

function pathsFor(to: string, rows: readonly Row[]): Result<readonly string[], FileFailure> {
  const paths: string[] = []
  const taken = new Map<string, number>()
  for (const [at, row] of rows.entries()) {
    const missing = namesIn(to).find(name => name !== 'n' && cellOf(row, name) === undefined)
    if (missing !== undefined)
      return refuse(
        `row ${at + 1} has no value for {${missing}} in "${to}"; its columns are ${Object.keys(row).join(', ')}, and {n} is its number`,
      )
    const path = to.replace(NAMES, (_, name: string) =>
      name === 'n' ? String(at + 1) : toName(String(cellOf(row, name))),
    )
    const before = taken.get(path.toLowerCase())
    if (before !== undefined)
      return refuse(
        `rows ${before} and ${at + 1} would both be "${path}"; add {n}, the number of the row, to "${to}"`,
      )
    taken.set(path.toLowerCase(), at + 1)
    paths.push(path)
  }
  return ok(paths)
}

const NAMES = /\{([^{}]+)\}/g

function namesIn(to: string): readonly string[] {
  return Array.from(to.matchAll(NAMES), match => match[1]!.trim())
}

function cellOf(row: Row, name: string): Row[string] | undefined {
  const folded = name.trim().toLowerCase()
  const key = Object.keys(row).find(own => own.toLowerCase() === folded)
  return key === undefined ? undefined : row[key]
}

/** A value as part of a file's name. */
function toName(value: string): string {
  const plain = value.replace(/[\u0000-\u001f/\\:*?"<>|]+/g, '-').trim()
  return plain.replace(/^\.+/, '').slice(0, 80) || '-'
}

function refuse(problem: string): Result<never, FileFailure> {
  return fail('INVALID_ARGUMENT', `Nothing was written: ${problem}.`)
}

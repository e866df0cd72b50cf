import type { DocumentTable, ReadableDocument } from '@filewright/documents'
import { type Box, fail, ok, type Result } from '@filewright/protocol'
import type { QueriedFile } from '../engine.ts'
import { toPart } from './table-columns.ts'

export interface FoundTable {
  /** In SQL; unique in any case. */
  readonly name: string
  readonly table: DocumentTable
  readonly part: { readonly box: Box; readonly headerRow?: number | null }
}

const MOST_COLUMNS = 1_900 // SQLite has 2,000
const MOST_TABLES = 200 // of one file; a workbook with more sheets is asked for one by name

/** The tables of a file that a query names, or all of them. */
export function findTables(
  file: QueriedFile,
  document: ReadableDocument,
  { sql, taken }: { readonly sql: string; readonly taken: ReadonlySet<string> },
): Result<readonly FoundTable[]> {
  const { path } = file.name
  const all = lookFor(file.table, document)
  if (!all.ok) return all
  if (all.value.length === 0)
    return fail(
      'NO_SUCH_REGION',
      `Cannot query "${path}": no table was found in it. read_file shows what it holds.`,
    )
  const wanted = choose(file, all.value, sql)
  if (!wanted.ok) return wanted
  const names = new Set([...taken].map(name => name.toLowerCase()))
  const found: FoundTable[] = []
  for (const table of wanted.value) {
    const box = boxOf(file, table)
    if (!box.ok) return box
    const name = unique(file.as ?? table.name, names)
    found.push({ name, table, part: { box: box.value, headerRow: file.headerRow } })
  }
  return ok(found)
}

/** All of them where the one that is meant is not there: the answer names them. */
function lookFor(
  named: string | undefined,
  document: ReadableDocument,
): Result<readonly DocumentTable[]> {
  const found = document.tables?.(named) ?? ok([])
  const isThere = found.ok && found.value.some(({ name }) => isNamed(name, named))
  return isThere || named === undefined ? found : (document.tables?.() ?? ok([]))
}

function isNamed(name: string, given: string | undefined): boolean {
  return given === undefined || name.trim().toLowerCase() === given.trim().toLowerCase()
}

function choose(
  { table, range, as, headerRow, name }: QueriedFile,
  all: readonly DocumentTable[],
  sql: string,
): Result<readonly DocumentTable[]> {
  const isOne = table !== undefined || range !== undefined || as !== undefined
  const isMeant = (each: DocumentTable) =>
    table !== undefined || !each.isPart || (!isOne && names(sql, each.name))
  const found = all.filter(each => isNamed(each.name, table) && isMeant(each))
  const known = all.slice(0, 50).map(each => `"${each.name}"`)
  if (found.length === 0)
    return fail(
      'NO_SUCH_REGION',
      `Cannot query "${name.path}": it has no table "${table}". Its tables are ${known.join(', ')}.`,
    )
  if (found.length > MOST_TABLES || (found.length > 1 && (isOne || headerRow !== undefined)))
    return fail(
      'INVALID_ARGUMENT',
      `Cannot query "${name.path}": say which table you mean with table; it has ${known.join(', ')}.`,
    )
  return ok(found)
}

function names(sql: string, table: string): boolean {
  return wordsOf(sql).includes(table.trim().toLowerCase())
}

/** Names as SQL has them, with quotes or without. */
function wordsOf(sql: string): readonly string[] {
  return [...sql.matchAll(/"([^"]+)"|`([^`]+)`|\[([^\]]+)\]|([\p{L}_][\p{L}\p{N}_$]*)/gu)].map(
    ([, ...own]) => own.find(word => word !== undefined)!.toLowerCase(),
  )
}

function boxOf({ range, name }: QueriedFile, { box, name: table }: DocumentTable): Result<Box> {
  const part = range === undefined ? box : toPart(range, box)
  if (!part)
    return fail(
      'NO_SUCH_REGION',
      `Cannot query "${name.path}": "${range}" is no range of "${table}", whose cells are in columns ${box.left} to ${box.right} and rows ${box.top} to ${box.bottom}. Send a range such as A1:D20.`,
    )
  const columns = part.right - part.left + 1
  if (columns > MOST_COLUMNS)
    return fail(
      'TOO_LARGE',
      `Cannot query "${name.path}": "${table}" has ${columns} columns, and a query takes ${MOST_COLUMNS}. Name a part of it with range.`,
    )
  return ok(part)
}

function unique(name: string, taken: Set<string>): string {
  let free = name
  for (let n = 2; taken.has(free.toLowerCase()); n++) free = `${name}_${n}`
  taken.add(free.toLowerCase())
  return free
}

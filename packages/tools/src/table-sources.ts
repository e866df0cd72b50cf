import { isFields } from '@filewright/protocol'
import { z } from 'zod'
import type { TableSource } from './client-context.ts'

/** The arguments of a query. */
export const queryFields = {
  sql: z
    .string()
    .min(1)
    .max(20_000)
    .describe('One SELECT in SQLite; _row is the source row, REGEXP works, "quote" odd names'),
  tables: z
    .array(
      z.object({
        path: z.string().describe('File path'),
        table: z.string().optional().describe('Sheet or table name; without it, every one'),
        range: z.string().optional().describe('Only this part: A3:F90'),
        header_row: z
          .number()
          .int()
          .min(0)
          .optional()
          .describe('Row with the column names; 0: none, columns are A, B …'),
        as: z.string().min(1).max(100).optional().describe('Its name in SQL'),
      }),
    )
    .min(1)
    .max(16)
    .describe('Files to query'),
}

type Asked = z.infer<z.ZodObject<typeof queryFields>>['tables']

export function toSources(tables: Asked): TableSource[] {
  return tables.map(({ header_row, ...rest }) => ({
    ...rest,
    ...(header_row !== undefined && { headerRow: header_row === 0 ? null : header_row }),
  }))
}

const PARTS = ['path', 'table', 'sheet', 'range', 'header_row', 'as']

/** A file named beside the query, or a sheet called so, as an entry of `tables`. */
export function meantTables(given: unknown): unknown {
  if (!isFields(given)) return given
  const { tables = given.path, path, table, sheet, range, header_row, as, ...rest } = given
  const isBeside = PARTS.some(name => given[name] !== undefined)
  const beside = Object.fromEntries(
    Object.entries({ path, table: table ?? sheet, range, header_row, as }).filter(
      ([, value]) => value !== undefined,
    ),
  )
  const list = Array.isArray(tables) ? tables : isBeside ? [beside] : tables
  if (!Array.isArray(list)) return given
  return { ...rest, tables: list.map(toEntry) }
}

function toEntry(entry: unknown): unknown {
  if (typeof entry === 'string') return { path: entry }
  if (!isFields(entry) || entry.sheet === undefined || entry.table !== undefined) return entry
  const { sheet, ...rest } = entry
  return { ...rest, table: sheet }
}

import type { OperationTable } from '@filewright/documents'
import { type Fields, isFields, lookUp, takeField } from '@filewright/protocol'
import { wordFor } from '../synonyms.ts'

const OP_NAMES = ['op', 'operation', 'type', 'action']

/** The operations with the right fields, where a model sent them under other names or in another shape. */
export function meantOperations(given: unknown, table: OperationTable): unknown {
  if (!isFields(given) || !Array.isArray(given.operations)) return given
  const [shared, rest] = takeField(given, table.shared ?? [])
  const operations = given.operations.flatMap(operation =>
    isFields(operation) ? meantOperation(operation, table, shared) : operation,
  )
  return { ...rest, operations }
}

function meantOperation(
  sentFields: Fields,
  table: OperationTable,
  sharedByAll: unknown,
): Fields | readonly Fields[] {
  const words = Object.keys(table.operations)
  const given = unwrapped(sentFields, words)
  const [sent, rest] = takeField(given, OP_NAMES)
  const op = typeof sent === 'string' ? (wordFor(sent, words) ?? sent) : table.guess?.(given)
  const [named, fields] = takeField(rest, table.shared ?? [])
  const shared = named ?? sharedByAll
  const own = {
    ...(op !== undefined && { op }),
    ...(table.shared && shared !== undefined && { [table.shared[0]]: shared }),
  }
  const meant = op === undefined ? undefined : lookUp(table.operations, op)?.meant
  const shaped = meant ? meant(fields, shared) : fields
  return Array.isArray(shaped) ? shaped.map(each => ({ ...own, ...each })) : { ...own, ...shaped }
}

/** `{"set_cells": {…}}` for `{"op": "set_cells", …}`. */
function unwrapped(given: Fields, words: readonly string[]): Fields {
  const [only, ...others] = Object.entries(given)
  const op = only && others.length === 0 ? wordFor(only[0], words) : undefined
  return op !== undefined && isFields(only![1]) ? { op, ...only![1] } : given
}

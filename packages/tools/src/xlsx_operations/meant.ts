import { isSameName } from '@filewright/protocol'
import { isFields, wordFor } from '../repair-arguments.ts'

type Fields = Readonly<Record<string, unknown>>

const CELL = /^\$?[a-z]{1,3}\$?[1-9]\d*$/i
const CELL_NAMES = ['cell', 'address', 'ref', 'coordinate']
const VALUE_NAMES = ['value', 'val', 'text', 'content']
const SHEET_NAMES = ['sheet', 'sheet_name', 'worksheet', 'tab']

/** The operations with the fields that each of them takes, where a model sent them by other names or in another shape. */
export function meantOperations(given: unknown, words: readonly string[]): unknown {
  if (!isFields(given) || !Array.isArray(given.operations)) return given
  const [shared, rest] = take(given, SHEET_NAMES) // named once, for all of them
  const operations = given.operations.map(operation =>
    isFields(operation) ? meantOperation(operation, words, shared) : operation,
  )
  return { ...rest, operations }
}

function meantOperation(sentFields: Fields, words: readonly string[], shared: unknown): Fields {
  const given = unwrapped(sentFields, words)
  const [sent, rest] = take(given, ['op', 'operation', 'type', 'action'])
  const op = typeof sent === 'string' ? (wordFor(sent, words) ?? sent) : opOf(given)
  const [named, fields] = take(rest, SHEET_NAMES)
  const sheet = named ?? shared
  const own = { ...(op !== undefined && { op }), ...(sheet !== undefined && { sheet }) }
  return { ...own, ...(op !== undefined && FIELDS[op] ? FIELDS[op](fields, sheet) : fields) }
}

/** `{"set_cells": {…}}` for `{"op": "set_cells", …}`. */
function unwrapped(given: Fields, words: readonly string[]): Fields {
  const [only, ...others] = Object.entries(given)
  const op = only && others.length === 0 ? wordFor(only[0], words) : undefined
  return op !== undefined && isFields(only![1]) ? { op, ...only![1] } : given
}

function opOf(given: Fields): string | undefined {
  if (given.cells !== undefined) return 'set_cells'
  return given.values !== undefined && given.start !== undefined ? 'set_range' : undefined
}

const FIELDS: Readonly<Record<string, (fields: Fields, sheet: unknown) => Fields>> = {
  set_cells: fields => {
    const [list, others] = take(fields, ['cells'])
    if (list !== undefined) return { ...others, cells: meantCells(list) }
    const [cell, rest] = take(fields, CELL_NAMES)
    const [value, left] = take(rest, [...VALUE_NAMES, 'formula'])
    if (cell === undefined) return fields
    return { ...left, cells: [meantCell({ cell, ...pick(rest, 'formula'), ...given(value) })] }
  },
  set_range: fields => {
    const [start, others] = take(fields, ['start', 'start_cell', 'range', 'cell', 'top_left'])
    const [values, rest] = take(others, ['values', 'data', 'rows'])
    return {
      ...rest,
      ...(typeof start === 'string' && { start: start.split(':')[0] }),
      ...(values !== undefined && { values: meantRows(values, isColumn(start)) }),
    }
  },
  ensure_sheet: named,
  delete_sheet: named,
  rename_sheet: renamed,
  copy_sheet: renamed,
  set_column_widths: fields => sized(fields, 'widths', ['column', 'columns'], 'width'),
  set_row_heights: fields => sized(fields, 'heights', ['row', 'rows'], 'height'),
  find_replace: fields => {
    const [search, others] = take(fields, ['search', 'find', 'old', 'old_text', 'from'])
    const [replace, rest] = take(others, [
      'replace',
      'replacement',
      'new',
      'new_text',
      'with',
      'to',
    ])
    return { ...given(search, 'search'), ...given(replace, 'replace'), ...rest }
  },
  hide: lines,
  show: lines,
  clear_range: ranged,
  merge_cells: ranged,
  unmerge_cells: ranged,
}

/** `[[1], [2]]` for `[1, 2]` where they are for a column, else `[[1, 2]]`; records become a row of their names and a row each. */
function meantRows(values: unknown, areForColumn: boolean): unknown {
  if (!Array.isArray(values) || values.length === 0 || values.some(Array.isArray)) return values
  if (!values.every(isRecord)) return areForColumn ? values.map(value => [value]) : [values]
  const names = [...new Set(values.flatMap(Object.keys))]
  return [names, ...values.map(record => names.map(name => record[name] ?? null))]
}

function isRecord(value: unknown): value is Fields {
  return isFields(value) && !VALUE_KINDS.some(kind => Object.hasOwn(value, kind))
}

const VALUE_KINDS = ['formula', 'date', 'error', 'text', 'rich_text', 'value']

/** `A1:A3` */
function isColumn(range: unknown): boolean {
  const match =
    typeof range === 'string' ? /^\$?([a-z]+)\$?\d+:\$?([a-z]+)\$?\d+$/i.exec(range) : null
  return match !== null && match[1]!.toUpperCase() === match[2]!.toUpperCase()
}

function meantCells(list: unknown): unknown {
  if (Array.isArray(list))
    return list.map(item => {
      if (Array.isArray(item) && item.length === 2) return { cell: item[0], value: item[1] }
      return isFields(item) ? meantCell(item) : item
    })
  if (!isFields(list)) return list
  const isMap = Object.keys(list).every(name => CELL.test(name))
  return isMap ? Object.entries(list).map(([cell, value]) => ({ cell, value })) : [meantCell(list)]
}

function meantCell(item: Fields): Fields {
  const [cell, rest] = take(item, CELL_NAMES)
  const [sent, others] = take(rest, VALUE_NAMES)
  const { formula } = others
  const value = sent === undefined && typeof formula === 'string' ? { formula } : meantValue(sent)
  return { ...given(cell, 'cell'), ...given(value) }
}

/** `{"formula": "=A1"}` for `{"type": "formula", "value": "=A1"}`, 5 for `{"value": 5}`. */
function meantValue(value: unknown): unknown {
  if (!isFields(value) || value.value === undefined) return value
  return typeof value.type === 'string' && value.type !== 'number'
    ? { [value.type]: value.value }
    : value.value
}

function named(fields: Fields, sheet: unknown): Fields {
  if (sheet !== undefined) return fields
  const [name, rest] = take(fields, ['name', 'title', 'new_name'])
  return { ...given(name, 'sheet'), ...rest }
}

function renamed(fields: Fields, sheet: unknown): Fields {
  const [old, others] =
    sheet === undefined ? take(fields, ['old_name', 'from', 'source']) : [undefined, fields]
  const [name, rest] = take(others, ['new_name', 'name', 'to', 'title', 'new', 'target'])
  return { ...given(old, 'sheet'), ...given(name, 'new_name'), ...rest }
}

/** `"5:7"` for `"5-7"`; `column` for `columns`. */
function lines(fields: Fields): Fields {
  const [rows, others] = take(fields, ['rows', 'row'])
  const [columns, rest] = take(others, ['columns', 'column'])
  const span = (value: unknown) => {
    const text = Array.isArray(value) ? [...new Set([value[0], value.at(-1)])].join(':') : value
    return typeof text === 'string'
      ? text
          .split('-')
          .map(part => part.trim())
          .join(':')
      : text
  }
  const isRun = (value: unknown) => !Array.isArray(value) || value.length <= 2
  return {
    ...(isRun(rows) ? given(span(rows), 'rows') : { rows }),
    ...(isRun(columns) ? given(span(columns), 'columns') : { columns }),
    ...rest,
  }
}

function ranged(fields: Fields): Fields {
  const [range, rest] = take(fields, ['range', 'cells', 'cell', 'cell_range'])
  return { ...given(range, 'range'), ...rest }
}

/** `{"A": 12}` for `[{"column": "A", "width": 12}]` or for `"column": "A", "width": 12`. */
function sized(fields: Fields, name: string, keys: readonly string[], size: string): Fields {
  const [sent, others] = take(fields, [name])
  const items = Array.isArray(sent) ? sent : sent === undefined ? [others] : undefined
  if (!items) return { ...others, [name]: asNumbers(sent) }
  const sizes = items.map(item => {
    const [key, rest] = isFields(item) ? take(item, keys) : [undefined, {}]
    return [key, (rest as Fields)[size]] as const
  })
  if (sizes.some(([key, value]) => key === undefined || value === undefined)) return fields
  return { [name]: Object.fromEntries(sizes.map(([key, value]) => [String(key), value])) }
}

function asNumbers(sizes: unknown): unknown {
  if (!isFields(sizes)) return sizes
  return Object.fromEntries(
    Object.entries(sizes).map(([key, size]) => [
      key,
      typeof size === 'string' && size.trim() !== '' ? Number(size) : size,
    ]),
  )
}

/** The first of these names that was sent, in any spelling, and the fields without it. */
function take(fields: Fields, names: readonly string[]): [unknown, Fields] {
  for (const name of names) {
    const found = Object.keys(fields).find(each => isSameName(each, name))
    if (found === undefined) continue
    const { [found]: value, ...rest } = fields
    return [value, rest]
  }
  return [undefined, fields]
}

function pick(fields: Fields, name: string): Fields {
  return given(fields[name], name)
}

function given(value: unknown, name = 'value'): Fields {
  return value === undefined ? {} : { [name]: value }
}

import { type Fields, isFields, takeField } from '@filewright/protocol'
import { parseBox } from '../cell/address.ts'
import { hasZero, withAddress } from './meant-places.ts'

const CELL = /^\$?[a-z]{1,3}\$?[1-9]\d*$/i
const CELL_NAMES = ['cell', 'address', 'ref', 'coordinate']
const VALUE_NAMES = ['value', 'val', 'text', 'content']

/** Applies where no operation is named. */
export function opOf(given: Fields): string | undefined {
  if (given.cells !== undefined) return 'set_cells'
  return given.values !== undefined && given.start !== undefined ? 'set_range' : undefined
}

export function meantSetCells(fields: Fields): Fields {
  const [list, others] = takeField(fields, ['cells'])
  if (list !== undefined) return { ...others, cells: meantCells(list) }
  const [cell, rest] = takeField(withAddress(fields, 'cell'), CELL_NAMES)
  const [value, left] = takeField(rest, [...VALUE_NAMES, 'formula'])
  if (cell === undefined) return fields
  const isBoth = value !== rest.formula && rest.formula !== undefined
  return isBoth ? fields : { ...left, cells: [meantCell({ cell, ...asSent(rest, value) })] }
}

export function meantSetRange(fields: Fields): Fields {
  const placed = withAddress(fields, 'start')
  const [start, others] = takeField(placed, ['start', 'start_cell', 'range', 'cell', 'top_left'])
  const [values, rest] = takeField(others, ['values', 'data', 'rows'])
  const rows = meantRows(values, isColumn(start))
  if (!fillsExactly(start, rows)) return fields
  return {
    ...rest,
    ...(typeof start === 'string' && { start: start.split(':')[0] }),
    ...given(rows, 'values'),
  }
}

/** A range with an end is filled by its rows: nothing beyond it is overwritten, and nothing in it is left. */
function fillsExactly(start: unknown, rows: unknown): boolean {
  if (typeof start !== 'string' || !start.includes(':')) return true
  const box = parseBox(start)
  if (!box || !Array.isArray(rows)) return false
  const width = box.right - box.left + 1
  const isWide = rows.every(row => Array.isArray(row) && row.length === width)
  return isWide && rows.length === box.bottom - box.top + 1
}

/** Rows under another name: lists are values, objects are records. */
export function meantAppend(fields: Fields): Fields {
  const [sent, rest] = takeField(fields, [
    ...['values', 'records', 'rows', 'data', 'row', 'record'],
  ])
  if (sent === undefined) return fields
  const list = Array.isArray(sent) ? sent : [sent]
  if (list.length > 0 && list.every(isRecord)) return { ...rest, records: list }
  return { ...rest, values: list.some(Array.isArray) ? list : [list] }
}

export function meantReplacement(fields: Fields): Fields {
  const [search, others] = takeField(fields, ['search', 'find', 'old', 'old_text', 'from'])
  const [replace, rest] = takeField(others, REPLACE_NAMES)
  return { ...given(search, 'search'), ...given(replace, 'replace'), ...rest }
}

const REPLACE_NAMES = ['replace', 'replacement', 'new', 'new_text', 'with', 'to']

/**
 * `[[1], [2]]` for `[1, 2]` if they are for a column, else `[[1, 2]]`; records become a row of their names and one row
 * each.
 */
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
  if (Array.isArray(list)) {
    const fromZero = list.some(item => isFields(item) && hasZero(item))
    return list.map(item => {
      if (Array.isArray(item) && item.length === 2)
        return { cell: item[0], value: meantValue(item[1]) }
      return isFields(item) ? meantCell(withAddress(item, 'cell', { fromZero })) : item
    })
  }
  if (!isFields(list)) return list
  const isMap = Object.keys(list).every(name => CELL.test(name))
  return isMap
    ? Object.entries(list).map(([cell, value]) => ({ cell, value: meantValue(value) }))
    : [meantCell(list)]
}

function meantCell(item: Fields): Fields {
  const [cell, rest] = takeField(item, CELL_NAMES)
  const [sent, others] = takeField(rest, VALUE_NAMES)
  const { formula, ...left } = others
  const isFormula = sent === undefined && typeof formula === 'string'
  const value = isFormula ? { formula } : meantValue(sent)
  return { ...(isFormula ? left : others), ...given(cell, 'cell'), ...given(value) }
}

/** `{"formula": "=A1"}` for `{"type": "formula", "value": "=A1"}`, 5 for `{"value": 5}`. */
function meantValue(value: unknown): unknown {
  if (!isFields(value) || value.value === undefined) return value
  if (Object.keys(value).some(name => name !== 'type' && name !== 'value')) return value
  return typeof value.type === 'string' && value.type !== 'number'
    ? { [value.type]: value.value }
    : value.value
}

export function meantName(fields: Fields, sheet: unknown): Fields {
  if (sheet !== undefined) return fields
  const [name, rest] = takeField(fields, ['name', 'title', 'new_name'])
  return { ...given(name, 'sheet'), ...rest }
}

export function meantNewName(fields: Fields, sheet: unknown): Fields {
  const [old, others] =
    sheet === undefined ? takeField(fields, ['old_name', 'from', 'source']) : [undefined, fields]
  const [name, rest] = takeField(others, ['new_name', 'name', 'to', 'title', 'new', 'target'])
  return { ...given(old, 'sheet'), ...given(name, 'new_name'), ...rest }
}

/** `"5:7"` for `"5-7"`; `column` for `columns`. */
export function meantLines(fields: Fields): Fields {
  const [rows, others] = takeField(fields, ['rows', 'row'])
  const [columns, rest] = takeField(others, ['columns', 'column'])
  const span = (value: unknown) => {
    const text = Array.isArray(value) ? [...new Set([value[0], value.at(-1)])].join(':') : value
    return typeof text === 'string'
      ? text
          .split('-')
          .map(part => part.trim())
          .join(':')
      : text
  }
  const isRun = (value: unknown) =>
    !Array.isArray(value) || value.every((line, i) => i === 0 || line === value[i - 1] + 1)
  return {
    ...(isRun(rows) ? given(span(rows), 'rows') : { rows }),
    ...(isRun(columns) ? given(span(columns), 'columns') : { columns }),
    ...rest,
  }
}

/** `{"A": 12}` for `[{"column": "A", "width": 12}]` or for `"column": "A", "width": 12`. */
export function meantSizes(name: string, keys: readonly string[], size: string) {
  return (fields: Fields): Fields => {
    const [sent, others] = takeField(fields, [name])
    const items = Array.isArray(sent) ? sent : sent === undefined ? [others] : undefined
    if (!items) return { ...others, [name]: asNumbers(sent) }
    const sizes = items.map(item => {
      const [key, rest] = isFields(item) ? takeField(item, keys) : [undefined, {}]
      const isWhole = Object.keys(rest).length === 1
      return [isWhole ? key : undefined, rest[size]] as const
    })
    if (sizes.some(([key, value]) => key === undefined || value === undefined)) return fields
    const kept = sent === undefined ? {} : others
    return {
      ...kept,
      [name]: Object.fromEntries(sizes.map(([key, value]) => [String(key), value])),
    }
  }
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

/** A value that came as a formula stays one. */
function asSent({ formula }: Fields, value: unknown): Fields {
  return formula === undefined ? given(value) : { formula }
}

function given(value: unknown, name = 'value'): Fields {
  return value === undefined ? {} : { [name]: value }
}

const STEPS = [
  ...[
    'multiply',
    'divide',
    'add',
    'subtract',
    'round',
    'units',
    'trim',
    'upper',
    'lower',
    'proper',
  ],
  ...['prefix', 'suffix', 'extract', 'number', 'date', 'text'],
]

/** Steps beside the range, or several in one object, in the order in which they are sent. */
export function meantSteps(fields: Fields): Fields {
  const [sent, others] = takeField(fields, ['steps', 'step', 'transform', 'transforms'])
  const isStep = (name: string) => STEPS.includes(name) || name === 'group'
  const beside = Object.entries(others).filter(([name]) => isStep(name))
  const rest = Object.fromEntries(Object.entries(others).filter(([name]) => !isStep(name)))
  if (sent !== undefined && beside.length > 0) return fields
  const list = Array.isArray(sent) ? sent : [sent ?? Object.fromEntries(beside)]
  return { ...rest, steps: list.flatMap(own => (isFields(own) ? apart(own) : [own])) }
}

function apart({ group, ...steps }: Fields): Fields[] {
  return Object.entries(steps).map(([name, value]) => ({
    [name]: value,
    ...(name === 'extract' && group !== undefined && { group }),
  }))
}

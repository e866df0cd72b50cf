import { type Box, counted, type Fields, isFields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { attribute } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import { arraysOf } from '../../book/arrays.ts'
import { treeOf } from '../../book/book.ts'
import type { Sheet } from '../../book/sheet.ts'
import { usedBox } from '../../book/used.ts'
import { boxName, cellKey, cellName, intersects, parseBox, placeOf } from '../../cell/address.ts'
import type { CellData, CellNow } from '../../cell/cells.ts'
import { findReferences } from '../../formula/references.ts'
import { type SheetTable, tablesOf } from '../../parts/sheet-parts.ts'
import { lineIn, lineRuns } from '../../places/line-runs.ts'
import { shiftFormula } from '../../places/rewrites.ts'
import { boxField, gridField } from '../arguments.ts'
import { cellsIn, type Editor } from '../editor.ts'
import { refuseUnknown, valuesIn } from '../values.ts'
import { dataOf, headerRows } from './header-row.ts'
import { relocate } from './relocate.ts'
import { columnIn } from './rows-where.ts'
import { settle } from './settle.ts'

interface SortKey {
  readonly column: number
  readonly descending: boolean
}

/** Sorts the rows of a range. References from elsewhere stay with their place, as in a spreadsheet program. */
export function sortRange(editor: Editor, fields: Fields): OperationResult {
  const name = gridField(editor.book, fields).name
  const given = rangeOf(editor, gridField(editor.book, fields), fields)
  const place = `${placeOf(name, boxName(given))} sorted`
  if (!editor.accepts(place)) return { op: 'sort_range', sheet: name, message: 'Left out.' }
  const first = gridField(editor.book, fields)
  const keys = keysOf(editor, first, given, fields)
  const header = headerRows(editor, first, given, fields)
  const box = { ...given, top: given.top + header }
  if (box.top > box.bottom)
    throw new Refusal('INVALID_ARGUMENT', `${boxName(given)} has no row below its header`)
  refuseFixedRows(editor, first, box)
  // before the edits are settled, because more results have a proof then
  const order = editor.resolve('order', () => sortedRows(editor, first, box, keys))
  settle(editor)
  const sheet = gridField(editor.book, fields)
  refuseSort(editor, sheet, box)
  const rows = lineRuns(order.map((row, index) => [row, box.top + index]))
  const dependsOn = editor.writersOfCells(sheet, box)
  const after = relocate(
    editor,
    sheet,
    {
      step: { kind: 'order', sheet: sheet.id, box, rows },
      formula: (text, from, at) => shiftFormula(text, at.row - from.row, 0),
      ...(isWhole(sheet, box) && { rowOf: (row: number) => lineIn(rows, row) }),
    },
    { touched: [box] },
  )
  const count = order.filter((row, index) => row !== box.top + index).length
  const shown = keys.map(
    own => `${cellName(1, own.column).slice(0, -1)}${own.descending ? ' descending' : ''}`,
  )
  editor.recordSheet(after, place, {
    kind: 'structure',
    before: {
      text: `rows ${order.length > 12 ? `${box.top}:${box.bottom}` : [...order].sort((a, b) => a - b).join(', ')}`,
    },
    after: {
      text: `rows ${order.slice(0, 12).join(', ')}${order.length > 12 ? ' …' : ''} by ${shown.join(', ')}`,
    },
    dependsOn,
    carries: true,
  })
  return {
    op: 'sort_range',
    sheet: name,
    range: boxName(given),
    rowCount: order.length,
    message: `Sorted ${counted(order.length, 'row')} of ${placeOf(name, boxName(given))} by ${shown.join(', ')}${header > 0 ? `, below the header in row ${box.top - 1}` : ''}; ${counted(count, 'row')} moved with formats and comments. Formulas elsewhere still name the same places.`,
  }
}

/** No column beside it has content: whole rows move. */
function isWhole(sheet: Sheet, { left, right }: Box): boolean {
  const used = usedBox(sheet)
  return used.ok && used.value !== undefined && used.value.left >= left && used.value.right <= right
}

/** The range, or the table, or all cells with content. */
export function rangeOf({ book }: Editor, sheet: Sheet, fields: Fields): Box {
  if (fields.range !== undefined) return boxField(sheet, fields)
  const tables = tablesOf(book.part, sheet)
  const wanted = typeof fields.table === 'string' ? fields.table.toLowerCase() : undefined
  const table = wanted
    ? tables.find(own => own.name.toLowerCase() === wanted)
    : tables.length === 1
      ? tables[0]
      : undefined
  const box = table && parseBox(table.ref)
  if (box) return { ...box, bottom: box.bottom - (table.hasTotals ? 1 : 0) }
  const used = usedBox(sheet)
  const all = used.ok ? used.value : undefined
  throw new Refusal(
    'INVALID_ARGUMENT',
    `${fields.op} needs range with its header row and without totals${all ? `; the cells with content are ${boxName(all)}` : ''}${tables.length > 0 ? `; the tables are ${tables.map(own => `${own.name} ${own.ref}`).join(', ')}` : ''}`,
  )
}

function keysOf(editor: Editor, sheet: Sheet, box: Box, fields: Fields): SortKey[] {
  const sent = fields.by ?? fields.keys ?? fields.column
  const list = Array.isArray(sent) ? sent : sent === undefined ? [] : [sent]
  if (list.length === 0)
    throw new Refusal(
      'INVALID_ARGUMENT',
      'sort_range needs by: a list of columns by letter or header, such as ["Region", {"column": "C", "descending": true}]',
    )
  return list.map((own: unknown) => {
    const key: Fields = isFields(own) ? own : { column: own }
    const order = String(key.order ?? key.direction ?? '').toLowerCase()
    return {
      column: columnIn(editor, sheet, box, key.column ?? key.by),
      descending: key.descending === true || key.ascending === false || order.startsWith('desc'),
    }
  })
}

function refuseSort({ book }: Editor, sheet: Sheet, box: Box): void {
  const refuse = (why: string) => refuseToSort(sheet, box, why)
  const merges = book.mergesOf(sheet)
  const merge = merges.ok ? merges.value.find(own => intersects(own, box)) : undefined
  if (merge) refuse(`${boxName(merge)} is merged; unmerge it first`)
  const xml = sheet.xml()
  if (!xml.ok) return
  const array = arraysOf(xml.value).find(own => intersects(own, box))
  if (array) refuse(`one formula fills ${boxName(array)}; leave those cells out of the range`)
  const filter = treeOf(xml.value, 'autoFilter')
  const filtered = parseBox(attribute(filter, 'ref') ?? '')
  if (
    filter &&
    filtered &&
    intersects(filtered, box) &&
    filter.children.some(own => own.local === 'filterColumn')
  )
    refuse('a filter hides some of its rows; ask the person to clear the filter first')
  for (const cell of cellsIn(book, sheet, box).values()) {
    const other = cell.formula && otherRow(cell, sheet, box)
    if (other)
      refuse(
        `the formula in ${cellName(cell.row, cell.column)} (=${cell.formula!.text}) names another row of the range by a relative reference, ${other}, which would mean another cell after the sort`,
      )
  }
}

function refuseToSort(sheet: Sheet, box: Box, why: string): never {
  throw new Refusal('CONFLICT', `${placeOf(sheet.name, boxName(box))} cannot be sorted: ${why}`)
}

function refuseFixedRows({ book }: Editor, sheet: Sheet, box: Box): void {
  for (const table of tablesOf(book.part, sheet)) {
    const fixed = fixedRow(table, box)
    if (fixed !== undefined) refuseToSort(sheet, box, fixed)
  }
}

/** The header or the totals of a table would be sorted among its rows. */
function fixedRow(table: SheetTable, box: Box): string | undefined {
  const data = dataOf(table)
  const whole = parseBox(table.ref)
  if (!data || !whole || !intersects(whole, box)) return undefined
  const isTotals = table.hasTotals && box.bottom >= whole.bottom
  if (!isTotals && box.top >= data.top) return undefined
  const what = isTotals ? `row ${whole.bottom} has the totals` : `row ${whole.top} has the headers`
  return `${what} of the table ${table.name}; send the range ${boxName({ ...data, top: whole.top })}`
}

/** A relative reference of a cell to another row of the range. */
function otherRow(cell: CellData, sheet: Sheet, box: Box): string | undefined {
  const area = findReferences(cell.formula!.text).areas.find(own => {
    const isHere = !own.sheets || own.sheets[0]?.toLowerCase() === sheet.name.toLowerCase()
    if (!isHere || own.left > box.right || own.right < box.left) return false
    if (own.top > box.bottom || own.bottom < box.top) return false
    const isOwnRow = own.top === cell.row && own.bottom === cell.row
    return !isOwnRow && (!own.fixedTop || !own.fixedBottom)
  })
  return area && boxName(area)
}

function sortedRows(editor: Editor, sheet: Sheet, box: Box, keys: readonly SortKey[]): number[] {
  const columns = keys.map(({ column }) => column)
  const sorted = { ...box, left: Math.min(...columns), right: Math.max(...columns) }
  const cells = valuesIn(editor.book, sheet, sorted)
  const why = 'nothing tells its place in the order'
  const rows = Array.from({ length: box.bottom - box.top + 1 }, (_, index) => box.top + index)
  for (const row of rows)
    for (const { column } of keys)
      refuseUnknown(editor, sheet, cells.get(cellKey(row, column)), {
        why,
        instead: 'sort by another column',
      })
  return rows.sort((a, b) => {
    for (const { column, descending } of keys) {
      const order = compare(
        cells.get(cellKey(a, column)),
        cells.get(cellKey(b, column)),
        descending,
      )
      if (order !== 0) return order
    }
    return a - b
  })
}

const RANK = { number: 0, text: 1, boolean: 2, error: 3, empty: 4 } as const
const COLLATOR = new Intl.Collator('en', { sensitivity: 'base', numeric: false })

/** Numbers, texts, logical values, errors; empty cells come last in either direction. */
function compare(a: CellNow | undefined, b: CellNow | undefined, descending: boolean): number {
  const [one, two] = [a?.content, b?.content]
  const [first, second] = [RANK[one?.type ?? 'empty'], RANK[two?.type ?? 'empty']]
  if (first === 4 || second === 4) return first - second
  const sign = descending ? -1 : 1
  if (first !== second) return sign * (first - second)
  if (one?.type === 'number' && two?.type === 'number') return sign * (one.value - two.value)
  return sign * COLLATOR.compare(String(one?.value), String(two?.value))
}

import type { Box } from '@filewright/protocol'
import type { Book } from '../../../book/book.ts'
import { showCell } from '../../../book/show.ts'
import type { CellContent, CellData } from '../../../cell/cells.ts'
import type { PivotItem, PivotPlan, PivotValue } from '../../../objects/pivot-xml.ts'
import type { Editor } from '../../editor.ts'
import { refuseUnknown } from '../../values.ts'
import { cellsOf } from '../drawings/chart-values.ts'
import type { SheetRange } from '../references.ts'

/** A row of the source, by column. */
type Entry = readonly (CellData | undefined)[]

/** What a pivot table shows until a program reads its source again: rows of values, each with its number format. */
export interface PivotCell {
  readonly content: CellContent
  /** The style of a cell of the source, for numbers of its kind. */
  readonly like?: number
}

export type PivotGrid = readonly (readonly (PivotCell | undefined)[])[]

const MOST_GROUPS = 20_000
const BLANK = '(blank)'

/** `used`: the fields that it shows, each of which must be known. */
export function entriesOf(
  editor: Editor,
  { sheet, box }: SheetRange,
  used: ReadonlySet<number>,
): readonly Entry[] {
  const rows = new Map<number, (CellData | undefined)[]>()
  const body = { ...box, top: box.top + 1 }
  for (const cell of cellsOf(editor, sheet, body)) {
    if (used.has(cell.column - box.left))
      refuseUnknown(editor, sheet, cell, {
        why: 'the pivot table would count without it',
        instead: 'leave its column out, or let a spreadsheet program calculate the workbook first',
      })
    let row = rows.get(cell.row)
    if (!row) {
      row = []
      rows.set(cell.row, row)
    }
    row[cell.column - box.left] = cell
  }
  return [...rows.values()]
}

interface Group {
  readonly labels: readonly CellContent[]
  readonly key: string
}

/** The cells of a pivot table in its tabular form, with grand totals. */
export function pivotGrid(book: Book, plan: PivotPlan, entries: readonly Entry[]): PivotGrid {
  const groupsOf = (fields: readonly number[]) => sortedGroups(book, entries, fields)
  const rows = groupsOf(plan.rows)
  const columns = plan.columns.length === 0 ? [] : groupsOf(plan.columns)
  const sums = new Sums(book, plan, entries)
  const tops: readonly (Group | undefined)[] =
    columns.length === 0 ? [undefined] : [...columns, undefined]
  const across = tops.flatMap(group => plan.values.map(value => ({ group, value })))
  const line = (labels: readonly (CellContent | undefined)[], row: Group | undefined) => [
    ...labels.map(toCell),
    ...across.map(({ group, value }) => sums.at(row, group, value)),
  ]
  const width = Math.max(plan.rows.length, 1)
  const total =
    plan.rows.length === 0 ? [] : [line(padded([text('Grand Total')], width), undefined)]
  const body =
    plan.rows.length === 0
      ? [line(padded([text('Total')], width), undefined)]
      : withoutRepeats(rows).map(({ labels, group }) => line(labels, group))
  return [...headers(plan, across, width), ...body, ...total]
}

function headers(
  plan: PivotPlan,
  across: readonly { readonly group: Group | undefined; readonly value: PivotValue }[],
  width: number,
): (PivotCell | undefined)[][] {
  const names = padded(
    plan.rows.map(at => text(plan.fields[at]!)),
    width,
  )
  const valueNames = across.map(({ value }) => text(value.name))
  if (plan.columns.length === 0) return [[...names, ...valueNames].map(toCell)]
  const first = [
    ...padded(plan.values.length === 1 ? [text(plan.values[0]!.name)] : [], width),
    ...padded(
      plan.columns.map(at => text(plan.fields[at]!)),
      across.length,
    ),
  ]
  const levels = plan.columns.map((_, level) => [
    ...(level === plan.columns.length - 1 && plan.values.length === 1 ? names : padded([], width)),
    ...across.map(({ group }) =>
      group ? group.labels[level]! : level === 0 ? text('Grand Total') : undefined,
    ),
  ])
  const last = plan.values.length === 1 ? [] : [[...names, ...valueNames]]
  return [first, ...levels, ...last].map(row => row.map(toCell))
}

function padded(
  cells: readonly (CellContent | undefined)[],
  width: number,
): (CellContent | undefined)[] {
  return Array.from({ length: width }, (_, index) => cells[index])
}

function toCell(content: CellContent | undefined): PivotCell | undefined {
  return content && { content }
}

function text(value: string): CellContent {
  return { type: 'text', value }
}

/** A label of the outer field is written once. */
function withoutRepeats(groups: readonly Group[]) {
  let before: Group | undefined
  return groups.map(group => {
    let isSame = before !== undefined
    const labels = group.labels.map((label, level) => {
      isSame &&= level < group.labels.length - 1 && keyOf(label) === keyOf(before!.labels[level]!)
      return isSame ? undefined : label
    })
    before = group
    return { labels, group }
  })
}

function sortedGroups(book: Book, entries: readonly Entry[], fields: readonly number[]): Group[] {
  const groups = new Map<string, Group>()
  for (const entry of entries) {
    const group = groupOf(book, entry, fields)
    if (groups.size < MOST_GROUPS || groups.has(group.key)) groups.set(group.key, group)
  }
  const all = [...groups.values()]
  const lists = fields.map((_, level) => listOf(all.map(({ labels }) => labels[level]!)))
  return all.sort((a, b) => {
    for (const [level, label] of a.labels.entries()) {
      const other = b.labels[level]!
      const list = lists[level]
      const order = list ? placeIn(list, label) - placeIn(list, other) : compare(label, other)
      if (order !== 0) return order
    }
    return 0
  })
}

/** Months and days have an order of their own, which is Excel's too. */
const OWN_ORDER: readonly (readonly string[])[] = [
  'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec',
  'January February March April May June July August September October November December',
  'Sun Mon Tue Wed Thu Fri Sat',
  'Sunday Monday Tuesday Wednesday Thursday Friday Saturday',
].map(words => words.toLowerCase().split(' '))

/** The list that has all of the labels. */
function listOf(labels: readonly CellContent[]): readonly string[] | undefined {
  return OWN_ORDER.find(list =>
    labels.every(
      ({ type, value }) => value === BLANK || (type === 'text' && list.includes(folded(value))),
    ),
  )
}

function placeIn(list: readonly string[], { value }: CellContent): number {
  return value === BLANK ? list.length : list.indexOf(folded(value))
}

const folded = (value: unknown) => String(value).toLowerCase()

function groupOf(book: Book, entry: Entry, fields: readonly number[]): Group {
  const labels = fields.map(at => labelOf(book, entry[at]))
  return { labels, key: JSON.stringify(labels.map(keyOf)) }
}

function keyOf({ type, value }: CellContent): string {
  return `${type} ${String(value).toLowerCase()}`
}

function labelOf(book: Book, cell: CellData | undefined): CellContent {
  if (!cell || cell.content.type === 'empty') return text(BLANK)
  const isDate = cell.content.type === 'number' && book.part.styles().isDate(cell.style)
  return isDate ? text(showCell(book, cell).text) : cell.content
}

/** Numbers, then text, then what is blank. */
function compare(a: CellContent, b: CellContent): number {
  const rank = ({ type, value }: CellContent) =>
    value === BLANK ? 3 : type === 'number' ? 0 : type === 'text' ? 1 : 2
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  if (a.type === 'number' && b.type === 'number') return a.value - b.value
  return String(a.value).localeCompare(String(b.value), 'en')
}

/** The values of each group of rows and columns. */
class Sums {
  readonly #plan: PivotPlan
  readonly #cells = new Map<string, CellData[]>()

  constructor(book: Book, plan: PivotPlan, entries: readonly Entry[]) {
    this.#plan = plan
    for (const entry of entries) {
      const row = groupOf(book, entry, plan.rows).key
      const column = groupOf(book, entry, plan.columns).key
      for (const value of plan.values) {
        const cell = entry[value.field]
        if (!cell) continue
        for (const key of [`${row} ${column}`, `${row} *`, `* ${column}`, '* *'])
          this.#add(`${key} ${value.name}`, cell)
      }
    }
  }

  #add(key: string, cell: CellData): void {
    const known = this.#cells.get(key)
    if (known) known.push(cell)
    else this.#cells.set(key, [cell])
  }

  at(row: Group | undefined, column: Group | undefined, value: PivotValue): PivotCell | undefined {
    const top = column ?? (this.#plan.columns.length === 0 ? { key: '[]' } : undefined)
    const side = row ?? (this.#plan.rows.length === 0 ? { key: '[]' } : undefined)
    const cells = this.#cells.get(`${side?.key ?? '*'} ${top?.key ?? '*'} ${value.name}`) ?? []
    const numbers = cells.flatMap(({ content }) =>
      content.type === 'number' ? [content.value] : [],
    )
    const filled = cells.filter(({ content }) => content.type !== 'empty').length
    const result = aggregate(value.function, numbers, filled)
    if (result === undefined) return undefined
    const isCount = value.function.startsWith('count')
    const like = isCount ? undefined : cells.find(({ content }) => content.type === 'number')?.style
    return { content: { type: 'number', value: result }, ...(like !== undefined && { like }) }
  }
}

function aggregate(name: string, numbers: readonly number[], filled: number): number | undefined {
  if (name === 'count') return filled === 0 ? undefined : filled
  if (name === 'countNums') return numbers.length === 0 ? undefined : numbers.length
  if (numbers.length === 0) return undefined
  const sum = numbers.reduce((all, own) => all + own, 0)
  const mean = sum / numbers.length
  const spread = numbers.reduce((all, own) => all + (own - mean) ** 2, 0)
  switch (name) {
    case 'average':
      return mean
    case 'max':
      return numbers.reduce((a, b) => Math.max(a, b))
    case 'min':
      return numbers.reduce((a, b) => Math.min(a, b))
    case 'product':
      return numbers.reduce((a, b) => a * b, 1)
    case 'stdDev':
      return numbers.length > 1 ? Math.sqrt(spread / (numbers.length - 1)) : undefined
    case 'var':
      return numbers.length > 1 ? spread / (numbers.length - 1) : undefined
    default:
      return Math.abs(sum) < 1e15 ? Number(sum.toPrecision(15)) : sum
  }
}

const MOST_ITEMS = 5_000

/** The distinct values of a field; undefined where there are too many, or dates and other kinds among them. */
export function itemsOf(
  book: Book,
  entries: readonly Entry[],
  field: number,
): readonly PivotItem[] | undefined {
  const groups = sortedGroups(book, entries, [field])
  const isPlain = entries.every(entry => {
    const cell = entry[field]
    if (!cell || cell.content.type === 'empty' || cell.content.type === 'text') return true
    return cell.content.type === 'number' && !book.part.styles().isDate(cell.style)
  })
  if (!isPlain || groups.length > MOST_ITEMS) return undefined
  return groups.map(({ labels: [label] }) =>
    label!.type === 'number' ? label!.value : label!.value === BLANK ? null : String(label!.value),
  )
}

/** How large the grid is, from its first cell. */
export function gridBox(
  at: { readonly row: number; readonly column: number },
  grid: PivotGrid,
): Box {
  return {
    top: at.row,
    left: at.column,
    bottom: at.row + grid.length - 1,
    right: at.column + (grid[0]?.length ?? 1) - 1,
  }
}

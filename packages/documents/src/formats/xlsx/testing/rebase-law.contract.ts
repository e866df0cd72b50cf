import type { Operation } from '@filewright/protocol'
import { cellName, columnName, parseCell } from '../cell/address.ts'
import { randomFrom } from './random-edits.contract.ts'
import { zooBook } from './zoo.contract.ts'

/** A draft, and what somebody else did to the file: by place, as each of them saw the base. */
export interface LawCase {
  readonly seed: number
  readonly base: Uint8Array
  readonly draft: readonly Operation[]
  /** What the draft moves, if it moves anything. */
  readonly moved?: MovedLines
  readonly foreign: readonly ForeignEdit[]
}

export interface LawPlace {
  readonly sheet: string
  readonly row: number
  readonly column: number
}

export interface MovedLines {
  readonly sheet: string
  /** Whether a cell of the sheet is where it was. */
  readonly keeps: (place: LawPlace) => boolean
  /** For rows that were inserted: the first, and how many. */
  readonly inserted?: { readonly at: number; readonly count: number }
}

export interface ForeignEdit {
  readonly sheet: string
  readonly operations: readonly Operation[]
  /** It moves lines. */
  readonly isStructural: boolean
  /** The cells it names. */
  readonly places: readonly LawPlace[]
}

/** In everything that the other person adds, so that its loss is seen; the draft never writes it. */
export const MARK = /theirs\d+|9000\d{3}/g

type Random = (below: number) => number
type Cell = string | number | null

interface Grid {
  readonly name: string
  readonly rows: Cell[][]
  readonly width: number
}

export function lawCase(seed: number): LawCase {
  const next = randomFrom(seed)
  const random: Random = below => Math.floor(next() * below)
  const grids = [makeGrid('S', random), makeGrid('T', random)]
  const base = toWorkbook(grids)
  const moving = random(4) === 0 ? makeMoving(grids, random) : undefined
  const draft = moving?.draft ?? makeDraft(grids, random)
  const foreign = Array.from({ length: 1 + random(3) }, () => makeForeign(grids, random))
  return { seed, base, draft, foreign, ...(moving && { moved: moving.moved }) }
}

/** Budgets with equal months, empty forms, columns of flags, records with and without a key or a header. */
function makeGrid(name: string, random: Random): Grid {
  const width = 3 + random(5)
  const height = 4 + random(9)
  const kind = random(5)
  const rows = Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (_, column) => contentOf(kind, row, column, random)),
  )
  const hasHeader = random(2) === 0
  if (hasHeader) rows[0] = rows[0]!.map((_, column) => `Head ${column + 1}`)
  for (let count = random(3); count > 0; count--) {
    const own = 1 + random(height - 1)
    rows[own] = random(2) === 0 ? rows[own]!.map(() => null) : [...rows[own - 1]!] // empty or equal
  }
  return { name, rows, width }
}

function contentOf(kind: number, row: number, column: number, random: Random): Cell {
  const flag = random(3) === 0 ? 'No' : 'Yes'
  if (kind === 0) return column === 0 ? `Cost ${row}` : (row % 3) * 10 // equal months
  if (kind === 1) return column % 2 === 0 ? `Label ${row} ${column}` : null // a form
  if (kind === 2) return flag
  if (kind === 3) return column === 0 ? `Key ${row}` : flag
  return column === 0 ? `Name ${row}` : random(5) === 0 ? null : random(60)
}

function toWorkbook(grids: readonly Grid[]): Uint8Array {
  const sheets = grids.map(({ name, rows }) => {
    const lines = rows.map((cells, row) => {
      const own = cells.map((value, column) => cellXml(cellName(row + 1, column + 1), value))
      return cells.every(value => value === null) ? '' : `<row r="${row + 1}">${own.join('')}</row>`
    })
    return [name, lines.join('')] as const
  })
  return zooBook({ sheets: Object.fromEntries(sheets) })
}

function cellXml(at: string, value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`
  return `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
}

const pick = <T>(items: readonly T[], random: Random): T => items[random(items.length)]!

/** One or two operations that leave every line where it is. */
function makeDraft(grids: readonly Grid[], random: Random): Operation[] {
  return Array.from({ length: 1 + random(2) }, (_, index) => {
    const grid = pick(grids, random)
    const other = pick(grids, random)
    const sheet = grid.name
    const cell = () => cellIn(grid, random)
    const range = boxIn(grid, random)
    const mine = () => pick<unknown>([`mine ${index}`, 700 + index, 'Yes', null], random)
    const formula = `${other.name}!${cellIn(other, random)}+SUM(${other.name}!${boxIn(other, random)})`
    return pick<() => Operation>(
      [
        () => ({ op: 'set_cells', sheet, cells: [{ cell: cell(), value: mine() }] }),
        () => ({ op: 'set_cells', sheet, cells: [{ cell: cell(), value: mine() }] }),
        () => ({ op: 'set_cells', sheet, cells: [{ cell: cell(), value: { formula } }] }),
        () => ({
          op: 'set_range',
          sheet,
          start: cell(),
          values: [
            [1, 2],
            [mine(), 4],
          ],
        }),
        () => ({ op: 'clear_range', sheet, range }),
        () => ({ op: 'find_replace', sheet, search: 'Yes', replace: 'Ja', whole_cell: true }),
        () => ({
          op: 'fill',
          sheet,
          range: `${columnName(grid.width + 2)}2:${columnName(grid.width + 2)}4`,
          formula: `A2&${other.name}!$B$2`,
        }),
        () => ({ op: 'freeze_values', sheet }),
        () => ({ op: 'unpivot', sheet, range: 'A1:C4', keep: ['A'], to: 'P30' }),
        () => ({ op: 'transform_cells', sheet, range, steps: [{ suffix: ' mine' }] }),
        () => ({ op: 'set_style', sheet, range, style: { bold: true } }),
        () => ({ op: 'set_comment', sheet, cell: cell(), text: 'mine', author: 'Me' }),
        () => ({
          op: 'set_hyperlink',
          sheet,
          cell: cell(),
          location: `${other.name}!${cellIn(other, random)}`,
          text: 'mine',
        }),
        () => ({
          op: 'data_validation',
          sheet,
          range,
          type: 'custom',
          formula: `${other.name}!${cellIn(other, random).replace(/([A-Z]+)(\d+)/, '$$$1$$$2')}>1`,
        }),
        () => ({
          op: 'conditional_format',
          sheet,
          range,
          rule: { formula: `${other.name}!$A$2>3` },
          style: 'bold',
        }),
        () => ({ op: 'define_name', name: `Mine_${index}`, refers_to: `${other.name}!$B$2:$C$4` }),
        () => ({
          op: 'add_chart',
          sheet,
          type: 'line',
          cell: 'K2',
          series: [{ values: `${other.name}!B2:B4` }],
          title: 'mine',
        }),
        () => ({ op: 'freeze_panes', sheet, at: pick(['A2', 'B3', 'C2'], random) }),
        () => ({ op: 'print_setup', sheet, print: { area: range, title_rows: '1:2' } }),
        () => ({ op: 'hide', sheet, rows: `${2 + random(3)}` }),
        () => ({ op: 'set_column_widths', sheet, widths: { [pick(['B', 'C'], random)]: 33 } }),
      ],
      random,
    )()
  })
}

function makeMoving(grids: readonly Grid[], random: Random) {
  const { name: sheet, rows, width } = pick(grids, random)
  const at = 2 + random(rows.length - 1)
  const count = 1 + random(2)
  const range = `A2:${cellName(rows.length, width)}`
  const isAbove: MovedLines['keeps'] = ({ row }) => row < at
  const isLeft: MovedLines['keeps'] = ({ column }) => column < 2
  const isBeside: MovedLines['keeps'] = ({ row, column }) => row < at || column !== 2
  const isHead: MovedLines['keeps'] = ({ row }) => row < 2
  const [operation, keeps] = pick<readonly [Operation, MovedLines['keeps']]>(
    [
      [{ op: 'insert_rows', sheet, at, count }, isAbove],
      [{ op: 'delete_rows', sheet, rows: `${at}` }, isAbove],
      [{ op: 'delete_columns', sheet, columns: 'B' }, isLeft],
      [{ op: 'delete_cells', sheet, range: `B${at}:B${at + 1}`, shift: 'up' }, isBeside],
      [{ op: 'insert_cells', sheet, range: `B${at}:B${at + 1}`, shift: 'down' }, isBeside],
      [{ op: 'insert_columns', sheet, at: 'B' }, isLeft],
      [{ op: 'sort_range', sheet, range, by: ['B'] }, isHead],
      [{ op: 'remove_duplicates', sheet, range }, isHead],
      [
        { op: 'move_range', sheet, range: 'B2:B3', to: 'M5' },
        ({ row, column }) => row > 9 || column === 1,
      ],
      [{ op: 'delete_sheet', sheet }, () => false],
      [{ op: 'subtotal_rows', sheet, range, by: ['A'], columns: ['B'] }, isHead],
    ],
    random,
  )
  const inserted = operation.op === 'insert_rows' ? { inserted: { at, count } } : {}
  return { draft: [operation], moved: { sheet, keeps, ...inserted } }
}

function makeForeign(grids: readonly Grid[], random: Random): ForeignEdit {
  const grid = pick(grids, random)
  const sheet = grid.name
  if (random(2) === 0) {
    const operations = structural(grid, random)
    return { sheet, isStructural: operations[0]!.op !== 'rename_sheet', operations, places: [] }
  }
  const cell = cellIn(grid, random)
  const other = { sheet: pick(grids, random).name, cell: cellIn(grid, random) }
  const n = random(900)
  const mark = `theirs${n}`
  const number = 9_000_100 + n
  const operation = pick<Operation>(
    [
      { op: 'set_cells', sheet, cells: [{ cell, value: mark }] },
      { op: 'set_cells', sheet, cells: [{ cell, value: number }] },
      {
        op: 'set_cells',
        sheet,
        cells: [
          {
            cell,
            value: { formula: `${other.sheet}!${other.cell}+${number}` },
          },
        ],
      },
      { op: 'set_comment', sheet, cell, text: mark, author: 'Ann' },
      { op: 'set_hyperlink', sheet, cell, url: `https://example.com/${mark}`, text: mark },
      { op: 'data_validation', sheet, range: cell, type: 'whole', min: number },
      {
        op: 'conditional_format',
        sheet,
        range: cell,
        rule: { cell: '>', value: number },
        style: 'bold',
      },
      { op: 'add_chart', sheet, type: 'line', source: `B2:B4`, cell, title: mark, name: mark },
      { op: 'define_name', name: mark, refers_to: `${sheet}!$${cell[0]}$${cell.slice(1)}` },
      { op: 'set_style', sheet, range: cell, style: { format: `"${mark}"0` } },
      { op: 'set_row_heights', sheet, heights: { [Number(cell.slice(1))]: 20 + (n % 60) } },
    ],
    random,
  )
  const named = [{ sheet, cell }]
  if (JSON.stringify(operation).includes('"formula"')) named.push(other)
  if (operation.op === 'add_chart') named.push({ sheet, cell: 'B2' }, { sheet, cell: 'B4' })
  const places = named.map(own => ({ sheet: own.sheet, ...parseCell(own.cell)! }))
  return { sheet, isStructural: false, operations: [operation], places }
}

/** New lines look like none: which neighbour's look they take depends on who came first. */
function structural({ name: sheet, rows, width }: Grid, random: Random): Operation[] {
  const row = 1 + random(rows.length)
  const column = columnName(1 + random(width))
  const last = columnName(width)
  const to = 1 + random(rows.length)
  const from = to <= row ? row + 1 : row // where the row is once another was inserted
  return pick<Operation[]>(
    [
      [{ op: 'insert_rows', sheet, at: row, like: 'none' }],
      [
        { op: 'insert_rows', sheet, at: row, like: 'none' },
        { op: 'copy_range', sheet, range: `A${row + 1}:${last}${row + 1}`, to: `A${row}` },
      ],
      [{ op: 'delete_rows', sheet, rows: `${row}` }],
      [{ op: 'insert_columns', sheet, at: column, like: 'none' }],
      [
        { op: 'insert_columns', sheet, at: 'B', like: 'none' },
        { op: 'copy_range', sheet, range: `C1:C${rows.length}`, to: 'B1' },
      ],
      [{ op: 'delete_columns', sheet, columns: column }],
      [{ op: 'delete_columns', sheet, columns: column }],
      [
        { op: 'insert_rows', sheet, at: to, like: 'none' },
        { op: 'move_range', sheet, range: `A${from}:${last}${from}`, to: `A${to}` },
        { op: 'delete_rows', sheet, rows: `${from}` },
      ],
      [{ op: 'sort_range', sheet, range: `A2:${last}${rows.length}`, by: ['A'] }],
      [{ op: 'rename_sheet', sheet, new_name: `${sheet}_${random(900)}` }],
    ],
    random,
  )
}

/** Of the table, or just beside or below it. */
function cellIn({ rows, width }: Grid, random: Random): string {
  return cellName(1 + random(rows.length + 1), 1 + random(width + 1))
}

function boxIn({ rows, width }: Grid, random: Random): string {
  const [top, left] = [1 + random(rows.length - 1), 1 + random(width - 1)]
  return `${cellName(top, left)}:${cellName(top + 1 + random(2), left + random(2))}`
}

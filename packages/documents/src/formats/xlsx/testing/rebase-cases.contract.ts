import type { Operation } from '@filewright/protocol'
import { columnName } from '../cell/address.ts'
import { randomFrom } from './random-edits.contract.ts'
import {
  addressOf,
  type BookModel,
  cellId,
  copyOf,
  formulaText,
  type ModelValue,
  type SheetModel,
  toWorkbook,
} from './rebase-model.contract.ts'

/** A draft and a foreign save of one workbook, and what both together give. */
export interface RebaseCase {
  readonly base: BookModel
  readonly current: BookModel
  readonly operations: readonly Operation[]
  /** The draft's edits first, then the other person's; undefined where both cannot be had. */
  readonly both: BookModel | undefined
  /** The other person only wrote other cells. */
  readonly isDisjoint: boolean
  readonly story: readonly string[]
}

type Random = (below: number) => number
type Edit = (book: BookModel) => void

const WORDS = ['North', 'South', 'East', 'West', 'open', 'paid', 'late', 'Zürich & Co'.slice(0, 6)]

export function makeCase(seed: number): RebaseCase {
  const next = randomFrom(seed)
  const random: Random = below => Math.floor(next() * below)
  const base = makeBook(random)
  const story: string[] = []
  const draft = makeDraft(base, random)
  const moves = random(2) === 0
  const foreign = makeForeign(base, random, moves, story)
  const current = copyOf(base)
  for (const edit of foreign.edits) edit(current)
  const both = copyOf(base)
  for (const edit of draft.edits) edit(both)
  for (const edit of foreign.edits) edit(both)
  const meets = [...draft.cells].some(([cell, value]) => {
    const other = foreign.cells.get(cell)
    return other !== undefined && value !== other
  })
  const isLost = draft.needs.some(({ sheet, row, column }) => {
    const there = current.sheets.find(({ id }) => id === sheet)
    return !there?.rows.includes(row) || !there.columns.includes(column)
  })
  return {
    base,
    current,
    operations: draft.operations,
    both: meets || isLost ? undefined : both,
    isDisjoint: !moves && !meets && foreign.edits.length > 0,
    story,
  }
}

let fresh = 1_000

function makeBook(random: Random): BookModel {
  const sheets = ['Sales', 'Costs', 'Plan 2'].slice(0, 1 + random(3)).map((name, id) => {
    const columns = Array.from({ length: 3 + random(4) }, (_, index) => index + 1)
    const rows = Array.from({ length: 6 + random(15) }, (_, index) => index + 1)
    const cells = new Map<string, ModelValue>()
    const sheet: SheetModel = { id, name, rows, columns, cells }
    const last = rows.length - 2 // the last rows stay empty
    for (const row of rows.slice(0, last)) fillRow(sheet, row, random)
    if (random(3) === 0) {
      const [first, column] = [rows[1]!, columns[1]!]
      const total = { kind: 'sum', sheet: id, column, first, last: rows[last - 1]! } as const
      cells.set(cellId(rows[last]!, column), total)
      cells.set(cellId(rows[last]!, columns[0]!), 'Total')
    }
    return sheet
  })
  return { sheets }
}

function fillRow(sheet: SheetModel, row: number, random: Random): void {
  if (random(12) === 0) return
  const { columns, cells, rows } = sheet
  if (row > 1 && random(15) === 0) {
    // the same as the row above
    for (const column of columns) {
      const above = cells.get(cellId(rows[rows.indexOf(row) - 1]!, column))
      if (above !== undefined) cells.set(cellId(row, column), above)
    }
    return
  }
  for (const column of columns) {
    if (random(6) === 0) continue
    const value =
      row === 1
        ? `Head ${column}`
        : column === 1
          ? `${WORDS[random(8)]} ${random(90)}`
          : constant(random)
    cells.set(cellId(row, column), value)
  }
  if (row > 1 && random(3) === 0 && columns.length > 3)
    cells.set(cellId(row, columns.at(-1)!), { kind: 'own-row', column: columns[1]! })
}

function constant(random: Random): ModelValue {
  const kind = random(6)
  if (kind === 0) return WORDS[random(WORDS.length)]!
  return kind === 1 ? random(2) === 0 : random(3) === 0 ? random(1_000) / 4 : random(50)
}

interface Draft {
  readonly operations: Operation[]
  readonly edits: Edit[]
  /** What each cell gets, by sheet, row and column. */
  readonly cells: Map<string, ModelValue | null>
  readonly needs: { readonly sheet: number; readonly row: number; readonly column: number }[]
}

function makeDraft(base: BookModel, random: Random): Draft {
  const draft: Draft = { operations: [], edits: [], cells: new Map(), needs: [] }
  const state = copyOf(base)
  for (let count = 1 + random(3); count > 0; count--) addDraftEdit(draft, state, random)
  return draft
}

function addDraftEdit(draft: Draft, state: BookModel, random: Random): void {
  const sheet = pick(state.sheets, random)
  switch (random(6)) {
    case 0:
      return clearBox(draft, state, sheet, random)
    case 1:
      return setBlock(draft, state, sheet, random)
    default:
      return setSome(draft, state, sheet, random)
  }
}

function setSome(draft: Draft, state: BookModel, sheet: SheetModel, random: Random): void {
  const cells: { cell: string; value: unknown }[] = []
  const written = new Set<string>()
  for (let count = 1 + random(3); count > 0; count--) {
    const row = pick(usedRows(sheet, random), random)
    const column = pick(sheet.columns, random)
    if (written.has(cellId(row, column))) continue
    written.add(cellId(row, column))
    const value = random(4) === 0 ? formula(state, sheet, random) : `mine ${++fresh}`
    cells.push({ cell: addressOf(sheet, row, column), value: sent(state, sheet, row, value) })
    write(draft, state, sheet, row, column, value)
  }
  draft.operations.push({ op: 'set_cells', sheet: sheet.name, cells })
}

function setBlock(draft: Draft, state: BookModel, sheet: SheetModel, random: Random): void {
  const top = random(sheet.rows.length - 1)
  const left = random(sheet.columns.length - 1)
  const rows = sheet.rows.slice(top, top + 1 + random(2))
  const columns = sheet.columns.slice(left, left + 1 + random(2))
  const values = rows.map(row =>
    columns.map(column => {
      const value = ++fresh
      write(draft, state, sheet, row, column, value)
      return value
    }),
  )
  const start = `${columnName(left + 1)}${top + 1}`
  draft.operations.push({ op: 'set_range', sheet: sheet.name, start, values })
}

function clearBox(draft: Draft, state: BookModel, sheet: SheetModel, random: Random): void {
  const top = random(sheet.rows.length - 2)
  const bottom = Math.min(sheet.rows.length - 1, top + random(3))
  const column = random(sheet.columns.length)
  const range = `${columnName(column + 1)}${top + 1}:${columnName(column + 1)}${bottom + 1}`
  draft.operations.push({ op: 'clear_range', sheet: sheet.name, range })
  const id = sheet.columns[column]!
  const rows = sheet.rows.slice(top, bottom + 1)
  if (!rows.some(row => sheet.cells.has(cellId(row, id)))) return // no change that anybody saw
  for (const row of rows) {
    const isFilled = sheet.cells.has(cellId(row, id))
    if (isFilled) write(draft, state, sheet, row, id, null)
    else draft.cells.set(`${sheet.id} ${cellId(row, id)}`, null)
  }
}

function write(
  draft: Draft,
  state: BookModel,
  sheet: SheetModel,
  row: number,
  column: number,
  value: ModelValue | null,
): void {
  const edit = setter(sheet.id, row, column, value)
  edit(state)
  draft.edits.push(edit)
  draft.cells.set(`${sheet.id} ${cellId(row, column)}`, value)
  draft.needs.push({ sheet: sheet.id, row, column })
}

function setter(sheet: number, row: number, column: number, value: ModelValue | null): Edit {
  return book => {
    const own = book.sheets.find(({ id }) => id === sheet)
    if (value === null) own?.cells.delete(cellId(row, column))
    else own?.cells.set(cellId(row, column), value)
  }
}

function formula(book: BookModel, sheet: SheetModel, random: Random): ModelValue {
  const column = pick(sheet.columns, random)
  if (random(2) === 0) return { kind: 'own-row', column }
  const other = pick(book.sheets, random)
  const from = random(other.rows.length - 3)
  const [first, last] = [other.rows[from]!, other.rows[from + 1 + random(2)]!]
  return { kind: 'sum', sheet: other.id, column: pick(other.columns, random), first, last }
}

function sent(book: BookModel, sheet: SheetModel, row: number, value: ModelValue): unknown {
  return typeof value === 'object' ? { formula: formulaText(book, sheet, row, value) } : value
}

interface Foreign {
  readonly edits: Edit[]
  readonly cells: Map<string, ModelValue | null>
}

function makeForeign(base: BookModel, random: Random, moves: boolean, story: string[]): Foreign {
  const foreign: Foreign = { edits: [], cells: new Map() }
  for (let count = random(5); count > 0; count--) setForeign(foreign, base, random, story)
  for (let count = moves ? 1 + random(2) : 0; count > 0; count--) {
    const own: string[] = []
    const edit = structural(base, foreign, random, own)
    const before = copyOf(base)
    for (const each of foreign.edits) each(before)
    const after = copyOf(before)
    edit(after)
    // an empty row among empty rows leaves no trace in the file
    if (Buffer.compare(toWorkbook(before, false), toWorkbook(after, false)) === 0) continue
    foreign.edits.push(edit)
    story.push(...own)
  }
  return foreign
}

function setForeign(foreign: Foreign, base: BookModel, random: Random, story: string[]): void {
  const sheet = pick(base.sheets, random)
  const row = pick(usedRows(sheet, random), random)
  const column = pick(sheet.columns, random)
  const value = random(8) === 0 ? null : `theirs ${++fresh}`
  if (value === null && !sheet.cells.has(cellId(row, column))) return
  story.push(`${sheet.name} ${addressOf(sheet, row, column)} = ${value}`)
  foreign.edits.push(setter(sheet.id, row, column, value))
  foreign.cells.set(`${sheet.id} ${cellId(row, column)}`, value)
}

function structural(base: BookModel, { cells }: Foreign, random: Random, story: string[]): Edit {
  const own = pick(base.sheets, random)
  const { id, name } = own
  const at = random(own.rows.length - 1)
  const kind = random(KINDS.length)
  const number = ++fresh
  if (KINDS[kind] === 'move a row' && !isRecognised(own, own.rows[at]!, cells))
    return () => undefined
  story.push(`${name}: ${KINDS[kind]} at ${at}`)
  return book => {
    const sheet = book.sheets.find(each => each.id === id)
    if (sheet) CHANGES[KINDS[kind]!]!(book, sheet, at, number)
  }
}

/** A row that was rewritten and moved is a row that came in: nothing in the file tells them apart. */
function isRecognised(sheet: SheetModel, row: number, cells: Foreign['cells']): boolean {
  const held = sheet.columns.filter(column => sheet.cells.has(cellId(row, column)))
  const edited = sheet.columns.filter(column => cells.has(`${sheet.id} ${cellId(row, column)}`))
  return held.length > 0 && (edited.length === 0 || (edited.length === 1 && held.length > 3))
}

const CHANGES: Readonly<
  Record<string, (book: BookModel, sheet: SheetModel, at: number, own: number) => void>
> = {
  'insert a row': (_, sheet, at, own) => {
    sheet.rows.splice(at, 0, own)
    for (const column of sheet.columns.slice(0, 2))
      sheet.cells.set(cellId(own, column), `new ${own}`)
  },
  'insert an empty row': (_, sheet, at, own) => void sheet.rows.splice(at, 0, own),
  'delete a row': (_, sheet, at) => void sheet.rows.splice(at, 1),
  sort: (book, sheet, at) => rearrange(book, sheet, reversed(sheet.rows, at)),
  'move a row': (book, sheet, at) => {
    const rows = sheet.rows.toSpliced(at, 1)
    rows.splice((at * 7 + 3) % sheet.rows.length, 0, sheet.rows[at]!)
    rearrange(book, sheet, rows)
  },
  rename: (_, sheet, __, own) => {
    sheet.name = `Renamed ${own}`
  },
  'add a sheet': ({ sheets }, _, __, own) =>
    void sheets.push({
      id: own,
      name: `Extra ${own}`,
      rows: [1],
      columns: [1],
      cells: new Map([[cellId(1, 1), 'extra']]),
    }),
  'delete a sheet': ({ sheets }, sheet) => {
    if (sheets.length > 1) sheets.splice(sheets.indexOf(sheet), 1)
  },
  'insert a column': (_, sheet, at, own) =>
    void sheet.columns.splice(at % sheet.columns.length, 0, own),
}
const KINDS = Object.keys(CHANGES)

/** All rows below the head but the last ones, the other way round. */
function reversed(rows: readonly number[], at: number): number[] {
  const end = rows.length - 2
  const from = 1 + (at % 3)
  return [...rows.slice(0, from), ...rows.slice(from, end).reverse(), ...rows.slice(end)]
}

/** A sorted or moved row takes its formulas along; a range elsewhere goes on meaning the same place. */
function rearrange(book: BookModel, sheet: SheetModel, rows: number[]): void {
  const before = sheet.rows
  sheet.rows = rows
  const now = (id: number) => rows[before.indexOf(id)] ?? id
  for (const each of book.sheets)
    for (const [key, value] of each.cells)
      if (typeof value === 'object' && value.kind === 'sum' && value.sheet === sheet.id)
        each.cells.set(key, { ...value, first: now(value.first), last: now(value.last) })
}

/** Now and then with the empty ones at the end. */
function usedRows({ rows }: SheetModel, random: Random): number[] {
  return rows.slice(0, rows.length - (random(6) === 0 ? 0 : 2))
}

function pick<T>(items: readonly T[], random: Random): T {
  return items[random(items.length)]!
}

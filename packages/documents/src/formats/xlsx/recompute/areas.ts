import type { Box } from '@filewright/protocol'
import { columnOfKey, rowOfKey } from '../cell/address.ts'
import type { PlacedBox } from '../formula/fills.ts'

/** Cells by column, so that those inside an area are found without looking at the others. */
export class CellSet {
  readonly #columns = new Map<string, { rows: number[]; items: number[]; isSorted: boolean }>()
  readonly #keys = new Map<number, Set<number>>()
  size = 0

  has(sheet: number, key: number): boolean {
    return this.#keys.get(sheet)?.has(key) ?? false
  }

  add(sheet: number, key: number, item: number): void {
    const keys = this.#keys.get(sheet)
    if (keys) keys.add(key)
    else this.#keys.set(sheet, new Set([key]))
    const name = `${sheet}:${columnOfKey(key)}`
    let column = this.#columns.get(name)
    if (!column) {
      column = { rows: [], items: [], isSorted: true }
      this.#columns.set(name, column)
    }
    const row = rowOfKey(key)
    if (column.rows.length > 0 && row < column.rows.at(-1)!) column.isSorted = false
    column.rows.push(row)
    column.items.push(item)
    this.size++
  }

  /** Calls back for each cell inside, until one answers true; returns whether one did. */
  some(box: PlacedBox, visit: (item: number) => boolean): boolean {
    if (this.size === 0) return false
    const width = box.right - box.left + 1
    if (width > this.#columns.size) {
      for (const [name, column] of this.#columns) {
        const [sheet, own] = name.split(':').map(Number)
        if (sheet !== box.sheet || own! < box.left || own! > box.right) continue
        if (someIn(sorted(column), box, visit)) return true
      }
      return false
    }
    for (let own = box.left; own <= box.right; own++) {
      const column = this.#columns.get(`${box.sheet}:${own}`)
      if (column && someIn(sorted(column), box, visit)) return true
    }
    return false
  }
}

interface Column {
  rows: number[]
  items: number[]
  isSorted: boolean
}

function sorted(column: Column): Column {
  if (column.isSorted) return column
  const order = column.rows
    .map((_, index) => index)
    .sort((a, b) => column.rows[a]! - column.rows[b]!)
  const { rows, items } = column
  column.rows = order.map(index => rows[index]!)
  column.items = order.map(index => items[index]!)
  column.isSorted = true
  return column
}

function someIn({ rows, items }: Column, box: Box, visit: (item: number) => boolean): boolean {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (rows[middle]! < box.top) low = middle + 1
    else high = middle
  }
  for (let at = low; at < rows.length && rows[at]! <= box.bottom; at++)
    if (visit(items[at]!)) return true
  return false
}

/** Cells and whole areas. */
export class CellsAndBoxes {
  readonly #cells = new CellSet()
  readonly #boxes: PlacedBox[] = []

  add(sheet: number, key: number): void {
    this.#cells.add(sheet, key, 0)
  }

  addBox(box: PlacedBox): void {
    this.#boxes.push(box)
  }

  meets(box: PlacedBox): boolean {
    return (
      this.#cells.some(box, () => true) ||
      this.#boxes.some(
        own =>
          own.sheet === box.sheet &&
          own.top <= box.bottom &&
          own.bottom >= box.top &&
          own.left <= box.right &&
          own.right >= box.left,
      )
    )
  }
}

/** The rows and cells that a set of areas covers. */
export class Coverage {
  readonly #boxes = new Map<string, PlacedBox>()

  add(box: PlacedBox): void {
    this.#boxes.set(`${box.sheet}:${box.top}:${box.left}:${box.bottom}:${box.right}`, box)
  }

  /** Of one sheet: its rows from the first covered to the last, and by column the covered rows. */
  on(sheet: number): SheetCoverage | undefined {
    const columns = new Map<number, [number, number][]>()
    const rows: [number, number][] = []
    for (const box of this.#boxes.values()) {
      if (box.sheet !== sheet) continue
      rows.push([box.top, box.bottom])
      for (let column = box.left; column <= box.right; column++) {
        const list = columns.get(column)
        if (list) list.push([box.top, box.bottom])
        else columns.set(column, [[box.top, box.bottom]])
      }
    }
    if (rows.length === 0) return undefined
    for (const [column, list] of columns) columns.set(column, merged(list))
    return { rows: merged(rows), columns }
  }

  get sheets(): ReadonlySet<number> {
    return new Set([...this.#boxes.values()].map(({ sheet }) => sheet))
  }
}

export interface SheetCoverage {
  readonly rows: readonly (readonly [number, number])[]
  readonly columns: ReadonlyMap<number, readonly (readonly [number, number])[]>
}

export function covers({ columns }: SheetCoverage, row: number, column: number): boolean {
  const list = columns.get(column)
  if (!list) return false
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (list[middle]![1] < row) low = middle + 1
    else high = middle
  }
  return low < list.length && list[low]![0] <= row
}

function merged(list: [number, number][]): [number, number][] {
  const found: [number, number][] = []
  for (const [from, to] of list.sort((a, b) => a[0] - b[0])) {
    const last = found.at(-1)
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else found.push([from, to])
  }
  return found
}

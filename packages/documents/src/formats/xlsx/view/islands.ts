import type { Box } from '@filewright/protocol'

/** The class of a cell in a map. */
export const C_TEXT = 0
export const C_NUMBER = 1
export const C_DATE = 2
export const C_BOOLEAN = 3
export const C_ERROR = 4
/** A formula counts twice: as a formula and as its result. */
export const C_FORMULA = 5
const CLASSES = 6
export const CLASS_NAMES = ['text', 'number', 'date', 'boolean', 'error'] as const

/** A block of data surrounded by empty rows and columns. */
export interface Island {
  readonly box: Box
  /** Per column from the left: counts per class, without the first row. */
  readonly counts: Uint32Array
  readonly firstRow: Uint8Array
  readonly cellCount: number
}

const MAX_OPEN = 64 // a fragmented sheet becomes one block rather than thousands
const MAX_ISLANDS = 1_000
const NOTHING = 255

/**
 * Takes the cells of a sheet in row order and finds its islands in one pass: a run of cells joins the island it touches
 * in the row above; an island ends at the first row without a cell below it.
 */
export class IslandFinder {
  readonly islands: Island[] = []
  cellCount = 0
  formulaCount = 0
  used: Box | undefined
  #open: Growing[] = []
  #row = 0
  #columns = new Uint16Array(256)
  #classes = new Uint8Array(256)
  #formulas = new Uint8Array(256)
  #count = 0
  #isTangled = false
  #skipped = 0

  add(row: number, column: number, cellClass: number, isFormula: boolean): void {
    if (row !== this.#row) {
      this.#endRow()
      this.#row = row
    }
    if (this.#count === this.#columns.length) this.#grow()
    if (this.#count > 0 && column <= this.#columns[this.#count - 1]!) this.#isTangled = true
    this.#columns[this.#count] = column
    this.#classes[this.#count] = cellClass
    this.#formulas[this.#count] = isFormula ? 1 : 0
    this.#count++
  }

  finish(): { islands: readonly Island[]; skipped: number } {
    this.#endRow()
    for (const island of this.#open) this.#close(island)
    this.#open = []
    this.islands.sort((a, b) => a.box.top - b.box.top || a.box.left - b.box.left)
    return { islands: this.islands, skipped: this.#skipped }
  }

  #endRow(): void {
    if (this.#isTangled) this.#untangle()
    const count = this.#count
    if (count === 0) return
    const row = this.#row
    const columns = this.#columns
    this.#count = 0
    this.cellCount += count
    this.#closeAbove(row - 1)
    let start = 0
    for (let index = 0; index < count; index++) {
      if (this.#formulas[index]) this.formulaCount++
      const isEnd = index + 1 === count || columns[index + 1]! !== columns[index]! + 1
      if (!isEnd) continue
      const island = this.#islandFor(row, columns[start]!, columns[index]!)
      island.add(row, this.#columns, this.#classes, this.#formulas, start, index)
      start = index + 1
    }
    const left = columns[0]!
    const right = columns[count - 1]!
    const { used } = this
    this.used = used
      ? {
          top: used.top,
          bottom: row,
          left: Math.min(used.left, left),
          right: Math.max(used.right, right),
        }
      : { top: row, bottom: row, left, right }
  }

  /** Cells in order; if two have the same address, the last counts. */
  #untangle(): void {
    const last = new Map<number, number>()
    for (let index = 0; index < this.#count; index++) last.set(this.#columns[index]!, index)
    const sorted = [...last].sort(([a], [b]) => a - b)
    const classes = sorted.map(([, index]) => this.#classes[index]!)
    const formulas = sorted.map(([, index]) => this.#formulas[index]!)
    this.#columns.set(sorted.map(([column]) => column))
    this.#classes.set(classes)
    this.#formulas.set(formulas)
    this.#count = sorted.length
    this.#isTangled = false
  }

  #islandFor(row: number, left: number, right: number): Growing {
    let own: Growing | undefined
    for (const island of this.#open) {
      if (island.left > right + 1 || island.right < left - 1) continue
      if (!own) own = island
      else {
        own.absorb(island)
        this.#open = this.#open.filter(other => other !== island)
      }
    }
    if (!own && this.#open.length >= MAX_OPEN) own = this.#open[0]
    if (!own) {
      own = new Growing(row, left, right)
      this.#open.push(own)
    }
    return own
  }

  /** Closes islands that the row above did not reach. */
  #closeAbove(row: number): void {
    if (this.#open.every(island => island.bottom >= row)) return
    for (const island of this.#open) if (island.bottom < row) this.#close(island)
    this.#open = this.#open.filter(island => island.bottom >= row)
  }

  #close(island: Growing): void {
    if (this.islands.length >= MAX_ISLANDS) this.#skipped++
    else this.islands.push(island.toIsland())
  }

  #grow(): void {
    const columns = new Uint16Array(this.#columns.length * 2)
    const classes = new Uint8Array(columns.length)
    const formulas = new Uint8Array(columns.length)
    columns.set(this.#columns)
    classes.set(this.#classes)
    formulas.set(this.#formulas)
    this.#columns = columns
    this.#classes = classes
    this.#formulas = formulas
  }
}

class Growing {
  top: number
  bottom: number
  left: number
  right: number
  cellCount = 0
  #counts: Uint32Array
  #first: Uint8Array

  constructor(row: number, left: number, right: number) {
    this.top = this.bottom = row
    this.left = left
    this.right = right
    this.#counts = new Uint32Array((right - left + 1) * CLASSES)
    this.#first = new Uint8Array(right - left + 1).fill(NOTHING)
  }

  add(
    row: number,
    columns: Uint16Array,
    classes: Uint8Array,
    formulas: Uint8Array,
    from: number,
    to: number,
  ): void {
    this.#widen(Math.min(this.left, columns[from]!), Math.max(this.right, columns[to]!))
    this.bottom = row
    this.cellCount += to - from + 1
    const isFirst = row === this.top
    for (let index = from; index <= to; index++) {
      const at = columns[index]! - this.left
      if (isFirst) this.#first[at] = classes[index]!
      else {
        this.#counts[at * CLASSES + classes[index]!]!++
        if (formulas[index]) this.#counts[at * CLASSES + C_FORMULA]!++
      }
    }
  }

  absorb(other: Growing): void {
    this.#widen(Math.min(this.left, other.left), Math.max(this.right, other.right))
    const shift = (other.left - this.left) * CLASSES
    for (let i = 0; i < other.#counts.length; i++) this.#counts[shift + i]! += other.#counts[i]!
    if (other.top === this.top)
      for (let i = 0; i < other.#first.length; i++)
        if (other.#first[i] !== NOTHING) this.#first[other.left - this.left + i] = other.#first[i]!
    if (other.top < this.top) {
      this.#first.fill(NOTHING)
      this.#first.set(other.#first, other.left - this.left)
    }
    this.top = Math.min(this.top, other.top)
    this.bottom = Math.max(this.bottom, other.bottom)
    this.cellCount += other.cellCount
  }

  toIsland(): Island {
    const { top, bottom, left, right, cellCount } = this
    return {
      box: { top, bottom, left, right },
      counts: this.#counts,
      firstRow: this.#first,
      cellCount,
    }
  }

  #widen(left: number, right: number): void {
    if (left === this.left && right === this.right) return
    const counts = new Uint32Array((right - left + 1) * CLASSES)
    counts.set(this.#counts, (this.left - left) * CLASSES)
    const first = new Uint8Array(right - left + 1).fill(NOTHING)
    first.set(this.#first, this.left - left)
    this.#counts = counts
    this.#first = first
    this.left = left
    this.right = right
  }
}

export interface ColumnSummary {
  readonly column: number
  /** The class of most of its cells below the first row. */
  readonly type: string
  readonly formulas: number
}

export function columnsOf(island: Island): ColumnSummary[] {
  const { box, counts, firstRow } = island
  const isOneRow = box.top === box.bottom
  return Array.from({ length: box.right - box.left + 1 }, (_, index) => {
    const all = counts.subarray(index * CLASSES, (index + 1) * CLASSES)
    const own = Array.from(all.subarray(0, 5))
    const total = own.reduce((sum, one) => sum + one, 0)
    const most =
      isOneRow && firstRow[index] !== NOTHING ? firstRow[index]! : own.indexOf(Math.max(...own))
    const isMixed = total > 0 && own[most]! < total
    const type =
      total === 0 && !isOneRow ? 'empty' : `${isMixed ? 'mostly ' : ''}${CLASS_NAMES[most]!}`
    return { column: box.left + index, type, formulas: all[C_FORMULA]! }
  })
}

/** Whether the first row reads as column names: all of it text, with something else or more below. */
export function hasHeader(island: Island): boolean {
  const { firstRow, box, counts } = island
  if (box.top === box.bottom) return false
  let texts = 0
  let others = 0
  for (const own of firstRow) {
    if (own === C_TEXT) texts++
    else if (own !== NOTHING) others++
  }
  if (texts === 0 || others > texts * 0.2) return false
  if (texts < firstRow.length * 0.5) return false
  let typed = 0
  for (let index = 0; index < firstRow.length; index++)
    for (const kind of [C_NUMBER, C_DATE, C_BOOLEAN]) typed += counts[index * CLASSES + kind]!
  return typed > 0 || (firstRow.length > 1 && box.bottom - box.top >= 2)
}

import type { Box } from '@filewright/protocol'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { cellKey, intersects } from '../cell/address.ts'
import type { CellNow } from '../cell/cells.ts'
import type { CellRule } from './rule.ts'
import type { SmallValue } from './small-formula.ts'

const MOST_CELLS = 200_000 // of a rule's ranges; a rule over more is not drawn

/** The cells that rules look at, each read once. */
export class RuleCells {
  readonly #book: Book
  readonly #sheet: Sheet
  /** Nothing outside it holds a value. */
  readonly used: Box | undefined
  #cells: Map<number, CellNow> | undefined

  constructor(book: Book, sheet: Sheet, used: Box | undefined) {
    this.#book = book
    this.#sheet = sheet
    this.used = used
  }

  isSmall({ boxes }: CellRule): boolean {
    return boxes.reduce((sum, box) => sum + sizeOf(this.inUse(box)), 0) <= MOST_CELLS
  }

  /** The part of a box that may hold something. */
  inUse(box: Box): Box | undefined {
    const { used } = this
    return used && intersects(box, used) ? overlap(box, used) : undefined
  }

  cellAt(row: number, column: number): CellNow | undefined {
    return this.#all().get(cellKey(row, column))
  }

  valueAt(sheet: string | undefined, row: number, column: number): SmallValue | undefined {
    if (!this.#isOwn(sheet)) return undefined
    const cell = this.cellAt(row, column)
    return cell ? smallValue(cell) : null
  }

  valuesIn(sheet: string | undefined, box: Box): readonly SmallValue[] | undefined {
    const area = this.#isOwn(sheet) ? this.inUse(box) : undefined
    if (!this.#isOwn(sheet) || sizeOf(area) > MOST_CELLS) return undefined
    const values: SmallValue[] = []
    for (const cell of this.#in(area)) {
      const value = smallValue(cell)
      if (value === undefined) return undefined
      if (value !== null) values.push(value)
    }
    return values
  }

  /** Undefined: no number. */
  numberAt(row: number, column: number): number | undefined {
    const cell = this.cellAt(row, column)
    return cell?.content.type === 'number' ? cell.content.value : undefined
  }

  numbers({ boxes }: CellRule): number[] {
    return boxes.flatMap(box =>
      [...this.#in(this.inUse(box))].flatMap(({ content }) =>
        content.type === 'number' ? content.value : [],
      ),
    )
  }

  *#in(box: Box | undefined): Generator<CellNow> {
    if (!box) return
    const cells = this.#all()
    for (let row = box.top; row <= box.bottom; row++)
      for (let column = box.left; column <= box.right; column++) {
        const cell = cells.get(cellKey(row, column))
        if (cell) yield cell
      }
  }

  #isOwn(sheet: string | undefined): boolean {
    return sheet === undefined || sheet.toLowerCase() === this.#sheet.name.toLowerCase()
  }

  #all(): Map<number, CellNow> {
    if (!this.#cells) {
      const cells = new Map<number, CellNow>()
      if (this.used)
        this.#book.values.scan(this.#sheet, this.used, cell => {
          cells.set(cellKey(cell.row, cell.column), cell)
        })
      this.#cells = cells
    }
    return this.#cells
  }
}

function sizeOf(box: Box | undefined): number {
  return box ? (box.bottom - box.top + 1) * (box.right - box.left + 1) : 0
}

export function overlap(a: Box, b: Box): Box {
  return {
    top: Math.max(a.top, b.top),
    left: Math.max(a.left, b.left),
    bottom: Math.min(a.bottom, b.bottom),
    right: Math.min(a.right, b.right),
  }
}

/** Undefined: a formula without a result. */
function smallValue({ content, isStale }: CellNow): SmallValue | undefined {
  if (isStale) return undefined
  if (content.type === 'empty') return null
  return content.type === 'error' ? { error: content.value } : content.value
}

import type { Evaluated, Evaluator } from '../../../evaluation.ts'
import type { Book } from '../book/book.ts'
import type { FormulaResults } from '../book/cell-values.ts'
import { cellKey } from '../cell/address.ts'
import type { CellContent } from '../cell/cells.ts'
import { acceptRecompute, type RecomputedCell } from './accept-recompute.ts'
import { planRecompute } from './plan-recompute.ts'

/** The results of formulas after the edits. */
export class Recomputed implements FormulaResults {
  readonly cells: readonly RecomputedCell[]
  readonly #values = new Map<number, Map<number, RecomputedCell>>()

  constructor(cells: readonly RecomputedCell[]) {
    this.cells = cells.filter(({ isBetween }) => !isBetween)
    for (const cell of this.cells) {
      let own = this.#values.get(cell.sheet.id)
      if (!own) {
        own = new Map()
        this.#values.set(cell.sheet.id, own)
      }
      own.set(cellKey(cell.row, cell.column), cell)
    }
  }

  valueAt(sheet: number, key: number): CellContent | undefined {
    return this.#values.get(sheet)?.get(key)?.value
  }

  isLackingAt(sheet: number, key: number): boolean {
    const cell = this.#values.get(sheet)?.get(key)
    return cell !== undefined && (!cell.value || cell.reason !== undefined)
  }

  reasonAt(sheet: number, key: number): string | undefined {
    return this.#values.get(sheet)?.get(key)?.reason
  }

  /** Whether the file's own result is still the right one. */
  isSameAt(sheet: number, key: number): boolean {
    return this.#values.get(sheet)?.get(key)?.isSame ?? false
  }
}

const NOTHING: Evaluated = { values: [] }

/** Plans, has the evaluator compute with the old inputs and the new ones, and accepts what has a proof. */
export function recompute(book: Book, evaluator: Evaluator): Recomputed {
  const plan = planRecompute(book)
  if (!plan) return new Recomputed([])
  const before = plan.before.cells.length > 0 ? evaluator(plan.before) : NOTHING
  const isLate = 'problem' in before
  const now = isLate ? before : plan.now.cells.length > 0 ? evaluator(plan.now) : NOTHING
  return new Recomputed(acceptRecompute(plan, before, now))
}

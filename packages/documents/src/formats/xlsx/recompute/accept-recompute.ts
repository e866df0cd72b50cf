import type { CellValue, Evaluated } from '../../../evaluation.ts'
import { cellKey } from '../cell/address.ts'
import type { CellContent } from '../cell/cells.ts'
import { CellSet } from './areas.ts'
import { KEEPS_TEXT } from './function-kinds.ts'
import type { PlannedCell, RecomputePlan } from './plan-recompute.ts'
import { isProven } from './proven.ts'

/** What became of a formula whose result was wanted. */
export interface RecomputedCell extends PlannedCell {
  /** Its result now; absent where none has a proof. */
  readonly value?: CellContent
  /** The edit did not change its result, so the file's stays, byte for byte. */
  readonly isSame?: boolean
  /** Why it has no result. */
  readonly reason?: string
}

/**
 * Which results count. A stored result proves the evaluator on that formula, if it gets the same from the old inputs.
 * That reaches neither a formula without one, nor a branch that was not taken, nor another kind of value: there every
 * function must be proven for its shape of arguments. Whatever reads a cell without a result has none either.
 */
export function acceptRecompute(
  plan: RecomputePlan,
  before: Evaluated,
  now: Evaluated,
): readonly RecomputedCell[] {
  const { cells, order, inputs } = plan
  const rejected = new CellSet()
  const otherKind = inputs.otherKind
  const done = new Map<number, RecomputedCell>()
  const reject = (index: number, reason: string) => {
    const cell = cells[index]!
    rejected.add(cell.sheet.id, cellKey(cell.row, cell.column), index)
    // without the other workbook nobody could compute it again
    const isKept = cell.isLinked && cell.cached !== undefined
    done.set(index, { ...cell, reason, ...(isKept && { value: cell.cached, isSame: true }) })
  }
  for (const [index, { problem }] of cells.entries())
    if (problem !== undefined) reject(index, `it has ${problem}`)
  const old = oldValues(plan, before)
  for (const [position, index] of order.entries()) {
    const cell = cells[index]!
    const value = 'values' in now ? now.values[position] : undefined
    const past = old.get(index)
    if (past !== undefined && value !== undefined && kindOf(past) !== kindOf(value))
      otherKind.add(cell.sheet.id, cellKey(cell.row, cell.column), index)
    const doubt = doubtOf(cell, { value, past, rejected, inputs, isLate: 'problem' in now })
    if (doubt !== undefined) reject(index, doubt)
    else {
      const isSame = cell.cached !== undefined && past != null && same(past, value!)
      const content = isSame ? cell.cached! : toContent(value!)
      done.set(index, { ...cell, value: content, ...(isSame && { isSame }) })
    }
  }
  return cells.map((_, index) => done.get(index)!)
}

function oldValues(plan: RecomputePlan, before: Evaluated): Map<number, CellValue | null> {
  const values = new Map<number, CellValue | null>()
  if (!('values' in before)) return values
  let at = 0
  for (const index of plan.order)
    if (plan.cells[index]!.cached) values.set(index, before.values[at++] ?? null)
  return values
}

interface Evidence {
  readonly value: CellValue | null | undefined
  readonly past: CellValue | null | undefined
  readonly rejected: CellSet
  readonly inputs: RecomputePlan['inputs']
  readonly isLate: boolean
}

function doubtOf(cell: PlannedCell, evidence: Evidence): string | undefined {
  const { value, past, rejected, inputs, isLate } = evidence
  const plain = cell.plain!
  if (isLate) return 'it takes too long to compute here'
  if (cell.boxes.some(box => rejected.some(box, () => true)))
    return 'it reads a cell without a result'
  if (cell.boxes.some(box => inputs.mistakable.some(box, () => true)))
    return 'it reads text that looks like an error value'
  const coerces = plain.calls.some(({ name }) => !KEEPS_TEXT.has(name))
  if (coerces && cell.boxes.some(box => inputs.ambiguous.some(box, () => true)))
    return 'it reads text that programs may take for a number or a date'
  if (value === null || value === undefined) return 'it gives several values, or none'
  const error = typeof value === 'object' ? value.error : undefined
  if (error !== undefined && !KNOWN_ERRORS.has(error)) return `it gives ${error} here`
  if (error !== undefined && plain.isClipped) return `it gives ${error} over a whole row or column`
  const isReproduced = cell.cached !== undefined && reproduces(cell.cached, past)
  if (cell.cached && !isReproduced && !plain.isVolatile)
    return 'its stored result is not the one that is computed here'
  const needsProof =
    !isReproduced ||
    plain.isBranching ||
    kindOf(past!) !== kindOf(value) ||
    cell.boxes.some(box => inputs.otherKind.some(box, () => true))
  const unproven = needsProof ? plain.calls.filter(call => !isProven(call)) : []
  if (unproven.length === 0) return undefined
  const names = [...new Set(unproven.map(({ name }) => name))]
  return `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} not proven for such arguments`
}

/** `#NAME?` may come from the library's own limits; the rest is not what it computes. */
const KNOWN_ERRORS = new Set(['#DIV/0!', '#N/A', '#NUM!', '#VALUE!', '#REF!'])

function kindOf(value: CellValue | null): string {
  return value === null ? 'none' : typeof value
}

const TOLERANCE = 1e-11 // of the larger value: programs sum in different orders

/** The same value, whatever the last digits of a number. */
export function same(a: CellValue, b: CellValue): boolean {
  if (typeof a === 'number' && typeof b === 'number')
    return a === b || Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b))
  if (typeof a === 'object' && typeof b === 'object') return a.error === b.error
  return a === b
}

function reproduces(cached: CellContent, past: CellValue | null | undefined): boolean {
  if (past === null || past === undefined || cached.type === 'empty') return false
  return same(cached.type === 'error' ? { error: cached.value } : cached.value, past)
}

function toContent(value: CellValue): CellContent {
  if (typeof value === 'number') return { type: 'number', value }
  if (typeof value === 'boolean') return { type: 'boolean', value }
  if (typeof value === 'string') return { type: 'text', value }
  return { type: 'error', value: value.error }
}

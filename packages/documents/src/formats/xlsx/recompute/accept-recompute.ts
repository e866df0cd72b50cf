import type { CellValue, Evaluated } from '../../../evaluation.ts'
import { cellKey } from '../cell/address.ts'
import type { CellContent } from '../cell/cells.ts'
import { CellsAndBoxes } from './areas.ts'
import type { Call } from './calls.ts'
import { KEEPS_TEXT } from './function-kinds.ts'
import { noteText } from './inputs.ts'
import type { PlainFormula } from './plain-formula.ts'
import type { PlannedCell, RecomputePlan } from './plan-recompute.ts'
import { hasProofForAll, isDoubtful, isKnownToExcel, isProven, isProvenForAll } from './proven.ts'

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
  const rejected = new CellsAndBoxes()
  const otherKind = inputs.otherKind
  const done = new Map<number, RecomputedCell>()
  const reject = (index: number, reason: string) => {
    const cell = cells[index]!
    rejected.add(cell.sheet.id, cellKey(cell.row, cell.column))
    for (const box of cell.fills ?? []) rejected.addBox(box)
    // without the other workbook nobody could compute it again
    const isKept = cell.isLinked && cell.cached !== undefined
    done.set(index, { ...cell, reason, ...(isKept && { value: cell.cached, isSame: true }) })
  }
  for (const [index, { problem }] of cells.entries())
    if (problem !== undefined) reject(index, `it has ${problem}`)
  const old = oldValues(plan, before)
  const kinds = new Kinds(now, old)
  for (const [position, index] of order.entries()) {
    const cell = cells[index]!
    const value = 'values' in now ? now.values[position] : undefined
    const { value: past, isReproduced = false } = old.get(index) ?? {}
    if (past !== undefined && value !== undefined && kindOf(past) !== kindOf(value))
      otherKind.add(cell.sheet.id, cellKey(cell.row, cell.column))
    const needsProof =
      !isReproduced ||
      cell.plain!.isBranching ||
      kindOf(past!) !== kindOf(value ?? null) ||
      cell.boxes.some(box => otherKind.meets(box))
    const kindDoubt = kinds.doubtAt(position, index, cell.plain!.calls, needsProof)
    const why = ('values' in now && now.doubts?.[position]) || undefined
    const isLate = 'problem' in now || (now.late?.includes(position) ?? false)
    const evidence = { value, isReproduced, needsProof, rejected, inputs, isLate, why }
    const doubt = (value === null && kindDoubt) || (doubtOf(cell, evidence) ?? kindDoubt)
    if (doubt !== undefined) reject(index, doubt)
    else {
      const isSame = isReproduced && same(past!, value!)
      const content = isSame ? cell.cached! : toContent(value!)
      noteText(inputs, content, cell.sheet.id, cellKey(cell.row, cell.column))
      done.set(index, { ...cell, value: content, ...(isSame && { isSame }) })
    }
  }
  return cells.map((_, index) => done.get(index)!)
}

interface Past {
  readonly value: CellValue | null
  /** It is the stored result. */
  readonly isReproduced: boolean
  /** What was seen while it was computed, if that gave the stored result. */
  readonly kinds: readonly string[]
}

function oldValues(plan: RecomputePlan, before: Evaluated): Map<number, Past> {
  const values = new Map<number, Past>()
  if (!('values' in before)) return values
  let at = 0
  for (const index of plan.order) {
    const { cached, plain } = plan.cells[index]!
    if (!cached) continue
    const value = before.values[at] ?? null
    const isReproduced = reproduces(cached, value) || isBothNoise(plain!, cached, value)
    values.set(index, { value, isReproduced, kinds: (isReproduced && before.kinds?.[at]) || [] })
    at++
  }
  return values
}

/** A proof is for the kinds of values that it was made with: of the list, or of the stored result. */
class Kinds {
  readonly #now: Readonly<Record<number, readonly string[]>>
  readonly #old: ReadonlyMap<number, Past>

  constructor(now: Evaluated, old: ReadonlyMap<number, Past>) {
    this.#now = ('values' in now && now.kinds) || {}
    this.#old = old
  }

  /** `position` among the computed cells, `index` among those of the plan. */
  doubtAt(
    position: number,
    index: number,
    calls: readonly Call[],
    needsProof: boolean,
  ): string | undefined {
    const seen = this.#now[position]
    if (!seen) return undefined
    const known = this.#old.get(index)?.kinds ?? []
    const isOpen = (name: string) =>
      needsProof
        ? calls.some(call => call.name === name && !isProvenForAll(call))
        : !hasProofForAll(name)
    const fresh = seen.find(
      own =>
        !known.includes(own) &&
        !isKnownToExcel(own) &&
        (isDoubtful(own) || isOpen(own.slice(0, own.indexOf(' ')))),
    )
    if (fresh === undefined) return undefined
    const [name = '', , kind = ''] = fresh.split(' ')
    return `${OPERATORS[name] ?? name} is not proven for ${KINDS[kind] ?? 'such values'}`
  }
}

const OPERATORS: Readonly<Record<string, string>> = {
  COMPARE: 'a comparison',
  DIVIDED: '/',
  MINUS: '-',
  MULTIPLY: '*',
  PLUS: '+',
  POWER: '^',
}

const KINDS: Readonly<Record<string, string>> = {
  blank: 'an empty cell',
  decimal: 'a number that is not whole',
  digits: 'a number stored as text',
  empty: 'an empty text',
  error: 'an error',
  fraction: 'a fraction',
  negative: 'a negative number',
  small: 'a number that small',
  text: 'text',
  texts: 'texts in a range',
  truth: 'TRUE or FALSE',
  zero: 'zero',
}

interface Evidence {
  readonly value: CellValue | null | undefined
  readonly isReproduced: boolean
  readonly needsProof: boolean
  readonly rejected: CellsAndBoxes
  readonly inputs: RecomputePlan['inputs']
  readonly isLate: boolean
  /** What programs may differ about, where it has no value. */
  readonly why: string | undefined
}

function doubtOf(cell: PlannedCell, evidence: Evidence): string | undefined {
  const { value, isReproduced, needsProof, rejected, inputs, isLate, why } = evidence
  const plain = cell.plain!
  if (isLate) return 'it takes too long to compute here'
  if (cell.boxes.some(box => rejected.meets(box))) return 'it reads a cell without a result'
  if (cell.boxes.some(box => inputs.mistakable.meets(box)))
    return 'it reads text that looks like an error value'
  const coerces = plain.calls.some(({ name }) => !KEEPS_TEXT.has(name))
  if (coerces && cell.boxes.some(box => inputs.ambiguous.meets(box)))
    return 'it reads text that programs may take for a number or a date'
  if (value === null || value === undefined)
    return why ? `programs may differ about ${why}` : 'it gives several values, or none'
  const error = typeof value === 'object' ? value.error : undefined
  if (error !== undefined && !KNOWN_ERRORS.has(error)) return `it gives ${error} here`
  if (error !== undefined && plain.isClipped) return `it gives ${error} over a whole row or column`
  const unproven = needsProof ? plain.calls.filter(call => !isProven(call)) : []
  if (unproven.length === 0) return undefined
  if (cell.cached && !isReproduced && !plain.isVolatile)
    return 'its stored result is not the one that is computed here'
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

/** What is left of zero where a circular function is rounded: each program rounds the angle in its own way. */
const NOISE = 1e-14

function isBothNoise(
  { calls }: PlainFormula,
  cached: CellContent,
  past: CellValue | null | undefined,
): boolean {
  if (cached.type !== 'number' || typeof past !== 'number') return false
  const isSmall = Math.abs(cached.value) < NOISE && Math.abs(past) < NOISE
  return isSmall && /^(SIN|COS|TAN)$/.test(calls.at(-1)?.name ?? '')
}

function toContent(value: CellValue): CellContent {
  if (typeof value === 'number') return { type: 'number', value }
  if (typeof value === 'boolean') return { type: 'boolean', value }
  if (typeof value === 'string') return { type: 'text', value }
  return { type: 'error', value: value.error }
}

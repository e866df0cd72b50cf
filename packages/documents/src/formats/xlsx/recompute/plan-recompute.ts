import type { Evaluation, EvaluationText } from '../../../evaluation.ts'
import type { Book } from '../book/book.ts'
import { cellKey } from '../cell/address.ts'
import { filledBy, type PlacedBox } from '../formula/fills.ts'
import { graphOf } from '../formula/formula-graph.ts'
import { CellSet, Coverage } from './areas.ts'
import { storedFormulas, type WantedFormula, wantedFormulas } from './formulas-to-compute.ts'
import { type Inputs, readInputs } from './inputs.ts'
import { orderCells } from './order-cells.ts'
import {
  OtherWorkbook,
  type PlainFormula,
  type SheetArea,
  toPlainFormula,
  Uncomputable,
} from './plain-formula.ts'
import { watchedKinds } from './proven.ts'
import { hidesIn } from './subtotals.ts'
import { calculationOf, type Surroundings, surroundingsOf } from './surroundings.ts'

/** A formula whose result is wanted, with what an evaluator needs for it. */
export interface PlannedCell extends WantedFormula {
  readonly plain?: PlainFormula
  /** What it reads. */
  readonly boxes: readonly PlacedBox[]
  /** What it names without reading it. */
  readonly places?: readonly PlacedBox[]
  /** What it gives a value besides its own cell. */
  readonly fills?: readonly PlacedBox[]
  /** Why it cannot be computed. */
  readonly problem?: string
  /** It reads another workbook. */
  readonly isLinked?: boolean
  /** Wanted by another formula only: the file has no result for it, and gets none. */
  readonly isBetween?: boolean
}

/** What an edit made stale, and what is needed to compute it. Pure: an evaluator is given the evaluations. */
export interface RecomputePlan {
  readonly cells: readonly PlannedCell[]
  /** Positions in `cells`, each after those it reads; excludes what cannot be computed. */
  readonly order: readonly number[]
  readonly inputs: Inputs
  /** With the values before the edits: a cell counts only if this gives its stored result. */
  readonly before: Evaluation
  readonly now: Evaluation
}

const MAX_FORMULAS = 100_000
const MAX_ROUNDS = 8 // of formulas without a stored result that need others

/** Undefined when no formula needs a result. */
export function planRecompute(book: Book): RecomputePlan | undefined {
  const wanted = wantedFormulas(book)
  if (wanted.length === 0) return undefined
  const planner = new Planner(book)
  for (const own of wanted) planner.add(own, false)
  let inputs = planner.readInputs()
  for (let round = 0; round < MAX_ROUNDS && inputs.missing.length > 0; round++) {
    planner.addMissing(inputs)
    inputs = planner.readInputs()
  }
  return planner.finish(inputs)
}

class Planner {
  readonly #book: Book
  readonly #around: Surroundings
  readonly #cells: PlannedCell[] = []
  readonly #set = new CellSet()
  readonly #coverage = new Coverage()
  readonly #plain = new Map<string, PlainAt>()
  readonly #isExact: boolean

  constructor(book: Book) {
    this.#book = book
    this.#around = surroundingsOf(book)
    this.#isExact = calculationOf(book).isExact
  }

  add(wanted: WantedFormula, isBetween: boolean): void {
    const planned = this.#planned(wanted)
    for (const box of [...planned.boxes, ...(planned.places ?? [])]) this.#coverage.add(box)
    this.#set.add(wanted.sheet.id, cellKey(wanted.row, wanted.column), this.#cells.length)
    this.#cells.push(isBetween ? { ...planned, isBetween } : planned)
  }

  /** Formulas without a stored result that wanted ones read. */
  addMissing({ missing }: Inputs): void {
    const bySheet = new Map<number, Set<number>>()
    for (const { sheet, key } of missing) {
      const keys = bySheet.get(sheet) ?? new Set()
      bySheet.set(sheet, keys.add(key))
    }
    for (const [id, keys] of bySheet) {
      const sheet = this.#book.sheets.find(own => own.id === id)!
      for (const own of storedFormulas(this.#book, sheet, keys)) this.add(own, true)
    }
  }

  readInputs(): Inputs {
    return readInputs(this.#book, this.#coverage, this.#set)
  }

  finish(inputs: Inputs): RecomputePlan {
    const cells = this.#cells
    const { order, circular } = orderCells(cells, this.#set)
    const marked = cells.map((cell, index) =>
      inputs.isCut || circular.has(index)
        ? {
            ...cell,
            problem: inputs.isCut
              ? 'too many cells to read'
              : 'a circular reference, or too many dependencies',
          }
        : cell,
    )
    const computed = order.filter(index => marked[index]!.problem === undefined)
    const texts: EvaluationText[] = []
    const known = new Map<PlainFormula, number>()
    const placed = (index: number) => {
      const { sheet, row, column, plain, name } = marked[index]!
      let text = known.get(plain!)
      if (text === undefined) {
        const anchor = this.#plain.get(name)!
        text = texts.push({ text: plain!.text, row: anchor.row, column: anchor.column }) - 1
        known.set(plain!, text)
      }
      return [sheet.id, row, column, text]
    }
    const watched = watchedKinds(computed.map(index => marked[index]!.plain!))
    const now = computed.flatMap(placed)
    const before = computed.filter(index => marked[index]!.cached).flatMap(placed)
    return {
      cells: marked,
      order: computed,
      inputs,
      before: { sheets: inputs.before, texts, cells: before, watched },
      now: { sheets: inputs.now, texts, cells: now, watched },
    }
  }

  #planned(wanted: WantedFormula): PlannedCell {
    const { formula, row, column, sheet } = wanted
    const own = `${formula.ref ?? ''}`
    const isOne = own === '' || !own.includes(':')
    try {
      if (this.#cells.length >= MAX_FORMULAS) throw new Uncomputable('too many formulas')
      if (!this.#isExact) throw new Uncomputable('a workbook that computes with rounded numbers')
      if (formula.kind === 'dataTable') throw new Uncomputable('a data table')
      if (formula.kind === 'array' && !isOne) throw new Uncomputable('an array over several cells')
      if (formula.text === '') throw new Uncomputable('a formula that cannot be read')
      const { plain, row: top, column: left } = this.#plainOf(wanted)
      const moved = ({ sheet: id, area }: SheetArea) => ({
        sheet: id,
        top: area.top + (area.fixedTop ? 0 : row - top),
        bottom: area.bottom + (area.fixedBottom ? 0 : row - top),
        left: area.left + (area.fixedLeft ? 0 : column - left),
        right: area.right + (area.fixedRight ? 0 : column - left),
      })
      const boxes = plain.areas.map(moved)
      if (plain.mindsHidden && hidesIn(this.#book, graphOf(this.#book), boxes, sheet, wanted))
        throw new Uncomputable('SUBTOTAL or AGGREGATE over hidden rows or other subtotals')
      return { ...wanted, plain, boxes, places: plain.places.map(moved) }
    } catch (error) {
      if (!(error instanceof Uncomputable)) throw error
      const isLinked = error instanceof OtherWorkbook
      const fills = filledBy(sheet, formula, cellKey(row, column)).map(box => {
        return { ...box, sheet: sheet.id }
      })
      return { ...wanted, boxes: [], fills, problem: error.message, ...(isLinked && { isLinked }) }
    }
  }

  #plainOf({ name, formula, sheet, row, column }: WantedFormula): PlainAt {
    const known = this.#plain.get(name)
    if (known) return known
    const home = { sheet: sheet.id, row, column, isArray: formula.kind === 'array' }
    const made = { plain: toPlainFormula(formula.text, home, this.#around), row, column }
    this.#plain.set(name, made)
    return made
  }
}

interface PlainAt {
  readonly plain: PlainFormula
  readonly row: number
  readonly column: number
}

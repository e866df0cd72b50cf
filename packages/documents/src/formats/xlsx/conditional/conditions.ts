import type { CellNow } from '../cell/cells.ts'
import { shiftFormula } from '../places/rewrites.ts'
import type { CellRule } from './rule.ts'
import type { RuleCells } from './rule-cells.ts'
import { compareValues, evaluateSmall, type SmallValue, toBoolean } from './small-formula.ts'

type Test = (cell: CellNow | undefined, row: number, column: number) => boolean | undefined

/** Where a rule holds. */
export class Conditions {
  readonly #rule: CellRule
  readonly #cells: RuleCells
  readonly #test: Test | undefined

  constructor(rule: CellRule, cells: RuleCells) {
    this.#rule = rule
    this.#cells = cells
    this.#test = this.#make()
  }

  get isKnown(): boolean {
    return this.#test !== undefined
  }

  /** Undefined: not known. */
  holdsAt(row: number, column: number): boolean | undefined {
    const cell = this.#cells.cellAt(row, column)
    return cell?.isStale ? undefined : this.#test?.(cell, row, column)
  }

  #make(): Test | undefined {
    const { type } = this.#rule
    if (type === 'cellIs') return this.#cellIs()
    if (type === 'expression') return (_, row, column) => asTruth(this.#formula(0, row, column))
    if (type === 'top10') return this.#top()
    if (type === 'aboveAverage') return this.#average()
    if (type === 'duplicateValues') return this.#counted(count => count > 1)
    if (type === 'uniqueValues') return this.#counted(count => count === 1)
    if (type === 'containsBlanks') return cell => textOf(cell).trim() === '' && !isError(cell)
    if (type === 'notContainsBlanks') return cell => textOf(cell).trim() !== '' || isError(cell)
    if (type === 'containsErrors') return isError
    if (type === 'notContainsErrors') return cell => !isError(cell)
    return this.#text(type)
  }

  #text(type: string): Test | undefined {
    const wanted = this.#rule.text?.toLowerCase()
    if (wanted === undefined) return undefined
    const tests: Readonly<Record<string, (text: string) => boolean>> = {
      containsText: text => text.includes(wanted),
      notContainsText: text => !text.includes(wanted),
      beginsWith: text => text.startsWith(wanted),
      endsWith: text => text.endsWith(wanted),
    }
    const test = Object.hasOwn(tests, type) ? tests[type] : undefined
    return test && (cell => !isError(cell) && test(textOf(cell).toLowerCase()))
  }

  #cellIs(): Test | undefined {
    const { operator = 'equal' } = this.#rule
    const compared = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined
    if (!compared) return undefined
    return (cell, row, column) => {
      if (isError(cell)) return false
      const own = contentOf(cell)
      const values = this.#rule.formulas.map((_, index) => this.#formula(index, row, column))
      if (values.some(value => value === undefined || isErrorValue(value))) return undefined
      return compared(values.map(value => compareValues(own, value!)))
    }
  }

  /** A formula of the rule as it reads for that cell: it is written for the first cell of the range. */
  #formula(index: number, row: number, column: number): SmallValue | undefined {
    const formula = this.#rule.formulas[index]
    const [first] = this.#rule.boxes
    if (formula === undefined || !first) return undefined
    const top = Math.min(...this.#rule.boxes.map(box => box.top))
    const left = Math.min(...this.#rule.boxes.map(box => box.left))
    const moved = shiftFormula(formula, row - top, column - left)
    return evaluateSmall(moved, {
      row,
      column,
      valueAt: (...at) => this.#cells.valueAt(...at),
      valuesIn: (...at) => this.#cells.valuesIn(...at),
    })
  }

  #top(): Test {
    const { rank = 10, isPercent, isBottom } = this.#rule
    const sorted = this.#cells.numbers(this.#rule).sort((a, b) => (isBottom ? a - b : b - a))
    const count = isPercent ? Math.max(1, Math.floor((sorted.length * rank) / 100)) : rank
    const limit = sorted[Math.min(count, sorted.length) - 1]
    return cell => {
      const value = numberOf(cell)
      if (value === undefined || limit === undefined) return false
      return isBottom ? value <= limit : value >= limit
    }
  }

  #average(): Test {
    const { isAbove = true, isEqual = false, deviations = 0 } = this.#rule
    const numbers = this.#cells.numbers(this.#rule)
    const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length
    const spread = numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0)
    const deviation = numbers.length > 1 ? Math.sqrt(spread / (numbers.length - 1)) : 0
    const limit = mean + (isAbove ? 1 : -1) * deviations * deviation
    return cell => {
      const value = numberOf(cell)
      if (value === undefined) return false
      if (isEqual && value === limit) return true
      return isAbove ? value > limit : value < limit
    }
  }

  #counted(isWanted: (count: number) => boolean): Test {
    const counts = new Map<string, number>()
    for (const box of this.#rule.boxes)
      for (const value of this.#cells.valuesIn(undefined, box) ?? []) {
        const key = keyOf(value)
        counts.set(key, (counts.get(key) ?? 0) + 1)
      }
    return cell => {
      const value = contentOf(cell)
      return value !== null && isWanted(counts.get(keyOf(value)) ?? 0)
    }
  }
}

type Compared = (orders: readonly number[]) => boolean

const OPERATORS: Readonly<Record<string, Compared>> = {
  equal: ([order]) => order === 0,
  notEqual: ([order]) => order !== 0,
  greaterThan: ([order = 0]) => order > 0,
  lessThan: ([order = 0]) => order < 0,
  greaterThanOrEqual: ([order = 0]) => order >= 0,
  lessThanOrEqual: ([order = 0]) => order <= 0,
  between: orders => isBetween(orders),
  notBetween: orders => !isBetween(orders),
}

/** The limits may be given in either order. */
function isBetween([first = 0, second = 0]: readonly number[]): boolean {
  return (first >= 0 && second <= 0) || (first <= 0 && second >= 0)
}

function keyOf(value: SmallValue): string {
  return typeof value === 'string' ? `t${value.toLowerCase()}` : JSON.stringify(value)
}

function asTruth(value: SmallValue | undefined): boolean | undefined {
  if (value === undefined) return undefined
  if (isErrorValue(value) || typeof value === 'string') return false
  return toBoolean(value)
}

function isErrorValue(value: SmallValue | undefined): boolean {
  return typeof value === 'object' && value !== null
}

function contentOf(cell: CellNow | undefined): SmallValue {
  return !cell || cell.content.type === 'empty' ? null : cell.content.value
}

function numberOf(cell: CellNow | undefined): number | undefined {
  return cell?.content.type === 'number' ? cell.content.value : undefined
}

function textOf(cell: CellNow | undefined): string {
  const value = contentOf(cell)
  return value === null ? '' : String(value)
}

function isError(cell: CellNow | undefined): boolean {
  return cell?.content.type === 'error'
}

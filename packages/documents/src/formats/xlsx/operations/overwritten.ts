import type { Book } from '../book/book.ts'
import type { CellEdit, Sheet } from '../book/sheet.ts'
import { boxName, type CellAddress, cellKey, cellName } from '../cell/address.ts'
import type { CellData } from '../cell/cells.ts'
import { findReferences } from '../formula/references.ts'
import { listed } from './write-hints.ts'

const LONGEST = 40 // letters of what a cell held

/** What a write replaced and may not have meant to: a total computed in the head, or the cell beside the right one. */
export class Overwritten {
  readonly #formulas: string[] = []
  readonly #kinds: string[] = []

  note(
    { row, column, content, formula }: CellData,
    { content: now, formula: made }: CellEdit,
  ): void {
    if (made || !now) return
    const name = cellName(row, column)
    if (formula) this.#formulas.push(`${name} (${short(`=${formula.text}`)})`)
    else if (isOtherKind(content, now)) this.#kinds.push(`${name} (${short(shown(content.value))})`)
  }

  warnings(): string[] {
    return [
      ...(this.#formulas.length > 0
        ? [
            `Replaced formulas by fixed values, which no longer follow the cells they read: ${listed(this.#formulas)}. Send {"formula": …} to keep a result computed.`,
          ]
        : []),
      ...(this.#kinds.length > 0
        ? [
            `Replaced text by numbers or numbers by text, so check that these are the cells that were meant: ${listed(this.#kinds)}.`,
          ]
        : []),
    ]
  }
}

function isOtherKind(before: CellData['content'], now: NonNullable<CellEdit['content']>): boolean {
  if (before.type === 'text' && now.type === 'number')
    return !/^\s*[-+(]?[\d.,\s%$€£)]+$/.test(before.value)
  return before.type === 'number' && now.type === 'text'
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

function short(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

/** Rows written below a total are not in it. */
export function warnBelowTotals(
  book: Book,
  sheet: Sheet,
  filled: readonly CellAddress[],
): readonly string[] {
  const [first] = filled
  if (!first || first.row === 1) return []
  const top = Math.min(...filled.map(({ row }) => row))
  const above = book.cellsIn(sheet, {
    top: Math.max(1, top - 1),
    bottom: Math.max(1, top - 1),
    left: Math.min(...filled.map(({ column }) => column)),
    right: Math.max(...filled.map(({ column }) => column)),
  })
  if (!above.ok) return []
  const isFilled = new Set(filled.map(({ row, column }) => cellKey(row, column)))
  const totals = [...above.value.values()].flatMap(cell => {
    const isBelow = isFilled.has(cellKey(cell.row + 1, cell.column))
    const range = isBelow && cell.formula ? summedAbove(cell) : undefined
    return range === undefined ? [] : [`${cellName(cell.row, cell.column)} (${range})`]
  })
  return totals.length > 0
    ? [
        `Written below ${totals.length === 1 ? 'a total, which does' : 'totals, which do'} not count it: ${listed(totals)}. append_rows puts rows above a total and extends it.`,
      ]
    : []
}

const MOST_APART = 2 // rows between a column and its total

/** The range of its own column that a total adds up, if it ends just above. */
function summedAbove({ row, column, formula }: CellData): string | undefined {
  if (!formula || !/^(SUM|SUBTOTAL|AVERAGE|COUNT|COUNTA|MAX|MIN)\(/i.test(formula.text))
    return undefined
  const area = findReferences(formula.text).areas.find(
    own =>
      own.sheets === undefined &&
      own.left === column &&
      own.right === column &&
      own.bottom < row &&
      own.bottom >= row - MOST_APART &&
      own.bottom > own.top,
  )
  return area && boxName(area)
}

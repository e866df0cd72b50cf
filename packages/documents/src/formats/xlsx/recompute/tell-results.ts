import type { Change } from '@filewright/protocol'
import type { OperationResult } from '../../../format.ts'
import type { Book } from '../book/book.ts'
import { NO_RESULTS } from '../book/cell-values.ts'
import { showCell } from '../book/show.ts'
import { cellKey, cellName, placeOf } from '../cell/address.ts'
import type { CellContent } from '../cell/cells.ts'
import type { RecomputedCell } from './accept-recompute.ts'
import { EarlierResults, type EarlierState } from './earlier-results.ts'
import type { Recomputed } from './recompute.ts'

/** What an answer says about results: beyond these the reader asks for the cells. */
const MAX_VALUES = 50
const MAX_TOTALS = 12
const MAX_NAMED = 5

export interface ToldResults {
  /** By operation: the results of the formulas that it set. */
  readonly results: readonly OperationResult[]
  readonly warnings: readonly string[]
}

/** Adds to the answer of a call the results of the formulas it set, the totals it moved, and what has no result. */
export function tellResults(
  book: Book,
  { now, before }: { readonly now: Recomputed; readonly before: EarlierState },
  given: readonly OperationResult[],
  changes: readonly Change[],
): ToldResults {
  const byPlace = new Map(now.cells.map(cell => [placeName(cell), cell]))
  const last = given.length - 1
  const moved = movedTotals(book, now, before, new Set(changes.map(({ place }) => place)))
  const first = changes[0]?.operation.index ?? 0
  const results = given.map((result, position) => {
    const own = changes.filter(({ operation }) => operation.index - first === position)
    const set = own.flatMap(({ place }) => byPlace.get(place) ?? [])
    return {
      ...result,
      ...(set.length > 0 && {
        formulas: set.slice(0, MAX_VALUES).map(cell => toldFormula(book, cell)),
      }),
      ...(set.length > MAX_VALUES && { moreFormulas: set.length - MAX_VALUES }),
      ...(position === last && moved.length > 0 && { totals: moved.slice(0, MAX_TOTALS) }),
      ...(position === last &&
        moved.length > MAX_TOTALS && { moreTotals: moved.length - MAX_TOTALS }),
    }
  })
  return { results, warnings: [...lackWarning(book, now, before), ...volatileWarning(now)] }
}

function placeName({ sheet, row, column }: RecomputedCell): string {
  return placeOf(sheet.name, cellName(row, column))
}

function toldFormula(book: Book, cell: RecomputedCell): Record<string, unknown> {
  const { value, reason } = cell
  return {
    cell: placeName(cell),
    ...(value ? toldValue(book, cell, value) : { value: null, reason: reason ?? '' }),
  }
}

function toldValue(
  book: Book,
  cell: RecomputedCell,
  content: CellContent,
): Record<string, unknown> {
  const { text } = showCell(book, { content, style: cell.style })
  const reason = content.type === 'error' ? ERRORS[content.value] : undefined
  return {
    value: content.value,
    ...(text !== String(content.value) && { text }),
    ...(reason !== undefined && { reason }),
  }
}

const ERRORS: Readonly<Record<string, string>> = {
  '#DIV/0!': 'it divides by zero or by an empty cell',
  '#N/A': 'a lookup finds nothing, or a cell it reads holds #N/A',
  '#NUM!': 'a number is out of the range that a function takes',
  '#VALUE!': 'an operand or argument is of the wrong kind, such as text for a number',
  '#REF!': 'it names a cell outside of a range',
}

/** Also behind a name, in parentheses then. */
const TOTAL =
  /^[\s(]*(SUM|SUBTOTAL|AVERAGE|COUNT|COUNTA|MAX|MIN|SUMIFS?|COUNTIFS?|AVERAGEIFS?|SUMPRODUCT|AGGREGATE|NPV|IRR)\(/i

/** Sums and the like that the call did not set and whose results are others now. */
function movedTotals(
  book: Book,
  now: Recomputed,
  before: EarlierState,
  written: ReadonlySet<string>,
): { cell: string; from: unknown; to: unknown }[] {
  const moved: { cell: string; from: unknown; to: unknown }[] = []
  const totals = now.cells.filter(own => TOTAL.test(own.plain?.text ?? own.formula.text))
  const earlier = new EarlierResults(book, before, totals)
  for (const cell of totals) {
    const { value } = cell
    if (!value) continue
    const old = earlier.of(cell)
    if (old?.type === value.type && old.value === value.value) continue
    const place = placeName(cell)
    if (written.has(place)) continue
    moved.push({ cell: place, from: old?.value ?? null, to: toldValue(book, cell, value).value })
  }
  return moved
}

/** Names the formulas that have no result since this call. */
function lackWarning(book: Book, now: Recomputed, before: EarlierState): string[] {
  // places from before count no more once cells moved
  const known = book.moves.length === before.moves ? before.results : NO_RESULTS
  const lacking = now.cells.filter(
    ({ value, reason, sheet, row, column }) =>
      (!value || reason !== undefined) && !known.isLackingAt(sheet.id, cellKey(row, column)),
  )
  if (lacking.length === 0) return []
  const named = lacking.slice(0, MAX_NAMED).map(cell => `${placeName(cell)} (${cell.reason ?? ''})`)
  const more = lacking.length > MAX_NAMED ? ` and ${lacking.length - MAX_NAMED} more` : ''
  const one = lacking.length === 1
  return [
    `${lacking.length} ${one ? 'formula was' : 'formulas were'} not computed here: ${named.join(', ')}${more}. ${one ? 'It is' : 'They are'} calculated when the workbook is opened in a spreadsheet program.`,
  ]
}

function volatileWarning(now: Recomputed): string[] {
  const cells = now.cells.filter(
    ({ value, plain, isSame }) => value && plain?.isVolatile && !isSame,
  )
  if (cells.length === 0) return []
  const named = cells.slice(0, MAX_NAMED).map(placeName).join(', ')
  const more = cells.length > MAX_NAMED ? ` and ${cells.length - MAX_NAMED} more` : ''
  return [
    `Computed for the time of this call, and again whenever the workbook is opened: ${named}${more}.`,
  ]
}

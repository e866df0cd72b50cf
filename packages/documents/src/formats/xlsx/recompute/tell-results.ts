import { type Change, counted } from '@filewright/protocol'
import type { OperationResult } from '../../../format.ts'
import type { Book } from '../book/book.ts'
import { NO_RESULTS } from '../book/cell-values.ts'
import { showCell } from '../book/show.ts'
import { cellKey, cellName, contains, parseBox, placeOf } from '../cell/address.ts'
import type { CellContent } from '../cell/cells.ts'
import { joinPlaces } from '../declared/join-places.ts'
import type { RecomputedCell } from './accept-recompute.ts'
import { computedInstead } from './computed-instead.ts'
import { EarlierResults, type EarlierState } from './earlier-results.ts'
import type { Recomputed } from './recompute.ts'

/** What an answer says about results: beyond these the reader asks for the cells. */
const MAX_VALUES = 50
const MAX_TOTALS = 12
const MAX_NAMED = 5
const ENDS_SHOWN = 3 // values at each end
const MOST_LETTERS = 60 // of a value

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
  const last = given.length - 1
  const moved = movedTotals(book, now, before, new Set(changes.map(({ place }) => place)))
  const setBy = formulasSet(now, given, changes)
  const results = given.map((result, position) => {
    const set = setBy[position]!
    const values = [
      ...valuesOf(book, set, result.sheet),
      ...(position === last ? totalsOf(moved) : []),
    ].join('; ')
    return {
      ...result,
      ...(values && { message: `${result.message.replace(/\.$/, '')}; ${values}.` }),
      ...(set.length > 0 && {
        formulas: set.slice(0, MAX_VALUES).map(cell => toldFormula(book, cell)),
      }),
      ...(set.length > MAX_VALUES && { moreFormulas: set.length - MAX_VALUES }),
      ...(position === last && moved.length > 0 && { totals: moved.slice(0, MAX_TOTALS) }),
      ...(position === last &&
        moved.length > MAX_TOTALS && { moreTotals: moved.length - MAX_TOTALS }),
    }
  })
  const warnings = [...lackWarning(book, now, before, setBy.flat()), ...volatileWarning(now)]
  return { results, warnings }
}

/** The formulas that each operation set, where they still are: later ones of the call may have moved cells. */
function formulasSet(
  now: Recomputed,
  given: readonly OperationResult[],
  changes: readonly Change[],
): readonly (readonly RecomputedCell[])[] {
  const byPlace = new Map(now.cells.map(cell => [placeName(cell), cell]))
  const first = changes[0]?.operation.index ?? 0
  const positionOf = ({ operation }: Change) => operation.index - first
  const lastMove = Math.max(-1, ...changes.filter(movesCells).map(positionOf))
  return given.map((result, position) => {
    if (position < lastMove) return []
    const range = result.op === 'append_rows' ? parseBox(String(result.range ?? '')) : undefined
    if (range)
      return now.cells.filter(
        ({ sheet, row, column }) => sheet.name === result.sheet && contains(range, row, column),
      )
    const own = changes.filter(change => positionOf(change) === position)
    return own.flatMap(({ place }) => byPlace.get(place) ?? [])
  })
}

/** Whether a place of before may be another cell, or none. */
function movesCells({ kind, place, before }: Change): boolean {
  return kind === 'sheet' ? before !== null : MOVED.test(place)
}

const MOVED = / (?:inserted|deleted|appended|sorted|removed|moved to \S+)$/

/** Errors, then the first and the last values: what a reader would look for in the cells. */
function valuesOf(book: Book, set: readonly RecomputedCell[], sheet: unknown): readonly string[] {
  const shown = ({ sheet: own, row, column, style, value }: RecomputedCell) => {
    const at = own.name === sheet ? cellName(row, column) : placeOf(own.name, cellName(row, column))
    const { text } = showCell(book, { content: value!, style })
    return `${at} ${text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text}`
  }
  const errors = set.filter(({ value }) => value?.type === 'error')
  const values = set.filter(
    ({ value }) => value && value.type !== 'error' && value.type !== 'empty',
  )
  const isShort = values.length <= 2 * ENDS_SHOWN
  const ends = isShort
    ? values.map(shown).join(', ')
    : `${values.slice(0, ENDS_SHOWN).map(shown).join(', ')} … ${values.slice(-ENDS_SHOWN).map(shown).join(', ')}`
  const more = errors.length - ENDS_SHOWN
  return [
    ...(errors.length > 0
      ? [
          `${counted(errors.length, 'error')}: ${errors.slice(0, ENDS_SHOWN).map(shown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
        ]
      : []),
    ...(values.length > 0 ? [`values: ${ends}`] : []),
  ]
}

type MovedTotal = ReturnType<typeof movedTotals>[number]

function totalsOf(moved: readonly MovedTotal[]): readonly string[] {
  if (moved.length === 0) return []
  const told = moved
    .slice(0, 2 * ENDS_SHOWN)
    .map(({ cell, from, to }) => `${cell} ${from === null ? '' : `${from} → `}${to}`)
  const more = moved.length - told.length
  return [`totals: ${told.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]
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

/** Names the formulas without a result: each that the call set, and those that have none since. */
function lackWarning(
  book: Book,
  now: Recomputed,
  before: EarlierState,
  set: readonly RecomputedCell[],
): string[] {
  // places from before count no more once cells moved
  const known = book.moves.length === before.moves ? before.results : NO_RESULTS
  const isSet = new Set(set)
  const lacking = now.cells.filter(
    cell =>
      (!cell.value || cell.reason !== undefined) &&
      (isSet.has(cell) || !known.isLackingAt(cell.sheet.id, cellKey(cell.row, cell.column))),
  )
  if (lacking.length === 0) return []
  const byReason = new Map<string, string[]>()
  for (const cell of lacking) {
    const instead = computedInstead(cell.formula.text)
    const why = `${cell.reason ?? ''}${instead === undefined ? '' : `; computed here: ${instead}`}`
    byReason.set(why, [...(byReason.get(why) ?? []), placeName(cell)])
  }
  const groups = [...byReason].slice(0, MAX_NAMED)
  const named = groups.map(([why, places]) => {
    const joined = joinPlaces(places)
    const rest = joined.length - MAX_NAMED
    return `${joined.slice(0, MAX_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''} (${why})`
  })
  const more = byReason.size > MAX_NAMED ? ', and others for other reasons' : ''
  const one = lacking.length === 1
  return [
    `${lacking.length} ${one ? 'formula was' : 'formulas were'} not computed here: ${named.join('; ')}${more}. ${one ? 'It is' : 'They are'} calculated when the workbook is opened in a spreadsheet program.`,
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

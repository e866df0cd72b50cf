import type { Box } from '@filewright/protocol'
import { Refusal } from '../../../../refusal.ts'
import type { Book } from '../../book/book.ts'
import type { Sheet } from '../../book/sheet.ts'
import { usedBox } from '../../book/used.ts'
import { openPackage } from '../../book/workbook-part.ts'
import { cellKey, placeOf } from '../../cell/address.ts'
import { type Stir, stirredReaders } from '../../formula/stirred-readers.ts'
import { firstLine, type LineShift } from '../../places/line-shift.ts'
import { Mapping } from '../../places/mapping.ts'
import { shiftBook } from '../../shift/shift-book.ts'
import { type PlaceMap, ShiftRun } from '../../shift/shift-run.ts'
import { packageEdits } from '../../write/package-content.ts'
import type { Editor } from '../editor.ts'

/** Writes every edit so far into the parts, so that cells can move with all that belongs to them. */
export function settle(editor: Editor): void {
  const { book } = editor
  const edits = packageEdits(book)
  if (!edits.ok) throw new Refusal('UNREADABLE_FORMAT', edits.failure.message)
  if (edits.value.size === 0) return
  const own = book.part.package.edited(edits.value)
  const part = own.ok ? openPackage(own.value) : own
  if (!part.ok) throw new Refusal('UNREADABLE_FORMAT', part.failure.message)
  editor.settle(part.value, staleKeys(book), book.renumbering())
}

/** Formulas without a value that counts: written by edits, or reading what was edited. */
function staleKeys(book: Book): Map<number, ReadonlySet<number>> {
  const { stale } = book.values
  const found = new Map<number, ReadonlySet<number>>()
  for (const [position, sheet] of book.sheets.entries()) {
    const keys = new Set(stale.keysOf(sheet.id))
    for (const [key, edit] of sheet.cells) if (edit.formula) keys.add(key)
    if (keys.size > 0) found.set(position, keys)
  }
  return found
}

export interface ShiftedSheet {
  readonly run: ShiftRun
  /** The sheet as it is afterwards. */
  readonly sheet: Sheet
}

interface ShiftOptions {
  /** The line that inserted ones look like. */
  readonly like?: number | undefined
  /** The cells stay for now: only what points at them follows, and they are relocated afterwards. */
  readonly isRelocated?: boolean
}

/** Moves cells of a sheet, and with them everything that points at them. The book is settled. */
export function shiftPlaces(
  editor: Editor,
  places: PlaceMap,
  options: ShiftOptions = {},
): ShiftedSheet {
  const { book } = editor
  const stirred = stirredReaders(book, stirOf(places))
  const run = new ShiftRun(book, places)
  const { step } = places
  const lines = step?.kind === 'lines' ? step.lines : undefined
  const shifted = shiftBook(run, lines, options.like)
  if (!shifted.ok) throw new Refusal('UNREADABLE_FORMAT', shifted.failure.message)
  const { id } = places.sheet
  const mapping = step && !options.isRelocated ? Mapping.of(step) : Mapping.identity
  const unsettled = new Map<number, ReadonlySet<number>>(run.unsettled)
  for (const [sheet, keys] of [...book.unsettled, ...stirred]) {
    const moved = mapping.keys(sheet, keys)
    unsettled.set(sheet, new Set([...moved, ...(unsettled.get(sheet) ?? [])]))
  }
  editor.settle(shifted.value.part, unsettled, mapping)
  const sheet = book.sheets.find(own => own.id === id)!
  for (const { row, column, text } of shifted.value.headers) {
    const key = cellKey(row, column)
    const content = { type: 'text', value: text } as const
    editor.onUndo(() => sheet.setCell(key, undefined))
    sheet.setCell(key, { content, style: styleAt(book, sheet, row, column) })
  }
  editor.warnings.push(...warningsOf(run))
  return { run, sheet }
}

function stirOf({ sheet, step, box, movesIn }: PlaceMap): Stir {
  const lines = step?.kind === 'lines' ? step.lines : undefined
  return {
    sheet: sheet.id,
    box,
    movesIn: own => movesIn?.(own) ?? (lines !== undefined && movesLines(sheet, lines, own)),
    keepsOrder: lines?.kind === 'insert' && lines.band === undefined,
  }
}

/** Nothing moves behind the last cell with content. */
function movesLines(sheet: Sheet, lines: LineShift, box: Box): boolean {
  const { axis, band = [0, Number.POSITIVE_INFINITY] } = lines
  const isRow = axis === 'row'
  const first = firstLine(lines)
  const used = usedBox(sheet)
  const end = used.ok ? (isRow ? used.value?.bottom : used.value?.right) : undefined
  if (used.ok && first > (end ?? 0)) return false
  const [last, low, high] = isRow
    ? [box.bottom, box.left, box.right]
    : [box.right, box.top, box.bottom]
  return last >= first && low <= band[1] && high >= band[0]
}

export function styleAt(book: Book, sheet: Sheet, row: number, column: number): number {
  const cells = book.cellsIn(sheet, { top: row, bottom: row, left: column, right: column })
  return cells.ok ? (cells.value.get(cellKey(row, column))?.style ?? 0) : 0
}

const SHOWN = 5

export function warningsOf(run: ShiftRun): string[] {
  const { book, lost, sheetRanges, places } = run
  const listed = (all: readonly string[]) =>
    `${all.slice(0, SHOWN).join(', ')}${all.length > SHOWN ? ` and ${all.length - SHOWN} more` : ''}`
  return [
    ...(lost.length > 0 ? [`References to deleted cells now read #REF!: ${listed(lost)}.`] : []),
    ...(sheetRanges.length > 0
      ? [`References to a range of sheets do not follow, so check these: ${listed(sheetRanges)}.`]
      : []),
    ...run.warnings,
    ...(book.part.hasMacros
      ? [
          `The workbook has macros; a macro that names cells of ${placeOf(places.sheet.name, '').slice(0, -1)} does not follow.`,
        ]
      : []),
  ]
}

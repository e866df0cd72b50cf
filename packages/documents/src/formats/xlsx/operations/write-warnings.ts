import type { Box, Change } from '@filewright/protocol'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { columnName, contains, intersects, parseBox, placeOf, splitSheet } from '../cell/address.ts'
import { type PivotSource, pivotSourcesOf, pivotsOf, tablesOf } from '../parts/sheet-parts.ts'

interface FilledCell {
  readonly row: number
  readonly column: number
}

/**
 * A table grows when a person types there, but not when the file is written, so results over the table exclude these
 * cells.
 */
export function warnBesideTables(
  book: Book,
  sheet: Sheet,
  filled: readonly FilledCell[],
): readonly { readonly text: string; readonly isMet: () => boolean }[] {
  return tablesOf(book.part, sheet).flatMap(({ name, ref, hasTotals }) => {
    const box = parseBox(ref)
    if (!box) return []
    const isIn = (place: Box) => filled.some(({ row, column }) => contains(place, row, column))
    const below = { ...box, top: box.bottom + 1, bottom: box.bottom + 1 }
    const beside = { ...box, left: box.right + 1, right: box.right + 1 }
    const outside = (line: string, where: string) =>
      `${line} is ${where} the table ${name} (${ref}) and is not part of it: formulas and charts on the table leave it out until a person drags its corner over it.`
    const texts = [
      ...(!hasTotals && isIn(below) ? [outside(`Row ${below.top}`, 'below')] : []),
      ...(isIn(beside) ? [outside(`Column ${columnName(beside.left)}`, 'next to')] : []),
    ]
    return texts.map(text => ({ text, isMet: () => hasGrown(book, name, box) }))
  })
}

function hasGrown(book: Book, name: string, before: Box): boolean {
  const tables = book.sheets.flatMap(own => tablesOf(book.part, own))
  const now = parseBox(tables.find(own => own.name === name)?.ref ?? '')
  const lines = ({ top, left, bottom, right }: Box) => bottom - top + right - left
  return now !== undefined && lines(now) > lines(before)
}

/** What a change says of where it is: `Sales!B2`, `Sales!3:4 deleted`. */
const PLACE =
  /^(.+![A-Z0-9:]+)(?: (inserted|deleted|appended|cells inserted|cells deleted|duplicates removed|moved to [A-Z0-9:]+))?$/

/** A pivot table has the results of its last refresh, and a refresh rewrites its cells. */
export function warnOfPivots(
  book: Book,
  changes: readonly Pick<Change, 'kind' | 'place'>[],
  sourcesBefore: readonly PivotSource[],
): readonly string[] {
  const sources = pivotSourcesOf(book.part)
  if (sources.length === 0) return NONE
  const warnings = new Set<string>()
  const known = new Map<string, SheetPivots>()
  for (const { kind, place } of changes) {
    const found = kind === 'cell' || kind === 'structure' ? PLACE.exec(place) : null
    const { sheet: name = '', address } = splitSheet(found?.[1] ?? '')
    const box = parseBox(address)
    const sheet = box && book.sheet(name)
    if (!sheet) continue
    const what = found?.[2] ?? 'written'
    const own = known.get(name) ?? pivotsAround(book, sheet, sources, sourcesBefore)
    known.set(name, own)
    if (what === 'written')
      for (const { at, text } of own.filled) if (intersects(at, box)) warnings.add(text)
    // lines that are gone stood in the source as it was
    for (const source of /deleted|removed/.test(what) ? own.readBefore : own.read)
      if (intersects(source.at, box)) warnOfSource(source, what, box, warnings)
  }
  return [...warnings]
}

interface SheetPivots {
  /** Pivot tables on the sheet. */
  readonly filled: readonly { readonly at: Box; readonly text: string }[]
  /** What pivot tables read of the sheet, now and before the operation. */
  readonly read: readonly PlacedSource[]
  readonly readBefore: readonly PlacedSource[]
}

interface PlacedSource {
  readonly at: Box
  readonly place: string
  readonly fields: readonly string[]
}

function pivotsAround(
  book: Book,
  sheet: Sheet,
  sources: readonly PivotSource[],
  sourcesBefore: readonly PivotSource[],
): SheetPivots {
  const { part } = book
  const tables = tablesOf(part, sheet)
  const placed = (list: readonly PivotSource[]) =>
    list.flatMap(({ sheet: name, ref, table, fields }): PlacedSource[] => {
      const isOwn = table === undefined && name === part.sheets[sheet.id]?.name
      const at = parseBox(tables.find(own => own.name === table)?.ref ?? (isOwn ? ref : ''))
      return at ? [{ at, place: table ?? placeOf(sheet.name, ref), fields }] : []
    })
  const filled = pivotsOf(part, sheet, formula => book.rewriteFormula(formula)).flatMap(
    ({ name, ref, source }) => {
      const at = parseBox(ref)
      const text = `${placeOf(sheet.name, ref)} is the pivot table ${name}, which overwrites its cells when it is refreshed; to change what it shows, change its source (${source}).`
      return at ? [{ at, text }] : []
    },
  )
  return { filled, read: placed(sources), readBefore: placed(sourcesBefore) }
}

function warnOfSource(
  { at, place, fields }: PlacedSource,
  what: string,
  box: Box,
  warnings: Set<string>,
): void {
  warnings.add(
    `Pivot tables based on ${place} show their old values until a spreadsheet program opens the file; it then refreshes them.`,
  )
  if (!intersects({ ...at, bottom: at.top }, box)) return
  if (what === 'inserted')
    warnings.add(
      `The columns inserted into ${place} have no header, and a pivot table is not refreshed from a source with an empty header: write one.`,
    )
  else if (what === 'written' || what.endsWith('deleted'))
    warnings.add(
      `A header of ${place} was ${what === 'written' ? what : 'deleted'}, and a pivot table knows its fields by their headers${shown(fields)}: a field whose header changed drops out of it; edit_pivot puts it back.`,
    )
}

/** ` (Region, Net)`: the fields that pivot tables of the source know. */
function shown(fields: readonly string[]): string {
  return fields.length === 0 ? '' : ` (${fields.slice(0, 20).join(', ')})`
}

const NONE: readonly string[] = []

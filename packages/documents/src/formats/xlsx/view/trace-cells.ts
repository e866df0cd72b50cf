import { type Box, counted, ok, type Reading, type Result } from '@filewright/protocol'
import type { ReadOptions } from '../../../format.ts'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { renderCell } from '../book/show.ts'
import {
  boxName,
  cellName,
  intersects,
  isOneCell,
  parseBox,
  placeOf,
  WHOLE_SHEET,
} from '../cell/address.ts'
import type { CellNow } from '../cell/cells.ts'
import type { WorkbookRegion } from '../declared/selectors.ts'
import { findReferences } from '../formula/references.ts'
import { tablesOf } from '../parts/sheet-parts.ts'
import { resolveRegion } from './region.ts'

interface Area {
  readonly sheet: Sheet
  readonly box: Box
}

/** One step of a trace: a cell of the region and what it reads, or a formula that reads the region. */
interface TraceStep {
  readonly cell: string
  readonly formula?: string
  readonly value?: string
  readonly reads?: readonly string[]
}

/** What the formulas of a region read, or which formulas read it: one level, directly. */
export function traceCells(
  book: Book,
  region: WorkbookRegion,
  options: ReadOptions,
): Result<Reading> {
  const place = resolveRegion(book, region)
  if (!place.ok) return place
  if ('empty' in place.value) {
    const { name } = place.value.empty
    return ok({
      text: `${JSON.stringify(name)} is empty`,
      fields: { sheet: name, trace: [] },
      shown: 'nothing',
      total: 'nothing',
    })
  }
  const { sheet, box } = place.value
  const isBack = region.trace === 'precedents'
  const steps = isBack ? precedents(book, sheet, box) : dependents(book, { sheet, box })
  if (!steps.ok) return steps
  const range = boxName(box)
  const lines: string[] = []
  let left = options.maxBytes - 300
  for (const own of steps.value) {
    const line = lineOf(own)
    left -= Buffer.byteLength(line) + 1
    if (left < 0) break
    lines.push(line)
  }
  const rest = steps.value.length - lines.length
  const title = isBack
    ? `${counted(steps.value.length, 'formula')} in ${placeOf(sheet.name, range)} and what they read`
    : `${counted(steps.value.length, 'formula')} that read ${placeOf(sheet.name, range)}`
  return ok({
    text: [title, ...lines, ...(rest > 0 ? [`and ${rest} more; trace a smaller range`] : [])].join(
      '\n',
    ),
    fields: { sheet: sheet.name, range, trace: steps.value.slice(0, lines.length) },
    shown: range,
    total: range,
  })
}

function lineOf({ cell, formula, value, reads }: TraceStep): string {
  const from = reads && reads.length > 0 ? ` ← ${reads.join('; ')}` : ''
  return `${cell}: ${value ?? ''}${formula ? ` {${formula}}` : ''}${from}`
}

function precedents(book: Book, sheet: Sheet, box: Box): Result<TraceStep[]> {
  const found: { cell: CellNow; areas: Area[] }[] = []
  const scanned = book.values.scan(sheet, box, cell => {
    if (cell.formula) found.push({ cell, areas: areasOf(book, sheet, cell.formula.text) })
  })
  if (!scanned.ok) return scanned
  return ok(
    found.map(({ cell, areas }) => ({
      ...stepOf(book, sheet, cell),
      reads: areas.map(area => shownArea(book, area)),
    })),
  )
}

function dependents(book: Book, region: Area): Result<TraceStep[]> {
  const steps: TraceStep[] = []
  for (const sheet of book.sheets) {
    if (sheet.kind === 'chartsheet' || !sheet.isInFile) continue
    const scanned = book.values.scan(sheet, WHOLE_SHEET, cell => {
      if (!cell.formula) return
      const reads = areasOf(book, sheet, cell.formula.text).some(
        area => area.sheet === region.sheet && intersects(area.box, region.box),
      )
      if (reads) steps.push(stepOf(book, sheet, cell))
    })
    if (!scanned.ok) return scanned
  }
  return ok(steps)
}

function stepOf(book: Book, sheet: Sheet, cell: CellNow): TraceStep {
  return {
    cell: placeOf(sheet.name, cellName(cell.row, cell.column)),
    formula: `=${cell.formula!.text}`,
    value: cell.isStale
      ? '?'
      : renderCell(book, { ...cell, formula: undefined } as CellNow, undefined),
  }
}

/** The cells a formula names: directly, by a defined name, by a table. */
function areasOf(book: Book, sheet: Sheet, formula: string, depth = 0): Area[] {
  const { areas, names, structured } = findReferences(formula)
  const found = areas.flatMap(area => {
    const [first, last = first] = area.sheets ?? [sheet.name]
    const ends = [book.sheet(first ?? ''), book.sheet(last ?? '')].map(own =>
      own ? book.sheets.indexOf(own) : -1,
    )
    return book.sheets
      .slice(Math.min(...ends), Math.max(...ends) + 1)
      .filter(() => !ends.includes(-1))
      .map(own => ({
        sheet: own,
        box: { top: area.top, left: area.left, bottom: area.bottom, right: area.right },
      }))
  })
  if (depth > 4) return found
  for (const name of [...names, ...structured.map(({ table }) => table)]) {
    const defined = book.definedNames.find(own => own.name.toLowerCase() === name)
    if (defined) found.push(...areasOf(book, sheet, defined.text, depth + 1))
    for (const own of book.sheets)
      for (const table of tablesOf(book.part, own)) {
        const box = table.name.toLowerCase() === name ? parseBox(table.ref) : undefined
        if (box) found.push({ sheet: own, box })
      }
  }
  return found
}

function shownArea(book: Book, { sheet, box }: Area): string {
  const place = placeOf(sheet.name, boxName(box))
  if (!isOneCell(box)) return place
  const cells = book.values.in(sheet, box)
  const [cell] = cells.ok ? cells.value.values() : []
  return `${place} ${cell ? renderCell(book, cell, undefined) : '(empty)'}`
}

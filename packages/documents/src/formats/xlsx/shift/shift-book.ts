import { ok, type Result } from '@filewright/protocol'
import { fromUtf8, Splices, toUtf8 } from '../../../opc/index.ts'
import type { Sheet } from '../book/sheet.ts'
import { openPackage, type WorkbookPart } from '../book/workbook-part.ts'
import { SheetXml } from '../cell/sheet-xml.ts'
import { rewritePart } from '../parts/rewrite-part.ts'
import type { LineShift } from '../places/line-shift.ts'
import { shiftFormulas } from './shift-formulas.ts'
import { type PartEdits, shiftOtherParts, shiftOwnParts } from './shift-parts.ts'
import type { ShiftRun } from './shift-run.ts'
import { shiftSheet } from './shift-sheet.ts'
import type { NewHeader } from './shift-table.ts'

export interface ShiftedBook {
  readonly part: WorkbookPart
  /** Headers that tables gained, for their cells. */
  readonly headers: readonly NewHeader[]
}

/**
 * The workbook with everything that pointed at the sheet's cells pointing at their new places. The book has no edits
 * that its package lacks.
 */
export function shiftBook(
  run: ShiftRun,
  lines: LineShift | undefined,
  like: number | undefined,
): Result<ShiftedBook> {
  const { book, places } = run
  const edits: PartEdits = new Map()
  for (const sheet of book.sheets) {
    if (sheet.source.from !== 'part' || sheet.source.part === '') continue
    const xml = sheet.xml()
    if (!xml.ok) {
      if (sheet.id === places.sheet.id) return xml
      continue // an unreadable sheet is kept as it is
    }
    const bytes =
      sheet.id === places.sheet.id
        ? shiftSheet(xml.value, { run, sheet, lines, like })
        : shiftOtherSheet(run, sheet, xml.value)
    if (bytes) edits.set(sheet.source.part, bytes)
  }
  const headers = shiftOwnParts(run, edits, lines)
  shiftOtherParts(run, edits)
  const own = book.part.package.edited(edits)
  const part = own.ok ? openPackage(own.value) : own
  return part.ok ? ok({ part: part.value, headers }) : part
}

function shiftOtherSheet(run: ShiftRun, sheet: Sheet, xml: SheetXml): Uint8Array | undefined {
  const splices = new Splices()
  shiftFormulas(splices, run, sheet, xml, (row, column) => ({ row, column }))
  const bytes = splices.size > 0 ? fromUtf8(splices.apply(xml.bytes), sheet.encoding) : undefined
  return shiftTail(run, bytes ?? fromUtf8(xml.bytes, sheet.encoding)) ?? bytes
}

/** Links, validations, conditional formats and sparklines of another sheet that name cells of this one. */
function shiftTail(run: ShiftRun, bytes: Uint8Array): Uint8Array | undefined {
  const decoded = toUtf8(bytes)
  const xml = decoded && SheetXml.open(decoded.utf8, true)
  if (!decoded || !(xml instanceof SheetXml)) return undefined
  const part = [xml.data.tagEnd, xml.root.closeStart] as const
  const after = rewritePart(xml.bytes, formula => run.map(formula, undefined).text, { part })
  return after && fromUtf8(after, decoded.encoding)
}

import type { Box, Fields } from '@filewright/protocol'
import { Refusal } from '../../../../refusal.ts'
import type { Sheet } from '../../book/sheet.ts'
import { renderCell } from '../../book/show.ts'
import { boxName, parseBox, placeOf, WHOLE_SHEET } from '../../cell/address.ts'
import type { CellData } from '../../cell/cells.ts'
import { findReferences } from '../../formula/references.ts'
import { tablesOf } from '../../parts/sheet-parts.ts'
import { C_TEXT, IslandFinder } from '../../view/islands.ts'
import { boxField } from '../arguments.ts'
import { cellsIn, type Editor } from '../editor.ts'
import { valuesIn } from '../values.ts'

/** Rows of data under a header, that more rows can follow. */
export interface Block {
  readonly box: Box
  readonly headerRow: number
  /** The first and the last row of data. */
  readonly first: number
  readonly last: number
  readonly hasTotals: boolean
  readonly warnings: readonly string[]
}

/** The named table or range, the only table, or the only block of cells on the sheet. */
export function blockOf(editor: Editor, sheet: Sheet, fields: Fields): Block {
  const tables = tablesOf(editor.book.part, sheet)
  const wanted = typeof fields.table === 'string' ? fields.table.toLowerCase() : undefined
  const table =
    wanted === undefined
      ? fields.range === undefined && tables.length === 1
        ? tables[0]
        : undefined
      : tables.find(own => own.name.toLowerCase() === wanted)
  if (wanted !== undefined && !table)
    throw new Refusal(
      'NO_SUCH_REGION',
      `there is no table ${JSON.stringify(fields.table)} on ${JSON.stringify(sheet.name)}; ${tables.length > 0 ? `its tables are ${tables.map(own => own.name).join(', ')}` : 'it has no table'}`,
    )
  const box = table && parseBox(table.ref)
  if (table && box) {
    const last = box.bottom - (table.hasTotals ? 1 : 0)
    const first = box.top + table.headerRows
    return { box, headerRow: box.top, first, last, hasTotals: table.hasTotals, warnings: [] }
  }
  const area = fields.range === undefined ? onlyIsland(editor, sheet) : boxField(sheet, fields)
  return withTotals(editor, sheet, area)
}

function onlyIsland(editor: Editor, sheet: Sheet): Box {
  const finder = new IslandFinder()
  const scanned = editor.book.values.scan(sheet, WHOLE_SHEET, cell => {
    if (cell.content.type !== 'empty' || cell.formula)
      finder.add(cell.row, cell.column, C_TEXT, cell.formula !== undefined)
  })
  if (!scanned.ok) throw new Refusal('UNREADABLE_FORMAT', scanned.failure.message)
  const blocks = finder.finish().islands.filter(({ box }) => box.bottom > box.top)
  const [only] = blocks
  if (only && blocks.length === 1) return only.box
  throw new Refusal(
    'INVALID_ARGUMENT',
    blocks.length === 0
      ? `the sheet ${JSON.stringify(sheet.name)} has no rows to append to; write the first ones with set_range`
      : `the sheet ${JSON.stringify(sheet.name)} has several blocks of cells; send range, one of ${blocks
          .slice(0, 8)
          .map(({ box }) => boxName(box))
          .join(', ')}`,
    { ranges: blocks.slice(0, 20).map(({ box }) => boxName(box)) },
  )
}

const TOTAL =
  /^(?:grand |sub)?totals?\b|^sum\b|^summe|^gesamt|^itogo|^итого|^合計|^总计|^suma|^somme|^totale?\b/i

function withTotals(editor: Editor, sheet: Sheet, box: Box): Block {
  const last = { ...box, top: box.bottom }
  const row = [...cellsIn(editor.book, sheet, last).values()]
  const computes = row.some(cell => cell.formula && readsAbove(cell, box))
  const hasLabel = row.some(
    cell => cell.content.type === 'text' && TOTAL.test(cell.content.value.trim()),
  )
  const hasTotals = computes && box.bottom - 1 > box.top
  const shown = () =>
    [...valuesIn(editor.book, sheet, last).values()]
      .map(cell => renderCell(editor.book, cell, undefined))
      .join(' | ')
  const warnings =
    hasLabel && !computes
      ? [
          `Row ${box.bottom} of ${placeOf(sheet.name, boxName(box))} (${shown()}) reads like totals but computes none, so the new rows stand below it; check that, or send range without it.`,
        ]
      : []
  return {
    box,
    headerRow: box.top,
    first: Math.min(box.top + 1, box.bottom),
    last: hasTotals ? box.bottom - 1 : box.bottom,
    hasTotals,
    warnings,
  }
}

/** A formula over several rows of its own column that ends right above it. */
function readsAbove({ formula, row, column }: CellData, box: Box): boolean {
  const { areas, structured } = findReferences(formula!.text)
  if (structured.length > 0) return true
  return areas.some(
    own =>
      own.left <= column &&
      own.right >= column &&
      own.top >= box.top &&
      own.bottom < row &&
      own.bottom >= row - 2 &&
      own.bottom > own.top,
  )
}

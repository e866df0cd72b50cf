import type { Splices } from '../../../opc/index.ts'
import { cellXml } from '../book/cell-xml.ts'
import type { Sheet } from '../book/sheet.ts'
import { spliceRowTag } from '../book/splice-rows.ts'
import { cellName } from '../cell/address.ts'
import { CellScan } from '../cell/cell-scan.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'
import {
  freshen,
  type Homeless,
  type RowWork,
  rememberMaster,
  restyle,
  type SpliceOptions,
} from './splice-cell.ts'

/** Whether the row occurs more than once, or its cells are out of order or repeated. */
export function isTangled(xml: SheetXml, index: number): boolean {
  const { numbers, count } = xml.rows
  if (index + 1 < count && numbers[index + 1] === numbers[index]) return true
  let last = 0
  let tangled = false
  xml.scanRow(index, new CellScan(), ({ column }) => {
    if (column <= last) tangled = true
    last = column
  })
  return tangled
}

/**
 * No program writes such rows, but some read them and disagree on which of two equal cells counts: so every cell with
 * that address gets the edit, and a new one goes at the end. The rest stays unchanged.
 */
export function spliceTangledRow(
  splices: Splices,
  sheet: Sheet,
  xml: SheetXml,
  first: number,
  work: RowWork,
  options: SpliceOptions,
  homeless: Homeless,
): void {
  const { prefix } = xml
  const row = xml.rows.numbers[first]!
  const edits = new Map(work.edits.map(({ column, edit }) => [column, edit]))
  const written = new Set<number>()
  const cell = new CellScan()
  let last = first
  while (last + 1 < xml.rows.count && xml.rows.numbers[last + 1] === row) last++
  let lastEnd = 0
  let isEmpty = false
  for (let index = first; index <= last; index++) {
    const tag = spliceRowTag(splices, sheet, xml, index, work.edits, options.grown)
    lastEnd = tag.end
    isEmpty = tag.isEmpty
    xml.scanRow(index, cell, own => {
      lastEnd = own.end
      const edit = edits.get(own.column)
      if (edit) {
        if (own.formulaStart >= 0) rememberMaster(own, homeless)
        splices.replace(own.start, own.end, cellXml(prefix, cellName(row, own.column), edit))
        written.add(own.column)
      } else {
        const look = work.looks.get(own.column)
        if (look !== undefined) restyle(splices, own, look)
        written.add(own.column)
        if (work.stale) freshen(splices, own, options)
      }
    })
  }
  const blanks = Array.from(work.looks, ([column, style]) => ({
    column,
    edit: { content: null, style },
  }))
  const added = [...work.edits.filter(({ edit }) => edit.content || edit.formula), ...blanks]
    .filter(({ column }) => !written.has(column))
    .map(({ column, edit }) => cellXml(prefix, cellName(row, column), edit))
    .join('')
  if (added === '') return
  if (isEmpty) splices.replace(lastEnd - 2, lastEnd, `>${added}</${prefix}row>`)
  else splices.insert(lastEnd, added)
}

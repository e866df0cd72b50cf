import { BytePattern } from '../../../opc/index.ts'
import { CellScan } from './cell-scan.ts'
import type { SheetXml } from './sheet-xml.ts'

/**
 * Calls back for each cell with a formula, in order, with its address, formula and where its value starts; reuses one
 * object. In a plain sheet they are found by their tags, so that a cell without a formula costs nothing.
 */
export function scanFormulas(xml: SheetXml, visit: (cell: CellScan) => void): void {
  const cell = new CellScan()
  const { rows, bytes, data, prefix } = xml
  const visitFormula = (own: CellScan) => {
    if (own.formulaStart >= 0) visit(own)
  }
  if (!rows.isPlain) {
    for (let index = 0; index < rows.count; index++) xml.scanRow(index, cell, visitFormula)
    return
  }
  if (rows.count === 0) return
  const pattern = new BytePattern(`<${prefix}f`, 'f')
  let index = 0
  let from = data.start
  for (;;) {
    const at = pattern.find(bytes, from, data.end)
    if (at < 0) return
    from = at + pattern.length
    const after = bytes[from]!
    if (after !== 62 && after !== 47 && after > 32) continue
    while (index + 1 < rows.count && rows.starts[index + 1]! <= at) index++
    if (at < rows.starts[index]! || at >= rows.ends[index]!) continue
    if (cell.scanFormula(bytes, at, rows.numbers[index]!, prefix.length)) {
      from = cell.formulaEnd
      visit(cell)
    } else {
      xml.scanRow(index, cell, own => {
        if (own.formulaStart >= at) visit(own)
      })
      from = rows.ends[index]!
    }
  }
}

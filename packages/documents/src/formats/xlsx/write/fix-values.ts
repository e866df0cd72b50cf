import type { Splices } from '../../../opc/index.ts'
import { scanFormulas } from '../cell/formula-cells.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'

const PLAIN = /^<[\w.-]*:?f\s*>/ // no attribute: no other cell shares it

/**
 * Formulas that have a result become that result: a program that computes them again may know fewer functions, and
 * would show an error in place of what a read shows. Those without a result stay, and what they share stays with them.
 */
export function fixValues(splices: Splices, xml: SheetXml): void {
  let isWhole = true
  scanFormulas(xml, ({ isComputed }) => {
    if (!isComputed) isWhole = false
  })
  scanFormulas(xml, ({ bytes, formulaStart, formulaEnd, isComputed }) => {
    const start = Buffer.from(bytes.subarray(formulaStart, formulaStart + 32)).toString('latin1')
    if (isComputed && (isWhole || PLAIN.test(start))) splices.remove(formulaStart, formulaEnd)
  })
}

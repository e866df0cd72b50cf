import { decodeText } from '../../../opc/index.ts'
import { cellKey, contains, parseBox } from './address.ts'
import type { CellScan } from './cell-scan.ts'
import { scanFormulas } from './formula-cells.ts'
import type { SheetXml } from './sheet-xml.ts'

export interface SharedMaster {
  readonly row: number
  readonly column: number
  readonly text: string
  readonly ref: string | undefined
}

export function decodeTag(cell: CellScan): { t?: string; ref?: string; si?: string } | undefined {
  // A bare `<f>` is by far the most frequent.
  if (cell.formulaText - cell.formulaStart <= 4) return undefined
  const tag = decodeText(cell.bytes, cell.formulaStart + 1, cell.formulaText - 1)
  const attributeOf = (name: string) =>
    new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1]
  return { t: attributeOf('t'), ref: attributeOf('ref'), si: attributeOf('si') }
}

/** As Excel shows a data table: its input cells for the row and the column. */
export function tableFunction(cell: CellScan): string {
  const tag = decodeText(cell.bytes, cell.formulaStart + 1, cell.formulaText - 1)
  const wordOf = (name: string) =>
    new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1] ?? ''
  const isOn = (name: string) => /^(1|true)$/.test(wordOf(name))
  if (isOn('dt2D')) return `TABLE(${wordOf('r1')},${wordOf('r2')})`
  return isOn('dtr') ? `TABLE(${wordOf('r1')},)` : `TABLE(,${wordOf('r1')})`
}

const masters = new WeakMap<SheetXml, SharedMasters>()

/** The first cells of shared formulas by their index, in the order of the file. */
type SharedMasters = ReadonlyMap<string, readonly SharedMaster[]>

export function mastersOf(xml: SheetXml): SharedMasters {
  const known = masters.get(xml)
  if (known) return known
  const found = new Map<string, SharedMaster[]>()
  scanFormulas(xml, own => {
    if (own.formulaTextEnd === own.formulaText) return
    const tag = decodeTag(own)
    if (tag?.t !== 'shared' || tag.si === undefined) return
    const text = decodeText(own.bytes, own.formulaText, own.formulaTextEnd)
    const master = { row: own.row, column: own.column, text, ref: tag.ref }
    const others = found.get(tag.si)
    if (others) others.push(master)
    else found.set(tag.si, [master])
  })
  masters.set(xml, found)
  return found
}

/**
 * Some writers reuse an index: it then means the formula whose range contains the cell, or else the last one before it.
 */
export function masterAt(
  own: SharedMasters,
  index: string,
  { row, column }: { readonly row: number; readonly column: number },
): SharedMaster | undefined {
  const list = own.get(index)
  if (!list || list.length === 1) return list?.[0]
  const around = list.findLast(({ ref }) => {
    const box = parseBox(ref ?? '')
    return box !== undefined && contains(box, row, column)
  })
  const key = cellKey(row, column)
  return around ?? list.findLast(master => cellKey(master.row, master.column) < key) ?? list[0]
}

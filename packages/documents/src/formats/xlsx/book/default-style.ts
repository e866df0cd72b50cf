import { attribute, parseXml } from '../../../opc/index.ts'
import { elementsOf } from './book.ts'
import type { Sheet } from './sheet.ts'
import { isTrue } from './workbook-part.ts'

/** The style of a cell that is not in the file yet: that of its row, else of its column, as in Excel. */
export function defaultStyles(sheet: Sheet): (row: number, column: number) => number {
  const opened = sheet.xml()
  if (!opened.ok) return () => 0
  const xml = opened.value
  const columns = elementsOf(xml, 'cols', 'col')
    .map(own => ({
      left: Number(attribute(own, 'min')),
      right: Number(attribute(own, 'max')),
      style: Number(attribute(own, 'style') ?? 0),
    }))
    .filter(own => own.style > 0)
  const rowStyles = new Map<number, number>()
  return (row, column) => {
    let style = sheet.rows.get(row)?.style ?? rowStyles.get(row)
    if (style === undefined) {
      style = 0
      const index = xml.findRow(row)
      if (xml.rows.numbers[index] === row) style = rowStyle(xml.bytes, xml.rows.starts[index]!)
      rowStyles.set(row, style)
    }
    if (style > 0) return style
    const edited = sheet.columns.get(column)?.style
    return edited ?? columns.find(own => column >= own.left && column <= own.right)?.style ?? 0
  }
}

function rowStyle(bytes: Uint8Array, start: number): number {
  const close = bytes.indexOf(62, start)
  const tag = Buffer.from(bytes.subarray(start, close)).toString('latin1').replace(/\/$/, '')
  if (!tag.includes('customFormat')) return 0
  const element = parseXml(Buffer.from(`${tag}/>`))
  if (typeof element === 'string' || !isTrue(attribute(element.root, 'customFormat'))) return 0
  return Number(attribute(element.root, 's') ?? 0)
}

import type { Box } from '@filewright/protocol'
import { attribute, parseXml } from '../../../opc/index.ts'
import { columnName } from '../cell/address.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'
import { elementsOf } from './book.ts'
import type { Sheet } from './sheet.ts'
import { isTrue } from './workbook-part.ts'

/** Hidden rows and columns of a box, as runs: `5-7`, `C`. */
export function hiddenLines(sheet: Sheet, box: Box): { rows: string[]; columns: string[] } {
  const xml = sheet.xmlTo(box.bottom)
  if (!xml.ok) return { rows: [], columns: [] }
  const rows: number[] = []
  const { numbers, count } = xml.value.rows
  for (let index = xml.value.findRow(box.top); index < count; index++) {
    const row = numbers[index]!
    if (row > box.bottom) break
    if (sheet.rows.get(row)?.hidden ?? isRowHidden(xml.value, index)) rows.push(row)
  }
  for (const [row, { hidden }] of sheet.rows)
    if (hidden && row >= box.top && row <= box.bottom && !rows.includes(row)) rows.push(row)
  const columns = hiddenColumns(sheet, xml.value).filter(
    column => column >= box.left && column <= box.right,
  )
  return {
    rows: runs(
      rows.sort((a, b) => a - b),
      String,
    ),
    columns: runs(columns, columnName),
  }
}

export function hiddenColumns(sheet: Sheet, xml: SheetXml): number[] {
  const columns = new Set<number>()
  for (const element of elementsOf(xml, 'cols', 'col')) {
    if (!isTrue(attribute(element, 'hidden'))) continue
    const right = Math.min(Number(attribute(element, 'max')), 16_384)
    for (let column = Number(attribute(element, 'min')); column <= right; column++)
      columns.add(column)
  }
  for (const [column, { hidden }] of sheet.columns)
    if (hidden === true) columns.add(column)
    else if (hidden === false) columns.delete(column)
  return [...columns].sort((a, b) => a - b)
}

const HIDDEN = Buffer.from('hidden')

export function isRowHidden(xml: SheetXml, index: number): boolean {
  const start = xml.rows.starts[index]!
  const close = xml.bytes.indexOf(62, start)
  const tag = Buffer.from(xml.bytes.buffer, xml.bytes.byteOffset + start, close - start)
  if (tag.indexOf(HIDDEN) < 0) return false
  const text = tag.toString('latin1')
  const element = parseXml(Buffer.from(`${text.replace(/\/$/, '')}/>`))
  return typeof element !== 'string' && isTrue(attribute(element.root, 'hidden'))
}

export function runs(numbers: readonly number[], name: (value: number) => string): string[] {
  const found: string[] = []
  for (let index = 0; index < numbers.length; ) {
    const first = numbers[index]!
    let last = first
    while (numbers[index + 1] === last + 1) {
      last++
      index++
    }
    index++
    found.push(first === last ? name(first) : `${name(first)}-${name(last)}`)
  }
  return found
}

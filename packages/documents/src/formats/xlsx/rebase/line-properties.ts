import { attribute, parseXml } from '../../../opc/index.ts'
import { elementsOf } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { isTrue } from '../book/workbook-part.ts'

/** The height or width of a row or column and whether it is hidden, as the file has it, in words. */
export function lineOf(sheet: Sheet, axis: 'rows' | 'columns', line: number): string {
  const xml = sheet.xml()
  if (!xml.ok) return ''
  if (axis === 'rows') {
    const { rows, bytes } = xml.value
    const index = xml.value.findRow(line)
    if (rows.numbers[index] !== line || index >= rows.count) return PLAIN
    const start = rows.starts[index]!
    const tag = Buffer.from(bytes.subarray(start, bytes.indexOf(62, start))).toString('utf8')
    const row = parseXml(Buffer.from(`${tag.replace(/\/$/, '')}/>`))
    if (typeof row === 'string') return PLAIN
    return inWords(attribute(row.root, 'hidden'), attribute(row.root, 'ht'))
  }
  const column = elementsOf(xml.value, 'cols', 'col').find(
    own => Number(attribute(own, 'min')) <= line && line <= Number(attribute(own, 'max')),
  )
  return column ? inWords(attribute(column, 'hidden'), attribute(column, 'width')) : PLAIN
}

function inWords(hidden: string | undefined, size: string | undefined): string {
  const shown = isTrue(hidden) ? 'hidden' : 'shown'
  return size === undefined ? shown : `${shown}, ${Number(size)}`
}

const PLAIN = inWords(undefined, undefined)

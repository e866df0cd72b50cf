import { attribute, parseXml, type XmlElement } from '../../../opc/index.ts'
import { elementsOf } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { isTrue } from '../book/workbook-part.ts'

/** The height or width of a row or column and whether it is hidden or grouped, as the file has it, in words. */
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
    return inWords(row.root, 'ht')
  }
  const column = elementsOf(xml.value, 'cols', 'col').find(
    own => Number(attribute(own, 'min')) <= line && line <= Number(attribute(own, 'max')),
  )
  return column ? inWords(column, 'width') : PLAIN
}

const PLAIN = 'shown'

function inWords(line: XmlElement, sized: string): string {
  const [size, level] = [attribute(line, sized), attribute(line, 'outlineLevel')]
  return [
    isTrue(attribute(line, 'hidden')) ? 'hidden' : PLAIN,
    ...(size === undefined ? [] : [Number(size)]),
    ...(level === undefined || level === '0' ? [] : [`level ${level}`]),
  ].join(', ')
}

import type { Box } from '@filewright/protocol'
import { parseBox } from '../cell/address.ts'
import { scanFormulas } from '../cell/formula-cells.ts'
import { decodeTag } from '../cell/formula-tags.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'

const known = new WeakMap<SheetXml, readonly Box[]>()

/** The ranges that one formula fills, each of several cells: an array of one cell is a formula like any other. */
export function arraysOf(xml: SheetXml): readonly Box[] {
  const found = known.get(xml)
  if (found) return found
  const boxes: Box[] = []
  known.set(xml, boxes)
  const buffer = Buffer.from(xml.bytes.buffer, xml.bytes.byteOffset, xml.bytes.length)
  if (!buffer.includes('array') && !buffer.includes('dataTable')) return boxes
  scanFormulas(xml, own => {
    const tag = decodeTag(own)
    if (tag?.t !== 'array' && tag?.t !== 'dataTable') return
    const box = parseBox(tag.ref ?? '')
    const isOne = box && box.top === box.bottom && box.left === box.right
    if (box && !(isOne && tag.t === 'array')) boxes.push(box)
  })
  return boxes
}

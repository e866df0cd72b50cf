import {
  bufferOf,
  Splices,
  XML_BAD,
  XML_EMPTY,
  XML_END,
  XML_OPEN,
  XmlReader,
} from '../../../opc/index.ts'
import { cellKey, parseCell } from '../cell/address.ts'

/**
 * The calculation chain without the cells that lost their formula; Excel calls a file damaged if the chain lists one.
 * New formulas need no entry: calculating the file completes the chain. 'empty' when no entry is left.
 */
export function calcChainContent(
  bytes: Uint8Array,
  isGone: (sheetId: number, key: number) => boolean,
): Uint8Array | 'empty' | 'unchanged' {
  const splices = new Splices()
  const reader = new XmlReader(bytes)
  let sheetId = 0
  let owed: string | undefined
  let kept = 0
  for (;;) {
    const kind = reader.next()
    if (kind === XML_END || kind === XML_BAD) break
    if ((kind !== XML_OPEN && kind !== XML_EMPTY) || reader.depth !== 2) continue
    const { r, i } = attributesOf(reader)
    if (i !== undefined) sheetId = Number(i)
    const at = parseCell(r ?? '')
    if (at && isGone(sheetId, cellKey(at.row, at.column))) {
      splices.remove(reader.start, reader.end)
      // The next entry may inherit the sheet of this one.
      if (i !== undefined) owed = i
      continue
    }
    kept++
    if (owed !== undefined && i === undefined) splices.insert(reader.nameEnd, ` i="${owed}"`)
    owed = undefined
  }
  if (splices.size === 0) return 'unchanged'
  return kept === 0 ? 'empty' : splices.apply(bytes)
}

function attributesOf(reader: XmlReader): { r?: string; i?: string } {
  const { attributes, bytes } = reader
  const found: { r?: string; i?: string } = {}
  for (let at = 0; at < reader.attributeEnd; at += 4) {
    if (attributes[at + 1]! - attributes[at]! !== 1) continue
    const name = bytes[attributes[at]!]
    const value = () => bufferOf(bytes).toString('latin1', attributes[at + 2]!, attributes[at + 3]!)
    if (name === 114) found.r = value()
    else if (name === 105) found.i = value()
  }
  return found
}

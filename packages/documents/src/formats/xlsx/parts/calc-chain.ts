import {
  bufferOf,
  Splices,
  XML_BAD,
  XML_EMPTY,
  XML_END,
  XML_OPEN,
  XmlReader,
} from '../../../opc/index.ts'
import { cellKey, cellName, columnOfKey, parseCell, rowOfKey } from '../cell/address.ts'

/**
 * The calculation chain without the cells that lost their formula; Excel calls a file damaged if the chain lists one.
 * New formulas need no entry: calculating the file completes the chain. 'empty' when no entry is left.
 */
export function calcChainContent(
  bytes: Uint8Array,
  /** Where a cell is now; undefined: it has no formula any more. */
  keyNow: (sheetId: number, key: number) => number | undefined,
): Uint8Array | 'empty' | 'unchanged' {
  const splices = new Splices()
  const reader = new XmlReader(bytes)
  let sheetId = 0
  let owed: string | undefined
  let kept = 0
  for (;;) {
    const kind = reader.next()
    if (kind === XML_BAD) return 'unchanged'
    if (kind === XML_END) break
    if ((kind !== XML_OPEN && kind !== XML_EMPTY) || reader.depth !== 2) continue
    const { r, i, rStart, rEnd } = attributesOf(reader)
    if (i !== undefined) sheetId = Number(i)
    const at = parseCell(r ?? '')
    const key = at && cellKey(at.row, at.column)
    const now = key === undefined ? key : keyNow(sheetId, key)
    if (key !== undefined && now === undefined) {
      splices.remove(reader.start, reader.end)
      // The next entry may inherit the sheet of this one.
      if (i !== undefined) owed = i
      continue
    }
    kept++
    if (now !== undefined && now !== key)
      splices.replace(rStart, rEnd, cellName(rowOfKey(now), columnOfKey(now)))
    if (owed !== undefined && i === undefined) splices.insert(reader.nameEnd, ` i="${owed}"`)
    owed = undefined
  }
  if (kept === 0) return 'empty'
  return splices.size === 0 ? 'unchanged' : splices.apply(bytes)
}

interface ChainEntry {
  r?: string
  i?: string
  rStart: number
  rEnd: number
}

function attributesOf(reader: XmlReader): ChainEntry {
  const { attributes, bytes } = reader
  const found: ChainEntry = { rStart: 0, rEnd: 0 }
  for (let at = 0; at < reader.attributeEnd; at += 4) {
    if (attributes[at + 1]! - attributes[at]! !== 1) continue
    const name = bytes[attributes[at]!]
    const value = () => bufferOf(bytes).toString('latin1', attributes[at + 2]!, attributes[at + 3]!)
    if (name === 114) {
      found.r = value()
      found.rStart = attributes[at + 2]!
      found.rEnd = attributes[at + 3]!
    } else if (name === 105) found.i = value()
  }
  return found
}

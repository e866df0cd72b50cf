import type { Buffer } from 'node:buffer'
import type { Codec } from '../../text/decode/codec.ts'
import type { FormattedRun } from './formatted-runs.ts'
import { CELL_END, DELETED_MARK, PARAGRAPH_IN_CELL, ROW_END_MARK } from './shown-text.ts'

/** Characters that lie together in the file: an edited document has many pieces. */
export interface StoredPiece {
  readonly count: number
  readonly offset: number
  /** A byte each in Windows-1252, else two in UTF-16. */
  readonly isNarrow: boolean
}

const [PROPERTIES, LIST] = [1, 2]

/** Undefined where there is no list, or where it is broken. */
export function readPieces(
  table: Buffer,
  start: number,
  length: number,
): StoredPiece[] | undefined {
  if (start + length > table.length) return undefined
  const list = table.subarray(start, start + length)
  let at = 0
  while (list[at] === PROPERTIES && at + 3 <= list.length) at += 3 + list.readUInt16LE(at + 1)
  if (list[at] !== LIST || at + 5 > list.length) return undefined
  const size = list.readUInt32LE(at + 1)
  const own = list.subarray(at + 5, at + 5 + size)
  const pieceCount = Math.floor((own.length - 4) / 12)
  const pieces: StoredPiece[] = []
  for (let index = 0; index < pieceCount; index++) {
    const count = own.readUInt32LE(4 * index + 4) - own.readUInt32LE(4 * index)
    if (count < 0) return undefined
    if (count === 0) continue
    const where = own.readUInt32LE(4 * (pieceCount + 1) + 8 * index + 2)
    const isNarrow = (where & 0x40000000) !== 0
    const place = where & 0x3fffffff
    pieces.push({ count, offset: isNarrow ? place / 2 : place, isNarrow })
  }
  return pieces
}

export interface PiecedText {
  readonly stream: Buffer
  readonly pieces: readonly StoredPiece[]
  /** What the paragraph that ends at an offset of the stream is in a table. */
  readonly cells: ReadonlyMap<number, 'row' | 'cell'>
  /** In the order of the file, disjoint. */
  readonly deleted: readonly FormattedRun[]
  readonly codec: Codec
}

/** A character of the result is one of the document: what is not shown has a mark in its place. */
export function decodePieces(pieced: PiecedText): string | undefined {
  const { stream, pieces } = pieced
  const texts: string[] = []
  let left = stream.length
  for (const piece of pieces) {
    const length = piece.count * (piece.isNarrow ? 1 : 2)
    left -= length // pieces do not overlap
    if (left < 0 || piece.offset + length > stream.length) return undefined
    texts.push(decodePiece(pieced, piece, length))
  }
  return texts.join('')
}

function decodePiece(
  { stream, cells, deleted, codec }: PiecedText,
  { offset, isNarrow }: StoredPiece,
  length: number,
): string {
  const bytes = stream.subarray(offset, offset + length)
  const text = isNarrow ? codec.decode(bytes) : bytes.toString('utf16le')
  const width = isNarrow ? 1 : 2
  const characters = text.split('') // in units of UTF-16, as the file counts
  for (const [index, character] of characters.entries())
    if (character === '\r' || character === CELL_END) {
      const kind = cells.get(offset + (index + 1) * width)
      if (kind === 'row') characters[index] = ROW_END_MARK
      else if (kind === 'cell' && character === '\r') characters[index] = PARAGRAPH_IN_CELL
    }
  for (let run = firstBehind(deleted, offset); run < deleted.length; run++) {
    const { start, end } = deleted[run]!
    if (start >= offset + length) break
    const first = Math.max(0, Math.floor((start - offset) / width))
    const last = Math.min(characters.length, Math.ceil((end - offset) / width))
    for (let index = first; index < last; index++) characters[index] = DELETED_MARK
  }
  return characters.join('')
}

/** The first run that ends behind an offset. */
function firstBehind(runs: readonly FormattedRun[], offset: number): number {
  let [low, high] = [0, runs.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (runs[middle]!.end > offset) high = middle
    else low = middle + 1
  }
  return low
}

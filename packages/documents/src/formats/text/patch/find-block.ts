import type { TextDocument } from '../decode/text.ts'
import { findLines } from './find-lines.ts'

/** First lines of the places where `block` occurs whole and verbatim; at most `limit` of them. */
export function findBlock(doc: TextDocument, block: readonly string[], limit: number): number[] {
  const encoded = block.flatMap(line => doc.codec.encode(line) ?? [])
  // the encoding lacks such a character, so the file does too
  if (block.length === 0 || encoded.length < block.length) return []
  const found: number[] = []
  for (const n of findLines(doc, encoded, { from: 1, to: doc.lineCount }))
    if (found.push(n) === limit) break
  return found
}

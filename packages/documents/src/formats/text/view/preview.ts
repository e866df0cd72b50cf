import type { Preview } from '../../../format.ts'
import { isBinary } from '../decode/binary.ts'
import { decodeText } from '../decode/text.ts'

/** Enough to read; the diff next to it has everything. */
const PREVIEW_LINES = 10_000
const PREVIEW_BYTES = 1024 * 1024

/** The first lines of some text, and the total when there are more. */
export function previewText(bytes: Uint8Array): Preview | undefined {
  if (isBinary(bytes)) return undefined
  const beginning = decodeText(bytes.subarray(0, PREVIEW_BYTES))
  const lines = beginning.lines(1, Math.min(beginning.lineCount, PREVIEW_LINES))
  if (bytes.length <= PREVIEW_BYTES && lines.length === beginning.lineCount) return { lines }
  return { lines, lineCount: decodeText(bytes).lineCount }
}

import { asBuffer } from '../decode/codec.ts'
import type { TextDocument } from '../decode/text.ts'

/**
 * The first line of every place where these occur as whole lines between `from` and `to`, places that overlap included.
 * Text may repeat one line many times, so the search never goes back (Knuth, Morris and Pratt).
 */
export function* findLines(
  doc: TextDocument,
  lines: readonly Uint8Array[],
  { from, to }: { readonly from: number; readonly to: number },
): Generator<number> {
  const borders = bordersOf(lines)
  let matched = 0
  for (let n = from; n <= to; n++) {
    const line = doc.lineBytes(n)
    while (matched > 0 && !isSame(line, lines[matched]!)) matched = borders[matched - 1]!
    if (isSame(line, lines[matched]!)) matched++
    if (matched < lines.length) continue
    yield n - matched + 1
    matched = borders[matched - 1]!
  }
}

/** For each prefix, how many of its first lines recur at its end. */
function bordersOf(lines: readonly Uint8Array[]): number[] {
  const borders = [0]
  let length = 0
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i]!
    while (length > 0 && !isSame(line, lines[length]!)) length = borders[length - 1]!
    if (isSame(line, lines[length]!)) length++
    borders.push(length)
  }
  return borders
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && asBuffer(a).equals(b)
}

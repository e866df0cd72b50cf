import type { TextDocument } from '../decode/text.ts'

/** First lines of the places where `block` occurs whole and verbatim; at most `limit` of them. */
export function findBlock(doc: TextDocument, block: readonly string[], limit: number): number[] {
  const found: number[] = []
  const [first] = block
  if (first === undefined) return found
  const encoded = block.map(line => doc.codec.encode(line))
  if (encoded.some(line => line === null)) return found
  const isThere = (n: number) => block.every((line, i) => doc.line(n + i) === line)
  const last = doc.lineCount - block.length + 1
  for (let n = 1; n <= last && found.length < limit; n++)
    if (doc.lineBytes(n).length === encoded[0]!.length && isThere(n)) found.push(n)
  return found
}

/** The only place of a block, if there is exactly one: never the first of several. */
export function findOnlyBlock(doc: TextDocument, block: readonly string[]): number | undefined {
  const found = findBlock(doc, block, 2)
  return found.length === 1 ? found[0] : undefined
}

import type { Content, Slice } from '@filewright/protocol'

/**
 * The inverse: slices of the new bytes that give the old ones. Exact for every file, line ends and broken sequences
 * included, which line changes alone cannot express.
 */
export function invertContent(content: Content, base: Uint8Array): Content {
  const inverse: Slice[] = []
  let newOffset = 0
  let baseOffset = 0
  for (const slice of content) {
    if (slice.from === 'inline') {
      newOffset += slice.bytes.length
      continue
    }
    if (slice.start < baseOffset) throw new Error('Slices of the base must be in its order')
    if (slice.start > baseOffset)
      inverse.push({ from: 'inline', bytes: base.subarray(baseOffset, slice.start) })
    const length = slice.end - slice.start
    inverse.push({ from: 'base', start: newOffset, end: newOffset + length })
    newOffset += length
    baseOffset = slice.end
  }
  if (baseOffset < base.length) inverse.push({ from: 'inline', bytes: base.subarray(baseOffset) })
  return inverse
}

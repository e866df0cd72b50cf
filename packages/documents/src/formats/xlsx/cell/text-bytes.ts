/**
 * An upper bound on the bytes of the text between two offsets in a table for the model: the text outside tags, with
 * quotes, line breaks and the like escaped. References count in full.
 */
export function textBytes(bytes: Uint8Array, start: number, end: number): number {
  let size = 2
  let at = start
  while (at < end) {
    const byte = bytes[at]!
    if (byte === 60) {
      while (at < end && bytes[at] !== 62) at++
      at++
      continue
    }
    size += byte === 34 || byte === 92 || byte < 32 ? 2 : 1
    at++
  }
  return size
}

import { sharedBeginning } from '../port/shared-beginning.ts'

/**
 * The bytes of a list whose items keep their identity and which mostly grows at its end, as a conversation does: a list that
 * goes on where the last one ended costs only its new items. Bytes that were handed out are never written over, because
 * they may still be on their way.
 */
export interface GrowingBytes<Item> {
  of(items: readonly Item[]): Buffer
}

export interface GrowingBytesOptions<Item> {
  readonly encode: (items: readonly Item[], index: number) => Buffer
  /** Whether what the item is encoded to depends on the item after it. */
  readonly looksAhead: (items: readonly Item[], index: number) => boolean
}

const SMALLEST = 64 * 1024

export function createGrowingBytes<Item>(options: GrowingBytesOptions<Item>): GrowingBytes<Item> {
  const { encode, looksAhead } = options
  let last: readonly Item[] = []
  /** Where each item of `last` ends. */
  let ends: number[] = []
  let bytes = Buffer.allocUnsafeSlow(SMALLEST)

  const endOf = (count: number) => (count === 0 ? 0 : ends[count - 1]!)

  /** Continues after the first items, in place if nothing was there before. */
  const keepFirst = (count: number) => {
    if (count === last.length) return
    bytes = withRoom(bytes.subarray(0, endOf(count)), 0)
    ends = ends.slice(0, count)
  }

  return {
    of: items => {
      let kept = sharedBeginning(last, items)
      if (kept > 0 && looksAhead(items, kept - 1)) kept--
      keepFirst(kept)
      let length = endOf(kept)
      for (let index = kept; index < items.length; index++) {
        const piece = encode(items, index)
        if (length + piece.length > bytes.length)
          bytes = withRoom(bytes.subarray(0, length), piece.length)
        bytes.set(piece, length)
        length += piece.length
        ends.push(length)
      }
      last = items
      return bytes.subarray(0, length)
    },
  }
}

/** A copy with room for as much again. */
function withRoom(used: Uint8Array, more: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafeSlow(Math.max(SMALLEST, 2 * (used.length + more)))
  larger.set(used)
  return larger
}

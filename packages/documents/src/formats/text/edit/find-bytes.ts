import { asBuffer } from '../decode/codec.ts'

/** Node's own search compares a short text with every place again, which costs at most this factor. */
const SHORT = 16

/**
 * Every offset at which `needle` occurs from `from` on, places that overlap included. The time grows with the sum of both
 * lengths, whatever they repeat: node's `indexOf` takes their product for a long run of one letter.
 */
export function* findBytes(bytes: Uint8Array, needle: Uint8Array, from: number): Generator<number> {
  if (needle.length === 0) return
  yield* needle.length > SHORT ? findLong(bytes, needle, from) : findShort(bytes, needle, from)
}

function* findShort(bytes: Uint8Array, needle: Uint8Array, from: number): Generator<number> {
  const buffer = asBuffer(bytes)
  const wanted = asBuffer(needle)
  for (let at = buffer.indexOf(wanted, from); at !== -1; at = buffer.indexOf(wanted, at + 1))
    yield at
}

/** Knuth, Morris and Pratt: the search never goes back. */
function* findLong(bytes: Uint8Array, needle: Uint8Array, from: number): Generator<number> {
  const { length } = needle
  if (bytes.length - from < length) return
  const borders = bordersOf(needle)
  let matched = 0
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]!
    while (matched > 0 && byte !== needle[matched]) matched = borders[matched - 1]!
    if (byte === needle[matched]) matched++
    if (matched < length) continue
    yield at - length + 1
    matched = borders[matched - 1]!
  }
}

/** For each prefix, how many of its first bytes recur at its end. */
function bordersOf(needle: Uint8Array): Int32Array {
  const borders = new Int32Array(needle.length)
  let length = 0
  for (let i = 1; i < needle.length; i++) {
    while (length > 0 && needle[i] !== needle[length]) length = borders[length - 1]!
    if (needle[i] === needle[length]) length++
    borders[i] = length
  }
  return borders
}

/**
 * HMAC-SHA256 in hexadecimal. Not by `crypto.subtle`, which a frame lacks where its host is no secure context.
 */
export function hmacSha256(key: string, message: string): string {
  const encoder = new TextEncoder()
  const given = encoder.encode(key)
  const block = new Uint8Array(BLOCK)
  block.set(given.length > BLOCK ? sha256(given) : given)
  const inner = sha256(
    joined(
      block.map(byte => byte ^ 0x36),
      encoder.encode(message),
    ),
  )
  const outer = sha256(
    joined(
      block.map(byte => byte ^ 0x5c),
      inner,
    ),
  )
  return [...outer].map(byte => byte.toString(16).padStart(2, '0')).join('')
}

const BLOCK = 64

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const whole = new Uint8Array(first.length + second.length)
  whole.set(first)
  whole.set(second, first.length)
  return whole
}

/** The first primes give its constants: FIPS 180-4, 4.2.2 and 5.3.3. */
const PRIMES = firstPrimes(64)
const ROUND = PRIMES.map(prime => fractionOf(Math.cbrt(prime)))
const START = PRIMES.slice(0, 8).map(prime => fractionOf(Math.sqrt(prime)))

function sha256(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK)
  padded.set(message)
  padded[message.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 4, message.length * 8)
  const state = Uint32Array.from(START)
  for (let at = 0; at < padded.length; at += BLOCK) addBlock(state, view, at)
  const hash = new Uint8Array(32)
  const out = new DataView(hash.buffer)
  for (const [index, word] of state.entries()) out.setUint32(index * 4, word)
  return hash
}

function addBlock(state: Uint32Array, view: DataView, start: number): void {
  const words = wordsOf(view, start)
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  for (let round = 0; round < 64; round++) {
    const big = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
    const first = (h + big + ((e & f) ^ (~e & g)) + ROUND[round]! + words[round]!) | 0
    const small = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
    const second = (small + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries())
    state[index] = state[index]! + word
}

function wordsOf(view: DataView, start: number): Int32Array {
  const words = new Int32Array(64)
  for (let at = 0; at < 16; at++) words[at] = view.getInt32(start + at * 4)
  for (let at = 16; at < 64; at++) {
    const [near, far] = [words[at - 2]!, words[at - 15]!]
    const first = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3)
    const second = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10)
    words[at] = words[at - 16]! + first + words[at - 7]! + second
  }
  return words
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}

function fractionOf(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) | 0
}

function firstPrimes(count: number): number[] {
  const primes: number[] = []
  for (let each = 2; primes.length < count; each++)
    if (primes.every(prime => each % prime !== 0)) primes.push(each)
  return primes
}

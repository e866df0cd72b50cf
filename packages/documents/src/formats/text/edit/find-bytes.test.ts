import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findBytes } from './find-bytes.ts'

test('it finds what a search at every place finds', () => {
  const letters = fc.array(fc.constantFrom(97, 98), { maxLength: 80 })
  const pieces = fc.tuple(letters, fc.nat(3)).map(([bytes, times]) => repeat(bytes, times + 1))
  fc.assert(
    fc.property(pieces, letters, fc.nat(10), (given, wanted, from) => {
      const bytes = Uint8Array.from(given)
      const needle = Uint8Array.from(wanted)
      expect([...findBytes(bytes, needle, from)]).toEqual(everyPlace(bytes, needle, from))
    }),
  )
})

test('a long repeated text costs the sum of both lengths, not their product', () => {
  const text = Buffer.alloc(2_000_000, 'a')
  let places = 0
  for (const _ of findBytes(text, Buffer.alloc(1_000_000, 'a'), 0)) places++
  expect(places).toBe(1_000_001)
  const missing = Buffer.concat([Buffer.from('b'), Buffer.alloc(1_000_000, 'a')])
  expect([...findBytes(text, missing, 0)]).toEqual([]) // minutes if it went back at each place
})

function everyPlace(bytes: Uint8Array, needle: Uint8Array, from: number): number[] {
  const places: number[] = []
  if (needle.length === 0) return places
  for (let at = from; at + needle.length <= bytes.length; at++)
    if (needle.every((byte, i) => bytes[at + i] === byte)) places.push(at)
  return places
}

function repeat(bytes: readonly number[], times: number): number[] {
  return Array.from({ length: times }, () => bytes).flat()
}

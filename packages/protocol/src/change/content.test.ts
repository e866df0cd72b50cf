import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Content, contentLength, inline, pieces, toBytes } from './content.ts'

const base = new TextEncoder().encode('0123456789')
const slices = fc.oneof(
  fc
    .tuple(fc.nat(10), fc.nat(10))
    .map(([a, b]) => ({ from: 'base', start: Math.min(a, b), end: Math.max(a, b) }) as const),
  fc.uint8Array({ maxLength: 5 }).map(bytes => ({ from: 'inline', bytes }) as const),
)

describe('content as slices', () => {
  test('is its pieces, one after the other', () => {
    fc.assert(
      fc.property(fc.array(slices), (content: Content) => {
        const joined = Buffer.concat([...pieces(content, base)])
        expect(Buffer.from(toBytes(content, base)).equals(joined)).toBe(true)
        expect(contentLength(content)).toBe(joined.length)
      }),
    )
  })

  test('with one line changed takes the rest from the base', () => {
    const content: Content = [
      { from: 'base', start: 0, end: 3 },
      ...inline(new TextEncoder().encode('three')),
      { from: 'base', start: 4, end: 10 },
    ]
    expect(new TextDecoder().decode(toBytes(content, base))).toBe('012three456789')
  })

  test('copies nothing: a piece of the base is a view of it', () => {
    const [piece] = pieces([{ from: 'base', start: 2, end: 4 }], base)
    expect(piece?.buffer).toBe(base.buffer)
  })

  test('of no bytes is no slice', () => {
    expect(inline(new Uint8Array())).toEqual([])
    expect(toBytes([], base)).toEqual(new Uint8Array())
  })
})

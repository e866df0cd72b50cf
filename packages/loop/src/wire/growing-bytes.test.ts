import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGrowingBytes } from './growing-bytes.ts'

interface Item {
  readonly text: string
  readonly looksAhead: boolean
}

/** An item that looks ahead shows what follows it. */
function pieceOf(items: readonly Item[], index: number): string {
  const { text, looksAhead } = items[index]!
  return looksAhead ? `${text}(${items[index + 1]?.text ?? 'the end'})` : text
}

const item = fc.record({
  text: fc.string({ maxLength: 40 }),
  looksAhead: fc.integer({ min: 0, max: 4 }).map(n => n === 0),
})
/** Each list keeps some of the one before, and goes on. */
const steps = fc.array(fc.record({ kept: fc.nat(60), more: fc.array(item, { maxLength: 12 }) }), {
  maxLength: 20,
})

test('lists that grow, shrink and branch are encoded as if each were the first, and what was handed out stays', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 1500 }), (all, repeated) => {
      const bytes = createGrowingBytes<Item>({
        encode: (items, index) => Buffer.from(pieceOf(items, index).repeat(repeated)),
        looksAhead: (items, index) => items[index]!.looksAhead,
      })
      let items: readonly Item[] = []
      const given: [Buffer, string][] = []
      for (const { kept, more } of all) {
        items = [...items.slice(0, kept), ...more]
        const whole = items.map((_, index) => pieceOf(items, index).repeat(repeated)).join('')
        given.push([bytes.of(items), whole])
      }
      for (const [buffer, whole] of given)
        expect(buffer.toString()).toBe(Buffer.from(whole).toString())
    }),
    { numRuns: 60 },
  )
})

test('a list that goes on costs only its new items', () => {
  const encoded: string[] = []
  const bytes = createGrowingBytes<{ text: string }>({
    encode: (items, index) => {
      encoded.push(items[index]!.text)
      return Buffer.from(items[index]!.text)
    },
    looksAhead: () => false,
  })
  const items = ['a', 'b', 'c'].map(text => ({ text }))
  const first = bytes.of(items.slice(0, 2))
  const second = bytes.of(items)
  expect(encoded).toEqual(['a', 'b', 'c'])
  expect(second.buffer, 'not copied').toBe(first.buffer)
})

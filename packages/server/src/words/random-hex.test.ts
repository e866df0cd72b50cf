import { expect, test } from 'vitest'
import { createRandomHex, createRisingHex } from './random-hex.ts'

test('rising digits sort in the order they were drawn, whatever the clock does', () => {
  const times = [5, 5, 5, 6, 4, 4, 7]
  const draw = createRisingHex(createRandomHex(), () => 1_800_000_000_000 + (times.shift() ?? 7))
  const drawn = Array.from({ length: 20 }, () => draw(16))
  expect(drawn).toEqual([...drawn].sort())
  expect(new Set(drawn).size).toBe(drawn.length)
  for (const digits of drawn) expect(digits).toMatch(/^[0-9a-f]{16}$/)
})

test('when the digits of a millisecond are used up, those of the next follow', () => {
  const draw = createRisingHex(
    digits => 'f'.repeat(digits),
    () => 255,
  )
  expect([draw(16), draw(16)]).toEqual(['000000000fffffff', '0000000010000000'])
})

import { expect, test } from 'vitest'
import { createWakefulness } from './wakefulness.ts'

/** Its own clock, and turns of the loop that take 0.01 ms each. */
function loop() {
  let nowMs = 0
  let next: (() => void) | undefined
  const wakefulness = createWakefulness({
    nowMs: () => nowMs,
    turn: then => {
      next = then
    },
  })
  return {
    wakefulness,
    /** How many turns are gone through within so many ms. */
    pass(ms: number): number {
      const until = nowMs + ms
      let turns = 0
      while (next && nowMs < until) {
        const then = next
        next = undefined
        nowMs += 0.01
        turns++
        then()
      }
      nowMs = Math.max(nowMs, until)
      return turns
    },
  }
}

const ask = ({ wakefulness, pass }: ReturnType<typeof loop>, gapMs: number): number => {
  wakefulness.answered()
  const turns = pass(gapMs)
  wakefulness.asked()
  return turns
}

test('it sleeps between the lines of a caller that takes its time', () => {
  const own = loop()
  for (let i = 0; i < 50; i++) expect(ask(own, 1)).toBe(0)
})

test('it is awake for a caller that asks again at once, and not for longer than a moment', () => {
  const own = loop()
  for (let i = 0; i < 50; i++) ask(own, 0.1)
  expect(ask(own, 0.1)).toBeGreaterThan(5)
  own.wakefulness.answered()
  expect(own.pass(1000)).toBeLessThan(30)
})

test('a caller that has become slow is soon slept through again', () => {
  const own = loop()
  for (let i = 0; i < 50; i++) ask(own, 0.1)
  for (let i = 0; i < 10; i++) ask(own, 5)
  expect(ask(own, 5)).toBe(0)
})

test('while calls are under way nothing goes round', () => {
  const own = loop()
  for (let i = 0; i < 50; i++) ask(own, 0.1)
  own.pass(1)
  expect(own.pass(100)).toBe(0)
})

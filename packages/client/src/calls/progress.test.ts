import { expect, test } from 'vitest'
import { sparing } from './progress.ts'

test('a short call says nothing, a long one a line every two seconds', () => {
  const told: string[] = []
  let time = 0
  const progress = sparing(
    text => told.push(text),
    () => time,
  )
  for (time = 0; time <= 6_000; time += 100) progress(`${time} ms`)
  expect(told).toEqual(['1000 ms', '3000 ms', '5000 ms'])
})

import { expect, test } from 'vitest'
import { openEventStream } from './event-stream.ts'

const MB = 'x'.repeat(1024 * 1024)
const tick = () => new Promise(resolve => setImmediate(resolve))

test('a reader that takes nothing is let go before it costs much memory', async () => {
  let closed = 0
  const stream = openEventStream(() => closed++)
  for (let n = 0; n < 40; n++) {
    stream.send(MB)
    await tick()
  }
  expect(closed).toBe(1)
  await expect(stream.response.text()).rejects.toThrow('does not take the events')
})

test('a reader that takes its events gets them all, however many they are', async () => {
  let closed = 0
  const stream = openEventStream(() => closed++)
  const reading = stream.response.text()
  for (let n = 0; n < 40; n++) {
    stream.send(MB, String(n))
    await tick()
  }
  stream.close()
  expect((await reading).match(/^id: \d+$/gm)).toHaveLength(40)
  expect(closed).toBe(1)
})

test('readers that take nothing have a bound together, and the slowest goes first', async () => {
  const closed: number[] = []
  const streams = Array.from({ length: 20 }, (_, n) => openEventStream(() => closed.push(n)))
  for (const [n, stream] of streams.entries()) {
    for (let m = 0; m < (n === 7 ? 14 : 9); m++) stream.send(MB)
    await tick()
  }
  expect(closed[0]).toBe(7)
  expect(closed.length).toBeLessThan(10)
  for (const stream of streams) stream.close()
})

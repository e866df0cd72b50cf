import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createPipeWriter } from './pipe-writer.ts'

/** A pipe that takes so many bytes at once, and the rest through its stream when `release` is called. */
function pipe(takesAtOnce: number) {
  const arrived: Buffer[] = []
  const waiting: (() => void)[] = []
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      arrived.push(Buffer.from(chunk))
      waiting.push(done)
    },
  })
  const writeNow = (bytes: Uint8Array) => {
    if (takesAtOnce === 0) throw Object.assign(new Error('full'), { code: 'EAGAIN' })
    const taken = bytes.subarray(0, takesAtOnce)
    arrived.push(Buffer.from(taken))
    return taken.length
  }
  const release = () => {
    for (let done = waiting.shift(); done; done = waiting.shift()) done()
  }
  return { stream, writeNow, release, text: () => Buffer.concat(arrived).toString() }
}

const large = (letter: string) => Buffer.alloc(100_000, letter)

test('a line of pieces goes out at once, in its order', () => {
  const { text, ...to } = pipe(1_000_000)
  const write = createPipeWriter(to)
  write(['{"a":"', Buffer.from('ä'), '"}\n'])
  write(['x', large('y'), 'z\n'])
  expect(text()).toBe(`{"a":"ä"}\nx${large('y')}z\n`)
})

test.each([0, 7, 50_000])(
  'a pipe that takes %i bytes at once gets every byte in its order',
  takes => {
    const { text, release, ...to } = pipe(takes)
    const write = createPipeWriter(to)
    let expected = ''
    for (let i = 0; i < 40; i++) {
      const pieces = [`line ${i} `, i % 3 === 0 ? large('b') : 'short', '\n']
      write(pieces)
      expected += pieces.join('')
      if (i % 7 === 0) release()
    }
    for (let i = 0; i < 100; i++) release()
    expect(text()).toBe(expected)
  },
)

test('without a quick way all goes through the stream', () => {
  const { text, release, stream } = pipe(0)
  createPipeWriter({ stream })(['one ', 'line\n'])
  release()
  expect(text()).toBe('one line\n')
})

import { expect, test } from 'vitest'
import { verifies } from '../../../../../test/verifies.ts'
import { createChunkReader } from './chunks.ts'

const chunkOf = (delta: unknown, finish_reason: string | null = null) =>
  JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })

test('a refusal in place of content is the text of the answer', () => {
  const reader = createChunkReader('m')
  const pieces = ['I cannot ', 'help with that.'].flatMap(refusal =>
    reader.push(chunkOf({ content: null, refusal })),
  )
  expect(pieces).toEqual([
    { type: 'text', text: 'I cannot ' },
    { type: 'text', text: 'help with that.' },
  ])
  reader.push(chunkOf({}, 'stop'))
  expect(reader.push('[DONE]')).toEqual([{ type: 'finish', reason: 'stop' }])
})

for (const [what, deltaOf] of [
  ['text', (piece: string) => ({ content: piece })],
  ['reasoning', (piece: string) => ({ reasoning_content: piece })],
  [
    'arguments of a call',
    (piece: string) => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] }),
  ],
] as const)
  verifies(
    'CONTRACT §7 answer bounded',
    `${what} without an end is given up, and not asked for again`,
    () => {
      const reader = createChunkReader('m')
      const data = chunkOf(deltaOf('x'.repeat(4 * 1024 * 1024)))
      let last: unknown
      for (let pushed = 0; pushed < 20 && !reader.isDone; pushed++) last = reader.push(data).at(-1)

      expect(reader.isDone).toBe(true)
      expect(last).toMatchObject({
        failure: { retry: false, message: expect.stringContaining('did not end its answer') },
      })
      expect(reader.push(data)).toEqual([])
    },
  )

test("a finish reason named like an object's own property is unknown", () => {
  for (const name of ['constructor', '__proto__', 'toString']) {
    const reader = createChunkReader('m')
    reader.push(chunkOf({ content: 'x' }, name))
    expect(reader.push('[DONE]')).toEqual([{ type: 'finish', reason: 'other' }])
  }
})

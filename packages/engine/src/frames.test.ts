import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFrames, writeFrame } from './frames.ts'
import { fromParts, type MessageParts, toParts } from './parts.ts'

const bytes = fc.uint8Array({ maxLength: 300 })
const message = fc.record({
  id: fc.integer(),
  words: fc.array(fc.string()),
  files: fc.array(fc.record({ name: fc.string(), bytes })),
  one: fc.option(bytes),
})

test('messages arrive whole and in order, however the pipe cuts them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(message), fc.integer({ min: 1, max: 64 }), async (messages, cut) => {
      const written = await pipeThrough(messages.map(toParts), cut)
      expect(written.map(fromParts)).toEqual(messages)
    }),
    { numRuns: 100 },
  )
})

test('each array of bytes arrives alone in its buffer, so that it can be moved', async () => {
  const value = { a: new Uint8Array([1, 2, 3]), empty: new Uint8Array(0), b: Buffer.from('b') }
  const [parts] = await pipeThrough([toParts(value)], 5)
  for (const part of parts!) expect(part.buffer.byteLength).toBe(part.length)
  expect(fromParts(parts!)).toEqual({ ...value, b: new Uint8Array([98]) })
})

test('sets and undefined values cross unchanged', () => {
  const value = { refused: new Set(['chg_1']), options: undefined, at: Number.POSITIVE_INFINITY }
  expect(fromParts(toParts(value))).toEqual(value)
})

/** Writes the frames and reads them back in pieces of `cut` bytes. */
async function pipeThrough(frames: MessageParts[], cut: number): Promise<MessageParts[]> {
  const out = new PassThrough()
  for (const frame of frames) writeFrame(out, frame)
  out.end()
  const whole = Buffer.concat(await out.toArray())
  const back = new PassThrough()
  const read: MessageParts[] = []
  readFrames(back, parts => read.push(parts))
  for (let at = 0; at < whole.length; at += cut) back.write(whole.subarray(at, at + cut))
  back.end()
  await new Promise(resolve => back.on('end', resolve))
  return read
}

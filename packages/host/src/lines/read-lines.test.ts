import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { readLines, type UnreadLine } from './read-lines.ts'

test('lines are whole however the stream is cut, and the last needs no end', async () => {
  const text = 'one\r\nzwei ü\n\nlast'
  for (const size of [1, 3, 100]) {
    const stream = new PassThrough()
    const lines: (string | UnreadLine)[] = []
    const reading = readLines(stream, line => {
      lines.push(line)
      return undefined
    })
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += size) stream.write(bytes.subarray(at, at + size))
    stream.end()
    await reading
    expect(lines).toEqual(['one', 'zwei ü', '', 'last'])
  }
})

test('a line that is not UTF-8 is distinguished, and the next is whole', async () => {
  const lines: (string | UnreadLine)[] = []
  const stream = new PassThrough()
  const reading = readLines(stream, line => {
    lines.push(line)
    return undefined
  })
  stream.write(Buffer.from('caf\u00e9\n', 'latin1'))
  stream.end('caf\u00e9 \ufffd\n')
  await reading
  expect(lines).toEqual([{ problem: expect.stringContaining('not UTF-8') }, 'caf\u00e9 \ufffd'])
})

test('nothing is kept of a line that is too long, and the next is whole', async () => {
  const lines: (string | UnreadLine)[] = []
  const stream = new PassThrough()
  const take = (line: string | UnreadLine) => {
    lines.push(line)
    return undefined
  }
  const reading = readLines(stream, take, 10)
  for (const piece of ['12345', '67890', 'x\n1234567890\n', '12345678901']) stream.write(piece)
  stream.end()
  await reading
  const problem = (bytes: number) => expect.stringContaining(`has ${bytes} bytes, and at most 10`)
  expect(lines).toEqual([{ problem: problem(11) }, '1234567890', { problem: problem(11) }])
})

test('while one waits no other is handed over', async () => {
  const stream = new PassThrough()
  const lines: (string | UnreadLine)[] = []
  let goOn = () => {}
  const reading = readLines(stream, line => {
    lines.push(line)
    return new Promise(resolve => {
      goOn = resolve
    })
  })
  stream.end('a\nb\n')
  await expect.poll(() => lines).not.toEqual([])
  await new Promise(resolve => setTimeout(resolve, 20))
  expect(lines).toEqual(['a'])
  goOn()
  await expect.poll(() => lines).toEqual(['a', 'b'])
  goOn()
  await reading
})

test('what cannot be taken ends the reading', async () => {
  const stream = new PassThrough()
  const reading = readLines(stream, () => Promise.reject(new Error('full')))
  stream.write('a\n')
  await expect(reading).rejects.toThrow('full')
})

import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { readLines } from './read-lines.ts'

test('lines are whole however the stream is cut, and the last needs no end', async () => {
  const text = 'one\r\nzwei ü\n\nlast'
  for (const size of [1, 3, 100]) {
    const stream = new PassThrough()
    const lines: (string | undefined)[] = []
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
  const lines: (string | undefined)[] = []
  const stream = new PassThrough()
  const reading = readLines(stream, line => {
    lines.push(line)
    return undefined
  })
  stream.write(Buffer.from('caf\u00e9\n', 'latin1'))
  stream.end('caf\u00e9 \ufffd\n')
  await reading
  expect(lines).toEqual([undefined, 'caf\u00e9 \ufffd'])
})

test('while one waits no other is handed over', async () => {
  const stream = new PassThrough()
  const lines: (string | undefined)[] = []
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

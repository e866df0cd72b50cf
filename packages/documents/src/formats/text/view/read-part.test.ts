import { LIMITS, unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { decodeText } from '../decode/text.ts'
import { type ReadPart, readPart } from './read-part.ts'

const ASKED = { path: 'a.txt', version: '12345678', lineStart: 1 }
const LINE = `${'x'.repeat(99)}\n`

test('without a limit of the caller, the parts end between lines and make the whole', () => {
  const whole = LINE.repeat(250_000)
  const doc = decodeText(Buffer.from(whole))
  let read = ''
  let next: number | undefined = 1
  for (let parts = 1; next !== undefined; parts++) {
    const part: ReadPart = unwrap(readPart(doc, { ...ASKED, lineStart: next }))
    expect(part.shownBytes).toBeLessThanOrEqual(LIMITS.readBytes)
    expect(part).toMatchObject({ isTruncated: true, lineStart: next, lineCount: 250_000 })
    expect(part.cutAfterBytes).toBeUndefined()
    read += part.content
    next = part.nextLineStart
    if (next === undefined) expect(parts).toBe(3)
  }
  expect(read === whole).toBe(true)
})

test('a larger limit of the caller gives no more', () => {
  const doc = decodeText(Buffer.from(LINE.repeat(250_000)))
  const part = unwrap(readPart(doc, { ...ASKED, maxBytes: 20_000_000 }))
  expect(part).toMatchObject({ nextLineStart: 104_858, shownBytes: 10_485_700 })
})

test('one line over the limit is cut, and the next part begins behind it', () => {
  const doc = decodeText(Buffer.from(`${'ä'.repeat(6_000_000)}\nend\n`))
  const part = unwrap(readPart(doc, ASKED))
  expect(part).toMatchObject({ shownBytes: LIMITS.readBytes, nextLineStart: 2 })
  expect(part.cutAfterBytes).toBe(LIMITS.readBytes)
  expect(part.content).toBe('ä'.repeat(LIMITS.readBytes / 2))
})

test('what a model is shown of a long part says where it goes on', () => {
  const doc = decodeText(Buffer.from(LINE.repeat(250_000)))
  const { text } = unwrap(readPart(doc, ASKED))
  const next = Number(/… more follows; lineStart: (\d+)$/.exec(text)?.[1])
  expect(text.length).toBeLessThan(1_100_000)
  expect(text.split('\n').at(-2)).toBe(`${next - 1}|${'x'.repeat(99)}`)
})

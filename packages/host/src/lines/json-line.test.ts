import { expect, test } from 'vitest'
import { createJsonLine } from './json-line.ts'

const jsonLine = (value: unknown) => createJsonLine()(value)
const join = (value: unknown) => [...jsonLine(value)].join('')
const long = (part: string) => part.repeat(Math.ceil(400_000 / part.length))

test('a short value is one piece', () => {
  const value = { id: 1, result: { file: { content: 'a\n"b"' }, errors: [] } }
  expect([...jsonLine(value)]).toEqual([`${JSON.stringify(value)}\n`])
})

test.each([
  ['lines with quotes', long('say "a\\b"\r\n')],
  ['characters of two halves, at odd places', `x${long('\u{1f600}')}`],
  ['lone halves', long('a\ud83d')],
  ['control characters', long('\u0000\u001b[0m')],
])('a long string is cut into pieces that make the same JSON: %s', (_, content) => {
  const value = { id: 'x', result: { success: true, file: { path: 'a.txt', content, lines: 3 } } }
  const pieces = [...jsonLine(value)]
  expect(pieces.length).toBeGreaterThan(5)
  expect(pieces.join('')).toBe(`${JSON.stringify(value)}\n`)
})

test('the same long string twice, and another next to it', () => {
  const [one, other] = [long('one '), long('other ')]
  const value = { a: one, b: one, c: { d: other } }
  expect(join(value)).toBe(`${JSON.stringify(value)}\n`)
})

test('a repeated value has the same bytes again, next to other fields', () => {
  const line = createJsonLine()
  const file = { path: 'ä.txt', content: 'say "ä"\n'.repeat(1000) }
  for (const id of [1, 2, 3]) {
    const value = { id, result: { file, warnings: [`call ${id}`] } }
    expect([...line(value)].join('')).toBe(`${JSON.stringify(value)}\n`)
  }
})

test('the cache is bounded: many long strings later the first is still the same JSON', () => {
  const line = createJsonLine()
  const texts = Array.from({ length: 20 }, (_, i) => `${i}"\n`.repeat(200_000))
  for (const text of [...texts, texts[0]])
    expect([...line({ text })].join('')).toBe(`${JSON.stringify({ text })}\n`)
})

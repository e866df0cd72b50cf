import { expect, test } from 'vitest'
import { estimateTokens } from '../port/tokens.ts'
import { type TranscriptEntry, tokensOf } from './entries.ts'
import { keepWords } from './person-words.ts'

test('messages within the room stay word for word, without what we added to them', () => {
  const entries = [
    said(1, 'First.', '[Filewright] News.\n\nFirst.'),
    answered(2),
    said(3, 'Second.'),
  ]
  expect(textsOf(keepWords(entries, 100))).toEqual(['First.', 'Second.'])
})

test('beyond it the first and the newest keep head and tail, with the id of the whole', () => {
  const first = `FIRST ${'a'.repeat(9_000)} END OF FIRST`
  const newest = `NEWEST ${'b'.repeat(9_000)} END OF NEWEST`
  const kept = keepWords([said(1, first), said(5, newest)], 1_000)
  const [one, two] = textsOf(kept)
  expect(one).toMatch(
    /^FIRST a+\n\[Filewright: \d+ characters of this message left out here; read them with recall_tool_result {"id": "message-1", "offset": \d+}]\na+ END OF FIRST$/,
  )
  expect(two).toMatch(/^NEWEST b+\n.*"message-5".*\nb+ END OF NEWEST$/)
  expect(tokensOf(kept)).toBeLessThanOrEqual(1_000)
  const offset = Number(/"offset": (\d+)/.exec(one!)![1])
  expect(first.slice(0, offset)).toBe(one!.split('\n')[0])
})

test('what has no room is named by id, and comes back when there is room', () => {
  const entries = Array.from({ length: 60 }, (_, i) =>
    said(i + 1, `Message ${i}. ${'x'.repeat(350)}`),
  )
  const kept = keepWords(entries, 1_000)
  const texts = textsOf(kept)
  expect(texts[0]).toBe(entries[0]!.words)
  expect(texts.at(-1)).toBe(entries.at(-1)!.words)
  expect(texts[1]).toMatch(
    /^\[Filewright\] \d+ earlier messages of the person had no room here\. Read them with recall_tool_result, by id: message-/,
  )
  expect(tokensOf(kept)).toBeLessThanOrEqual(1_000 + estimateTokens(texts[1]!))
  expect(textsOf(keepWords(kept, 10_000))).toEqual(entries.map(({ words }) => words))
})

test('one message that is all there is keeps its head and its tail', () => {
  const kept = keepWords([said(1, 'ß'.repeat(50_000))], 1_000)
  expect(tokensOf(kept)).toBeLessThanOrEqual(1_000)
  expect(textsOf(kept)[0]).toMatch(/^ß+\n.*\nß+$/)
})

test('pictures go, and the message says so as often as it is kept', () => {
  const images = [{ mediaType: 'image/png', base64: 'AAAA' }]
  const message = { role: 'user' as const, text: 'Look.', images, pictures: 1 }
  const kept = keepWords([{ seq: 1, message, words: 'Look.' }], 100)
  expect(kept[0]!.message).not.toHaveProperty('images')
  expect(textsOf(kept)).toEqual([
    'Look.\n[Filewright] 1 picture came with this message, and you do not see it any more. Ask for it again if the task needs it.',
  ])
  expect(keepWords(kept, 100)).toEqual(kept)
})

function said(seq: number, words: string, text = words): TranscriptEntry {
  return { seq, message: { role: 'user', text }, words }
}

function answered(seq: number): TranscriptEntry {
  return { seq, message: { role: 'assistant', text: 'Yes.', calls: [] } }
}

function textsOf(entries: readonly TranscriptEntry[]): string[] {
  return entries.map(entry => entry.message.text)
}

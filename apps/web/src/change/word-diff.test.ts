import { expect, test } from 'vitest'
import { diffWords, type WordPiece } from './word-diff.ts'

const shown = (pieces: readonly WordPiece[]) =>
  pieces.map(({ text, isOwn }) => (isOwn ? `[${text}]` : text)).join('')

test('only the words that differ are marked', () => {
  const { before, after } = diffWords('Rye bread;1 kg;6.40', 'Rye bread;1 kg;6.65')
  expect(shown(before)).toBe('Rye bread;1 kg;6.[40]')
  expect(shown(after)).toBe('Rye bread;1 kg;6.[65]')
})

test('lines with hardly anything in common are marked whole', () => {
  const { before, after } = diffWords('one two three', 'a completely other line')
  expect([shown(before), shown(after)]).toEqual(['[one two three]', '[a completely other line]'])
})

test('both sides together say what the lines say, whatever they are', () => {
  for (const [a, b] of [
    ['', 'x'],
    ['a  b', 'a b'],
    ['😀 ok', '😀 no'],
  ] as const) {
    const { before, after } = diffWords(a, b)
    expect(before.map(({ text }) => text).join('')).toBe(a)
    expect(after.map(({ text }) => text).join('')).toBe(b)
  }
})

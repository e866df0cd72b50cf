import { expect, test } from 'vitest'
import { diffWords, mergeWords, type WordPiece } from './word-diff.ts'

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

test('a long text is read once, with what is taken out and put in', () => {
  const pieces = mergeWords(
    'The Internet governance report of the year.',
    'The internet governance report of this year.',
  )
  const signs = { same: '', removed: '-', added: '+' }
  expect(pieces!.map(({ text, kind }) => `${signs[kind]}${text}`).join('|')).toBe(
    'The |-Internet|+internet| governance report of |-the|+this| year.',
  )
  expect(mergeWords('one two three', 'a completely other line')).toBeUndefined()
})

test('a merged text holds both of its sides, whatever they are', () => {
  for (const [a, b] of [
    ['', ''],
    ['a', 'a'],
    ['one two three', 'two three four'],
    ['x\ny', 'x\n\ny z'],
    ['😀 ok ok', '😀 ok'],
  ] as const) {
    const pieces = mergeWords(a, b)!
    const side = (other: string) =>
      pieces.flatMap(({ text, kind }) => (kind === other ? [] : [text])).join('')
    expect([side('added'), side('removed')]).toEqual([a, b])
  }
})

import { expect, test } from 'vitest'
import { mentionsIn } from './mentions.ts'

test('a mention is a path behind an @, without what ends the sentence', () => {
  expect(mentionsIn('Compare @src/app.ts with @README.md.')).toEqual(['src/app.ts', 'README.md'])
  expect(mentionsIn('(@a.txt), @b.txt: why? @a.txt!')).toEqual(['a.txt', 'b.txt'])
  expect(mentionsIn('@"notes of May.md" and @übersicht.csv')).toEqual([
    'notes of May.md',
    'übersicht.csv',
  ])
})

test('an email address is not a mention, nor is an @ alone', () => {
  expect(mentionsIn('Write to anna@example.org @ noon, a@b, x.@y')).toEqual([])
})

test('a mention with very many colons is read once', () => {
  const path = `a${':'.repeat(300_000)}é`
  expect(mentionsIn(`@${path} @b.txt`)).toEqual([path, 'b.txt'])
})

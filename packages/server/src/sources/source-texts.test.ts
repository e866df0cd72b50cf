import { createHash } from 'node:crypto'
import type { Sha256 } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { createSourceTexts } from './source-texts.ts'

function file(text: string) {
  const bytes = Buffer.from(text)
  return { sha256: createHash('sha256').update(bytes).digest('hex') as Sha256, bytes }
}

test('the same version is decoded once, another one for itself', () => {
  const { textOf } = createSourceTexts()
  const first = textOf(file('one\ntwo\n'))
  expect(first?.slice().content).toBe('one\ntwo\n')
  expect(textOf(file('one\ntwo\n'))).toBe(first)
  expect(textOf(file('one\n'))?.slice().content).toBe('one\n')
})

test('a binary file is never text, however often it is requested', () => {
  const { textOf } = createSourceTexts()
  for (let i = 0; i < 2; i++) expect(textOf(file('a\0b'))).toBeUndefined()
})

test('the least recently used text is evicted, and a very large one is not kept', () => {
  const { textOf } = createSourceTexts()
  const large = file('x\n'.repeat(2_000_000))
  const once = textOf(large)
  expect(textOf(large) === once).toBe(false)
  const first = file('first\n')
  const decoded = textOf(first)
  for (let i = 0; i < 17; i++) textOf(file(`${i}\n`.padEnd(1024 * 1024, 'y')))
  expect(textOf(first) === decoded).toBe(false)
})

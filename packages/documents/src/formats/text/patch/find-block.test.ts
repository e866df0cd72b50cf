import { expect, test } from 'vitest'
import { decodeText } from '../decode/text.ts'
import { findBlock } from './find-block.ts'

const textOf = (...lines: readonly string[]) => decodeText(Buffer.from(lines.join('\n')))

test('a block is found at each of its places, those that overlap included', () => {
  expect(findBlock(textOf('a', 'a', 'a', 'b'), ['a', 'a'], 6)).toEqual([1, 2])
  expect(findBlock(textOf('a', 'a', 'a', 'b'), ['a', 'a'], 1)).toEqual([1])
  expect(findBlock(textOf('a', 'b', 'a', 'b', 'a', 'c'), ['a', 'b', 'a', 'c'], 6)).toEqual([3])
  expect(findBlock(textOf('a'), [], 6)).toEqual([])
})

test('a block that repeats one line is looked for in one pass over the text', () => {
  const lines = Array<string>(100_000).fill('same')
  const block = [...lines.slice(0, 50_000), 'other']
  // compared anew at each line this takes 2.5 billion steps
  expect(findBlock(textOf(...lines), block, 6)).toEqual([])
  expect(findBlock(textOf(...lines, 'other'), block, 6)).toEqual([50_001])
})

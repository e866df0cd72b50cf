import { expect, test } from 'vitest'
import { tokenIn } from './token.ts'

test('a pasted address gives its token', () => {
  expect(tokenIn(' http://127.0.0.1:4680/?token=abc ')).toBe('abc')
  expect(tokenIn('http://127.0.0.1:4680/#token=abc')).toBe('abc')
})

test('a pasted token is taken as it is', () => {
  expect(tokenIn('abc\n')).toBe('abc')
})

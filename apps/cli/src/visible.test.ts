import { expect, test } from 'vitest'
import { visible } from './visible.ts'

test('what moves the cursor or turns letters round is spelled out', () => {
  expect(visible('a\u001b[1A\u001b[2Kb')).toBe('a\\u{1b}[1A\\u{1b}[2Kb')
  expect(visible('title\u001b]0;x\u0007')).toBe('title\\u{1b}]0;x\\u{7}')
  expect(visible('+evil\r+good')).toBe('+evil\\u{d}+good')
  expect(visible('\u009b2K')).toBe('\\u{9b}2K')
  expect(visible('exe.\u202etxt')).toBe('exe.\\u{202e}txt')
})

test('lines, tabs and letters of any script stay', () => {
  const text = '+a\tb\r\n-שלום 😀 é\n'
  expect(visible(text)).toBe(text)
})

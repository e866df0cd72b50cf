import { expect, test } from 'vitest'
import { visible } from './visible.ts'

test('characters that move the cursor or reverse letters are spelled out', () => {
  expect(visible('a\u001b[1A\u001b[2Kb')).toBe('a\\u{1b}[1A\\u{1b}[2Kb')
  expect(visible('title\u001b]0;x\u0007')).toBe('title\\u{1b}]0;x\\u{7}')
  expect(visible('+evil\r+good')).toBe('+evil\\u{d}+good')
  expect(visible('\u009b2K')).toBe('\\u{9b}2K')
  expect(visible('exe.\u202etxt')).toBe('exe.\\u{202e}txt')
})

test('invisible characters between letters are spelled out', () => {
  expect(visible('pay\u200bpal')).toBe('pay\\u{200b}pal')
  expect(visible('a\ufeffb\u2060c\u00add')).toBe('a\\u{feff}b\\u{2060}c\\u{ad}d')
  expect(visible('const \u3164 = 1\u2028// two')).toBe('const \\u{3164} = 1\\u{2028}// two')
  expect(visible('x\u{e0041}')).toBe('x\\u{e0041}')
})

test('lines, tabs and letters of any script stay', () => {
  const text = '+a\tb\r\n-שלום 😀 é 👩‍🚀 ❤️ می‌خواهم\n'
  expect(visible(text)).toBe(text)
})

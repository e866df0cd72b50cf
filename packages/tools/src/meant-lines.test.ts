import { expect, test } from 'vitest'
import { meantLines } from './meant-lines.ts'

const meant = meantLines('lineStart', 'lineCount')

test.each([
  [
    { startLine: 3, endLine: 4 },
    { lineStart: 3, lineCount: 2 },
  ],
  [
    { offset: 3, limit: 2 },
    { lineStart: 3, lineCount: 2 },
  ],
  [
    { offset: 0, limit: 2 },
    { lineStart: 1, lineCount: 2 },
  ],
  [
    { line_start: '3', line_count: '2' },
    { lineStart: 3, lineCount: 2 },
  ],
  [{ limit: 5 }, { lineStart: 1, lineCount: 5 }],
  [{ offset: 9 }, { lineStart: 9 }],
  [{ end_line: 4 }, { lineStart: 1, lineCount: 4 }],
  [{ lines: '3-4' }, { lineStart: 3, lineCount: 2 }],
  [{ line_range: [3, 7] }, { lineStart: 3, lineCount: 5 }],
])('%j names lines', (sent, lines) => {
  expect(meant({ path: 'a', ...sent })).toEqual({ path: 'a', ...lines })
})

test('what is no such request stays as it is', () => {
  for (const given of [
    { path: 'a' },
    { startLine: 5, endLine: 3 },
    { startLine: 'five' },
    { offset: -1 },
    { limit: 2, endLine: 4 },
  ])
    expect(meant(given)).toEqual(given)
})

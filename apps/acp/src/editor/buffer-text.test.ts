import { expect, test } from 'vitest'
import { carryInto, stateOf, withLineEndsOf } from './buffer-text.ts'

const DISK = 'one\r\ntwo\r\nthree\r\n'

test.each([
  ['the same', DISK, 'saved'],
  ['other line ends', 'one\ntwo\nthree\n', 'saved'],
  ['a byte order mark', `\uFEFF${DISK}`, 'saved'],
  ['what the file was before', 'one\nthree\n', 'stale'],
  ['what nobody knows', 'one\ntwo\nthree\nfour\n', 'unsaved'],
  ['without the last line end', 'one\ntwo\nthree', 'unsaved'],
])('text with %s: %s', (_, text, state) => {
  expect(stateOf(text, DISK, ['one\r\nthree\r\n'])).toBe(state)
})

test('text of a file that is not there is unsaved', () => {
  expect(stateOf('new\n', null, [])).toBe('unsaved')
  expect(stateOf('', null, [])).toBe('unsaved')
})

test('unsaved text gets the line ends of its file', () => {
  expect(withLineEndsOf(DISK, 'one\nTWO\r\n')).toBe('one\r\nTWO\r\n')
  expect(withLineEndsOf('one\n', 'one\r\nTWO\r\n')).toBe('one\nTWO\n')
  expect(withLineEndsOf(null, 'new\r\n')).toBe('new\n')
})

const bytes = (text: string) => new TextEncoder().encode(text)
const LINES = ['one', 'two', 'three', 'four', 'five', '']

test('a change is carried into unsaved text where its lines are untouched, and nowhere else', () => {
  const before = LINES.join('\r\n')
  const after = before.replace('five', 'FIVE')
  const changed = { before: bytes(before), after: bytes(after) }
  const unsaved = before.replace('one', 'zero\r\none')
  expect(carryInto(unsaved, changed)).toBe(after.replace('one', 'zero\r\none'))
  expect(carryInto(before.replace('five', '5'), changed)).toBeUndefined()
})

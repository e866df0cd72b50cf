import { expect, test } from 'vitest'
import { createTurnText } from './turn-text.ts'

/** What is on the screen after these pieces of one turn; `null` is a broken stream. */
function shown(...pieces: readonly (string | null)[]): string {
  const turn = createTurnText()
  let screen = ''
  for (const text of pieces) {
    if (text === null) {
      turn.restart()
      continue
    }
    for (const piece of turn.take({ type: 'text-delta', turnId: 'trn_1', text }))
      screen += (piece.isAnew && !screen.endsWith('\n') ? '\n' : '') + piece.text
  }
  return screen
}

test('an answer that comes again after a broken stream is shown once', () => {
  expect(shown('One, two', null, 'One', ', two, three')).toBe('One, two, three')
  expect(shown('One, two', null, 'One, two, three', ' four')).toBe('One, two, three four')
  expect(shown('One', null, 'One', null, 'One, two')).toBe('One, two')
})

test('an answer that comes again in other words starts on a line of its own, without the lines that are there', () => {
  expect(shown('A\nB\nSo it', null, 'A\n', 'B\nThus', ' it is')).toBe('A\nB\nSo it\nThus it is')
  expect(shown('Yes, but', null, 'No.')).toBe('Yes, but\nNo.')
})

test('the text so far, sent again after a reconnect, is not shown twice', () => {
  const turn = createTurnText()
  turn.take({ type: 'text-delta', turnId: 'trn_1', text: 'One' })
  const again = turn.take({ type: 'text-so-far', turnId: 'trn_1', text: 'One, two' })
  expect(again).toEqual([{ text: ', two' }])
  const next = turn.take({ type: 'text-delta', turnId: 'trn_2', text: 'One' })
  expect(next).toEqual([{ text: 'One' }])
})

import { expect, test } from 'vitest'
import { complete, completingAt, parseCommand } from './completion.ts'

test('a file is completed after its sign, wherever the cursor is', () => {
  const typing = completingAt('Read @no and go on', 8)!
  expect(typing).toEqual({ kind: 'file', word: 'no', start: 5 })
  expect(complete('Read @no and go on', 8, typing, 'notes/a.md')).toEqual({
    text: 'Read @notes/a.md  and go on',
    cursor: 17,
  })
  expect(completingAt('me@home', 7)).toBeUndefined()
})

test('a command stands at the beginning', () => {
  expect(completingAt('/re', 3)).toEqual({ kind: 'command', word: 're', start: 0 })
  expect(completingAt('see /re', 7)).toBeUndefined()
  expect(parseCommand('/plan  tidy up')).toEqual({ name: 'plan', rest: 'tidy up' })
  expect(parseCommand('/etc/hosts')).toBeUndefined()
  expect(parseCommand('/unknown')).toBeUndefined()
})

import { describe, expect, test } from 'vitest'
import { createIdSource } from '../words/ids.ts'
import { labelOf } from './tool.ts'

describe('a label', () => {
  test('is filled from the arguments', () => {
    expect(labelOf({ label: 'Reading {path}' }, { path: 'src/a.ts' })).toBe('Reading src/a.ts')
    expect(labelOf({ label: 'Slide {index}' }, { index: 0 })).toBe('Slide 0')
  })

  test('has … for a value that is missing or not a string', () => {
    for (const input of [{}, { path: null }, { path: { a: 1 } }, null, undefined, 'text'])
      expect(labelOf({ label: 'Reading {path}' }, input)).toBe('Reading …')
  })

  test('is not filled twice', () => {
    expect(labelOf({ label: '{path} to {to}' }, { path: '{to}', to: 'b' })).toBe('{to} to b')
  })
})

test('an id has the prefix of its kind and the digits that were drawn', () => {
  const ids = createIdSource(digits => 'f'.repeat(digits))
  expect(ids('session')).toBe('ses_ffffffffffffffff')
  expect(ids('toolCall')).toBe('tc_ffffffffffffffff')
})

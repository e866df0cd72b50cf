import type { Change } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { showChanges } from './show-changes.ts'

test('a formula is shown once, with what it yields where that is known; a text that looks like one is told apart', () => {
  const change = (after: Change['after']) =>
    ({ id: 'chg_1', path: 'a.xlsx', place: 'A1', kind: 'cell', before: null, after }) as Change
  const shown = (after: Change['after']) => showChanges([change(after)], []).split('\n')[1]
  expect(shown({ formula: '=1+1' })).toBe('  chg_1  A1: (empty) → =1+1')
  expect(shown({ formula: '=1+1', value: null })).toBe('  chg_1  A1: (empty) → =1+1')
  expect(shown({ formula: '1+1', text: '2' })).toBe('  chg_1  A1: (empty) → =1+1 (2)')
  expect(shown({ text: '=1+1' })).toBe('  chg_1  A1: (empty) → the text "=1+1"')
})

import { expect, test } from 'vitest'
import type { Edited } from './client-context.ts'
import { toEditedAnswer } from './edited.ts'

test.each([
  { before: ['start', 'end'], after: ['start', 'new', 'end'], lines: 1 },
  { before: ['a', 'b', 'c'], after: ['a', 'B', 'C', 'c'], lines: 2 },
  { before: ['a'], after: ['A'], lines: 1 },
  { before: ['a', 'b'], after: [], lines: 2 },
  { before: ['a', 'a'], after: ['a', 'a', 'a'], lines: 1 },
  { before: ['a'], after: ['a'], lines: 1 }, // its end of line alone
])('an edit of $before to $after has changed $lines of the lines', ({ before, after, lines }) => {
  const change = { kind: 'lines', before: { lines: before }, after: { lines: after } }
  expect(effectsOf([change], 'text')).toEqual([[lines, 'lines']])
})

test('a sheet is not counted as a cell', () => {
  const [sheet, cell] = [{ kind: 'sheet' }, { kind: 'cell' }]
  expect(effectsOf([sheet, cell, cell], 'xlsx')).toEqual([
    [2, 'cells'],
    [1, 'changes'],
  ])
  expect(effectsOf([sheet], 'xlsx')).toEqual([[1, 'changes']])
})

test.each(['csv', 'svg'])('%s files are counted in lines, as they are edited', format => {
  const change = { kind: 'lines', before: { lines: ['a'] }, after: { lines: ['b', 'c'] } }
  expect(effectsOf([change], format)).toEqual([[2, 'lines']])
})

/** With the fields that an effect is made of. */
function effectsOf(changes: readonly object[], format: string) {
  const withOperation = changes.map(change => ({ ...change, operation: { op: 'edit' } }))
  const edited = {
    file: { docPath: 'a', path: 'a', format, sha256: null, draft: 'changed' },
    created: false,
    changes: withOperation,
    results: [{ message: 'Done.' }],
    warnings: [],
  }
  const { effects } = toEditedAnswer(edited as unknown as Edited, { listsChanges: false })
  return effects.map(({ count, unit }) => [count, unit])
}

import type { Change } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { showChanges } from './show-changes.ts'

test('a formula is shown once, with its value if known; text that looks like one is distinguished', () => {
  const change = (after: Change['after']) =>
    ({ id: 'chg_1', path: 'a.xlsx', place: 'A1', kind: 'cell', before: null, after }) as Change
  const shown = (after: Change['after']) => showChanges([change(after)], []).split('\n')[1]
  expect(shown({ formula: '=1+1' })).toBe('  chg_1  A1: (empty) → =1+1')
  expect(shown({ formula: '=1+1', value: null })).toBe('  chg_1  A1: (empty) → =1+1')
  expect(shown({ formula: '1+1', text: '2' })).toBe('  chg_1  A1: (empty) → =1+1 (2)')
  expect(shown({ text: '=1+1' })).toBe('  chg_1  A1: (empty) → the text "=1+1"')
})

test('a change of a sheet says what happens to it', () => {
  const shown = (change: Partial<Change>) =>
    showChanges([{ id: 'chg_1', path: 'a.xlsx', ...change } as Change], []).split('\n')[1]
  const sheet = { kind: 'sheet', place: 'sheet Old' } as const
  const [old, other] = [{ text: 'Old' }, { text: 'New' }]
  expect(shown({ ...sheet, before: old, after: null })).toBe('  chg_1  sheet Old: deleted')
  expect(shown({ ...sheet, before: null, after: old })).toBe('  chg_1  sheet Old: added')
  expect(shown({ ...sheet, before: old, after: other })).toBe('  chg_1  sheet Old: Old → New')
  expect(
    shown({ kind: 'structure', place: 'S!B:B width', before: null, after: { text: '40' } }),
  ).toBe('  chg_1  S!B:B width: 40')
  expect(
    shown({ kind: 'structure', place: 'S!A1:B1 merged', before: null, after: { text: 'A1:B1' } }),
  ).toBe('  chg_1  S!A1:B1 merged')
})

test('text of several lines cannot pass for another change', () => {
  const change = { id: 'chg_1', path: 'a.xlsx', place: 'A1', kind: 'cell', before: null } as Change
  const after = { text: 'a\n  chg_2  A2: 1 → 2', value: 'a\n  chg_2  A2: 1 → 2' }
  expect(showChanges([{ ...change, after }], []).split('\n')).toHaveLength(2)
})

test("a change of a file's form shows the old and the new form", () => {
  const change = { id: 'chg_1', path: 'a.txt', place: 'line ends', kind: 'structure' } as Change
  const shown = showChanges([{ ...change, before: { text: 'lf' }, after: { text: 'crlf' } }], [])
  expect(shown).toBe('── a.txt\n  chg_1  line ends: lf → crlf')
})

test('a change of a kind that only its format knows shows the old and the new value', () => {
  const change = { id: 'chg_1', path: 'a.toy', place: 'note 2', kind: 'note' } as Change
  const shown = showChanges([{ ...change, before: null, after: { text: 'call Ana' } }], [])
  expect(shown).toBe('── a.toy\n  chg_1  note 2: (empty) → call Ana')
})

test('the end of a diff is shown as it is: an empty line of context, spaces, a CR', () => {
  const change = { id: 'chg_1', path: 'a.txt', place: 'line 1', kind: 'lines' } as Change
  for (const last of [' ', '+x  ', '+x\r', '+\r', ' \t']) {
    const diff = `--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,3 @@\n+a\n b\n${last}\n`
    const shown = showChanges([change], [{ path: 'a.txt', diff }])
    expect(`${shown}\n`).toBe(`── a.txt\n  chg_1  line 1\n${diff}`)
  }
})

test('where no command takes them, the ids of changes and of new places are left out', () => {
  const change = {
    id: 'chg_1',
    path: 'a.docx',
    place: 'new paragraph n1ngwrib',
    kind: 'paragraph',
    description: 'after p30',
    before: null,
    after: { text: 'Signed.' },
  } as Change
  expect(showChanges([change], [], { hasIds: false })).toBe(
    '── a.docx\n  new paragraph: (empty) → Signed.  (after paragraph 30)',
  )
})

import type { Change } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { createColours } from '../../terminal/colours.ts'
import { showChanges } from './diff-view.ts'

const plain = { colours: createColours({ isOn: false }), columns: 80 }

function cell(place: string, before: string | null, after: string | null): Change {
  const side = (text: string | null) => (text === null ? null : { text })
  return { path: 'p.xlsx', kind: 'cell', place, before: side(before), after: side(after) } as Change
}

test('cells of a sheet stand in a small grid, in the order of rows and columns', () => {
  const changes = [
    cell('Costs!B3', '2', '2.5'),
    cell('Costs!A2', null, 'Pear'),
    cell('Costs!AA2', '7', null),
    cell('Costs!B12', null, 'two\nlines'),
  ]
  expect(showChanges(changes, plain)).toEqual([
    'p.xlsx Costs',
    '      A     B            AA',
    '   2  Pear  ·            7 → (empty)',
    '   3  ·     2 → 2.5      ·',
    '  12  ·     two ⏎ lines  ·',
  ])
})

test('one cell, other sheets and a grid that is too wide are shown one by one', () => {
  const changes = [cell('Costs!A1', '1', '2'), cell('Sales!A1', '3', '4')]
  expect(showChanges(changes, plain)).toEqual([
    'p.xlsx Costs!A1',
    '  - 1',
    '  + 2',
    'p.xlsx Sales!A1',
    '  - 3',
    '  + 4',
  ])
  const wide = ['A', 'B', 'C', 'D', 'E'].map(column => cell(`S!${column}1`, null, 'x'.repeat(20)))
  expect(showChanges(wide, plain)).toHaveLength(10)
})

test('a new file and a new sheet are named once', () => {
  const added = (kind: string, place: string, text: string) =>
    ({ path: 'p.xlsx', kind, place, before: null, after: { text } }) as Change
  const changes = [added('file', 'new file', 'p.xlsx'), added('sheet', 'sheet Costs', 'Costs')]
  expect(showChanges(changes, plain)).toEqual(['p.xlsx new file', 'p.xlsx sheet Costs'])
})

test('nothing in a cell steers the terminal', () => {
  const evil = '\u001b[2J'
  const shown = showChanges([cell('S!A1', null, evil), cell('S!A2', evil, 'x')], plain).join('\n')
  expect(shown).not.toContain('\u001b')
})

test('the lines of a slide stand below each other, and ids of a new place are left out', () => {
  const change = {
    path: 'd.pptx',
    kind: 'shape',
    place: 'new slide 303541447',
    description: 'after slide 2',
    before: null,
    after: { text: 'Title\nOne\nTwo' },
  } as Change
  expect(showChanges([change], plain)).toEqual([
    'd.pptx new slide  after slide 2',
    '  + Title',
    '  + One',
    '  + Two',
  ])
})

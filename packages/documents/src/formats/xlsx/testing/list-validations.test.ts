import { expect, test } from 'vitest'
import { edited, type ZooBook } from './zoo.contract.ts'

const list = (formula: string, ref = 'B2:B9 D1') =>
  `<dataValidations count="1"><dataValidation type="list" sqref="${ref}"><formula1>${formula}</formula1></dataValidation></dataValidations>`
const text = (ref: string, value: string) =>
  `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`

function warned(tail: string, cell: string, value: unknown): string {
  const rows = `<row r="1">${text('A1', 'North')}</row><row r="2">${text('A2', 'South')}</row>`
  const names = '<definedName name="Regions">S!$A$1:$A$2</definedName>'
  const book: ZooBook = { sheets: { S: { rows, tail }, T: { rows } }, names }
  return edited(book, [{ op: 'set_cells', sheet: 'S', cells: [{ cell, value }] }]).warnings.join()
}

test.each([
  ['its own values', list('"North, South"')],
  ['a range', list('$A$1:$A$2')],
  ['a range of another sheet', list('T!$A$1:$A$2')],
  ['a name', list('Regions')],
  [
    'the extended form',
    '<extLst><ext xmlns:x14="u" xmlns:xm="v"><x14:dataValidations><x14:dataValidation type="list"><x14:formula1><xm:f>T!$A$1:$A$2</xm:f></x14:formula1><xm:sqref>B2:B9 D1</xm:sqref></x14:dataValidation></x14:dataValidations></ext></extLst>',
  ],
])('a value that a list of %s lacks is written with a warning', (_, tail) => {
  expect(warned(tail, 'B3', 'Nort')).toBe(
    'Written although the list of B2:B9 D1 does not have it: B3 ("Nort"). It allows North, South.',
  )
  expect(warned(tail, 'D1', 5)).toContain('D1 (5)')
  for (const value of ['North', 'South', null]) expect(warned(tail, 'B3', value)).toBe('')
  expect(warned(tail, 'C3', 'Nort')).toBe('')
})

test('numbers and truth values count as they read', () => {
  const tail = list('"1,2.5,TRUE"')
  for (const value of [1, 2.5, true]) expect(warned(tail, 'B2', value)).toBe('')
  expect(warned(tail, 'B2', 2)).toContain('B2 (2)')
})

test('nothing is said about a list that is computed, or about a formula', () => {
  expect(warned(list('INDIRECT("A"&amp;1)'), 'B2', 'x')).toBe('')
  expect(warned(list('A1:A2'), 'B2', 'x')).toBe('')
  expect(warned(list('"a"'), 'B2', { formula: '1+1' })).toBe('')
})

test('a value that the same operation adds to the list is allowed', () => {
  const book: ZooBook = { sheets: { S: { rows: '', tail: list('$A$1:$A$2') } } }
  const cells = [
    { cell: 'A1', value: 'East' },
    { cell: 'B2', value: 'East' },
  ]
  expect(edited(book, [{ op: 'set_cells', sheet: 'S', cells }]).warnings).toEqual([])
})

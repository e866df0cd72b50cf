import { expect, test } from 'vitest'
import type { ChangeSide } from './change.ts'
import { readsAsValue, toSideTexts } from './side-text.ts'

const shown = (before: ChangeSide | null, after: ChangeSide | null) => {
  const texts = toSideTexts(before, after)
  return [texts.before, texts.after]
}
const cell = (value: string | number | boolean, text = String(value)): ChangeSide => ({
  text,
  value,
})

test('text that reads like a value is distinguished from that value', () => {
  expect(shown(cell('2026-01-31'), cell(46053, '2026-01-31'))).toEqual([
    'the text "2026-01-31"',
    '2026-01-31',
  ])
  expect(shown(cell('$1,200.00'), cell(1200))).toEqual(['the text "$1,200.00"', '1200'])
  expect(shown(cell('TRUE'), cell(true, 'TRUE'))).toEqual(['the text "TRUE"', 'TRUE'])
  expect(shown({ text: '2026' }, { text: '2027' })).toEqual(['2026', '2027'])
  expect(shown(cell('Rent 2026'), cell(''))).toEqual(['Rent 2026', 'empty text'])
})

test('values that a format shows alike are added to the shown text', () => {
  expect(shown(cell(0.622, '62%'), cell(0.618, '62%'))).toEqual(['62% (0.622)', '62% (0.618)'])
  expect(shown(cell(1, ''), cell(2, ''))).toEqual(['1', '2'])
  expect(shown(cell('a'), cell('a'))).toEqual(['a', 'a'])
})

test('the looks of the same text are added, where nothing else tells the sides apart', () => {
  const text = { text: 'Mars Facts' }
  expect(
    shown({ ...text, format: 'heading 2' }, { ...text, format: 'heading 2, pageBreakBefore' }),
  ).toEqual(['Mars Facts (heading 2)', 'Mars Facts (heading 2, pageBreakBefore)'])
  expect(shown({ ...cell(5), format: 'General' }, { ...cell(6), format: '0.00' })).toEqual([
    '5',
    '6',
  ])
  expect(shown({ format: 'thin' }, { format: 'thick' })).toEqual(['thin', 'thick'])
})

test('strings that differ only in white space are quoted', () => {
  expect(shown(cell('Total '), cell('Total'))).toEqual(['"Total "', '"Total"'])
  expect(shown(cell('Net  sales'), cell('Net sales'))).toEqual(['"Net  sales"', '"Net sales"'])
})

test('a formula is shown with its result, if known', () => {
  expect(shown({ formula: '1+1' }, { formula: '=1+1', text: '2', value: 2 })).toEqual([
    '=1+1',
    '=1+1 (2)',
  ])
})

test('text of several lines is shown in one', () => {
  expect(shown(null, cell('a\r\nb\nc'))).toEqual([undefined, 'a ⏎ b ⏎ c'])
})

test('numbers are recognised in all notations, and words are not numbers', () => {
  for (const text of [
    '12',
    '-1.234,56',
    '12.5 %',
    '€ 9',
    '(300)',
    '31/01/2026',
    '12:30',
    '1e5',
    '=A1',
    '#N/A',
  ])
    expect(readsAsValue(text), text).toBe(true)
  for (const text of ['Q1', '12 kg', 'a', '', '-', '=', 'B2'])
    expect(readsAsValue(text), text).toBe(false)
})

import { type Operation, unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { xlsxFormat } from '../format.ts'
import { sheetFaults } from './sheet-rules.contract.ts'
import { logged, NAME, openZoo, saved, type ZooBook } from './zoo.contract.ts'

const BOOK: ZooBook = {
  strings: ['Name'],
  sheets: {
    "Bob's & co":
      '<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2"><v>1</v></c></row>',
  },
}

const NASTY = [
  '\u0001',
  'a\u0000b',
  '"><x/>',
  "' & <b>",
  '\ud800',
  '\ufffe',
  'two\nlines\ttab',
  '__proto__',
  'constructor',
  'x'.repeat(40),
]

const on = (op: string, fields: object): Operation => ({ op, sheet: "Bob's & co", ...fields })

const MADE: readonly ((text: string) => Operation)[] = [
  text => on('set_style', { range: 'A1', style: { font: text } }),
  text => on('set_style', { range: 'A1', style: { named: text, bold: true } }),
  text => on('set_style', { range: 'A1', style: { number_format: text } }),
  text => on('set_style', { range: 'A1', style: { number_format: `0 "${text}"` } }),
  text => on('set_style', { range: 'A1', style: { [text]: true } }),
  text => on('set_style', { range: 'A1', style: text }),
  text => on('set_style', { range: 'A1', style: { fill: text, color: text, border: text } }),
  text => on('set_style', { range: 'A1', like: text }),
  text => on('set_style', { range: text, style: { bold: true } }),
  text => on('conditional_format', { range: 'A1', rule: { contains: text }, style: 'bold' }),
  text =>
    on('conditional_format', { range: 'A1', rule: { cell: '=', value: text }, style: 'bold' }),
  text =>
    on('conditional_format', { range: 'A1', rule: { formula: `="${text}"=A1` }, style: 'bold' }),
  text => on('conditional_format', { range: 'A1', rule: { [text]: 1 }, style: 'bold' }),
  text => on('conditional_format', { range: 'A1', rule: { icons: text } }),
  text => on('auto_filter', { range: 'A1:A2', filters: { A: [text] } }),
  text => on('auto_filter', { range: 'A1:A2', filters: { A: { contains: text } } }),
  text => on('auto_filter', { range: 'A1:A2', filters: { [text]: ['x'] } }),
  text => on('print_setup', { print: { header: text, footer: { left: text } } }),
  text => on('print_setup', { print: { area: text, title_rows: text } }),
  text => on('print_setup', { print: { [text]: 1 } }),
  text => on('freeze_panes', { at: text }),
  text => on('group', { rows: text }),
  text => on('set_column_widths', { widths: { [text]: 'auto' } }),
]

test('whatever is sent as a look, the file is sound or the call is refused in words', () => {
  let made = 0
  for (const make of MADE)
    for (const text of NASTY) {
      const { document, bytes } = openZoo(BOOK)
      const operation = make(text)
      const result = document.apply(logged([operation]))
      const after = saved(document, bytes)
      const what = JSON.stringify(operation)
      if (result.ok) {
        made++
        expect(sheetFaults(after.bytes), what).toEqual([])
        unwrap(unwrap(xlsxFormat.open(after.bytes, NAME)).map())
      } else {
        expect(result.failure.message, what).toMatch(/^Nothing was written: /)
        expect(Buffer.compare(after.bytes, bytes), what).toBe(0)
      }
    }
  expect(made).toBeGreaterThan(20)
})

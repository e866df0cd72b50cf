import type { Operation } from '@filewright/protocol'
import { unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import type { OpenDocument } from '../../../format.ts'
import { edited, openZoo, type ZooBook } from './zoo.contract.ts'

const book: ZooBook = {
  strings: ['Region', 'North'],
  sheets: {
    Sales: {
      rows: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>10</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2" s="1"><v>3.5</v></c></row>',
      tail: '<mergeCells count="1"><mergeCell ref="D1:E1"/></mergeCells>',
    },
    Costs: '<row r="1"><c r="A1"><v>7</v></c><c r="B1"><f>A1*2</f><v>14</v></c></row>',
  },
}
const on = (op: string, rest: object, sheet = 'Sales'): Operation => ({ op, sheet, ...rest })
const cell = (value: unknown) => on('set_cells', { cells: [{ cell: 'A2', value }] })

const pairs: readonly (readonly [string, Operation, Operation])[] = [
  ['set_cells', cell(5), cell('North')],
  [
    'set_range',
    on('set_range', { start: 'B1', values: [['x'], [true]] }),
    on('set_range', { start: 'B1', values: [[10], [3.5]] }),
  ],
  [
    'clear_range',
    on('clear_range', { range: 'B1:B2' }),
    on('set_range', { start: 'B1', values: [[10], [3.5]] }),
  ],
  ['find_replace', on('find_replace', { search: 'North', replace: 'Süd' }), cell('North')],
  ['merge_cells', on('merge_cells', { range: 'F4:G5' }), on('unmerge_cells', { range: 'F4' })],
  ['unmerge_cells', on('unmerge_cells', { range: 'D1' }), on('merge_cells', { range: 'D1:E1' })],
  ['hide rows', on('hide', { rows: '2' }), on('show', { rows: '2' })],
  ['hide columns', on('hide', { columns: 'B' }), on('show', { columns: 'B' })],
  ['hide a sheet', on('hide', {}), on('show', {})],
  [
    'rename_sheet',
    on('rename_sheet', { new_name: 'X' }),
    on('rename_sheet', { new_name: 'Sales' }, 'X'),
  ],
  ['move_sheet', on('move_sheet', { index: 1 }), on('move_sheet', { index: 0 })],
  ['ensure_sheet', on('ensure_sheet', {}, 'New'), on('delete_sheet', {}, 'New')],
  ['copy_sheet', on('copy_sheet', { new_name: 'New' }), on('delete_sheet', {}, 'New')],
]

test.each(pairs)('%s done and taken back reads the same', (_, there, back) => {
  const before = told(openZoo(book).document)
  const { open, after } = edited(book, [there])
  expect(told(open)).not.toBe(before)
  expect(told(after)).not.toBe(before)
  const both = edited(book, [there, back])
  expect(told(both.open)).toBe(before)
  expect(told(both.after)).toBe(before)
})

/** The map and every sheet. */
function told(document: OpenDocument): string {
  const map = unwrap(document.map())
  const { sheets } = map.fields as { sheets: { name: string }[] }
  const texts = sheets.map(
    ({ name }) => unwrap(document.read({ sheet: name }, { maxBytes: 10_000 })).text,
  )
  return [map.text, ...texts].join('\n')
}

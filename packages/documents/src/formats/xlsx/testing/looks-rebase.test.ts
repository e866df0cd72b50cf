import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { xlsxFormat } from '../format.ts'
import { logged, NAME, type ZooBook, zooBook } from './zoo.contract.ts'

const rows = Array.from({ length: 8 }, (_, row) => {
  const cells = ['A', 'B', 'C', 'D'].map(
    (column, at) => `<c r="${column}${row + 1}"><v>${(row + 1) * 100 + at * 7}</v></c>`,
  )
  return `<row r="${row + 1}">${cells.join('')}</row>`
}).join('')

const BOOK: ZooBook = { sheets: { S: rows, T: rows.replace('<c r="A1">', '<c r="A1" s="3">') } }

const on = (op: string, fields: object): Operation => ({ op, sheet: 'S', ...fields })

function edit(bytes: Uint8Array, operations: readonly Operation[]): Uint8Array {
  const document = unwrap(xlsxFormat.open(bytes, NAME))
  unwrap(document.apply(logged(operations, 'tc_other')))
  return toBytes(unwrap(document.content()), bytes)
}

/** The draft's operations on what somebody else made of the file. */
function carried(draft: readonly Operation[], other: readonly Operation[]) {
  const base = zooBook(BOOK)
  const current = edit(base, other)
  const log = logged(draft)
  const { content } = unwrap(xlsxFormat.replay(base, log, new Set(), NAME))
  const rebased = xlsxFormat.rebase!({
    name: NAME,
    base,
    current,
    log,
    refused: new Set(),
    planned: content,
    version: 'v',
    since: 'since',
    advice: 'Read it again.',
    isDraft: true,
  })
  if (!rebased.ok) return rebased.failure.message
  const after = unwrap(xlsxFormat.open(toBytes(rebased.value.content, current), NAME))
  const read = unwrap(after.read({ sheet: 'S' }, { maxBytes: 9_000, styles: true }))
  const { styles } = read.fields as { styles: { ranges: string[]; style: string }[] }
  return styles.map(({ ranges, style }) => `${ranges.join(' ')}: ${style}`).join('; ')
}

const bold = on('set_style', { range: 'A2', style: 'bold' })
const value = { op: 'set_cells', sheet: 'S', cells: [{ cell: 'B1', value: 9 }] }

test('a look goes with its cell to a file that somebody else changed', () => {
  expect(carried([bold], [value])).toBe('A2: bold')
  expect(carried([on('set_style', { range: 'A2,B1', style: 'italic' })], [value])).toBe(
    'B1 A2: italic',
  )
  expect(carried([on('set_style', { range: 'A2', like: 'T!A1' })], [value])).toBe('A2: bold')
})

test.each([
  [
    'the cell looks different',
    bold,
    on('set_style', { range: 'A2', style: 'italic' }),
    'A2 looks different now',
  ],
  [
    'its model looks different',
    on('set_style', { range: 'A2', like: 'T!A1' }),
    { op: 'clear_style', sheet: 'T', range: 'A1' },
    'A1 looks different now',
  ],
  [
    'the rules are others',
    on('conditional_format', { range: 'A1:A3', rule: { top: 1 }, style: 'bold' }),
    on('conditional_format', { range: 'A1:A2', rule: { bar: 'red' } }),
    'the conditional formats are other ones',
  ],
  [
    'other panes',
    on('freeze_panes', { at: 'A2' }),
    on('freeze_panes', { at: 'B1' }),
    'other rows or columns are frozen',
  ],
  [
    'printed otherwise',
    on('print_setup', { print: { orientation: 'landscape' } }),
    on('print_setup', { print: { scale: 50 } }),
    'the sheet is printed in another way',
  ],
  ['filtered values', on('auto_filter', { range: 'A1:B3' }), value, 'B1 was changed'],
  [
    'the rows are hidden',
    on('group', { rows: '2:3' }),
    on('hide', { rows: '2' }),
    'row 2 is now hidden',
  ],
])('it is a conflict where %s', (_, draft, other, words) => {
  const message = carried([draft as Operation], [other as Operation])
  expect(message).toContain(words)
  expect(message).toContain('the draft has "')
})

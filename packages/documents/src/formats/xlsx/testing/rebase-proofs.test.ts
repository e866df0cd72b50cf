import { type Operation, type Result, toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../../../../../test/verifies.ts'
import type { Rebased } from '../../../format.ts'
import { xlsxFormat } from '../format.ts'
import { logged, NAME, shown, zooBook } from './zoo.contract.ts'

const TOLD = {
  name: NAME,
  refused: new Set<never>(),
  version: 'v',
  since: 'since',
  advice: 'Read it again.',
  isDraft: true,
}

type Cell = string | number | null

/** Rows of texts and numbers, as a workbook. */
function book(sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>): Uint8Array {
  const xmlOf = (rows: readonly (readonly Cell[])[]) =>
    rows
      .map((cells, row) => {
        const own = cells.map((value, column) => {
          const at = `${'ABCDEFGHIJ'[column]}${row + 1}`
          if (value === null) return ''
          if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`
          return `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
        })
        return `<row r="${row + 1}">${own.join('')}</row>`
      })
      .join('')
  return zooBook({
    sheets: Object.fromEntries(Object.entries(sheets).map(([name, rows]) => [name, xmlOf(rows)])),
  })
}

function edit(bytes: Uint8Array, operations: readonly Operation[], call = 'tc_other'): Uint8Array {
  const document = unwrap(xlsxFormat.open(bytes, NAME))
  unwrap(document.apply(logged(operations, call)))
  return toBytes(unwrap(document.content()), bytes)
}

/** The draft on what somebody else made of the file. */
function publish(base: Uint8Array, draft: readonly Operation[], other: readonly Operation[]) {
  const current = edit(base, other)
  const log = logged(draft)
  const { content } = unwrap(xlsxFormat.replay(base, log, new Set(), NAME))
  const rebased = xlsxFormat.rebase!({ ...TOLD, base, current, log, planned: content })
  return outcome(rebased, current)
}

/** The draft published, the file then changed by somebody else, and the draft undone. */
function undo(base: Uint8Array, draft: readonly Operation[], other: readonly Operation[]) {
  const published = edit(base, draft, 'tc_1')
  const current = edit(published, other)
  const planned = [{ from: 'inline' as const, bytes: base }]
  return outcome(
    xlsxFormat.rebase!({ ...TOLD, base: published, current, log: [], planned }),
    current,
  )
}

function outcome(rebased: Result<Rebased>, current: Uint8Array) {
  if (!rebased.ok) {
    expect(rebased.failure.code).toBe('CONFLICT')
    return rebased.failure.message
  }
  const open = unwrap(xlsxFormat.open(toBytes(rebased.value.content, current), NAME))
  return (cell: string, sheet = 'S') => shown(open, sheet, cell)
}

const set = (cell: string, value: unknown): Operation => ({
  op: 'set_cells',
  sheet: 'S',
  cells: [{ cell, value }],
})
const on = (op: string, fields: object, sheet = 'S'): Operation => ({ op, sheet, ...fields })

const MONTHS = book({
  S: [
    ['Rent', 100, 100, 100, 100, 100, 100],
    ['Power', 40, 40, 40, 40, 40, 40],
    ['Phone', 20, 20, 20, 20, 20, 20],
  ],
})
const FORM = book({
  S: [
    ['Yes', 'Yes', 'No', 'No'],
    ['Yes', 'Yes', 'No', 'No'],
    ['Yes', 'Yes'],
  ],
})
const HEADED = book({
  S: [
    ['Cost', 'Jan', 'Feb', 'Mar', 'Apr'],
    ['Rent', 100, 100, 100, 100],
    ['Power', 40, 40, 40, 40],
  ],
})

verifies(
  'CONTRACT §6 emptiness proves nothing',
  'a tie is no proof: among equal columns and rows nothing is found where one came, went or moved',
  () => {
    const copied = { range: 'B1:B3', to: 'C1' }
    for (const others of [
      [on('delete_columns', { columns: 'C' })],
      [on('delete_columns', { columns: 'B' })],
      [on('insert_columns', { at: 'C' })],
      [on('insert_columns', { at: 'C' }), on('copy_range', copied)],
    ]) {
      expect(publish(MONTHS, [set('D2', 150)], others)).toContain('column D')
      expect(publish(HEADED, [set('D2', 150)], others)).toContain('column D')
    }
    for (const other of [on('delete_rows', { rows: '1' }), on('insert_rows', { at: 1 })])
      expect(publish(FORM, [set('B2', 'No')], [other]), other.op).toContain('row 2')
  },
)

describe('what is provable is carried', () => {
  test('a cell of a headed column, beside another cell', () => {
    const cell = publish(HEADED, [set('D2', 150)], [set('E3', 45)])
    expect(typeof cell === 'string' ? cell : [cell('D2'), cell('E3')]).toEqual(['150', '45'])
  })

  test('a cell of a sheet of equal cells that nobody touched', () => {
    const sheets = { S: Array.from({ length: 4 }, () => ['Yes', 'Yes']), T: [['Other']] }
    const cell = publish(book(sheets), [set('B2', 'No')], [{ ...set('A1', 'Else'), sheet: 'T' }])
    expect(typeof cell === 'string' ? cell : [cell('B2'), cell('A1', 'T')]).toEqual(['No', 'Else'])
  })
})

const DATA = book({
  S: [
    ['Region', 'Net', 'Tax', 'Note'],
    ['North', 10, 1, null],
    ['South', 20, 2, null],
    ['West', 30, 3, null],
    ['East', 40, 4, null],
  ],
  T: [
    ['Rate', 7],
    ['Base', 8],
    ['Most', 9],
  ],
})

/** Inserted in front of what the operation names. */
const MOVES: Readonly<Record<string, Operation>> = {
  'a row of its sheet': on('insert_rows', { at: 2 }),
  'a column of its sheet': on('insert_columns', { at: 'B' }),
  'a row of the other sheet': on('insert_rows', { at: 1 }, 'T'),
  'a column of the other sheet': on('insert_columns', { at: 'B' }, 'T'),
}

describe('what an operation refers to', () => {
  test.each([
    ['fill', on('fill', { range: 'D2:D5', formula: 'B2*T!$B$1' })],
    [
      'conditional_format',
      on('conditional_format', {
        range: 'A2:A5',
        rule: { formula: '$C2>T!$B$1' },
        style: 'bold',
      }),
    ],
    [
      'data_validation',
      on('data_validation', { range: 'D2:D5', type: 'custom', formula: 'B2>T!$B$1' }),
    ],
    [
      'define_name',
      { op: 'define_name', name: 'Both', refers_to: 'S!$B$2:$B$5*T!$B$1' } as Operation,
    ],
    [
      'add_chart',
      on('add_chart', {
        type: 'line',
        cell: 'G1',
        series: [{ values: 'S!B2:B5' }, { values: 'T!B1:B3' }],
      }),
    ],
  ])('%s: a moved cell is a conflict', (_, operation) => {
    for (const [what, move] of Object.entries(MOVES))
      expect(publish(DATA, [operation], [move]), what).toBeTypeOf('string')
    const beside = { ...set('A3', 'Highest'), sheet: 'T' }
    expect(publish(DATA, [operation], [beside])).toBeTypeOf('function')
  })

  test.each([
    ['freeze_panes', on('freeze_panes', { at: 'C3' })],
    ['print_setup', on('print_setup', { print: { title_rows: '1:2', title_columns: 'A:B' } })],
    ['set_hyperlink', on('set_hyperlink', { cell: 'A1', location: 'S!B3' })],
    [
      'add_pivot',
      on(
        'add_pivot',
        {
          source: 'S!A1:C5',
          rows: ['Region'],
          values: [{ field: 'Net', function: 'sum' }],
          cell: 'A20',
        },
        'T',
      ),
    ],
  ])('%s: a row or column that moved is a conflict', (_, operation) => {
    for (const move of [MOVES['a row of its sheet']!, MOVES['a column of its sheet']!])
      expect(publish(DATA, [operation], [move]), move.op).toBeTypeOf('string')
  })

  test('a formula follows a renamed sheet', () => {
    const rename = on('rename_sheet', { new_name: 'Rates' }, 'T')
    const cell = publish(DATA, [on('fill', { range: 'D2:D5', formula: 'B2*T!$B$1' })], [rename])
    expect(typeof cell === 'string' ? cell : cell('D3')).toContain('{=B3*Rates!$B$1}')
    const rule = { range: 'A2:A5', rule: { formula: '$C2>T!$B$1' }, style: 'bold' }
    expect(publish(DATA, [on('conditional_format', rule)], [rename])).toBeTypeOf('function')
  })
})

const ADDED: Readonly<Record<string, readonly Operation[]>> = {
  'a comment': [on('set_comment', { cell: 'B3', text: 'Check', author: 'Ann' })],
  'a link': [on('set_hyperlink', { cell: 'B3', url: 'https://example.com' })],
  'a validation': [on('data_validation', { range: 'B3', type: 'whole', min: 1 })],
  'a chart': [on('add_chart', { type: 'line', source: 'B1:B5', cell: 'B3' })],
  'a conditional format': [
    on('conditional_format', { range: 'B3', rule: { top: 1 }, style: 'bold' }),
  ],
  'a fill': [on('set_style', { range: 'B3', style: { fill: 'FFFF00' } })],
  'a height': [on('set_row_heights', { heights: { 3: 40 } })],
  'merged cells': [on('clear_range', { range: 'C3' }), on('merge_cells', { range: 'B3:C3' })],
  'a value': [set('B3', 21)],
  'a row': [on('insert_rows', { at: 3 })],
  'a formula elsewhere': [{ ...set('D1', { formula: 'S!B3' }), sheet: 'T' }],
  'a name': [{ op: 'define_name', name: 'South', refers_to: 'S!$B$3' }],
  'a rule elsewhere': [
    on('conditional_format', { range: 'A1', rule: { formula: 'S!$B$3>1' }, style: 'bold' }, 'T'),
  ],
}

describe.each([
  on('delete_sheet', {}),
  on('delete_rows', { rows: '3' }),
  on('delete_columns', { columns: 'B' }),
  on('delete_cells', { range: 'B3:B4', shift: 'up' }),
])('$op takes along nothing that others added', operation => {
  test.each(Object.entries(ADDED))('%s is a conflict', (_, other) => {
    expect(publish(DATA, [operation], other)).toBeTypeOf('string')
  })

  test('it is done beside a change of another sheet', () => {
    expect(publish(DATA, [operation], [{ ...set('B2', 8.5), sheet: 'T' }])).toBeTypeOf('function')
  })
})

describe.each([
  on('insert_rows', { at: 2 }),
  on('delete_rows', { rows: '2' }),
  on('sort_range', { range: 'A2:D5', by: [{ column: 'B', descending: true }] }),
])('undo of $op on a changed file', operation => {
  test.each(Object.entries(ADDED).slice(0, 8))('%s stays with its record', (_, other) => {
    expect(undo(DATA, [operation], other)).toBeTypeOf('string')
  })

  test('it is done beside a change of another sheet', () => {
    const cell = undo(DATA, [operation], [{ ...set('B2', 8.5), sheet: 'T' }])
    expect(typeof cell === 'string' ? cell : [cell('A2'), cell('B2', 'T')]).toEqual([
      'North',
      '8.5',
    ])
  })
})

test('undo of values follows what others did beside them', () => {
  const cell = undo(DATA, [set('C3', 5), set('D6', 'Sum')], [set('B4', 33), ...ADDED['a comment']!])
  expect(typeof cell === 'string' ? cell : [cell('C3'), cell('D6'), cell('B4')]).toEqual([
    '2',
    '',
    '33',
  ])
})

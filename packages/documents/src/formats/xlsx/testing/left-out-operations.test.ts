import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { xlsxFormat } from '../format.ts'
import { newSheetFaults } from './sheet-rules.contract.ts'
import { logged, NAME, shown, zooBook } from './zoo.contract.ts'

const text = (cell: string, value: string) =>
  `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`
const number = (cell: string, value: number) => `<c r="${cell}"><v>${value}</v></c>`

const book = zooBook({
  sheets: {
    Data: [
      `<row r="1">${text('A1', 'Region')}${text('B1', 'Net')}</row>`,
      ...[2, 3, 4].map(
        row => `<row r="${row}">${text(`A${row}`, `R${row}`)}${number(`B${row}`, row * 10)}</row>`,
      ),
    ].join(''),
    Sums: `<row r="1">${number('A1', 1)}</row>`,
    Last: `<row r="1">${number('A1', 2)}</row>`,
  },
})

/** The book after some operations. */
function after(operations: readonly Operation[]): Uint8Array {
  const document = unwrap(xlsxFormat.open(book, NAME))
  unwrap(document.apply(logged(operations)))
  return toBytes(unwrap(document.content()), book)
}

/** A draft without all changes of one operation. */
function without(operations: readonly Operation[], left: number, base = book) {
  const log = logged(operations)
  const all = unwrap(xlsxFormat.replay(base, log, new Set(), NAME)).changes
  const refused = all.filter(({ operation }) => operation.index === left).map(({ id }) => id)
  expect(refused).not.toEqual([])
  const replayed = unwrap(xlsxFormat.replay(base, log, new Set(refused), NAME))
  const ids = [...replayed.changes.map(({ id }) => id), ...replayed.dropped, ...refused]
  expect(new Set(ids)).toEqual(new Set(all.map(({ id }) => id)))
  const bytes = toBytes(replayed.content, base)
  expect(newSheetFaults(base, bytes)).toEqual([])
  const document = unwrap(xlsxFormat.open(bytes, NAME))
  return {
    kept: replayed.changes.map(({ place }) => place),
    dropped: all.filter(({ id }) => replayed.dropped.includes(id)).map(({ place }) => place),
    map: unwrap(document.map()).text,
    document,
  }
}

const chart = (title: string, cell?: string) => ({
  op: 'add_chart',
  sheet: 'Data',
  type: 'column',
  source: 'A1:B4',
  title,
  ...(cell !== undefined && { cell }),
})

describe('what a refused operation was needed for goes with it', () => {
  const table = { op: 'add_table', sheet: 'Data', range: 'A1:B4', name: 'Deals' }
  const pivot = {
    op: 'add_pivot',
    sheet: 'Sums',
    source: 'Data!A1:B4',
    rows: ['Region'],
    values: ['Net'],
    cell: 'C3',
    name: 'P',
  }
  const insert = { op: 'insert_rows', sheet: 'Data', at: 2 }
  const cleared = (sheet: string, range: string) => ({ op: 'clear_range', sheet, range })
  const cases: readonly (readonly [string, readonly Operation[], readonly string[]])[] = [
    [
      'rows appended to a table that is not there',
      [table, { op: 'append_rows', sheet: 'Data', table: 'Deals', values: [['R5', 50]] }],
      ['Data!5:5 appended'],
    ],
    [
      'rows appended where cells were cleared',
      [
        cleared('Data', 'A4:B4'),
        { op: 'append_rows', sheet: 'Data', range: 'A1:B3', values: [['R5', 50]] },
      ],
      ['Data!4:4 appended'],
    ],
    [
      'a chart of a sheet that is not there',
      [
        { op: 'ensure_sheet', sheet: 'New' },
        { op: 'add_chart', sheet: 'Sums', type: 'line', source: 'New!A1:B4', cell: 'E2' },
      ],
      ['Sums!E2 chart'],
    ],
    [
      'a name of cells that moved',
      [insert, { op: 'define_name', name: 'Nets', refers_to: 'Data!$B$3:$B$5' }],
      ['name Nets'],
    ],
    [
      'a pivot table of cells that moved',
      [insert, { ...pivot, source: 'Data!A1:B5' }],
      ['Sums!C3 pivot table P'],
    ],
    [
      'cells copied from a sheet whose cells moved',
      [insert, { op: 'copy_range', sheet: 'Data', range: 'B3', to: 'Sums!C1' }],
      ['Sums!C1'],
    ],
    [
      'cells copied with a look',
      [
        { op: 'set_style', sheet: 'Data', range: 'B2', style: { bold: true } },
        { op: 'copy_range', sheet: 'Data', range: 'B2', to: 'Sums!C1' },
      ],
      ['Sums!C1'],
    ],
    [
      'cells filled from another',
      [
        { op: 'set_cells', sheet: 'Data', cells: [{ cell: 'B2', value: 7 }] },
        { op: 'fill', sheet: 'Data', range: 'B2:B4' },
      ],
      ['Data!B3', 'Data!B4'],
    ],
    [
      'cells filled with a formula over rows that were inserted on another sheet',
      [insert, { op: 'fill', sheet: 'Sums', range: 'B1', formula: 'Data!B3' }],
      ['Sums!B1'],
    ],
    [
      'cells moved to where others were cleared',
      [cleared('Data', 'B2'), { op: 'move_range', sheet: 'Data', range: 'A3', to: 'B2' }],
      ['Data!A3 moved to B2'],
    ],
    [
      'a pivot table where cells were cleared',
      [cleared('Sums', 'A1'), { ...pivot, cell: 'A1' }],
      ['Sums!A1 pivot table P'],
    ],
    [
      'cells merged that were cleared before something else was added',
      [
        cleared('Data', 'B2'),
        { op: 'set_comment', sheet: 'Data', cell: 'D9', text: 'x', author: 'Ann' },
        { op: 'merge_cells', sheet: 'Data', range: 'A2:B2' },
      ],
      ['Data!A2:B2 merged'],
    ],
    [
      'a sheet moved to a position that counts another',
      [
        { op: 'move_sheet', sheet: 'Last', index: 0 },
        { op: 'move_sheet', sheet: 'Data', index: 2 },
      ],
      ['sheet Data'],
    ],
    [
      'a sheet added at a position that counts another',
      [
        { op: 'delete_sheet', sheet: 'Data' },
        { op: 'ensure_sheet', sheet: 'New', index: 1 },
      ],
      ['sheet New'],
    ],
  ]

  test.each(cases)('%s', (_, operations, dropped) => {
    expect(without(operations, 0).dropped).toEqual(dropped)
  })

  test.each([
    ['another table', { ...table, range: 'A1:B3', name: 'Other' }, 'Data!A1:B3 table'],
    ['merged cells', { op: 'merge_cells', sheet: 'Data', range: 'C2:D2' }, 'Data!C2:D2 merged'],
  ])('%s in place of a table that stays', (_, operation, dropped) => {
    const base = after([{ ...table, range: 'A1:C4' }])
    const left = without([{ op: 'remove_table', table: 'Deals' }, operation], 0, base)
    expect(left.dropped).toEqual([dropped])
  })
})

describe('an object is the same one without the others', () => {
  const two = after([chart('One', 'E2'), chart('Two', 'E20')])

  test('a chart that the call named by its number', () => {
    const left = without(
      [
        { op: 'remove_chart', sheet: 'Data', chart: 1 },
        { op: 'edit_chart', sheet: 'Data', chart: 1, title: 'Second' },
      ],
      0,
      two,
    )
    expect(left.kept).toEqual(['Data!Chart 2 chart'])
    expect(left.map).toMatch(/"?One"?/)
    expect(left.map).toContain('Second')
    expect(left.map).not.toContain('Two')
  })

  test('a chart whose name and place nobody gave', () => {
    const left = without(
      [
        chart('Three'),
        { op: 'set_cells', sheet: 'Data', cells: [{ cell: 'H1', value: 1 }] },
        chart('Four'),
        { op: 'edit_chart', sheet: 'Data', chart: 'Chart 4', title: 'Last' },
      ],
      0,
      two,
    )
    expect(left.dropped).toEqual([])
    expect(left.map).toContain('Last')
    expect(left.map).not.toContain('Three')
  })

  test('a chart beside cells that were not written', () => {
    const left = without(
      [{ op: 'set_cells', sheet: 'Data', cells: [{ cell: 'H1', value: 1 }] }, chart('Three')],
      0,
    )
    expect(left.kept).toEqual(['Data!J2 chart'])
  })

  test('sheets that nothing counts stay free of each other', () => {
    const left = without(
      [
        { op: 'move_sheet', sheet: 'Last', index: 0 },
        { op: 'ensure_sheet', sheet: 'New' },
        { op: 'set_cells', sheet: 'Sums', cells: [{ cell: 'B1', value: { formula: 'Data!B2' } }] },
      ],
      0,
    )
    expect(left.dropped).toEqual([])
    expect(shown(left.document, 'Sums', 'B1')).toContain('Data!B2')
  })
})

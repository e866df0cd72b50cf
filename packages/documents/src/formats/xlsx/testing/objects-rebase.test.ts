import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { newRepairFaults } from '../../../../../../test/repair-lint/lint.ts'
import { xlsxFormat } from '../format.ts'
import { newSheetFaults } from './sheet-rules.contract.ts'
import { logged, NAME, partText, shown, type ZooBook, zooBook } from './zoo.contract.ts'

const book: ZooBook = {
  strings: ['Region', 'Net', 'North', 'South', 'West'],
  sheets: {
    Data: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2"><v>10</v></c></row><row r="3"><c r="A3" t="s"><v>3</v></c><c r="B3"><v>20</v></c></row><row r="4"><c r="A4" t="s"><v>4</v></c><c r="B4"><v>30</v></c></row>',
    Sums: '<row r="1"><c r="A1"><f>SUM(Data!B2:B4)</f><v>60</v></c></row>',
  },
}

const base = zooBook(book)

function after(operations: readonly Operation[]): Uint8Array {
  const document = unwrap(xlsxFormat.open(base, NAME))
  unwrap(document.apply(logged(operations, 'tc_other')))
  return toBytes(unwrap(document.content()), base)
}

/** The draft's operations on what somebody else made of the file. */
function carried(draft: readonly Operation[], others: readonly Operation[]) {
  const current = after(others)
  const log = logged(draft)
  const planned = unwrap(xlsxFormat.replay(base, log, new Set(), NAME)).content
  const result = xlsxFormat.rebase!({
    base,
    current,
    log,
    refused: new Set(),
    planned,
    name: NAME,
    since: 'since then',
    advice: 'Read it again.',
    version: 'abc',
    isDraft: true,
  })
  if (!result.ok) return result.failure.message
  const bytes = toBytes(result.value.content, current)
  expect(newSheetFaults(current, bytes)).toEqual([])
  expect(newRepairFaults(current, bytes)).toEqual([])
  return bytes
}

const table = { op: 'add_table', sheet: 'Data', range: 'A1:B4', name: 'Sales' }
const cell = { op: 'set_cells', sheet: 'Data', cells: [{ cell: 'B3', value: 25 }] }
const header = { op: 'set_cells', sheet: 'Data', cells: [{ cell: 'B1', value: 'Gross' }] }

describe('objects on a file that somebody else changed', () => {
  test('a table, a rule and a chart are made beside another value', () => {
    const chart = { op: 'add_chart', sheet: 'Sums', type: 'line', source: 'Data!A1:B4' }
    const rule = { op: 'data_validation', sheet: 'Data', range: 'B2:B4', type: 'whole', min: 1 }
    const bytes = carried([table, rule, chart], [cell])
    expect(bytes).toBeInstanceOf(Uint8Array)
    expect(partText(bytes as Uint8Array, 'xl/charts/chart1.xml')).toContain('<c:v>25</c:v>')
    const open = unwrap(xlsxFormat.open(bytes as Uint8Array, NAME))
    expect(shown(open, 'Data', 'B3')).toBe('25')
    expect(unwrap(open.map()).text).toContain('table Sales A1:B4')
  })

  test('a comment goes with its row', () => {
    const note = { op: 'set_comment', sheet: 'Data', cell: 'B3', text: 'Check', author: 'Ann' }
    const rows = { op: 'insert_rows', sheet: 'Data', at: 2 }
    const bytes = carried([note], [rows])
    expect(typeof bytes === 'string' ? bytes : '').toBe('')
    expect(partText(bytes as Uint8Array, 'xl/comments1.xml')).toContain('ref="B4"')
  })

  test.each([
    ['another header', [table], [header], 'B1 was changed'],
    [
      'another table',
      [table],
      [{ ...table, range: 'A2:B4', name: 'Other' }],
      'tables of the workbook were changed',
    ],
    [
      'a name of theirs',
      [{ op: 'define_name', name: 'N', refers_to: '1' }].map(own => ({ ...own, name: 'Net_n' })),
      [{ op: 'define_name', name: 'Other_n', refers_to: '2' }],
      'names of the workbook were changed',
    ],
    [
      'rows that moved under a chart',
      [{ op: 'add_chart', sheet: 'Sums', type: 'line', source: 'Data!A1:B4' }],
      [{ op: 'insert_rows', sheet: 'Data', at: 2 }],
      '"Data!A1:B4" refers to cells that may have moved',
    ],
  ])('%s is a conflict', (_, draft, others, words) => {
    expect(carried(draft, others)).toContain(words)
  })
})

test('a difference tells of objects in words', () => {
  const note = { op: 'set_comment', sheet: 'Data', cell: 'B3', text: 'Check', author: 'Ann' }
  const chart = { op: 'add_chart', sheet: 'Data', type: 'line', source: 'A1:B4', name: 'Chart X' }
  const diff = unwrap(xlsxFormat.diff!(base, after([table, note, chart]), NAME))
  expect(diff.by === 'places' && diff.changes.map(({ place }) => place)).toEqual([
    'table Sales',
    'Data!B3 comment',
    'Data!Chart X chart',
  ])
})

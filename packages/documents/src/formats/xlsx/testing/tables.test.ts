import { describe, expect, test } from 'vitest'
import { newRepairFaults } from '../../../../../../test/repair-lint/lint.ts'
import { structureFaults } from './structure.contract.ts'
import { edited, logged, openZoo, partText, shown, type ZooBook } from './zoo.contract.ts'

const plain: ZooBook = {
  strings: ['Region', 'Net', 'North', 'South'],
  sheets: {
    Sales:
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1"><v>2026</v></c></row><row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2" s="1"><v>10</v></c><c r="C2"><v>1</v></c></row><row r="3"><c r="A3" t="s"><v>3</v></c><c r="B3" s="1"><v>20</v></c><c r="C3"><v>2</v></c></row>',
    Sums: '<row r="1"><c r="A1"><f>SUM(Sales!B2:B3)</f><v>30</v></c></row>',
  },
}
const PART = 'xl/tables/table1.xml'

function done(book: ZooBook, ...operations: { op: string; [key: string]: unknown }[]) {
  const own = edited(book, operations)
  expect(newRepairFaults(own.before, own.bytes)).toEqual([])
  expect(structureFaults(own.bytes)).toEqual([])
  return own
}
const make = { op: 'add_table', sheet: 'Sales', range: 'A1:C3', name: 'Sales_2026' }

describe('add_table', () => {
  test('makes a table whose headers are text, each of its own', () => {
    const { bytes, after, changes, results } = done(plain, make)
    expect(partText(bytes, PART)).toContain(
      '<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" name="Sales_2026" displayName="Sales_2026" ref="A1:C3" totalsRowShown="0"><autoFilter ref="A1:C3"/><tableColumns count="3"><tableColumn id="1" name="Region"/><tableColumn id="2" name="Net"/><tableColumn id="3" name="2026"/></tableColumns>',
    )
    expect(shown(after, 'Sales', 'C1')).toBe('"2026"')
    expect(changes).toMatchObject([
      {
        place: 'Sales!A1:C3 table',
        kind: 'structure',
        after: { text: 'Sales_2026: Region, Net, 2026' },
      },
    ])
    expect(results[0]).toMatchObject({ table: 'Sales_2026', columns: ['Region', 'Net', '2026'] })
  })

  test('with totals below', () => {
    const { bytes, after } = done(plain, {
      ...make,
      totals: { Net: 'sum', '2026': '=MAX(Sales_2026[2026])' },
    })
    expect(shown(after, 'Sales', 'A4')).toBe('Total')
    expect(shown(after, 'Sales', 'B4')).toContain('{=SUBTOTAL(109,Sales_2026[Net])}')
    const part = partText(bytes, PART)
    expect(part).toContain('ref="A1:C4"')
    expect(part).toContain('<autoFilter ref="A1:C3"/>')
    expect(part).toMatch(
      /totalsRowLabel="Total"[^>]*name="Region"|name="Region"[^>]*totalsRowLabel="Total"/,
    )
    expect(part).toContain('totalsRowFunction="sum"')
    expect(part).toContain('<totalsRowFormula>MAX(Sales_2026[2026])</totalsRowFormula>')
  })
})

describe('edit_table', () => {
  const named = {
    op: 'set_cells',
    sheet: 'Sums',
    cells: [{ cell: 'A2', value: { formula: 'SUM(Sales_2026[Net])' } }],
  }

  test('renames it in formulas too', () => {
    const { bytes, after } = done(plain, make, named, {
      op: 'edit_table',
      table: 'sales_2026',
      new_name: 'Umsatz',
    })
    expect(shown(after, 'Sums', 'A2')).toContain('{=SUM(Umsatz[Net])}')
    expect(partText(bytes, PART)).toContain('name="Umsatz" displayName="Umsatz"')
  })

  test('resizes it, restyles it, and gives it totals that can be taken off again', () => {
    const more = {
      op: 'set_cells',
      sheet: 'Sales',
      cells: [
        { cell: 'D1', value: 'Tax' },
        { cell: 'A4', value: 'West' },
      ],
    }
    const grown = { op: 'edit_table', table: 'Sales_2026', range: 'A1:D4', style: 'light 9' }
    const { bytes } = done(plain, make, more, grown)
    expect(partText(bytes, PART)).toContain('ref="A1:D4"')
    expect(partText(bytes, PART)).toContain('<tableColumn id="4" name="Tax"/>')
    expect(partText(bytes, PART)).toContain('tableStyleInfo name="TableStyleLight9"')
    const totals = done(plain, make, {
      op: 'edit_table',
      table: 'Sales_2026',
      totals: { Net: 'average' },
    })
    expect(shown(totals.after, 'Sales', 'B4')).toContain('SUBTOTAL(101,')
    const off = done(
      plain,
      make,
      { op: 'edit_table', table: 'Sales_2026', totals: true },
      { op: 'edit_table', table: 'Sales_2026', totals: false },
    )
    expect(shown(off.after, 'Sales', 'C4')).toBe('')
    expect(partText(off.bytes, PART)).not.toContain('totalsRowFunction')
  })

  test('takes its header off and on', () => {
    const off = done(plain, make, { op: 'edit_table', table: 'Sales_2026', header: false })
    expect(partText(off.bytes, PART)).toContain('ref="A2:C3"')
    expect(partText(off.bytes, PART)).toContain('headerRowCount="0"')
    expect(shown(off.after, 'Sales', 'A1')).toBe('')
    const on = done(
      plain,
      make,
      { op: 'edit_table', table: 'Sales_2026', header: false },
      { op: 'edit_table', table: 'Sales_2026', header: true },
    )
    expect(shown(on.after, 'Sales', 'A1')).toBe('Region')
    expect(partText(on.bytes, PART)).toContain('ref="A1:C3"')
  })

  test('does not lose a column that a formula names', () => {
    const { document } = openZoo(plain)
    const result = document.apply(
      logged([
        make,
        { ...named, cells: [{ cell: 'A2', value: { formula: 'SUM(Sales_2026[2026])' } }] },
        { op: 'edit_table', table: 'Sales_2026', range: 'A1:B3' },
      ]),
    )
    expect(result.ok || result.failure.message).toContain(
      'names a column that the table Sales_2026 would lose',
    )
  })
})

test('remove_table leaves the cells, and formulas name them', () => {
  const inside = {
    op: 'set_cells',
    sheet: 'Sales',
    cells: [{ cell: 'D2', value: { formula: 'Sales_2026[@Net]*2' } }],
  }
  const outside = {
    op: 'set_cells',
    sheet: 'Sums',
    cells: [{ cell: 'A2', value: { formula: 'SUM(Sales_2026[Net])' } }],
  }
  const { bytes, after } = done(plain, make, inside, outside, {
    op: 'remove_table',
    table: 'Sales_2026',
  })
  expect(shown(after, 'Sums', 'A2')).toContain('{=SUM(Sales!$B$2:$B$3)}')
  expect(shown(after, 'Sales', 'D2')).toContain('{=$B2*2}')
  expect(partText(bytes, 'xl/worksheets/sheet1.xml')).not.toContain('tablePart')
  expect(() => partText(bytes, PART)).toThrow()
})

test('a table, its later edits and formulas that name it are accepted together', () => {
  const { document } = openZoo(plain)
  const formula = {
    op: 'set_cells',
    sheet: 'Sums',
    cells: [
      { cell: 'A2', value: { formula: 'SUM(Sales_2026[Net])' } },
      { cell: 'A3', value: 1 },
    ],
  }
  const applied = document.apply(
    logged([make, formula, { op: 'edit_table', table: 'Sales_2026', style: 'none' }]),
  )
  const [added, sum, one, styled] = applied.ok ? applied.value.changes : []
  expect(sum!.dependsOn).toEqual([added!.id])
  expect(one!.dependsOn).toEqual([])
  expect(styled!.dependsOn).toEqual([added!.id])
})

test.each([
  [{ range: 'A1:C1' }, 'one row'],
  [{ name: 'B2' }, 'reads as a cell'],
  [{ name: 'my table' }, 'is no name'],
  [{ style: 'Pretty' }, 'there is no table style'],
  [{ totals: { Gross: 'sum' } }, 'the columns are Region, Net, 2026'],
  [{ totals: { Net: 5 } }, 'average'],
])('add_table with %j is refused: %s', (given, problem) => {
  const { document } = openZoo(plain)
  const result = document.apply(logged([{ ...make, ...given }]))
  expect(result.ok || result.failure.message).toContain(problem)
})

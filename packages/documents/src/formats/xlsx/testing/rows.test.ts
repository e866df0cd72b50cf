import type { Operation } from '@filewright/protocol'
import { unwrap } from '@filewright/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../../../../../test/verifies.ts'
import { structureFaults } from './structure.contract.ts'
import { edited, logged, openZoo, partText, saved, shown, type ZooBook } from './zoo.contract.ts'

const text = (at: string, value: string, style = 0) =>
  `<c r="${at}" t="inlineStr"${style > 0 ? ` s="${style}"` : ''}><is><t>${value}</t></is></c>`
const number = (at: string, value: number, style = 0) =>
  `<c r="${at}"${style > 0 ? ` s="${style}"` : ''}><v>${value}</v></c>`
const formula = (at: string, own: string, value: number) =>
  `<c r="${at}"><f>${own}</f><v>${value}</v></c>`
const row = (at: number, cells: string, attributes = '') =>
  `<row r="${at}"${attributes}>${cells}</row>`

/** A list with totals below, a validation, a conditional format, a name and another sheet that reads it. */
const LIST: ZooBook = {
  sheets: {
    Sales: {
      rows:
        row(1, text('A1', 'Region', 3) + text('B1', 'Amount', 3) + text('C1', 'Twice', 3)) +
        row(2, text('A2', 'South') + number('B2', 3, 1) + formula('C2', 'B2*2', 6)) +
        row(3, text('A3', 'North') + number('B3', 1, 1) + formula('C3', 'B3*2', 2)) +
        row(4, text('A4', 'West') + number('B4', 2, 1) + formula('C4', 'B4*2', 4)) +
        row(5, text('A5', 'Total') + formula('B5', 'SUM(B2:B4)', 6)),
      tail:
        '<autoFilter ref="A1:C4"/><conditionalFormatting sqref="B2:B4"><cfRule type="cellIs" priority="1" operator="lessThan"><formula>0</formula></cfRule></conditionalFormatting>' +
        '<dataValidations count="1"><dataValidation type="whole" sqref="B2:B4"><formula1>0</formula1></dataValidation></dataValidations>',
    },
    Report: row(1, formula('A1', 'SUM(Sales!B2:B4)', 6) + formula('B1', 'Sales!B4', 2)),
  },
  names: '<definedName name="Amounts">Sales!$B$2:$B$4</definedName>',
}

const run = (operation: Operation, book = LIST) => edited(book, [operation])

function refusal(operation: Operation, book = LIST): string {
  const { document, bytes } = openZoo(book)
  const result = document.apply(logged([operation]))
  if (result.ok) throw new Error('accepted')
  expect(Buffer.compare(saved(document, bytes).bytes, bytes)).toBe(0)
  return result.failure.message
}

describe('append_rows', () => {
  test('name the table that was extended, where another stands beside it', () => {
    const cells = (at: number) => ['A', 'B', 'D', 'E'].map(own => text(`${own}${at}`, `${own}${at}`)).join('') // biome-ignore format: a row
    const { document } = openZoo({ sheets: { Own: row(1, cells(1)) + row(2, cells(2)) } })
    const { results } = unwrap(
      document.apply(
        logged([
          { op: 'add_table', sheet: 'Own', range: 'A1:B2', name: 'First' },
          { op: 'add_table', sheet: 'Own', range: 'D1:E2', name: 'Second' },
          { op: 'append_rows', sheet: 'Own', table: 'First', values: [['x', 'y']] },
        ]),
      ),
    )
    expect(results.at(-1)).toMatchObject({ extended: ['the table First A1:B2 → A1:B3'] })
  })

  verifies(
    'CONTRACT §4 new rows look alike',
    'appended rows stand above the totals, look like the row above, and everything that ended there is extended',
    () => {
      const { after, bytes, results } = run({
        op: 'append_rows',
        sheet: 'Sales',
        values: [
          ['East', 4],
          ['Mid', 5],
        ],
      })
      expect(results[0]).toMatchObject({ range: 'A5:C6', rowCount: 2 })
      expect(shown(after, 'Sales', 'A5')).toBe('East')
      expect(shown(after, 'Sales', 'B6')).toBe('5.00')
      expect(shown(after, 'Sales', 'C6')).toContain('{=B6*2}')
      expect(shown(after, 'Sales', 'B7')).toContain('{=SUM(B2:B6)}')
      expect(shown(after, 'Report', 'A1')).toContain('{=SUM(Sales!B2:B6)}')
      expect(shown(after, 'Report', 'B1')).toContain('{=Sales!B4}')
      const sheet = partText(bytes, 'xl/worksheets/sheet1.xml')
      expect(sheet).toContain('<autoFilter ref="A1:C6"/>')
      expect(sheet).toContain('<conditionalFormatting sqref="B2:B6">')
      expect(sheet).toContain('sqref="B2:B6"><formula1>')
      expect(partText(bytes, 'xl/workbook.xml')).toContain('>Sales!$B$2:$B$6<')
      const { extended } = results[0] as unknown as { extended: string[] }
      for (const own of [
        'the filter A1:C4 → A1:C6',
        'the conditional format B2:B4 → B2:B6',
        'the validation B2:B4 → B2:B6',
        'the name Amounts B2:B4 → B2:B6',
        'Report!A1 B2:B4 → B2:B6',
      ])
        expect(extended).toContain(own)
      expect(structureFaults(bytes)).toEqual([])
    },
  )

  test('records go by their headers, and a header that is missing is refused', () => {
    const { after } = run({
      op: 'append_rows',
      sheet: 'Sales',
      records: [{ amount: 9, Region: 'East' }],
    })
    expect(shown(after, 'Sales', 'A5')).toBe('East')
    expect(shown(after, 'Sales', 'B5')).toBe('9.00')
    expect(refusal({ op: 'append_rows', sheet: 'Sales', records: [{ Umsatz: 1 }] })).toContain(
      'the headers in row 1 are "Region", "Amount", "Twice"',
    )
  })

  test('of several blocks one must be named', () => {
    const book: ZooBook = {
      sheets: {
        Sales:
          row(1, text('A1', 'a') + text('E1', 'x')) +
          row(2, number('A2', 1) + number('E2', 1)) +
          row(3, number('E3', 2)),
      },
    }
    expect(refusal({ op: 'append_rows', sheet: 'Sales', values: [[1]] }, book)).toContain(
      'one of A1:A2, E1:E3',
    )
    const { after } = run(
      { op: 'append_rows', sheet: 'Sales', range: 'A1:A2', values: [[7]] },
      book,
    )
    expect(shown(after, 'Sales', 'A3')).toBe('7')
    expect(shown(after, 'Sales', 'E3')).toBe('2')
  })

  test('a running total stays with its rows', () => {
    const book: ZooBook = {
      sheets: {
        Sales:
          row(1, text('A1', 'n') + text('B1', 'sum')) +
          row(2, number('A2', 1) + formula('B2', 'SUM(A$2:A2)', 1)) +
          row(3, number('A3', 2) + formula('B3', 'SUM(A$2:A3)', 3)),
      },
    }
    const { after } = run({ op: 'append_rows', sheet: 'Sales', values: [[3]] }, book)
    expect(shown(after, 'Sales', 'B3')).toContain('{=SUM(A$2:A3)}')
    expect(shown(after, 'Sales', 'B4')).toContain('{=SUM(A$2:A4)}')
  })
})

describe('convert_cells', () => {
  const column = (...values: string[]): ZooBook => ({
    sheets: {
      S: values.map((value, index) => row(index + 1, text(`A${index + 1}`, value))).join(''),
    },
  })
  const numbers = (book: ZooBook, locale?: string) => {
    const range = 'A1:A2'
    const { after } = run({ op: 'convert_cells', sheet: 'S', range, to: 'number', locale }, book)
    return ['A1', 'A2'].map(cell => shown(after, 'S', cell))
  }

  test.each([
    [
      ['1.000', '2.500'],
      ['"1.000"', '"2.500"'],
    ],
    [
      ['1.000', '12,5'],
      ['"1.000"', '"12,5"'],
    ],
    [
      ['1,000', '12,5'],
      ['"1,000"', '"12,5"'],
    ],
    [
      ['1.000', '12.5'],
      ['1', '12.5'],
    ],
    [
      ['1,000', '2,500.00'],
      ['1000', '2500'],
    ],
  ])(
    'a text that is a thousand or one stays, unless its column says which: %j',
    (texts, values) => {
      expect(numbers(column(...texts))).toEqual(values)
    },
  )

  test('a locale says it, and one that is unknown is not taken for English', () => {
    expect(numbers(column('1.000', '12,5'), 'de-DE')).toEqual(['1000', '12.5'])
    const convert = { op: 'convert_cells', sheet: 'S', range: 'A1', to: 'number', locale: 'german' }
    expect(refusal(convert, column('1.000'))).toContain('"german" is not one such as "de-DE"')
  })
})

describe('sort_range', () => {
  test('rows move whole, and formulas elsewhere stay with their places', () => {
    const { after, bytes } = run({
      op: 'sort_range',
      sheet: 'Sales',
      range: 'A1:C4',
      by: ['Amount'],
    })
    expect(['A2', 'A3', 'A4'].map(cell => shown(after, 'Sales', cell))).toEqual([
      'North',
      'West',
      'South',
    ])
    expect(shown(after, 'Sales', 'C2')).toContain('{=B2*2}')
    expect(shown(after, 'Report', 'B1')).toContain('{=Sales!B4}')
    expect(structureFaults(bytes)).toEqual([])
  })

  test('a formula that names another row of the range is refused with the reason', () => {
    const book: ZooBook = {
      sheets: {
        Sales: row(1, text('A1', 'n')) + row(2, number('A2', 2)) + row(3, formula('A3', 'A2+1', 3)),
      },
    }
    const message = refusal({ op: 'sort_range', sheet: 'Sales', range: 'A1:A3', by: ['n'] }, book)
    expect(message).toContain('A3 (=A2+1) names another row')
  })

  test('sorted by a column and back by a row number, everything is as it was', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 2, maxLength: 12 }),
        list => {
          const rows = list.map((value, index) =>
            row(
              index + 2,
              number(`A${index + 2}`, value, index % 3) +
                number(`B${index + 2}`, index) +
                formula(`C${index + 2}`, `A${index + 2}*$B$2`, 0),
              index % 2 === 0 ? ` ht="${10 + index}" customHeight="1"` : '',
            ),
          )
          const range = `A1:C${list.length + 1}`
          const { document, bytes } = openZoo({
            sheets: {
              Sales: row(1, text('A1', 'v') + text('B1', 'n') + text('C1', 'f')) + rows.join(''),
            },
          })
          const before = partText(bytes, 'xl/worksheets/sheet1.xml')
          unwrap(
            document.apply(
              logged([
                {
                  op: 'sort_range',
                  sheet: 'Sales',
                  range,
                  by: [{ column: 'v', descending: true }],
                },
                { op: 'sort_range', sheet: 'Sales', range, by: ['n'] },
              ]),
            ),
          )
          const after = partText(saved(document, bytes).bytes, 'xl/worksheets/sheet1.xml')
          const plain = (xml: string) =>
            xml.replace(/<v>0<\/v>(?=<\/c>)/g, '').replace(/\s?\/>/g, '/>')
          const values = (xml: string) => plain(xml).replace(/(<\/f>)<v>[^<]*<\/v>/g, '$1')
          expect(values(after)).toBe(values(before))
        },
      ),
      { numRuns: 15 },
    )
  })
})

describe('cells that move', () => {
  test('insert_cells moves one of two tables that stand side by side', () => {
    const book: ZooBook = {
      sheets: {
        S:
          row(1, number('A1', 1) + number('D1', 10)) +
          row(2, number('A2', 2) + number('D2', 20)) +
          row(3, formula('A3', 'SUM(A1:A2)', 3) + formula('D3', 'SUM(D1:D2)+A2', 32)),
      },
    }
    const { after, bytes } = run(
      { op: 'insert_cells', sheet: 'S', range: 'A2:A2', shift: 'down' },
      book,
    )
    expect(shown(after, 'S', 'A3')).toBe('2')
    expect(shown(after, 'S', 'A4')).toContain('{=SUM(A1:A3)}')
    expect(shown(after, 'S', 'D3')).toContain('{=SUM(D1:D2)+A3}')
    expect(structureFaults(bytes)).toEqual([])
    const back = edited(book, [
      { op: 'insert_cells', sheet: 'S', range: 'A2:A2', shift: 'down' },
      { op: 'delete_cells', sheet: 'S', range: 'A2:A2', shift: 'up' },
    ])
    expect(shown(back.after, 'S', 'A3')).toContain('{=SUM(A1:A2)}')
    expect(shown(back.after, 'S', 'D3')).toContain('{=SUM(D1:D2)+A2}')
  })

  test('references follow a moved range', () => {
    const { after } = run({ op: 'move_range', sheet: 'Sales', range: 'A1:C5', to: 'E3' })
    expect(shown(after, 'Sales', 'F7')).toContain('{=SUM(F4:F6)}')
    expect(shown(after, 'Sales', 'G4')).toContain('{=F4*2}')
    expect(shown(after, 'Report', 'A1')).toContain('{=SUM(Sales!F4:F6)}')
    expect(refusal({ op: 'move_range', sheet: 'Sales', range: 'A2:A3', to: 'B2' })).toContain(
      'B2 has content',
    )
  })

  test('duplicates go, the first of them stays', () => {
    const book: ZooBook = {
      sheets: {
        S:
          row(1, text('A1', 'k') + text('B1', 'v')) +
          ['a', 'b', 'A', 'c', 'b']
            .map((own, index) =>
              row(index + 2, text(`A${index + 2}`, own) + number(`B${index + 2}`, index)),
            )
            .join('') +
          row(7, formula('B7', 'SUM(B2:B6)', 10)),
      },
    }
    const { after, results } = run(
      { op: 'remove_duplicates', sheet: 'S', range: 'A1:B6', columns: ['k'] },
      book,
    )
    expect(results[0]).toMatchObject({ rows: [4, 6], rowCount: 2 })
    expect(['A2', 'A3', 'A4'].map(cell => shown(after, 'S', cell))).toEqual(['a', 'b', 'c'])
    expect(shown(after, 'S', 'B5')).toContain('{=SUM(B2:B4)}')
  })
})

describe('values', () => {
  test('copy_range shifts relative references, across sheets too; values leave formulas behind', () => {
    const { after } = edited(LIST, [
      { op: 'copy_range', sheet: 'Sales', range: 'C2:C4', to: 'D2' },
      { op: 'copy_range', sheet: 'Sales', range: 'B5', to: 'Report!C1', what: 'values' },
    ])
    expect(shown(after, 'Sales', 'D3')).toContain('{=C3*2}')
    expect(shown(after, 'Report', 'C1')).toBe('6')
  })

  test('fill copies down, counts up and fills a formula', () => {
    const { after } = edited(LIST, [
      { op: 'fill', sheet: 'Sales', range: 'D2:D4', formula: 'B2+1' },
      { op: 'fill', sheet: 'Sales', range: 'E2:E4', series: { start: 10, by: 5 } },
      {
        op: 'fill',
        sheet: 'Sales',
        range: 'F2:F4',
        series: { start: '2026-01-31', unit: 'month' },
      },
      { op: 'fill', sheet: 'Sales', range: 'C4:C6' },
    ])
    expect(shown(after, 'Sales', 'D4')).toContain('{=B4+1}')
    expect(shown(after, 'Sales', 'E4')).toBe('20')
    expect(shown(after, 'Sales', 'F3')).toContain('2026-02-28')
    expect(shown(after, 'Sales', 'C6')).toContain('{=B6*2}')
  })

  test('text becomes numbers and dates only where that is certain', () => {
    const book: ZooBook = {
      sheets: {
        S:
          row(1, text('A1', '1.234,5') + text('B1', '31/12/2025') + text('C1', ' a  b ')) +
          row(2, text('A2', 'n/a') + text('B2', '03/04/2025') + text('C2', 'x; y')),
      },
    }
    const { after, warnings } = edited(book, [
      { op: 'convert_cells', sheet: 'S', range: 'A1:A2', to: 'number', locale: 'de-DE' },
      { op: 'convert_cells', sheet: 'S', range: 'B1:B2', to: 'date' },
      { op: 'convert_cells', sheet: 'S', range: 'C1', to: 'trim' },
      { op: 'convert_cells', sheet: 'S', range: 'C2', to: 'split', separator: ';' },
    ])
    expect(shown(after, 'S', 'A1')).toBe('1234.5')
    expect(shown(after, 'S', 'B1')).toContain('2025-12-31')
    expect(shown(after, 'S', 'B2')).toContain('03/04/2025')
    expect(shown(after, 'S', 'C1')).toBe('a b')
    expect(shown(after, 'S', 'D2')).toBe('y')
    expect(warnings.join(' ')).toContain('A2')
    expect(warnings.join(' ')).toContain('B2')
  })

  test('replace_values replaces whole cells and names what it did not find', () => {
    const { after, warnings } = run({
      op: 'replace_values',
      sheet: 'Sales',
      map: { South: 'Süden', Nowhere: 'x' },
    })
    expect(shown(after, 'Sales', 'A2')).toBe('Süden')
    expect(warnings.join(' ')).toContain('Nowhere')
  })
})

test.each([
  { op: 'copy_range', range: 'A1:XFD1048575', to: 'A2' },
  { op: 'fill', range: 'A1:XFD1048576', series: { start: 1 } },
  { op: 'fill', range: 'A1:XFD1048576', formula: 'B1' },
])('$op over a whole sheet is refused before it costs anything', operation => {
  const { document } = openZoo({ sheets: { S: '<row r="1"><c r="A1"><v>1</v></c></row>' } })
  const applied = document.apply(logged([{ ...operation, sheet: 'S' }]))
  expect(applied.ok ? '' : applied.failure.message).toContain('at most 1000000 are written at once')
})

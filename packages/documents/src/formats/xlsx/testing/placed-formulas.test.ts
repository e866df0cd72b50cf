import type { Operation } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { edited, logged, openZoo, partText, shown, type ZooBook } from './zoo.contract.ts'

const SHEET = 'xl/worksheets/sheet1.xml'
const WORDS = ['Ann', 'Bob', 'Cid', 'Ann', 'Ann', 'Bob', 'Cid', 'Ann']
const BOOK: ZooBook = {
  strings: ['Name', 'Amount', ...WORDS],
  sheets: {
    S: `<row r="1"><c r="B1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>${WORDS.map(
      (_, i) =>
        `<row r="${i + 2}"><c r="B${i + 2}" t="s"><v>${i + 2}</v></c><c r="C${i + 2}"><v>${1 + i * 1.5}</v></c></row>`,
    ).join('')}`,
  },
}

/** Each with whether it computes over ranges, so that a plain formula would give another value. */
const FORMULAS: readonly (readonly [string, boolean])[] = [
  ['TEXTJOIN(", ",TRUE,IF($B$2:$B$9="Ann",$B$2:$B$9,""))', true],
  ['CONCAT(IF($B$2:$B$9="Ann",$B$2:$B$9,""))', true],
  ['SUM(IF($B$2:$B$9="Ann",$C$2:$C$9))', true],
  ['MAX(IF($B$2:$B$9="Ann",$C$2:$C$9))', true],
  ['SUM(($B$2:$B$9="Ann")*$C$2:$C$9)', true],
  ['SUM(LEN($B$2:$B$9))', true],
  ['COUNT(1/($B$2:$B$9="Ann"))', true],
  ['INDEX($C$2:$C$9,MATCH(1,($B$2:$B$9="Cid")*($C$2:$C$9>1),0))', true],
  ['COUNTA(UNIQUE($B$2:$B$9))', true],
  ['TEXTJOIN(",",TRUE,UNIQUE($B$2:$B$9))', true],
  ['SUM(FILTER($C$2:$C$9,$B$2:$B$9="Ann"))', true],
  ['UNIQUE($B$2:$B$9)', true],
  ['SUMPRODUCT(($B$2:$B$9="Ann")*$C$2:$C$9)', false],
  ['SUM($C$2:$C$9)', false],
  ['C2*2', false],
]

/** How the formula of a cell is stored, as the file has it. */
function storedAt(bytes: Uint8Array, cell: string): string {
  const own = new RegExp(`<c r="${cell}"([^>]*)><f([^>]*)>`).exec(partText(bytes, SHEET))
  return own
    ? `${/ cm="\d+"/.test(own[1]!) ? 'cm ' : ''}${own[2]!.trim().replace(cell, 'here')}`
    : 'none'
}

describe('every operation that writes a formula stores it alike', () => {
  test.each(FORMULAS)('%s', (formula, isArray) => {
    const ways: readonly (readonly [string, string, readonly Operation[]])[] = [
      [
        'set_cells',
        'F2',
        [{ op: 'set_cells', sheet: 'S', cells: [{ cell: 'F2', value: { formula } }] }],
      ],
      [
        'set_range',
        'F3',
        [{ op: 'set_range', sheet: 'S', start: 'F2', values: [[1], [{ formula }]] }],
      ],
      ['fill', 'F4', [{ op: 'fill', sheet: 'S', range: 'F2:F4', formula }]],
      [
        'append_rows',
        'C10',
        [{ op: 'append_rows', sheet: 'S', range: 'B1:C9', values: [['Dan', { formula }]] }],
      ],
      [
        'copy_range',
        'H5',
        [
          { op: 'set_cells', sheet: 'S', cells: [{ cell: 'F2', value: { formula } }] },
          { op: 'copy_range', sheet: 'S', range: 'F2', to: 'H5' },
        ],
      ],
      [
        'fill from a cell',
        'F4',
        [
          { op: 'set_cells', sheet: 'S', cells: [{ cell: 'F2', value: { formula } }] },
          { op: 'fill', sheet: 'S', range: 'F2:F4' },
        ],
      ],
    ]
    const wanted = isArray ? 'cm t="array" ref="here"' : ''
    for (const [way, cell, operations] of ways)
      expect(storedAt(edited(BOOK, operations).bytes, cell), way).toBe(wanted)
  })
})

test('a filled formula that fills cells says so, as one that is set does', () => {
  const warnings = (operation: Operation) => edited(BOOK, [operation]).warnings
  const formula = 'UNIQUE($B$2:$B$9)'
  const filled = warnings({ op: 'fill', sheet: 'S', range: 'F2:F2', formula })
  expect(filled.join()).toContain('Excel fills the cells below and next to F2')
  expect(filled).toEqual(
    warnings({ op: 'set_cells', sheet: 'S', cells: [{ cell: 'F2', value: { formula } }] }),
  )
})

test('a total that computes over ranges is stored as one, in its cell and in the table', () => {
  const { bytes } = edited(BOOK, [
    {
      op: 'add_table',
      sheet: 'S',
      range: 'B1:C9',
      name: 'T',
      totals: { Amount: '=SUM(LEN(T[Name]))' },
    },
  ])
  expect(storedAt(bytes, 'C10')).toBe('cm t="array" ref="here"')
  expect(partText(bytes, 'xl/tables/table1.xml')).toContain('<totalsRowFormula array="1">')
})

describe('an array formula of one cell', () => {
  const arrays: ZooBook = {
    strings: ['Item', 'a', 'b', 'Pos'],
    sheets: {
      S: `<row r="1">${[0, 1, 2, 3].map(i => `<c r="${'ABCD'[i]}1" t="s"><v>${i}</v></c>`).join('')}</row>${[
        2, 3, 4,
      ]
        .map(
          row =>
            `<row r="${row}"><c r="A${row}"><v>${9 - row}</v></c><c r="B${row}"><v>${row}</v></c><c r="C${row}"><v>-1</v></c><c r="D${row}"><f t="array" ref="D${row}">SUM(IF(B${row}:C${row}&gt;0,B${row}:C${row}))</f><v>${row}</v></c></row>`,
        )
        .join('')}`,
    },
  }
  const formulaOf = (row: number) => `{=SUM(IF(B${row}:C${row}>0,B${row}:C${row}))}`

  test('goes on in appended rows', () => {
    const { after, warnings } = edited(arrays, [
      { op: 'append_rows', sheet: 'S', values: [[1, 7, -2]] },
    ])
    expect(shown(after, 'S', 'D5')).toContain(formulaOf(5))
    expect(warnings.filter(own => own.includes('Left empty'))).toEqual([])
  })

  test('is copied and filled', () => {
    const { after } = edited(arrays, [
      { op: 'copy_range', sheet: 'S', range: 'D2:D3', to: 'D6' },
      { op: 'fill', sheet: 'S', range: 'D4:D5' },
    ])
    for (const row of [5, 6, 7]) expect(shown(after, 'S', `D${row}`)).toContain(formulaOf(row))
  })

  test('is sorted with its row', () => {
    const { after, bytes } = edited(arrays, [
      { op: 'sort_range', sheet: 'S', range: 'A1:D4', header: true, by: ['Item'] },
    ])
    expect([2, 3, 4].map(row => shown(after, 'S', `B${row}`))).toEqual(['4', '3', '2'])
    for (const row of [2, 3, 4]) expect(shown(after, 'S', `D${row}`)).toContain(formulaOf(row))
    for (const row of [2, 3, 4]) expect(storedAt(bytes, `D${row}`)).toBe('t="array" ref="here"')
  })

  test('of several cells is still kept together, and the answer says why', () => {
    const several: ZooBook = {
      sheets: {
        S: '<row r="1"><c r="A1"><v>3</v></c><c r="B1"><f t="array" ref="B1:B2">A1:A2*2</f><v>6</v></c></row><row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row>',
      },
    }
    const refused = openZoo(several).document.apply(
      logged([{ op: 'sort_range', sheet: 'S', range: 'A1:B2', header: false, by: ['A'] }]),
    )
    expect(!refused.ok && refused.failure.message).toContain('one formula fills B1:B2')
  })
})

describe('cells that are not in the file look like their column or row', () => {
  const looks: ZooBook = {
    sheets: {
      S: {
        head: '<cols><col min="4" max="6" width="9" style="1"/></cols>',
        rows: '<row r="1"><c r="A1"><v>5</v></c></row><row r="9" s="3" customFormat="1"/>',
      },
    },
  }
  const styleOf = (bytes: Uint8Array, cell: string) =>
    Number(new RegExp(`<c r="${cell}"(?: s="(\\d+)")?`).exec(partText(bytes, SHEET))?.[1] ?? 0)

  test.each<readonly [string, Operation]>([
    ['fill with a formula', { op: 'fill', sheet: 'S', range: 'D2:D9', formula: '$A$1+1' }],
    ['fill with a series', { op: 'fill', sheet: 'S', range: 'D2:D9', series: { start: 1, by: 1 } }],
    [
      'copy_range values',
      { op: 'copy_range', sheet: 'S', range: 'A1:A8', to: 'D2', what: 'values' },
    ],
    [
      'copy_range formulas',
      { op: 'copy_range', sheet: 'S', range: 'A1:A8', to: 'D2', what: 'formulas' },
    ],
    ['set_range', { op: 'set_range', sheet: 'S', start: 'D2', values: [[1]] }],
  ])('%s', (_, operation) => {
    const { bytes } = edited(looks, [operation])
    expect(styleOf(bytes, 'D2')).toBe(1)
    if (operation.op === 'fill') expect(styleOf(bytes, 'D9')).toBe(3)
  })

  test('a copy of a cell that is not in the file has the look that it shows', () => {
    const { bytes } = edited(looks, [{ op: 'copy_range', sheet: 'S', range: 'D2', to: 'A1' }])
    expect(styleOf(bytes, 'A1')).toBe(1)
  })
})

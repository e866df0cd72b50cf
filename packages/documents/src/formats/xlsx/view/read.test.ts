import { type Region, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../../../../../test/verifies.ts'
import { diffWorkbooks } from '../diff.ts'
import { xlsxFormat } from '../format.ts'
import {
  edited,
  logged,
  NAME,
  openZoo,
  shown,
  type ZooBook,
  zooBook,
} from '../testing/zoo.contract.ts'

const sales: ZooBook = {
  strings: [
    'Region',
    'Units',
    'Day',
    'North',
    'a|b',
    '<r><t>rich</t></r><r><t xml:space="preserve"> text</t></r><rPh sb="0" eb="1"><t>x</t></rPh>',
  ],
  names: '<definedName name="Rates">Sales!$B$2:$B$3</definedName>',
  sheets: {
    Sales: {
      head: '<cols><col min="3" max="3" width="9" hidden="1"/></cols>',
      rows: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row><row r="2" hidden="1"><c r="A2" t="s"><v>3</v></c><c r="B2" s="1"><v>1234.567</v></c><c r="C2" s="2"><v>46053</v></c></row><row r="3"><c r="A3" t="s"><v>4</v></c><c r="B3"><f>SUM(B1:B2)*100</f><v>123456.7</v></c><c r="C3" t="b"><v>1</v></c></row><row r="4"><c r="A4" t="s"><v>5</v></c><c r="B4"><f>SUM(B2:B3)*100</f><v>7</v></c><c r="C4" t="e"><v>#DIV/0!</v></c></row>',
      tail: '<mergeCells count="1"><mergeCell ref="A3:A4"/></mergeCells>',
      links: [['rId1', 'comments', '../comments1.xml']],
    },
    Hidden: { rows: '', state: 'hidden' },
  },
  parts: {
    'xl/comments1.xml':
      '<comments><authors><author>Ana</author></authors><commentList><comment ref="B2" authorId="0"><text><r><t>please check</t></r></text></comment></commentList></comments>',
  },
}
const read = (region: Region, maxBytes = 10_000, book = sales) =>
  openZoo(book).document.read(region, { maxBytes })

describe('reading', () => {
  verifies(
    ['ADR-0010 §Reading Files read_file sheet', 'ADR-0010 §Reading Files read_file range'],
    'shows values as a person sees them, raw values and formulas, with heads',
    () => {
      expect(unwrap(read({ sheet: 'Sales', range: 'A1:C4' })).text).toBe(
        [
          'sheet "Sales", cells A1:C4 of A1:C4',
          '|A|B|C',
          '1|Region|Units|Day',
          '2|North|1,234.57 {1234.567}|1/31/2026 {2026-01-31}',
          '3|"a|b"|123456.7 {=SUM(B1:B2)*100}|TRUE',
          '4|rich text|7 {↑}|#DIV/0!',
          'merged: A3:A4',
          'hidden rows: 2',
          'hidden columns: C',
          'comments:',
          'B2 (Ana): please check',
          '{↑} = the formula of the cell above, moved down one row',
        ].join('\n'),
      )
    },
  )

  test('a span of time and a number outside the calendar are numbers', () => {
    const rows =
      '<row r="1"><c r="A1" t="d"><v>PT36H0M0.000S</v></c><c r="B1" t="d"><v>-P1DT12H</v></c><c r="C1" t="d"><v>2026-01-31</v></c><c r="D1" s="2"><v>1E+20</v></c></row>'
    const reading = unwrap(read({}, 10_000, { sheets: { S: rows } }))
    expect(reading.fields.cells).toEqual([
      { cell: 'A1', value: 1.5 },
      { cell: 'B1', value: -1.5 },
      { cell: 'C1', value: 46053, text: '2026-01-31', date: '2026-01-31' },
      { cell: 'D1', value: 1e20, text: '1E+20' },
    ])
  })

  test('the fields carry every value and formula in full', () => {
    const { cells } = unwrap(read({ range: 'Sales!B2:C4' })).fields as {
      cells: Record<string, unknown>[]
    }
    expect(cells).toContainEqual({ cell: 'B2', value: 1234.567, text: '1,234.57' })
    expect(cells).toContainEqual({
      cell: 'C2',
      value: 46053,
      text: '1/31/2026',
      date: '2026-01-31',
    })
    expect(cells).toContainEqual({ cell: 'B4', value: 7, formula: '=SUM(B2:B3)*100' })
  })

  test('a name means its range; a sheet alone, its used range; nothing, the first visible sheet', () => {
    expect(unwrap(read({ range: 'rates' })).shown).toBe('B2:B3')
    expect(unwrap(read({ sheet: 'sales' })).shown).toBe('A1:C4')
    expect(unwrap(read({})).shown).toBe('A1:C4')
    expect(unwrap(read({ sheet: 'Hidden' })).text).toContain('empty')
  })

  test('an unknown sheet lists the sheets, a range beyond the end names the last, another selector is invalid', () => {
    const failure = (region: Region) => {
      const result = read(region)
      if (result.ok) throw new Error('read')
      return result.failure
    }
    expect(failure({ sheet: 'Sale' }).message).toContain('Sales, Hidden')
    expect(failure({ sheet: 'Sales', range: 'A90:B99' })).toMatchObject({
      code: 'NO_SUCH_REGION',
      message: expect.stringContaining('row with data is 4'),
    })
    expect(failure({ range: 'nope' }).message).toContain('Rates')
    expect(failure({ slide_index: 1 }).code).toBe('INVALID_ARGUMENT')
  })

  test('a long sheet comes in pages that join without gap or overlap', () => {
    const rows = Array.from(
      { length: 300 },
      (_, i) =>
        `<row r="${i + 1}"><c r="A${i + 1}"><v>${i}</v></c><c r="B${i + 1}" t="inlineStr"><is><t>row number ${i}</t></is></c></row>`,
    ).join('')
    const { document } = openZoo({ sheets: { S: rows } })
    const seen: string[] = []
    let region: { sheet?: string; range?: string } | undefined = { sheet: 'S' }
    while (region) {
      const page: ReturnType<typeof unwrap<import('@filewright/protocol').Reading>> = unwrap(
        document.read(region, { maxBytes: 1_500 }),
      )
      expect(Buffer.byteLength(page.text)).toBeLessThan(1_500)
      seen.push(...page.text.split('\n').filter(line => /^\d+\|/.test(line)))
      region = page.next
    }
    expect(seen).toHaveLength(300)
    expect(seen.at(-1)).toBe('300|299|row number 299')
  })

  test('a large sheet is at most its claimed range until the map has scanned it', () => {
    const rows = Array.from({ length: 40_000 }, (_, index) => {
      const row = index + 1
      return `<row r="${row}"><c r="A${row}"><v>${(row * 7919) % 99_991}</v></c><c r="B${row}"><v>${row}</v></c></row>`
    })
    const { document } = openZoo({
      sheets: { S: { rows: rows.join(''), head: '<dimension ref="A1:B40001"/>' } },
    })
    const top = () => unwrap(document.read({ sheet: 'S', range: 'A1:B1' }, { maxBytes: 1_000 }))
    expect(top()).toMatchObject({
      total: 'at most A1:B40001',
      fields: { usedRange: 'A1:B40001', isUsedRangeExact: false },
    })
    unwrap(document.map())
    expect(top()).toMatchObject({ total: 'A1:B40000', fields: { isUsedRangeExact: true } })
  })

  test('styles are shown on request', () => {
    const { document } = openZoo({
      sheets: { S: '<row r="1"><c r="A1" s="3"><v>1</v></c><c r="B1" s="3"><v>2</v></c></row>' },
    })
    const { text, fields } = unwrap(
      document.read({ range: 'A1:B1' }, { maxBytes: 1000, styles: true }),
    )
    expect(text).toContain('A1:B1: bold')
    expect(fields.styles).toEqual([{ ranges: ['A1:B1'], style: expect.stringContaining('bold') }])
    expect(unwrap(document.read({}, { maxBytes: 1000 })).fields).not.toHaveProperty('styles')
  })

  test('a read that names no sheet says which others there are', () => {
    const row = '<row r="1"><c r="A1"><v>1</v></c></row>'
    const { document } = openZoo({ sheets: { S: row, 'Two words': row, Empty: '' } })
    const { text, fields } = unwrap(document.read({}, { maxBytes: 1000 }))
    expect(text).toContain('other sheets: "Two words", "Empty"')
    expect(fields.otherSheets).toEqual(['Two words', 'Empty'])
    const named = unwrap(document.read({ sheet: 'S' }, { maxBytes: 1000 }))
    expect(named.text).not.toContain('other sheets')
    expect(named.fields).not.toHaveProperty('otherSheets')
  })

  test('a search finds shown values, formulas and comments, with regions that a read takes', () => {
    const { document } = openZoo(sales)
    const places = (text: string) =>
      unwrap(document.search({ text, maxHits: 10 })).hits.map(hit => hit.place)
    expect(places('1,234')).toEqual(['Sales!B2'])
    expect(places('sum(b2')).toEqual(['Sales!B4'])
    expect(places('PLEASE')).toEqual(['Sales!B2'])
    expect(unwrap(document.search({ regex: /^N.*h$/, maxHits: 1 })).hits[0]?.region).toEqual({
      sheet: 'Sales',
      range: 'A2',
    })
  })
})

describe('the map', () => {
  verifies(
    ['ADR-0010 §File Information get_file_info xlsx', 'CONTRACT §4 get_file_info workbook'],
    'has sheets, used ranges, islands with headers and types, formulas, merges, comments',
    () => {
      expect(unwrap(openZoo(sales).document.map()).text).toBe(
        [
          'workbook with 2 sheets',
          'names: Rates = Sales!$B$2:$B$3',
          '1. "Sales": A1:C4, 12 cells, 2 formulas',
          '   data A1:C4, header in row 1: A "Region" text · B "Units" number · C "Day" mostly date',
          '   merged: 1 range: A3:A4',
          '   comments at B2',
          '   hidden rows: 2',
          '   hidden columns: C',
          '   check: error: C4 #DIV/0!',
          '   check: counted twice: B4 =SUM(B2:B3)*100 includes B3, the sum of B1:B2',
          '2. "Hidden" (hidden): empty',
        ].join('\n'),
      )
    },
  )

  test('blocks that empty rows or columns part are islands of their own; formats alone use nothing', () => {
    const rows =
      '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>1</v></c><c r="D1"><v>1</v></c></row><row r="2"><c r="B2"><v>1</v></c><c r="Z2" s="1"/></row><row r="4"><c r="A4"><v>1</v></c></row>'
    const { sheets } = unwrap(openZoo({ sheets: { S: rows } }).document.map()).fields as {
      sheets: { usedRange: string; islands: { range: string }[] }[]
    }
    expect(sheets[0]?.usedRange).toBe('A1:D4')
    expect(sheets[0]?.islands.map(island => island.range)).toEqual(['A1:B2', 'D1', 'A4'])
  })

  test('an edited workbook maps as its bytes do', () => {
    const { open, after } = edited(sales, [
      {
        op: 'set_range',
        sheet: 'Sales',
        start: 'F8',
        values: [
          ['Head', 'Other'],
          [1, { date: '2026-01-31' }],
        ],
      },
      { op: 'rename_sheet', sheet: 'Sales', new_name: 'Umsatz' },
      { op: 'hide', sheet: 'Umsatz', rows: '9:10' },
    ])
    expect(unwrap(open.map()).text).toBe(unwrap(after.map()).text)
  })

  test('a new workbook is empty', () => {
    const document = unwrap(xlsxFormat.open(unwrap(xlsxFormat.create(NAME)), NAME))
    expect(unwrap(document.map()).text).toBe('workbook with 1 sheet\n1. "Sheet1": empty')
    expect(
      unwrap(
        document.apply(
          logged([{ op: 'set_cells', sheet: 'Sheet1', cells: [{ cell: 'A1', value: 1 }] }]),
        ),
      ).changes,
    ).toHaveLength(1)
    expect(shown(document, 'Sheet1', 'A1')).toBe('1')
  })
})

describe('the difference of two workbooks', () => {
  verifies(
    'CONTRACT §6 review cells',
    'is cells with value, formula and format, and sheets; results of formulas are none',
    () => {
      const before = zooBook({
        sheets: {
          A: '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c><c r="C1"><f>A1</f><v>1</v></c><c r="D1"><v>4</v></c></row>',
          B: '',
        },
      })
      const after = zooBook({
        sheets: {
          A: '<row r="1"><c r="A1"><v>9</v></c><c r="B1" s="3"><v>2</v></c><c r="C1"><f>A1</f><v>9</v></c><c r="D1"><f>4</f><v>4</v></c><c r="E1"><v>5</v></c></row>',
          C: '',
        },
      })
      const { changes } = unwrap(diffWorkbooks(before, after, NAME))
      expect(
        changes.map(({ kind, place, before: old, after: now }) => [kind, place, old, now]),
      ).toEqual([
        ['cell', 'A!A1', { text: '1', value: 1 }, { text: '9', value: 9 }],
        [
          'format',
          'A!B1',
          { text: '2', value: 2, format: '' },
          { text: '2', value: 2, format: 'bold' },
        ],
        ['cell', 'A!D1', { text: '4', value: 4 }, { text: '4', value: 4, formula: '=4' }],
        ['cell', 'A!E1', null, { text: '5', value: 5 }],
        ['sheet', 'sheet B', { text: 'B' }, { text: 'C' }],
      ])
    },
  )
})

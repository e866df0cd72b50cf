import type { Operation } from '@filewright/protocol'
import { unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { IS_FULL } from '../../../corpus.contract.ts'
import { validate } from '../../../validator.contract.ts'
import { structureFaults } from './structure.contract.ts'
import { edited, logged, openZoo, partText, shown, type ZooBook, zooBook } from './zoo.contract.ts'

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

function set(cells: Record<string, unknown>, sheet = 'S'): Operation {
  const list = Object.entries(cells).map(([cell, value]) => ({ cell, value }))
  return { op: 'set_cells', sheet, cells: list }
}

/** What the open workbook and its saved bytes both show, row by row. */
function rows(book: ZooBook, operations: readonly Operation[], sheet = 'S'): string[] {
  const { open, after, bytes, before } = edited(book, operations)
  const known = structureFaults(before)
  expect(structureFaults(bytes).filter(fault => !known.includes(fault))).toEqual([])
  const [now, saved] = [open, after].map(document => {
    const text = unwrap(document.read({ sheet }, { maxBytes: 10_000 })).text
    return text.split('\n').filter(line => /^\d+\|/.test(line))
  })
  expect(saved).toEqual(now)
  expect(unwrap(after.map()).text).toBe(unwrap(open.map()).text)
  return saved!
}

describe('rows and cells out of order', () => {
  const tangled: ZooBook = {
    sheets: {
      S: {
        head: '<dimension ref="A1"/>',
        rows: '<row r="3"><c r="A3"><v>3</v></c></row><row r="1"><c r="C1"><v>13</v></c><c r="A1"><v>11</v></c></row><row r="3"><c r="B3"><v>33</v></c></row><row r="2"/>',
      },
    },
  }

  test.each<[string, Operation[], string[]]>([
    ['a cell of the first of two rows', [set({ A3: 'x' })], ['1|11||13', '3|x|33']],
    ['a cell of the second', [set({ B3: 'y' })], ['1|11||13', '3|3|y']],
    ['new cells', [set({ B1: 5, A2: 6, D3: 7 })], ['1|11|5|13', '2|6', '3|3|33||7']],
    ['cells that go', [set({ A1: null, C1: null })], ['3|3|33']],
  ])('%s', (_, operations, expected) => {
    expect(rows(tangled, operations)).toEqual(expected)
  })

  test('a row whose cell has the address of another row is kept, and others are edited', () => {
    const book = {
      sheets: { S: '<row r="1"><c r="A1"/></row><row r="2"><c r="A5"><v>5</v></c></row>' },
    }
    const refused = openZoo(book).document.apply(logged([set({ B2: 1 })]))
    expect(!refused.ok && refused.failure.message).toMatch(
      /^Nothing was written: .*row 2 of the sheet "S" has a cell whose address is in another row/,
    )
    expect(rows(book, [set({ B1: 1 })])).toEqual(['1||1', '2|5'])
  })

  test('of two cells with one address the last counts, and an edit reaches both', () => {
    const book = { sheets: { S: '<row r="1"><c r="A1"><v>1</v></c><c r="A1"><v>2</v></c></row>' } }
    expect(shown(openZoo(book).document, 'S', 'A1')).toBe('2')
    expect(unwrap(openZoo(book).document.read({}, { maxBytes: 10_000 })).fields).toMatchObject({
      cells: [{ cell: 'A1', value: 2 }],
      range: 'A1',
      next: null,
    })
    expect(rows(book, [set({ A1: 9 })])).toEqual(['1|9'])
  })
})

describe('cached results', () => {
  const sheet = (formula: string, name = 'Tax') => ({
    names: `<definedName name="${name}">S!$A$1</definedName>`,
    sheets: {
      S: `<row r="1"><c r="A1"><v>2</v></c><c r="B1"><f>${formula}</f><v>4</v></c></row>`,
      T: '',
    },
  })

  test.each(['[0]!Tax*2', "'[0]S'!A1*2", 'GETPIVOTDATA("x",$A$1)'])('follow %s', formula => {
    expect(rows(sheet(formula), [set({ A1: 3 })])).toEqual([`1|3|? {=${formula}}`])
  })

  test.each(['GETPIVOTDATA("x",$D$1)', 'INFO("release")', 'CELL("address",D1)'])(
    'an edit elsewhere cannot have changed %s',
    formula => {
      expect(rows(sheet(formula), [set({ A1: 3 })])).toEqual([`1|3|4 {=${formula}}`])
    },
  )

  test.each(['CELL("width",D1)', 'CELL("address")'])(
    '%s may be another after any edit',
    formula => {
      expect(rows(sheet(formula), [set({ A1: 3 })])).toEqual([`1|3|? {=${formula}}`])
    },
  )

  test('follow a name of another sheet alone', () => {
    const book = {
      names:
        '<definedName name="Rate" localSheetId="0">S!$A$1</definedName><definedName name="Rate">S!$A$2</definedName>',
      sheets: {
        S: '<row r="1"><c r="A1"><v>2</v></c></row>',
        T: '<row r="1"><c r="A1"><f>S!Rate</f><v>2</v></c></row>',
      },
    }
    expect(rows(book, [set({ A1: 3 })], 'T')).toEqual(['1|? {=S!Rate}'])
  })

  test.each<[string, string, Operation]>([
    ['SUBTOTAL(109,A1:A3)', '? {=SUBTOTAL(109,A1:A3)}', { op: 'hide', sheet: 'S', rows: '2' }],
    ['AGGREGATE(9,5,A1:A3)', '? {=AGGREGATE(9,5,A1:A3)}', { op: 'show', sheet: 'S', rows: '2' }],
    ['SUM(A1:A3)', '4 {=SUM(A1:A3)}', { op: 'hide', sheet: 'S', rows: '2' }],
    ['SUBTOTAL(109,A1:A3)', '4 {=SUBTOTAL(109,A1:A3)}', { op: 'hide', sheet: 'S', columns: 'A' }],
    ['SUBTOTAL(109,A1:A3)', '4 {=SUBTOTAL(109,A1:A3)}', { op: 'hide', sheet: 'S', rows: '4:9' }],
    ['SUBTOTAL(109,A1)', '? {=SUBTOTAL(109,A1)}', { op: 'hide', sheet: 'S', rows: '1' }],
    ['SUBTOTAL(109,A1)', '4 {=SUBTOTAL(109,A1)}', { op: 'hide', sheet: 'S', rows: '2' }],
  ])('of %s are %s after rows or columns are hidden or shown', (formula, expected, operation) => {
    expect(rows(sheet(formula), [operation])).toEqual([`1|2|${expected}`])
  })

  test('of a subtotal in a name are left when rows are hidden, and kept when those are elsewhere', () => {
    const named = (row: string): string[] =>
      rows(
        {
          names: '<definedName name="Shown">SUBTOTAL(109,S!$A$1:$A$3)</definedName>',
          sheets: {
            S: '<row r="1"><c r="A1"><v>2</v></c></row>',
            T: '<row r="1"><c r="A1"><f>Shown</f><v>2</v></c><c r="B1"><f>SUBTOTAL(109,S!A1:A3)</f><v>2</v></c></row>',
          },
        },
        [{ op: 'hide', sheet: row.split('!')[0]!, rows: row.split('!')[1]! }],
        'T',
      )
    expect(named('S!2')).toEqual(['1|? {=Shown}|? {=SUBTOTAL(109,S!A1:A3)}'])
    expect(named('T!2')[0]).toContain('|2 {=SUBTOTAL(109,S!A1:A3)}')
  })

  test.each(['Tax', 'fx', 'VAT'])('follow the short name %s', name => {
    expect(rows(sheet(`${name}*2`, name), [set({ A1: 3 })])).toEqual([`1|3|? {=${name}*2}`])
  })

  test('behind a reference that is only known when computed stay until its target changes', () => {
    const book: ZooBook = {
      sheets: {
        S: '<row r="1"><c r="A1"><v>2</v></c><c r="B1"><f>INDIRECT("A"&amp;1)</f><v>2</v></c><c r="C1"><f>B1+1</f><v>3</v></c><c r="D1"><f>A1+1</f><v>3</v></c><c r="E1"><f>OFFSET(A1,0,0)</f></c></row>',
      },
    }
    const { document } = openZoo(book)
    expect(unwrap(document.apply(logged([set({ F9: 1 })]))).warnings).toEqual([])
    expect(shown(document, 'S', 'B1')).toBe('2 {=INDIRECT("A"&1)}')
    unwrap(document.apply(logged([set({ A1: 7 })], 'tc_2')))
    expect(shown(document, 'S', 'B1')).toBe('? {=INDIRECT("A"&1)}')
    expect(shown(document, 'S', 'C1')).toBe('? {=B1+1}')
  })
})

describe('tables', () => {
  const book: ZooBook = {
    strings: ['Region', 'Amount', 'North'],
    names: '<definedName name="Amounts">Sales[Amount]</definedName>',
    sheets: {
      Data: {
        rows: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2"><v>7</v></c></row><row r="3"><c r="A3" t="s"><v>2</v></c><c r="B3"><v>8</v></c></row>',
        tail: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
        links: [['rId1', 'table', '../tables/table1.xml']],
      },
      S: '<row r="1"><c r="A1"><f>SUM(Sales[Amount])</f><v>15</v></c><c r="B1"><f>COUNTA(Sales[[#All],[Region]])</f><v>3</v></c></row><row r="3"><c r="A3"><f>Sales[[#This Row],[Amount]]</f><v>8</v></c></row>',
    },
    parts: {
      'xl/tables/table1.xml': `<table ${MAIN} id="1" name="Sales" displayName="Sales" ref="A1:B3"><autoFilter ref="A1:B3"/><tableColumns count="2"><tableColumn id="1" name="Region"/><tableColumn id="2" name="Amount"/></tableColumns></table>`,
    },
    types: `<Override PartName="/xl/tables/table1.xml" ContentType="${TYPE}.table+xml"/>`,
  }

  test('a cell makes stale only the formulas that read its column or row', () => {
    const formulas = ['{=SUM(Sales[Amount])}', '{=COUNTA(Sales[[#All],[Region]])}']
    expect(rows(book, [set({ A2: 'South' }, 'Data')])).toEqual([
      `1|15 ${formulas[0]}|? ${formulas[1]}`,
      '3|8 {=Sales[[#This Row],[Amount]]}',
    ])
    expect(rows(book, [set({ B2: 1 }, 'Data')])).toEqual([
      `1|? ${formulas[0]}|3 ${formulas[1]}`,
      '3|8 {=Sales[[#This Row],[Amount]]}',
    ])
  })

  test('a formula names the row of a table as the file format does', () => {
    const { bytes } = edited(book, [
      set({ C2: { formula: 'sales[@Amount]*2' }, C3: { formula: 'COUNTA(Sales[@])' } }, 'Data'),
    ])
    const sheet = partText(bytes, 'xl/worksheets/sheet1.xml')
    expect(sheet).toContain('<f>sales[[#This Row],[Amount]]*2</f>')
    expect(sheet).toContain('<f>COUNTA(Sales[#This Row])</f>')
  })

  test('a renamed column is followed by names and by formulas written before', () => {
    const operations = [
      set({ C1: { formula: 'MAX(Sales[Amount])' } }),
      set({ B1: 'Net _x0041_\namount' }, 'Data'),
    ]
    expect(rows(book, operations)[0]).toContain('{=MAX(Sales[Net _x0041_ amount])}')
    const { bytes } = edited(book, operations)
    expect(partText(bytes, 'xl/workbook.xml')).toContain('>Sales[Net _x0041_\namount]<')
    expect(partText(bytes, 'xl/tables/table1.xml')).toContain(
      'name="Net _x005F_x0041__x000a_amount"',
    )
  })

  test.each([
    { op: 'delete_cells', range: 'A5', shift: 'left' },
    { op: 'insert_cells', range: 'B5:B6', shift: 'right' },
  ])('$op below a table leaves its columns alone', operation => {
    const table = (bytes: Uint8Array) => partText(bytes, 'xl/tables/table1.xml')
    const below = set({ A5: 'x', B5: 'y', C5: 'z' }, 'Data')
    const { bytes } = edited(book, [below, { ...operation, sheet: 'Data' }])
    expect(table(bytes)).toContain('ref="A1:B3"')
    expect(table(bytes)).toMatch(/count="2"><tableColumn [^>]*Region[^>]*><tableColumn [^>]*Amount/)
  })

  test('a header is text, whatever is written there', () => {
    const { bytes, warnings } = edited(book, [set({ B1: 2026 }, 'Data')])
    const sheet = partText(bytes, 'xl/worksheets/sheet1.xml')
    expect(sheet).toContain('<c r="B1" t="inlineStr"><is><t>2026</t></is></c>')
    expect(partText(bytes, 'xl/tables/table1.xml')).toContain('name="2026"')
    expect(warnings).toEqual(['Written as text, because table headers are text: Data!B1.'])
  })

  test('a row written below a table is reported as not part of it', () => {
    const warned = (cells: Record<string, unknown>) => edited(book, [set(cells, 'Data')]).warnings
    expect(warned({ A4: 'West', B4: 9 })).toEqual([
      expect.stringContaining('Row 4 is below the table Sales (A1:B3)'),
    ])
    expect(warned({ A3: 'West', A5: 'x', C4: 'y', B4: null })).toEqual([])
  })

  test('so is a column written next to a table, if it was empty', () => {
    const warned = (cells: Record<string, unknown>) => edited(book, [set(cells, 'Data')]).warnings
    expect(warned({ C1: 'Share', C2: { formula: 'B2/2' } })).toEqual([
      expect.stringContaining('Column C is next to the table Sales (A1:B3)'),
    ])
    expect(warned({ D2: 1, C4: 2 })).toEqual([])
  })

  test('their cells are not merged', () => {
    const merge = (range: string): Operation => ({ op: 'merge_cells', sheet: 'Data', range })
    const refused = openZoo(book).document.apply(logged([merge('B3:C4')]))
    expect(!refused.ok && refused.failure).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('the table Sales (A1:B3)'),
    })
    expect(openZoo(book).document.apply(logged([merge('B4:C4')])).ok).toBe(true)
  })

  test('are deleted with their sheet, and references to them show it', () => {
    expect(rows(book, [{ op: 'delete_sheet', sheet: 'Data' }])).toEqual([
      '1|? {=SUM(#REF!)}|? {=COUNTA(#REF!)}',
      '3|? {=#REF!}',
    ])
  })
})

describe('text', () => {
  test('an escape does not reach over two runs, and every character comes back', () => {
    const strings = ['<r><t>_x00</t></r><r><t>41_</t></r>']
    const book = { strings, sheets: { S: '<row r="1"><c r="A1" t="s"><v>0</v></c></row>' } }
    expect(shown(openZoo(book).document, 'S', 'A1')).toBe('_x0041_')
    const texts = ['a\ud800b', '\u0000', '\ufffe', '_x0041_', 'cr\rlf\n', '\u{1f642}', '_x005F_']
    const { after } = edited(book, [{ op: 'set_range', sheet: 'S', start: 'B1', values: [texts] }])
    const { cells } = unwrap(after.read({ sheet: 'S', range: 'B1:H1' }, { maxBytes: 9_000 })).fields
    expect((cells as { value: string }[]).map(cell => cell.value)).toEqual(texts)
  })

  test('characters that no formula or sheet name can contain are refused', () => {
    const refused = (operation: Operation) =>
      openZoo({ sheets: { S: '' } }).document.apply(logged([operation]))
    for (const operation of [
      set({ A1: { formula: '"a\ud800"' } }),
      { op: 'ensure_sheet', sheet: 'a\uffff' },
      { op: 'rename_sheet', sheet: 'S', new_name: '\udc00' },
    ]) {
      const result = refused(operation)
      expect(result.ok || result.failure.kind).toBe('invalid')
    }
  })

  test('a data table says its input cells', () => {
    const book: ZooBook = {
      sheets: {
        S: '<row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c r="B2"><f t="dataTable" ref="B2:B3" dt2D="0" dtr="0" r1="A1"/><v>4</v></c></row><row r="3"><c r="B3"><v>6</v></c></row>',
      },
    }
    expect(shown(openZoo(book).document, 'S', 'B2')).toBe('4 {=TABLE(,A1)}')
  })
})

describe.skipIf(!IS_FULL)('judged by the Open XML SDK', () => {
  test('edits of names, tables and text leave no error', async () => {
    const book: ZooBook = { sheets: { S: '<row r="1"><c r="A1"><v>1</v></c></row>' } }
    const { bytes } = edited(book, [set({ B1: '_x0041_ \u0001', C1: { formula: 'A1' } })])
    expect(
      await validate([bytes, zooBook(book)].map(own => ({ name: 'b.xlsx', bytes: own }))),
    ).toEqual([[], []])
  })
})

describe('ranges of sheets', () => {
  const cell = (value: number) => `<row r="1"><c r="A1"><v>${value}</v></c></row>`
  const book: ZooBook = {
    names: '<definedName name="All">A:C!$A$1</definedName>',
    sheets: {
      A: cell(1),
      B: cell(2),
      C: cell(3),
      S: '<row r="1"><c r="A1"><f>SUM(A:C!A1)</f><v>6</v></c><c r="B1"><f>SUM(All)</f><v>6</v></c><c r="C1"><f>A!A1+C!A1</f><v>4</v></c></row>',
    },
  }
  const kept = ['1|6 {=SUM(A:C!A1)}|6 {=SUM(All)}|4 {=A!A1+C!A1}']
  const lost = ['1|? {=SUM(A:C!A1)}|? {=SUM(All)}|4 {=A!A1+C!A1}']

  test.each<[string, Operation, string[]]>([
    ['a sheet that moves out', { op: 'move_sheet', sheet: 'B', index: 3 }, lost],
    ['a new sheet between', { op: 'ensure_sheet', sheet: 'N', index: 1 }, lost],
    ['a copy between', { op: 'copy_sheet', sheet: 'B', new_name: 'B2' }, lost],
    ['an end that moves', { op: 'move_sheet', sheet: 'C', index: 1 }, lost],
    ['a new sheet outside', { op: 'ensure_sheet', sheet: 'N' }, kept],
    ['another order between', { op: 'move_sheet', sheet: 'S', index: 0 }, kept],
  ])('%s', (_, operation, expected) => {
    expect(rows(book, [operation])).toEqual(expected)
  })

  test('an end that was renamed is not deleted', () => {
    const result = openZoo(book).document.apply(
      logged([
        { op: 'rename_sheet', sheet: 'A', new_name: 'Z' },
        { op: 'delete_sheet', sheet: 'Z' },
      ]),
    )
    expect(result.ok || result.failure.message).toContain('one end of a range of sheets')
  })
})

test('whole columns and rows are merged by the names of their corners, which every program reads', () => {
  const { bytes } = edited({ sheets: { S: '' } }, [
    { op: 'merge_cells', sheet: 'S', range: 'A:C' },
    { op: 'merge_cells', sheet: 'S', range: 'E1:XFD2' },
  ])
  expect(partText(bytes, 'xl/worksheets/sheet1.xml')).toContain(
    '<mergeCell ref="A1:C1048576"/><mergeCell ref="E1:XFD2"/>',
  )
})

test('a workbook at the limit of cell formats gets no new one, and the answer says what works', () => {
  const xf = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>'
  const styles = (count: number) =>
    `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs count="${count}"><xf numFmtId="14"/>${xf.repeat(count - 1)}</cellXfs></styleSheet>`
  const book = (count: number): ZooBook => ({
    sheets: { S: '<row r="1"><c r="A1" s="0"><v>1</v></c><c r="B1" s="1"><v>1</v></c></row>' },
    parts: { 'xl/styles.xml': styles(count) },
  })
  const date = (cell: string) => ({
    op: 'set_cells',
    sheet: 'S',
    cells: [{ cell, value: { date: '2026-01-31' } }],
  })
  const { bytes } = edited(book(65_489), [date('B1')])
  expect(partText(bytes, 'xl/styles.xml')).toContain('count="65490"')
  expect(shown(edited(book(65_490), [date('A1')]).after, 'S', 'A1')).toContain('2026-01-31')
  const refused = openZoo(book(65_490)).document.apply(logged([date('B1')]))
  expect(!refused.ok && refused.failure).toMatchObject({ code: 'TOO_LARGE', kind: 'limit' })
  expect(!refused.ok && refused.failure.message).toMatch(/^Nothing was written: .*B1 .* as text/)
})

test('a sheet whose table or pivot table a slicer filters is not deleted', () => {
  const slicers = 'http://schemas.microsoft.com/office/2007/relationships/slicerCache'
  const table = `<table ${MAIN} id="7" name="T1" displayName="T1" ref="A1:A2"><tableColumns count="1"><tableColumn id="1" name="a"/></tableColumns></table>`
  const book = (cache: string): ZooBook => ({
    sheets: {
      S: '',
      Pivot: {
        rows: '',
        tail: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
        links: [['rId1', 'table', '../tables/table1.xml']],
      },
    },
    workbookLinks: [['rId50', slicers, 'slicerCaches/s.xml']],
    parts: {
      'xl/slicerCaches/s.xml': `<slicerCacheDefinition name="Slicer_a">${cache}</slicerCacheDefinition>`,
      'xl/tables/table1.xml': table,
    },
  })
  const remove = (cache: string, sheet: string) =>
    openZoo(book(cache)).document.apply(logged([{ op: 'delete_sheet', sheet }]))
  for (const cache of [
    '<pivotTables><pivotTable tabId="2" name="P"/></pivotTables>',
    '<extLst><ext uri="u"><x15:tableSlicerCache xmlns:x15="v" tableId="7" column="1"/></ext></extLst>',
  ]) {
    const refused = remove(cache, 'Pivot')
    expect(!refused.ok && refused.failure.message).toMatch(/^Nothing was written: .*Slicer_a/)
    expect(remove(cache, 'S').ok).toBe(true)
  }
  expect(remove('', 'Pivot').ok).toBe(true)
})

test('sheets that share one part are read, and an edit of either is refused', () => {
  const book: ZooBook = {
    sheets: { S: '<row r="1"><c r="A1"><v>1</v></c></row>', T: '' },
    parts: {
      'xl/_rels/workbook.xml.rels':
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    },
  }
  for (const sheet of ['S', 'T']) {
    const { document } = openZoo(book)
    expect(shown(document, sheet, 'A1')).toBe('1')
    const refused = document.apply(logged([set({ A1: 2 }, sheet)]))
    expect(!refused.ok && refused.failure.message).toContain('one and the same part')
  }
})

test('a cell beyond the last column is not taken for the one next to the previous cell', () => {
  const rows = '<row r="1"><c r="A1"><v>1</v></c><c r="XFE1"><v>2</v></c></row>'
  const refused = openZoo({ sheets: { S: rows } }).document.apply(logged([set({ B1: 2 })]))
  expect(!refused.ok && refused.failure.message).toContain('beyond the last column')
})

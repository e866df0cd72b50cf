import { dependsOnFootprint, type Operation, unwrap } from '@filewright/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../../../../../test/verifies.ts'
import { OPERATIONS } from '../declared/operations.ts'
import { footprintOf } from '../footprint.ts'
import { xlsxFormat } from '../format.ts'
import {
  edited,
  logged,
  NAME,
  openZoo,
  partText,
  saved,
  shown,
  type ZooBook,
  type ZooSheet,
  zooBook,
} from './zoo.contract.ts'

const SHEET1 = 'xl/worksheets/sheet1.xml'
const one = (rows: string, tail?: string): ZooBook => ({
  sheets: { S: { rows, ...(tail && { tail }) } },
})
const setOn = (sheet: string, cell: string, value: unknown): Operation => ({
  op: 'set_cells',
  sheet,
  cells: [{ cell, value }],
})
const set = (cell: string, value: unknown) => setOn('S', cell, value)

function refusalOf(book: ZooBook, operation: Operation, options = {}) {
  const { document, bytes } = openZoo(book)
  const result = document.apply(logged([operation]), options)
  if (result.ok) throw new Error('accepted, where a refusal was expected')
  expect(result.failure.message).toMatch(/^Nothing was written: /)
  expect(Buffer.compare(saved(document, bytes).bytes, bytes)).toBe(0)
  return result.failure
}

describe('typed values', () => {
  verifies(
    'ADR-0010 §Office Operations xlsx set_cells',
    'numbers, text, booleans, errors and dates keep their types',
    () => {
      const values: [unknown, string][] = [
        [1.5, '1.5'],
        ['plain text', 'plain text'],
        ['007', '"007"'],
        [true, 'TRUE'],
        [{ error: '#N/A' }, '#N/A'],
        [{ date: '2026-01-31' }, '2026-01-31'],
        [{ date: '2026-01-31T08:30' }, '2026-01-31 08:30 {2026-01-31T08:30:00}'],
        [{ formula: '=SUM(A1:A3)' }, '? {=SUM(A1:A3)}'],
        [{ text: '=not a formula' }, '"=not a formula"'],
        [{ rich_text: [{ text: 'bold', bold: true }, { text: ' & <plain>' }] }, 'bold & <plain>'],
        ['  spaces\nand\tlines  ', '"  spaces\\nand\\tlines  "'],
        ['_x0041_ stays', '_x0041_ stays'],
      ]
      for (const [value, text] of values)
        expect(shown(edited(one(''), [set('B2', value)]).after, 'S', 'B2')).toBe(text)
    },
  )

  test('in a 1904 workbook a date counts from 1904', () => {
    const book: ZooBook = { ...one('<row r="1"><c r="A1" s="2"><v>0</v></c></row>'), is1904: true }
    const { after, bytes } = edited(book, [set('B1', { date: '1904-01-02' })])
    expect(shown(after, 'S', 'A1')).toBe('1/1/1904 {1904-01-01}')
    expect(partText(bytes, SHEET1)).toContain('<c r="B1" s="4"><v>1</v></c>')
  })

  test('text that looks like a formula stays text, and the answer says how to write one', () => {
    const { warnings, after } = edited(one(''), [set('A1', '=1+1')])
    expect(shown(after, 'S', 'A1')).toBe('"=1+1"')
    expect(warnings.join()).toContain('{"formula"')
    const asked = edited(one(''), [{ ...set('A1', '=1+1'), formulas: true }])
    expect(shown(asked.after, 'S', 'A1')).toBe('? {=1+1}')
  })

  test('a function that Excel lacks is reported, unless the workbook defines it', () => {
    const warned = (formula: string, book = one('')) =>
      edited(book, [set('A1', { formula })]).warnings.join()
    expect(warned('SUMM(B1:B3)')).toContain('A function that Excel does not have is called in A1')
    for (const known of ['SUM(B1)', 'xlookup(1,B:B,C:C)', 'LET(f,LAMBDA(x,x+1),f(B1))', 'IF(B1,1)'])
      expect(warned(known)).not.toContain('Excel does not have')
    const names = '<definedName name="Net">_xlfn.LAMBDA(_xlpm.x,_xlpm.x*2)</definedName>'
    expect(warned('Net(B1)', { ...one(''), names })).toBe('')
  })

  test('a formula of another language is refused with the operation that writes it', () => {
    const operation = set('A1', { formula: 'SUMME(B1;1,5)' })
    const { message, details } = refusalOf(one(''), operation)
    expect(message).toContain('so send "SUM(B1,1.5)"')
    expect(details).toEqual({ meant: [set('A1', { formula: 'SUM(B1,1.5)' })] })
    const other = { op: 'set_cells', sheet: 'S', cells: [{ cell: 'A0', value: 1 }] }
    const both = [...(operation.cells as unknown[]), ...other.cells]
    expect(refusalOf(one(''), { ...operation, cells: both }).details).toBeUndefined()
  })

  test('what was meant is offered only if the whole call then works', () => {
    const { document } = openZoo(one(''))
    const failureOf = (...log: Operation[]) => {
      const result = document.apply(logged(log), {})
      return result.ok ? undefined : result.failure.details?.meant
    }
    const foreign = set('A1', { formula: '1,5*B1' })
    const mended = set('A1', { formula: '1.5*B1' })
    expect(failureOf(foreign, setOn('0', 'A2', 1))).toEqual([mended, set('A2', 1)])
    expect(failureOf(foreign, setOn('None', 'A2', 1))).toBeUndefined()
    expect(failureOf(setOn('None', 'A2', 1), foreign)).toBeUndefined()
    expect(document.changes()).toEqual([])
  })

  test('young functions get the prefix that Excel stores', () => {
    const { bytes } = edited(one(''), [set('A1', { formula: 'XLOOKUP(1,B:B,C:C)+SUM(1)' })])
    expect(partText(bytes, SHEET1)).toContain('<f>_xlfn.XLOOKUP(1,B:B,C:C)+SUM(1)</f>')
  })

  test.each([
    ['SUM(A1#)+S!B1#', 'SUM(_xlfn.ANCHORARRAY(A1))+_xlfn.ANCHORARRAY(S!B1)'],
    ['INDIRECT("A1")#', '_xlfn.ANCHORARRAY(INDIRECT("A1"))'],
    ['@A1:A3*@OFFSET(A1,1,0)', '_xlfn.SINGLE(A1:A3)*_xlfn.SINGLE(OFFSET(A1,1,0))'],
    ['LET(x,A1,y,x+1,x*Y)', '_xlfn.LET(_xlpm.x,A1,_xlpm.y,_xlpm.x+1,_xlpm.x*_xlpm.Y)'],
    [
      'LET(f,LAMBDA(r,SUM(r)),f(A1:A2))',
      '_xlfn.LET(_xlpm.f,_xlfn.LAMBDA(_xlpm.r,SUM(_xlpm.r)),_xlpm.f(A1:A2))',
    ],
    ['LAMBDA(x,x)(x)', '_xlfn.LAMBDA(_xlpm.x,_xlpm.x)(x)'],
    ['FORECAST.ETS.STAT(A1,B1:B2,C1:C2,1)', '_xlfn.FORECAST.ETS.STAT(A1,B1:B2,C1:C2,1)'],
  ])('functions newer than the file format are stored as Excel does: %s', (typed, stored) => {
    for (const formula of [typed, stored]) {
      const { bytes } = edited(one(''), [set('D1', { formula })])
      expect(partText(bytes, SHEET1)).toContain(`>${stored}</f>`)
    }
  })

  test.each([
    [`"${'x'.repeat(256)}"`, 'more than 255 characters'],
    ['SUM(Sales[Net])', 'names the table "Sales"; the workbook has no tables'],
    ['[@Net]*2', 'without the name of its table'],
    ['[1]S!A1', 'refers to another workbook (1)'],
    ["'[costs.xlsx]S'!A1", 'refers to another workbook (costs.xlsx)'],
  ])('a formula that Excel would take out of the file is refused: %#', (formula, words) => {
    expect(refusalOf(one(''), set('A1', { formula }))).toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining(words),
    })
  })

  test('a formula that cannot be read, or names a missing sheet, is refused', () => {
    expect(refusalOf(one(''), set('A1', { formula: 'SUM(A1' })).kind).toBe('invalid')
    expect(refusalOf(one(''), set('A1', { formula: 'Nope!A1' })).message).toContain(
      'the sheets are S',
    )
  })

  test('days before the first of the calendar, and a range without values, are refused', () => {
    expect(refusalOf(one(''), set('A1', { date: '1899-12-31' })).message).toContain('before 1900')
    const empty = { op: 'set_range', sheet: 'S', start: 'A1', values: [[], []] }
    expect(refusalOf(one(''), empty).message).toContain('values contains no value')
  })

  test('wrong values are refused with their place, all at once', () => {
    const failure = refusalOf(one(''), {
      op: 'set_range',
      sheet: 'S',
      start: 'A1',
      values: [[{ odd: 1 }, { date: 'soon' }]],
    })
    expect(failure.errors).toHaveLength(2)
    expect(failure.errors[1]).toContain('operations[0].values[0][1] (B1)')
  })
})

describe('where cells land', () => {
  verifies(
    'ADR-0010 §Office Operations xlsx set_range',
    'a block is written from its start, and null clears',
    () => {
      const { after } = edited(one('<row r="2"><c r="C2"><v>9</v></c></row>'), [
        {
          op: 'set_range',
          sheet: 'S',
          start: 'B2',
          values: [
            [1, null],
            [2, 'x'],
          ],
        },
      ])
      expect([shown(after, 'S', 'B2'), shown(after, 'S', 'C2'), shown(after, 'S', 'C3')]).toEqual([
        '1',
        '',
        'x',
      ])
    },
  )

  test('bytes outside the cell stay: quoting, white space, comments, unknown elements', () => {
    const rows = `\n <row  r='1' spans="1:2" x:dyDescent='0.2' xmlns:x="u"><!-- <c r="A1"/> --><c r='A1'  s='1' ><v>1</v ></c>\n<c r="C1"><v>3</v><extLst><ext uri="x"/></extLst></c></row >\n`
    const { bytes, before } = edited(one(rows, '<extLst><ext uri="{1}"/></extLst>'), [set('B1', 2)])
    const expected = partText(before, SHEET1)
      .replace('<c r="C1">', '<c r="B1"><v>2</v></c><c r="C1">')
      .replace('spans="1:2"', 'spans="1:2"')
    expect(partText(bytes, SHEET1)).toBe(expected)
  })

  test('a cell keeps its style; a new one takes that of its row or column', () => {
    const book: ZooBook = {
      sheets: {
        S: {
          head: '<cols><col min="4" max="4" width="9" style="3"/></cols>',
          rows: '<row r="1"><c r="A1" s="1"><v>1</v></c></row><row r="2" s="1" customFormat="1"/>',
        },
      },
    }
    const { bytes } = edited(book, [
      {
        op: 'set_cells',
        sheet: 'S',
        cells: [
          { cell: 'A1', value: 5 },
          { cell: 'B2', value: 6 },
          { cell: 'D9', value: 7 },
        ],
      },
    ])
    const xml = partText(bytes, SHEET1)
    expect(xml).toContain('<c r="A1" s="1"><v>5</v></c>')
    expect(xml).toContain('<row r="2" s="1" customFormat="1"><c r="B2" s="1"><v>6</v></c></row>')
    expect(xml).toContain('<row r="9"><c r="D9" s="3"><v>7</v></c></row>')
  })

  test('cells and rows without addresses are counted, and stay right after an edit', () => {
    const rows = '<row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c></row>'
    const { after } = edited(one(rows), [
      {
        op: 'set_cells',
        sheet: 'S',
        cells: [
          { cell: 'A1', value: null },
          { cell: 'C1', value: 9 },
        ],
      },
    ])
    expect(['A1', 'B1', 'C1', 'A2'].map(cell => shown(after, 'S', cell))).toEqual([
      '',
      '2',
      '9',
      '3',
    ])
  })

  test('an element prefix, strict files and UTF-16 sheets are kept', () => {
    const { bytes, after } = edited(
      {
        sheets: { S: '<x:row r="1"><x:c r="A1"><x:v>1</x:v></x:c></x:row>' },
        prefix: 'x:',
        isStrict: true,
      },
      [set('B1', 'b')],
    )
    expect(partText(bytes, SHEET1)).toContain(
      '<x:c r="B1" t="inlineStr"><x:is><x:t>b</x:t></x:is></x:c>',
    )
    expect(shown(after, 'S', 'A1')).toBe('1')
  })

  test('a write into merged cells goes to the first, with a warning', () => {
    const { after, warnings } = edited(
      one('', '<mergeCells count="1"><mergeCell ref="B2:D4"/></mergeCells>'),
      [set('C3', 'in')],
    )
    expect(shown(after, 'S', 'B2')).toBe('in')
    expect(warnings.join()).toContain('C3 → B2')
  })

  test('the cost of a million rows depends on their content', () => {
    const { document } = openZoo(
      one(
        '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>',
      ),
    )
    const started = performance.now()
    const { changes } = unwrap(
      document.apply(logged([{ op: 'clear_range', sheet: 'S', range: 'A1:XFD1048576' }])),
    )
    expect(changes.map(change => change.place)).toEqual(['S!A1', 'S!XFD1048576'])
    expect(performance.now() - started).toBeLessThan(20_000) // milliseconds here; row by row it would be minutes
  })
})

describe('formulas', () => {
  const shared =
    '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><f t="shared" ref="B1:B3" si="0">A1*2</f><v>2</v></c></row><row r="2"><c r="A2"><v>2</v></c><c r="B2"><f t="shared" si="0"/><v>4</v></c></row><row r="3"><c r="A3"><v>3</v></c><c r="B3"><f t="shared" si="0"/><v>6</v></c></row>'

  test('a shared formula whose first cell is overwritten moves to the next', () => {
    const { after, bytes } = edited(one(shared), [set('B1', 0)])
    expect([shown(after, 'S', 'B2'), shown(after, 'S', 'B3')]).toEqual(['4 {=A2*2}', '6 {=A3*2}'])
    expect(partText(bytes, SHEET1)).toContain('<f t="shared" ref="B2:B3" si="0">A2*2</f>')
  })

  test('only dependants of the edit lose their value, through formulas, names and sheets', () => {
    const book: ZooBook = {
      names: '<definedName name="Rate">S!$A$3</definedName>',
      sheets: {
        S: shared,
        T: '<row r="1"><c r="A1"><f>SUM(S!B1:B2)</f><v>6</v></c><c r="B1"><f>Rate+1</f><v>4</v></c><c r="C1" t="str"><f>A1&amp;"!"</f><v>6!</v></c><c r="D1"><f>S!A2</f><v>2</v></c></row>',
      },
    }
    const { after, bytes } = edited(book, [set('A1', 10)])
    expect(['A1', 'B1', 'C1', 'D1'].map(cell => shown(after, 'T', cell))).toEqual([
      '? {=SUM(S!B1:B2)}',
      '4 {=Rate+1}',
      '? {=A1&"!"}',
      '2 {=S!A2}',
    ])
    expect(['B1', 'B2', 'B3'].map(cell => shown(after, 'S', cell))).toEqual([
      '? {=A1*2}',
      '4 {=A2*2}',
      '6 {=A3*2}',
    ])
    expect(partText(bytes, 'xl/workbook.xml')).toContain('fullCalcOnLoad="1"')
    const named = edited(book, [set('A3', 10)])
    expect(shown(named.after, 'T', 'B1')).toBe('? {=Rate+1}')
    expect(shown(named.after, 'T', 'A1')).toBe('6 {=SUM(S!B1:B2)}')
  })

  test('a part of an array formula is refused, the whole is replaced', () => {
    const book = one(
      '<row r="1"><c r="A1"><f t="array" ref="A1:A2">B1:B2*2</f><v>2</v></c></row><row r="2"><c r="A2"><v>4</v></c></row>',
    )
    expect(refusalOf(book, set('A2', 1)).message).toContain('A1:A2')
    const { after } = edited(book, [
      { op: 'set_range', sheet: 'S', start: 'A1', values: [[1], [2]] },
    ])
    expect(shown(after, 'S', 'A2')).toBe('2')
  })

  test('a replacement skips text that an array fills, and the answer says so', () => {
    const rows =
      '<row r="1"><c r="A1" t="str"><f t="array" ref="A1:B1">D1:E1</f><v>old</v></c><c r="B1" t="str"><v>old</v></c><c r="C1" t="inlineStr"><is><t>old</t></is></c></row>'
    const { after, results, warnings } = edited(one(rows), [
      { op: 'find_replace', search: 'old', replace: 'new' },
    ])
    expect([shown(after, 'S', 'B1'), shown(after, 'S', 'C1')]).toEqual(['old', 'new'])
    expect(results).toMatchObject([{ cellCount: 1 }])
    expect(warnings).toEqual([
      'Left as they are, because a formula fills them: S!B1. Change the formula to change them.',
    ])
  })

  test('the cells an array fills lose their values with it', () => {
    const book = one(
      '<row r="1"><c r="A1"><f t="array" ref="A1:A2">B1:B2*2</f><v>2</v></c><c r="B1"><v>1</v></c></row><row r="2"><c r="A2"><v>4</v></c><c r="B2"><v>2</v></c></row>',
    )
    const { bytes } = edited(book, [set('B2', 5)])
    expect(partText(bytes, SHEET1)).not.toContain('<v>4</v>')
  })

  test('the calculation chain forgets cells that lost their formula', () => {
    const book: ZooBook = {
      sheets: {
        S: '<row r="1"><c r="A1"><f>1+1</f><v>2</v></c><c r="B1"><f>2+2</f><v>4</v></c></row>',
      },
      parts: {
        'xl/calcChain.xml':
          '<calcChain xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><c r="A1" i="1"/><c r="B1"/></calcChain>',
      },
      workbookLinks: [['rId50', 'calcChain', 'calcChain.xml']],
      types:
        '<Override PartName="/xl/calcChain.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.calcChain+xml"/>',
    }
    const first = edited(book, [set('A1', 1)])
    expect(partText(first.bytes, 'xl/calcChain.xml')).toContain('<c i="1" r="B1"/>')
    const both = edited(book, [{ op: 'clear_range', sheet: 'S', range: 'A1:B1' }])
    expect(() => partText(both.bytes, 'xl/calcChain.xml')).toThrow('missing')
    expect(partText(both.bytes, '[Content_Types].xml')).not.toContain('calcChain')
  })
})

describe('sheets', () => {
  const three: ZooBook = {
    names:
      '<definedName name="_xlnm.Print_Area" localSheetId="2">C!$A$1</definedName><definedName name="All">A!$A$1</definedName>',
    sheets: {
      A: '<row r="1"><c r="A1"><v>1</v></c></row>',
      B: '<row r="1"><c r="A1"><f>A!A1+C!A1</f><v>3</v></c></row>',
      C: '<row r="1"><c r="A1"><v>2</v></c></row>',
    },
  }

  verifies(
    'ADR-0010 §Office Operations xlsx ensure_sheet',
    'a missing sheet is added, an existing one left alone',
    () => {
      const { results, changes } = edited(three, [
        { op: 'ensure_sheet', sheet: 'New' },
        { op: 'ensure_sheet', sheet: 'a' },
      ])
      expect(results.map(result => result.isNew)).toEqual([true, false])
      expect(changes.map(change => change.place)).toEqual(['sheet New'])
    },
  )

  verifies(
    'ADR-0010 §Office Operations xlsx delete_sheet',
    'a deleted sheet leaves #REF! and names of other sheets stay right',
    () => {
      const { after, bytes } = edited(three, [{ op: 'delete_sheet', sheet: 'A' }])
      expect(shown(after, 'B', 'A1')).toBe('? {=#REF!+C!A1}')
      const workbook = partText(bytes, 'xl/workbook.xml')
      expect(workbook).toContain('localSheetId="1"')
      expect(workbook).toContain('<definedName name="All">#REF!</definedName>')
      expect(() => partText(bytes, SHEET1)).toThrow('missing')
    },
  )

  test('the last visible sheet is neither deleted nor hidden', () => {
    expect(refusalOf(one(''), { op: 'delete_sheet', sheet: 'S' }).kind).toBe('conflict')
    expect(refusalOf(one(''), { op: 'hide', sheet: 'S' }).kind).toBe('conflict')
  })

  test('names can be swapped: formulas follow each step', () => {
    const swap = [
      ['A', 'T'],
      ['C', 'A'],
      ['T', 'C'],
    ].map(([sheet, new_name]) => ({ op: 'rename_sheet', sheet, new_name }))
    const { after, open } = edited(three, swap)
    for (const document of [open, after])
      expect(shown(document, 'B', 'A1')).toBe("3 {='C'!A1+A!A1}")
  })

  test('charts, validations, links and pivot sources follow a renamed sheet', () => {
    const book: ZooBook = {
      sheets: {
        'My data': '',
        S: {
          rows: '',
          tail: `<dataValidations count="1"><dataValidation type="list" sqref="A1"><formula1>'My data'!$A$1:$A$3</formula1></dataValidation></dataValidations><hyperlinks><hyperlink ref="B1" location="'My data'!A1"/></hyperlinks>`,
        },
      },
      parts: {
        'xl/charts/chart1.xml': `<c:chart xmlns:c="u"><c:f>'My data'!$A$1</c:f><c:t>'My data'!$A$1</c:t></c:chart>`,
        'xl/pivotCache/p.xml': '<p><worksheetSource ref="A1:B2" sheet="My data"/></p>',
        'xl/pivotCache/q.xml': '<p><rangeSet ref="A1:B2" sheet="My data"/></p>',
        'xl/drawings/v.vml': `<xml xmlns:x="u"><x:FmlaLink>'My data'!$A$1</x:FmlaLink></xml>`,
      },
    }
    const { bytes } = edited(book, [{ op: 'rename_sheet', sheet: 'My data', new_name: 'Quarter' }])
    expect(partText(bytes, 'xl/charts/chart1.xml')).toBe(
      `<c:chart xmlns:c="u"><c:f>Quarter!$A$1</c:f><c:t>'My data'!$A$1</c:t></c:chart>`,
    )
    expect(partText(bytes, 'xl/pivotCache/p.xml')).toContain('sheet="Quarter"')
    expect(partText(bytes, 'xl/pivotCache/q.xml')).toContain('sheet="Quarter"')
    expect(partText(bytes, 'xl/drawings/v.vml')).toContain('>Quarter!$A$1<')
    expect(partText(bytes, 'xl/worksheets/sheet2.xml')).toContain(
      '<formula1>Quarter!$A$1:$A$3</formula1>',
    )
    expect(partText(bytes, 'xl/worksheets/sheet2.xml')).toContain('location="Quarter!A1"')
  })

  test('elements after the cells of a copy refer to the copy, and follow renames before and after', () => {
    const book: ZooBook = {
      names: '<definedName name="_xlnm.Print_Area" localSheetId="0">S!$A$1</definedName>',
      sheets: {
        S: {
          rows: '<row r="1"><c r="A1"><v>1</v></c></row>',
          tail: '<conditionalFormatting sqref="A1"><cfRule type="expression" priority="1"><formula>Old!A1&gt;S!A1</formula></cfRule></conditionalFormatting><dataValidations count="1"><dataValidation type="list" sqref="B1"><formula1>T!$A$1:$A$3</formula1></dataValidation></dataValidations><extLst><ext xmlns:xm="u"><xm:f>S!A1:C1</xm:f></ext></extLst>',
        },
        T: '',
        Old: '',
      },
    }
    const { bytes, warnings } = edited(book, [
      { op: 'rename_sheet', sheet: 'Old', new_name: 'New' },
      { op: 'copy_sheet', sheet: 'S', new_name: 'Copy' },
      { op: 'rename_sheet', sheet: 'T', new_name: 'Lists' },
    ])
    const copy = partText(bytes, 'xl/worksheets/sheet4.xml')
    expect(copy).toContain('<formula>New!A1&gt;Copy!A1</formula>')
    expect(copy).toContain('<formula1>Lists!$A$1:$A$3</formula1>')
    expect(copy).toContain('<xm:f>Copy!A1:C1</xm:f>')
    expect(partText(bytes, SHEET1)).toContain('<xm:f>S!A1:C1</xm:f>')
    expect(warnings).toEqual([])
    expect(partText(bytes, 'xl/workbook.xml')).toMatch(/Print_Area" localSheetId="1">Copy!/)
  })

  test('bad names are refused with the reason', () => {
    for (const name of ['a/b', 'x'.repeat(32), "'q", 'History'])
      expect(refusalOf(three, { op: 'ensure_sheet', sheet: name }).kind).toBe('invalid')
    expect(refusalOf(three, { op: 'rename_sheet', sheet: 'A', new_name: 'b' }).kind).toBe(
      'conflict',
    )
  })

  test('an unknown sheet is answered with the sheets', () => {
    expect(refusalOf(three, setOn('Nope', 'A1', 1)).message).toContain('the sheets are A, B, C')
  })

  test('a write to a missing sheet is refused with how to create it', () => {
    expect(refusalOf(three, setOn('Nope', 'A1', 1)).message).toContain(
      'For a new one put {"op":"ensure_sheet","sheet":"Nope"} before it.',
    )
    expect(refusalOf(three, { op: 'hide', sheet: 'Nope' }).message).not.toContain('ensure_sheet')
  })

  verifies(
    'ADR-0010 §Office Operations xlsx op required',
    'an unknown operation is answered with the operations',
    () => {
      expect(refusalOf(three, { op: 'sort' }).message).toContain('set_cells')
    },
  )
})

describe('tables', () => {
  const table: ZooBook = {
    strings: ['Name', 'Units'],
    sheets: {
      S: {
        rows: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row r="2"><c r="B2"><v>4</v></c><c r="D2"><f>SUM(Sales[Units])</f><v>4</v></c></row>',
        tail: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
        links: [['rId1', 'table', '../tables/table1.xml']],
      },
    },
    parts: {
      'xl/tables/table1.xml':
        '<table id="1" name="Sales" displayName="Sales" ref="A1:B2"><tableColumns count="2"><tableColumn id="1" name="Name"/><tableColumn id="2" name="Units"/></tableColumns></table>',
    },
  }

  test('a header is the name of its column, in the table and in formulas', () => {
    const { bytes, after } = edited(table, [set('B1', 'Pieces [new]')])
    expect(partText(bytes, 'xl/tables/table1.xml')).toContain('name="Pieces [new]"')
    expect(shown(after, 'S', 'D2')).toBe("4 {=SUM(Sales[Pieces '[new']])}")
  })

  test('a header cannot become empty, a duplicate or a formula', () => {
    for (const value of [null, 'name', { formula: '1' }])
      expect(refusalOf(table, set('B1', value)).kind).toBe('conflict')
  })

  test('a range is cleared around the headers, and headers alone are not cleared', () => {
    const clear = (range: string) => ({ op: 'clear_range', sheet: 'S', range })
    const { after, results, warnings } = edited(table, [clear('A1:D9')])
    expect(['A1', 'B1', 'B2', 'D2'].map(cell => shown(after, 'S', cell))).toEqual([
      'Name',
      'Units',
      '',
      '',
    ])
    expect(results).toMatchObject([{ cellCount: 2 }])
    expect(warnings).toEqual(['Kept, because a table needs its headers: A1, B1.'])
    expect(refusalOf(table, clear('A1:B1')).message).toContain('leave the header row out')
  })

  test.each([
    ['SUM(Sales[Unit])', 'names the column "Unit"', 'did you mean "Units"?'],
    ['Sales[@Nope]', 'names the column "Nope"', 'its columns are "Name", "Units"'],
    ['Sales[[#Headers],[Nope]]', 'names the column "Nope"', 'the table Sales does not have'],
    ['SUM(sales[[Name]:[Nope!]])', 'names the column "Nope!"', 'its columns are "Name", "Units"'],
  ])('a column that the table does not have is refused: %s', (formula, ...words) => {
    const { kind, message } = refusalOf(table, set('D5', { formula }))
    expect(kind).toBe('invalid')
    for (const part of words) expect(message).toContain(part)
    const replace = { op: 'find_replace', search: 'SUM(Sales[Units])', replace: formula }
    expect(refusalOf(table, { ...replace, formulas: true }).message).toContain(words[0]!)
  })

  test.each([
    'SUM(Sales[units])',
    'Sales[@]',
    'Sales[[#This Row],[Name]:[Units]]',
    'ROWS(Sales[#All])',
    'COUNTA(Sales[])',
    'COUNTA(Sales)',
  ])('columns that are there are named in any way: %s', formula => {
    expect(edited(table, [set('D5', { formula })]).results).toMatchObject([{ cellCount: 1 }])
  })

  test('a header is followed where formulas of its table name it without the table', () => {
    const rows =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row r="2"><c r="A2"><f>SUM([Units])+[[#This Row],[Units]]</f><v>0</v></c></row><row r="9"><c r="A9"><f>[Units]</f><v>0</v></c></row>'
    const column = (name: string) =>
      `name="Name"><calculatedColumnFormula>[${name}]*2</calculatedColumnFormula></tableColumn>`
    const part = table.parts!['xl/tables/table1.xml'] as string
    const book: ZooBook = {
      ...table,
      sheets: { S: { ...(table.sheets.S as ZooSheet), rows } },
      parts: { 'xl/tables/table1.xml': part.replace('name="Name"/>', column('Units')) },
    }
    const copy = { op: 'copy_sheet', sheet: 'S', new_name: 'Copy' }
    for (const operations of [
      [set('B1', 'Pieces'), copy],
      [copy, set('B1', 'Pieces')],
    ]) {
      const { after, open, bytes } = edited(book, operations)
      for (const document of [open, after])
        expect(['S', 'Copy'].map(sheet => shown(document, sheet, 'A2').slice(2))).toEqual([
          '{=SUM([Pieces])+[[#This Row],[Pieces]]}',
          '{=SUM($B$2)+$B2}', // a copy has the cells, and not the table
        ])
      // Outside the table it means nothing that is known.
      expect(shown(after, 'S', 'A9')).toContain('{=[Units]}')
      expect(partText(bytes, 'xl/tables/table1.xml')).toContain(column('Pieces'))
    }
  })

  test('inside a table its name may be omitted, and is added', () => {
    const { bytes } = edited(table, [set('A2', { formula: 'IF([@Units]>2,SUM([Units]),0)' })])
    expect(partText(bytes, SHEET1)).toContain(
      '<f>IF(Sales[[#This Row],[Units]]&gt;2,SUM(Sales[Units]),0)</f>',
    )
    expect(refusalOf(table, set('A2', { formula: '[@Nope]' })).message).toContain('"Nope"')
    expect(refusalOf(table, set('D2', { formula: '[@Units]' })).message).toContain(
      'without the name of its table',
    )
  })

  test('a formula may name a header that comes with it, and is then refused with it', () => {
    const cells = [
      { cell: 'D5', value: { formula: 'SUM(Sales[Pieces])' } },
      { cell: 'B1', value: 'Pieces' },
    ]
    const { changes, after } = edited(table, [{ op: 'set_cells', sheet: 'S', cells }])
    expect(shown(after, 'S', 'D5')).toBe('? {=SUM(Sales[Pieces])}')
    const [header, formula] = changes
    expect(formula!.dependsOn).toEqual([header!.id])
    const { document } = openZoo(table)
    unwrap(document.apply(logged([set('B1', 'Pieces')])))
    expect(document.apply(logged([set('D5', { formula: 'SUM(Sales[Units])' })])).ok).toBe(false)
  })

  test('a header and the formulas above it are replaced together', () => {
    const top = `<row r="1"><c r="A1"><f>SUM(Sales[Units])</f></c></row>`
    const replace = { op: 'find_replace', search: 'Units', replace: 'Pieces', formulas: true }
    const book = { ...table, sheets: { Top: top, ...table.sheets } }
    const { after } = edited(book, [replace])
    expect(shown(after, 'Top', 'A1')).toBe('? {=SUM(Sales[Pieces])}')
  })

  test('a table is read by its name', () => {
    expect(unwrap(openZoo(table).document.read({ range: 'sales' }, { maxBytes: 1000 })).shown).toBe(
      'A1:B2',
    )
  })
})

test('a sheet that is hidden is selected no more, or Excel would write into it unseen', () => {
  const view = (selected: string) =>
    `<sheetViews><sheetView ${selected}workbookViewId="0"/></sheetViews>`
  const book: ZooBook = {
    sheets: {
      A: { rows: '', head: view('tabSelected="1" ') },
      B: { rows: '', head: view('') },
    },
  }
  const { bytes } = edited(book, [{ op: 'hide', sheet: 'A' }])
  expect(partText(bytes, SHEET1)).toContain(view('tabSelected="0" '))
  const back = edited(book, [
    { op: 'hide', sheet: 'A' },
    { op: 'show', sheet: 'A' },
  ])
  expect(partText(back.bytes, SHEET1)).toContain(view('tabSelected="1" '))
})

describe('content that must not change', () => {
  const protectedBook = one('', '<sheetProtection sheet="1"/>')

  verifies(
    ['CONTRACT §4 protected refused', 'CONTRACT §4 allow_protected'],
    'a protected sheet needs leave, and review says so',
    () => {
      expect(refusalOf(protectedBook, set('A1', 1)).code).toBe('PROTECTED')
      const { document } = openZoo(protectedBook)
      const { changes } = unwrap(document.apply(logged([set('A1', 1)]), { allowProtected: true }))
      expect(changes[0]?.description).toContain('protected')
    },
  )

  test('a workbook with a protected structure needs permission only for changes of its sheets', () => {
    const book: ZooBook = {
      sheets: { S: '', T: '', H: { rows: '', state: 'hidden' } },
      workbookTail: '<workbookProtection lockStructure="1"/>',
    }
    const structural: Operation[] = [
      { op: 'ensure_sheet', sheet: 'New' },
      { op: 'delete_sheet', sheet: 'T' },
      { op: 'rename_sheet', sheet: 'T', new_name: 'U' },
      { op: 'move_sheet', sheet: 'T', index: 0 },
      { op: 'copy_sheet', sheet: 'T', new_name: 'U' },
      { op: 'hide', sheet: 'T' },
      { op: 'show', sheet: 'H' },
    ]
    for (const operation of structural) {
      expect(refusalOf(book, operation).code, operation.op).toBe('PROTECTED')
      const { document } = openZoo(book)
      const { changes } = unwrap(document.apply(logged([operation]), { allowProtected: true }))
      expect(changes[0]?.description, operation.op).toContain('structure of the workbook')
    }
    const others = [set('A1', 1), { op: 'hide', sheet: 'S', rows: '2:3' }]
    expect(shown(edited(book, others).after, 'S', 'A1')).toBe('1')
  })

  test('a refused call leaves no style of the dates that it would have written', () => {
    const { document, bytes } = openZoo(one(''))
    const dated = set('A1', { date: '2026-01-31T08:30' })
    expect(document.apply(logged([dated, { op: 'delete_sheet', sheet: 'Q' }])).ok).toBe(false)
    unwrap(document.apply(logged([set('B1', 1)])))
    const after = saved(document, bytes).bytes
    expect(partText(after, 'xl/styles.xml')).toBe(partText(bytes, 'xl/styles.xml'))
  })

  test.each([
    ['NORTH', 'It occurs with other capitalisation in S!A1: match_case: false.'],
    ['SUM', 'Formulas contain it in S!C1: formulas: true.'],
    ['2025', 'Numbers contain it in S!B1: set_cells writes those.'],
    ['nowhere', 'nothing was replaced.'],
  ])('text that no cell contains is reported where else it occurs: %s', (search, words) => {
    const book = one(
      '<row r="1"><c r="A1" t="str"><v>North</v></c><c r="B1"><v>2025</v></c><c r="C1"><f>SUM(B1)</f><v>2025</v></c></row>',
    )
    const operation = { op: 'find_replace', search, replace: 'new' }
    const { results } = unwrap(openZoo(book).document.apply(logged([operation])))
    expect(results[0]!.message.endsWith(words)).toBe(true)
  })

  test('replacing everywhere needs permission for a protected sheet only if it contains the text', () => {
    const text = (value: string) => `<row r="1"><c r="A1" t="str"><v>${value}</v></c></row>`
    const book: ZooBook = {
      sheets: {
        S: text('old'),
        Locked: { rows: text('kept'), tail: '<sheetProtection sheet="1"/>' },
      },
    }
    const replace = (search: string) => ({ op: 'find_replace', search, replace: 'new' })
    expect(shown(edited(book, [replace('old')]).after, 'S', 'A1')).toBe('new')
    expect(refusalOf(book, replace('kept'))).toMatchObject({
      code: 'PROTECTED',
      message: expect.stringContaining('"Locked"'),
    })
  })

  verifies(
    [
      'CONTRACT §4 signed refused',
      'CONTRACT §4 allow_break_signature',
      'CONTRACT §4 broken signature parts stay',
    ],
    'a signed workbook needs leave, and its signature parts stay',
    () => {
      const book: ZooBook = {
        ...one(''),
        isSigned: true,
        parts: { '_xmlsignatures/sig1.xml': '<Signature/>' },
      }
      expect(refusalOf(book, set('A1', 1)).code).toBe('SIGNED')
      const { document, bytes } = openZoo(book)
      const { changes } = unwrap(
        document.apply(logged([set('A1', 1)]), { allowBreakSignature: true }),
      )
      expect(changes[0]?.description).toContain('signature')
      expect(partText(saved(document, bytes).bytes, '_xmlsignatures/sig1.xml')).toBe('<Signature/>')
    },
  )

  test('a sheet that is not well-formed is read as far as it goes, and never edited', () => {
    const book = one('<row r="1"><c r="A1"><v>1</v></c></row>', '<broken>')
    expect(shown(openZoo(book).document, 'S', 'A1')).toBe('1')
    expect(refusalOf(book, set('A1', 2)).code).toBe('UNREADABLE_FORMAT')
  })
})

describe('partial acceptance', () => {
  const book: ZooBook = {
    strings: ['foo'],
    sheets: { S: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>1</v></c></row>' },
  }

  function replayWithout(operations: readonly Operation[], refuse: readonly string[]) {
    const base = zooBook(book)
    const log = logged(operations)
    const all = unwrap(xlsxFormat.replay(base, log, new Set(), NAME))
    const ids = new Set(
      all.changes.filter(change => refuse.includes(change.place)).map(change => change.id),
    )
    const replayed = unwrap(xlsxFormat.replay(base, log, ids, NAME))
    const document = unwrap(
      xlsxFormat.open(
        Buffer.concat(
          replayed.content.map(slice =>
            slice.from === 'base' ? base.subarray(slice.start, slice.end) : slice.bytes,
          ),
        ),
        NAME,
      ),
    )
    return { all, replayed, document }
  }

  verifies(
    ['CONTRACT §6 refusal narrows', 'CONTRACT §6 divisible'],
    'a refused cell leaves the others of its operation',
    () => {
      const { document } = replayWithout(
        [{ op: 'set_range', sheet: 'S', start: 'A1', values: [['x', 2]] }],
        ['S!A1'],
      )
      expect([shown(document, 'S', 'A1'), shown(document, 'S', 'B1')]).toEqual(['foo', '2'])
    },
  )

  verifies(
    ['CONTRACT §6 refusal drops', 'CONTRACT §6 dependsOn'],
    'changes on a refused sheet are dropped with it',
    () => {
      const { replayed, document } = replayWithout(
        [
          { op: 'ensure_sheet', sheet: 'N' },
          setOn('N', 'A1', 1),
          set('B1', { formula: 'N!A1' }),
          set('C1', 5),
        ],
        ['sheet N'],
      )
      expect(replayed.dropped).toHaveLength(2)
      expect([shown(document, 'S', 'B1'), shown(document, 'S', 'C1')]).toEqual(['1', '5'])
    },
  )

  test('a place that was never shown is not touched, whatever the operation would find there now', () => {
    const { document } = replayWithout(
      [set('A1', 'bar'), { op: 'find_replace', search: 'foo', replace: 'baz' }, set('C1', 1)],
      ['S!A1'],
    )
    expect(shown(document, 'S', 'A1')).toBe('foo')
  })

  test('a cell written twice depends on its first write', () => {
    const { all } = replayWithout([set('A1', 1), set('A1', 2)], [])
    expect(all.changes[1]?.dependsOn).toEqual([all.changes[0]?.id])
  })
})

describe('footprints', () => {
  verifies(
    'CONTRACT §6 footprint declared',
    'every operation declares its reads and writes, and overlapping ones depend',
    () => {
      const of = (operation: Operation) => footprintOf(NAME.docPath, operation)
      const block = of({
        op: 'set_range',
        sheet: 'S',
        start: 'A1',
        values: [
          [1, 2],
          [3, 4],
        ],
      })
      expect(dependsOnFootprint(of(set('B2', 1)), block)).toBe(true)
      expect(dependsOnFootprint(of(set('C3', 1)), block)).toBe(false)
      expect(dependsOnFootprint(of(setOn('T', 'B2', 1)), block)).toBe(false)
      for (const op of Object.keys(OPERATIONS))
        expect(
          of({
            op,
            sheet: 'S',
            range: 'A1',
            start: 'A1',
            values: [[1]],
            cells: [{ cell: 'A1' }],
            new_name: 'N',
          }).writes,
          op,
        ).not.toEqual([])
    },
  )
})

describe('properties', () => {
  const value = fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.constant(null),
    fc.constantFrom(
      { formula: 'SUM(A1:C3)' },
      { formula: 'B2+1' },
      { date: '2026-02-28' },
      { error: '#N/A' },
    ),
  )
  const cell = fc
    .tuple(fc.constantFrom('A', 'B', 'C', 'AA'), fc.integer({ min: 1, max: 6 }))
    .map(([column, row]) => `${column}${row}`)
  const operation: fc.Arbitrary<Operation> = fc.oneof(
    fc.record({ cell, value }).map(own => ({ op: 'set_cells', sheet: 'S', cells: [own] })),
    fc
      .record({
        start: cell,
        values: fc.array(fc.array(value, { minLength: 1, maxLength: 3 }), {
          minLength: 1,
          maxLength: 3,
        }),
      })
      .map(own => ({ op: 'set_range', sheet: 'S', ...own })),
    cell.map(range => ({ op: 'clear_range', sheet: 'S', range })),
  )
  const base: ZooBook = {
    strings: ['one', '<r><t>ri</t></r><r><t>ch</t></r>'],
    sheets: {
      S: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><v>1.5</v></c></row><row r="3"><c r="A3" t="s"><v>1</v></c><c r="C3"><f t="shared" ref="C3:C4" si="0">A1+1</f><v>2</v></c></row><row r="4"><c r="C4"><f t="shared" si="0"/><v>3</v></c></row>',
    },
  }
  const textOf = (document: ReturnType<typeof openZoo>['document']) => {
    const reading = document.read({ sheet: 'S' }, { maxBytes: 100_000 })
    return reading.ok ? reading.value.text : reading.failure.message
  }

  test('a list of operations is the same as its operations call by call, in memory and in the file', () => {
    fc.assert(
      fc.property(fc.array(operation, { minLength: 1, maxLength: 6 }), operations => {
        const together = edited(base, operations)
        const { document, bytes } = openZoo(base)
        for (const own of operations) unwrap(document.apply(logged([own])))
        expect(textOf(document)).toBe(textOf(together.open))
        expect(textOf(together.after)).toBe(textOf(together.open))
        expect(Buffer.compare(saved(document, bytes).bytes, together.bytes)).toBe(0)
      }),
      { numRuns: process.env.FILEWRIGHT_FULL === '1' ? 1000 : 100 },
    )
  })

  test('a cell set and set back reads the same', () => {
    fc.assert(
      fc.property(cell, fc.integer(), (own, number) => {
        const before = edited(base, [set('B1', 1.5)])
        const was = shown(before.after, 'S', own)
        if (was.includes('{') || was.includes('ri')) return
        const back = was === '' ? null : Number.isNaN(Number(was)) ? was : Number(was)
        const { after } = edited(base, [set(own, number), set(own, back)])
        expect(shown(after, 'S', own)).toBe(was)
      }),
      { numRuns: 50 },
    )
  })

  test('without any of the changes the base is left, with all of them the result', () => {
    fc.assert(
      fc.property(
        fc.array(operation, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 0, max: 20 }),
        (operations, pick) => {
          const bytes = zooBook(base)
          const log = logged(operations)
          const all = unwrap(xlsxFormat.replay(bytes, log, new Set(), NAME))
          const refused = all.changes[pick % Math.max(all.changes.length, 1)]
          if (!refused) return
          const some = unwrap(xlsxFormat.replay(bytes, log, new Set([refused.id]), NAME))
          const left = new Set([
            ...some.changes.map(change => change.id),
            ...some.dropped,
            refused.id,
          ])
          expect(left).toEqual(new Set(all.changes.map(change => change.id)))
        },
      ),
      { numRuns: 50 },
    )
  })
})

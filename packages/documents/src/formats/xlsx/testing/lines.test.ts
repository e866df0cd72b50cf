import { unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { verifies } from '../../../../../../test/verifies.ts'
import { xlsxFormat } from '../format.ts'
import { structureFaults } from './structure.contract.ts'
import {
  edited,
  logged,
  NAME,
  openZoo,
  partText,
  saved,
  shown,
  type ZooBook,
} from './zoo.contract.ts'

const insert = (at: number, count = 1) => ({ op: 'insert_rows', sheet: 'Data', at, count })

/** A sheet with something of every kind that points at its cells. */
const BOOK: ZooBook = {
  sheets: {
    Data: {
      rows:
        '<row r="1"><c r="A1" t="inlineStr" s="3"><is><t>Name</t></is></c><c r="B1" t="inlineStr" s="3"><is><t>Amount</t></is></c></row>' +
        '<row r="2" ht="20" customHeight="1"><c r="A2" t="inlineStr"><is><t>a</t></is></c><c r="B2" s="1"><v>1</v></c><c r="C2"><f t="shared" ref="C2:C4" si="0">B2*2</f><v>2</v></c></row>' +
        '<row r="3"><c r="B3" s="1"><v>2</v></c><c r="C3"><f t="shared" si="0"/><v>4</v></c></row>' +
        '<row r="4"><c r="B4" s="1"><v>3</v></c><c r="C4"><f t="shared" si="0"/><v>6</v></c></row>' +
        '<row r="5"><c r="B5"><f>SUM(B2:B4)</f><v>6</v></c><c r="C5"><f>$B$3+B4</f><v>5</v></c></row>' +
        '<row r="8"><c r="A8"><f t="array" ref="A8:A9">B3:B4</f><v>2</v></c></row><row r="9"><c r="A9"><v>3</v></c></row>',
      head: '<dimension ref="A1:C9"/><cols><col min="1" max="1" width="20"/><col min="2" max="3" width="9"/></cols>',
      tail:
        '<protectedRanges><protectedRange sqref="B2:B4" name="p"/></protectedRanges>' +
        '<scenarios><scenario name="s" count="1"><inputCells r="B3" val="1"/></scenario></scenarios>' +
        '<autoFilter ref="A1:C4"><filterColumn colId="1"><filters><filter val="1"/></filters></filterColumn></autoFilter>' +
        '<mergeCells count="2"><mergeCell ref="A3:A4"/><mergeCell ref="D2:E3"/></mergeCells>' +
        '<conditionalFormatting sqref="B2:B4"><cfRule type="expression" priority="1"><formula>B2&gt;B3</formula></cfRule></conditionalFormatting>' +
        '<dataValidations count="1"><dataValidation type="list" sqref="A2:A4"><formula1>$B$2:$B$4</formula1></dataValidation></dataValidations>' +
        '<hyperlinks><hyperlink ref="A4" location="Data!B4"/></hyperlinks>' +
        '<rowBreaks count="1" manualBreakCount="1"><brk id="3" max="16383" man="1"/></rowBreaks>' +
        '<ignoredErrors><ignoredError sqref="B3:B4" numberStoredAsText="1"/></ignoredErrors>' +
        '<extLst><ext uri="{05C60535-1F16-4fd2-B633-F4F36F0B64E0}" xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"><x14:sparklineGroups xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"><x14:sparklineGroup><x14:sparklines><x14:sparkline><xm:f>Data!B2:B4</xm:f><xm:sqref>D4</xm:sqref></x14:sparkline></x14:sparklines></x14:sparklineGroup></x14:sparklineGroups></ext></extLst>',
      links: [['rId1', 'comments', '../comments1.xml']],
    },
    Other: {
      rows: '<row r="1"><c r="A1"><f>Data!B3+SUM(Data!B:B)</f><v>2</v></c><c r="B1"><f>B3</f><v>0</v></c></row>',
    },
  },
  names:
    '<definedName name="Third">Data!$B$3</definedName><definedName name="_xlnm.Print_Area" localSheetId="0">Data!$A$1:$C$5</definedName><definedName name="Near">Data!B3</definedName>',
  parts: {
    'xl/comments1.xml':
      '<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><authors><author>me</author></authors><commentList><comment ref="B3" authorId="0"><text><t>look</t></text></comment></commentList></comments>',
  },
}

test('everything that pointed at a row points at it after rows are inserted above', () => {
  const { bytes, after } = edited(BOOK, [insert(3, 2)])
  const sheet = partText(bytes, 'xl/worksheets/sheet1.xml')
  for (const text of [
    '<f>SUM(B2:B6)</f>',
    '<f>$B$5+B6</f>',
    '<f t="array" ref="A10:A11">B5:B6</f>',
    '<dimension ref="A1:C11"/>',
    'sqref="B2:B6" name="p"',
    '<inputCells r="B5"',
    '<autoFilter ref="A1:C6">',
    '<mergeCell ref="A5:A6"/><mergeCell ref="D2:E5"/>',
    '<formula1>$B$2:$B$6</formula1>',
    'sqref="A2:A6"',
    '<hyperlink ref="A6" location="Data!B6"/>',
    '<brk id="5"',
    'sqref="B5:B6" numberStoredAsText',
    '<xm:f>Data!B2:B6</xm:f><xm:sqref>D6</xm:sqref>',
  ])
    expect(sheet).toContain(text)
  expect(partText(bytes, 'xl/comments1.xml')).toContain('ref="B5"')
  const workbook = partText(bytes, 'xl/workbook.xml')
  expect(workbook).toContain('>Data!$B$5<')
  expect(workbook).toContain('>Data!$A$1:$C$7<')
  expect(workbook).toContain('name="Near">Data!B3<')
  expect(shown(after, 'Other', 'A1')).toContain('{=Data!B5+SUM(Data!B:B)}')
  expect(shown(after, 'Other', 'B1')).toContain('{=B3}')
  expect(shown(after, 'Data', 'C2')).toContain('{=B2*2}')
  expect(shown(after, 'Data', 'C5')).toContain('{=B5*2}')
  expect(structureFaults(bytes)).toEqual([])
})

test('a conditional format is split where its cells no longer keep their distance', () => {
  const { bytes } = edited(BOOK, [insert(3)])
  const sheet = partText(bytes, 'xl/worksheets/sheet1.xml')
  expect(sheet).toContain('sqref="B2:B3"><cfRule type="expression" priority="1"><formula>B2&gt;B4<')
  expect(sheet).toContain('sqref="B4:B5"><cfRule type="expression" priority="1"><formula>B4&gt;B5<')
})

test('a total keeps its value when rows only moved, and loses it when its range grew', () => {
  const below = edited(BOOK, [insert(6)])
  expect(shown(below.after, 'Data', 'B5')).toBe('6 {=SUM(B2:B4)}')
  const inside = edited(BOOK, [insert(3)])
  expect(shown(inside.after, 'Data', 'B6')).not.toMatch(/^6 /)
  expect(partText(inside.bytes, 'xl/workbook.xml')).toContain('fullCalcOnLoad="1"')
})

verifies(
  'CONTRACT §4 new rows look alike',
  'new rows have the formats and the height of the row above, below a header those of the row that follows',
  () => {
    const row = (at: number) =>
      partText(edited(BOOK, [insert(at)]).bytes, 'xl/worksheets/sheet1.xml')
    expect(row(3)).toContain('<row r="3" ht="20" customHeight="1"><c r="B3" s="1"/></row>')
    expect(row(2)).toContain('<row r="2" ht="20" customHeight="1"><c r="B2" s="1"/></row>')
  },
)

test('deleted rows leave #REF! where a cell was named, and say so', () => {
  const { bytes, after, warnings } = edited(BOOK, [{ op: 'delete_rows', sheet: 'Data', rows: '3' }])
  expect(shown(after, 'Data', 'B4')).toContain('{=SUM(B2:B3)}')
  expect(shown(after, 'Data', 'C4')).toContain('{=#REF!+B3}')
  expect(warnings.join(' ')).toContain('Data!C4')
  expect(warnings.join(' ')).toContain('the name Third')
  const sheet = partText(bytes, 'xl/worksheets/sheet1.xml')
  expect(sheet).not.toContain('A3:A3')
  expect(sheet).not.toContain('<scenarios>')
  expect(partText(bytes, 'xl/comments1.xml')).not.toContain('<comment ')
  expect(structureFaults(bytes)).toEqual([])
})

test('rows that meet a condition are deleted together', () => {
  const { after, results } = edited(
    {
      sheets: {
        Data:
          '<row r="1"><c r="A1" t="inlineStr"><is><t>State</t></is></c><c r="B1" t="inlineStr"><is><t>N</t></is></c></row>' +
          ['x', 'y', 'x', 'x', 'z']
            .map(
              (text, index) =>
                `<row r="${index + 2}"><c r="A${index + 2}" t="inlineStr"><is><t>${text}</t></is></c><c r="B${index + 2}"><v>${index}</v></c></row>`,
            )
            .join('') +
          '<row r="7"><c r="B7"><f>SUM(B2:B6)</f><v>10</v></c></row>',
      },
    },
    [{ op: 'delete_rows', sheet: 'Data', where: { column: 'State', equals: 'X' } }],
  )
  expect(results[0]).toMatchObject({ rows: '2:2,4:5' })
  expect(shown(after, 'Data', 'A2')).toBe('y')
  expect(shown(after, 'Data', 'A3')).toBe('z')
  expect(shown(after, 'Data', 'B4')).toContain('{=SUM(B2:B3)}')
})

test('columns carry their widths, filters and formulas', () => {
  const { bytes, after } = edited(BOOK, [
    { op: 'insert_columns', sheet: 'Data', at: 'B', count: 2 },
  ])
  const sheet = partText(bytes, 'xl/worksheets/sheet1.xml')
  expect(sheet).toContain(
    '<col min="1" max="1" width="20"/><col min="2" max="3" width="20"/><col min="4" max="5" width="9"/>',
  )
  expect(sheet).toContain('<autoFilter ref="A1:E4"><filterColumn colId="3">')
  expect(shown(after, 'Data', 'E2')).toContain('{=D2*2}')
  expect(shown(after, 'Data', 'D5')).toContain('{=SUM(D2:D4)}')
  expect(structureFaults(bytes)).toEqual([])
})

test('an array, which one formula fills, is not cut', () => {
  const { document } = openZoo(BOOK)
  const refused = document.apply(logged([insert(9)]))
  expect(refused).toMatchObject({ ok: false })
  expect(!refused.ok && refused.failure.message).toContain('A8:A9')
})

test('earlier and later edits of one draft stand on the cells they meant', () => {
  const { after } = edited(BOOK, [
    { op: 'set_cells', sheet: 'Data', cells: [{ cell: 'B4', value: 30 }] },
    insert(2),
    { op: 'set_cells', sheet: 'Data', cells: [{ cell: 'B2', value: 7 }] },
    { op: 'rename_sheet', sheet: 'Data', new_name: 'Facts' },
    { op: 'insert_rows', sheet: 'Facts', at: 1 },
  ])
  expect(shown(after, 'Facts', 'B6')).toContain('30')
  expect(shown(after, 'Facts', 'B3')).toContain('7')
  expect(shown(after, 'Other', 'A1')).toContain('{=Facts!B5+SUM(Facts!B:B)}')
})

test('a refusal after an insertion takes the insertion back', () => {
  const { document, bytes } = openZoo(BOOK)
  const refused = document.apply(logged([insert(3), { op: 'delete_sheet', sheet: 'Nowhere' }]))
  expect(refused.ok).toBe(false)
  expect(Buffer.compare(saved(document, bytes).bytes, bytes)).toBe(0)
})

test('without the insertion, what depends on it goes too', () => {
  const { bytes } = openZoo(BOOK)
  const log = logged([
    { op: 'set_cells', sheet: 'Data', cells: [{ cell: 'B2', value: 9 }] },
    insert(3),
  ])
  const opened = unwrap(xlsxFormat.open(bytes, NAME))
  const { changes } = unwrap(opened.apply(log))
  const inserted = changes.find(({ kind }) => kind === 'structure')!
  const replayed = unwrap(xlsxFormat.replay(bytes, log, new Set([inserted.id]), NAME))
  expect(replayed.changes.map(({ place }) => place)).toEqual(['Data!B2'])
})

import { type Region, type SheetGrid, unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { openZoo, type ZooBook } from '../testing/zoo.contract.ts'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

const STYLES = `<?xml version="1.0"?><styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="14"/><color theme="4" tint="-0.249977111117893"/><name val="Arial"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor indexed="13"/></patternFill></fill></fills><borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border><border><left/><right/><top/><bottom style="double"><color rgb="FF00B050"/></bottom><diagonal/></border></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/><xf numFmtId="4" fontId="1" fillId="2" borderId="1" applyAlignment="1"><alignment horizontal="center" vertical="top" wrapText="1"/></xf><xf numFmtId="9"/><xf fillId="2"/></cellXfs><dxfs count="2"><dxf><font><b/><color rgb="FF9C0006"/></font><fill><patternFill><bgColor rgb="FFFFC7CE"/></patternFill></fill></dxf><dxf><font><i/></font></dxf></dxfs></styleSheet>`

const numbers = (values: readonly number[], column = 'A') =>
  values
    .map(
      (value, index) =>
        `<row r="${index + 1}"><c r="${column}${index + 1}"><v>${value}</v></c></row>`,
    )
    .join('')

const book = (sheet: { rows: string; head?: string; tail?: string }): ZooBook => ({
  sheets: { S: sheet, Other: { rows: '', state: 'hidden' } },
  parts: { 'xl/styles.xml': STYLES },
})

function grid(own: ZooBook, region: Region = { sheet: 'S' }): SheetGrid {
  const read = openZoo(own).document.read(region, { maxBytes: 1_000_000, grid: true })
  return unwrap(read).fields as unknown as SheetGrid
}

const rule = (ref: string, xml: string) =>
  `<conditionalFormatting sqref="${ref}">${xml}</conditionalFormatting>`

test('a region is drawn with formats, looks, sizes, merged cells and frozen panes', () => {
  const drawn = grid(
    book({
      head: '<sheetViews><sheetView showGridLines="0" workbookViewId="0"><pane xSplit="1" ySplit="2" topLeftCell="B3" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols><col min="2" max="3" width="20" customWidth="1"/><col min="4" max="4" width="9" style="3" hidden="1"/></cols>',
      rows: '<row r="1" ht="30" customHeight="1"><c r="A1" s="1"><v>1234.5</v></c><c r="B1" s="2"><f>A1/100</f><v>0.25</v></c></row><row r="3" s="3" customFormat="1" outlineLevel="1"/>',
      tail: '<mergeCells count="1"><mergeCell ref="A1:A2"/></mergeCells>',
    }),
    { sheet: 'S', range: 'A1:D3' },
  )
  expect(drawn).toMatchObject({
    sheet: 'S',
    sheets: [
      { name: 'S', visibility: 'visible' },
      { name: 'Other', visibility: 'hidden' },
    ],
    box: { top: 1, left: 1, bottom: 3, right: 4 },
    used: { top: 1, left: 1, bottom: 1, right: 2 },
    columns: [
      { from: 2, to: 3, size: 140 },
      { from: 4, to: 4, size: 63, hidden: true },
    ],
    rows: [
      { from: 1, to: 1, size: 40 },
      { from: 3, to: 3, size: 20, level: 1 },
    ],
    frozen: { rows: 2, columns: 1 },
    gridLines: false,
    merges: [{ top: 1, left: 1, bottom: 2, right: 1 }],
    undrawn: [],
  })
  const at = (row: number, column: number) =>
    drawn.cells.find(cell => cell.row === row && cell.column === column)
  expect(at(1, 1)).toEqual({ row: 1, column: 1, text: '1,234.50', type: 'number', look: 1 })
  expect(drawn.looks[1]).toEqual({
    font: 'Arial',
    size: 14,
    bold: true,
    color: '376092',
    fill: 'FFFF00',
    border: { bottom: { style: 'double', color: '00B050' } },
    align: 'center',
    valign: 'top',
    wrap: true,
  })
  expect(at(1, 2)).toEqual({ row: 1, column: 2, text: '25%', type: 'number', formula: '=A1/100' })
  // an empty cell has the look of its row, or else of its column
  expect([at(2, 2), at(2, 4)?.look, at(3, 1)?.look]).toEqual([undefined, 2, 2])
  expect(drawn.looks[2]).toEqual({ fill: 'FFFF00' })
})

test('a region beyond the content is empty, and a large one is cut', () => {
  const far = grid(book({ rows: numbers([1]) }), { sheet: 'S', range: 'X900:Z905' })
  expect(far).toMatchObject({ box: { top: 900, left: 24, bottom: 905, right: 26 }, cells: [] })
  const all = grid(book({ rows: numbers([1]) }), { sheet: 'S', range: 'A1:XFD1048576' })
  expect(all.box).toEqual({ top: 1, left: 1, bottom: 39, right: 512 })
  expect(grid({ sheets: { S: '' } }).cells).toEqual([])
})

const over = (drawn: SheetGrid) => drawn.cells.filter(cell => cell.over).map(({ row }) => row)

test.each([
  [
    'cellIs',
    '<cfRule type="cellIs" dxfId="0" priority="1" operator="greaterThan"><formula>3</formula></cfRule>',
    [4, 5],
  ],
  [
    'between',
    '<cfRule type="cellIs" dxfId="0" priority="1" operator="between"><formula>4</formula><formula>2</formula></cfRule>',
    [2, 3, 4],
  ],
  [
    'a formula that moves along',
    '<cfRule type="expression" dxfId="0" priority="1"><formula>AND(A1&gt;2,MOD(ROW(),2)=0)</formula></cfRule>',
    [4],
  ],
  [
    'a fixed cell',
    '<cfRule type="expression" dxfId="0" priority="1"><formula>A1=$A$2</formula></cfRule>',
    [2],
  ],
  ['top', '<cfRule type="top10" dxfId="0" priority="1" rank="2"/>', [4, 5]],
  [
    'bottom percent',
    '<cfRule type="top10" dxfId="0" priority="1" bottom="1" percent="1" rank="40"/>',
    [1, 2],
  ],
  ['above average', '<cfRule type="aboveAverage" dxfId="0" priority="1"/>', [4, 5]],
  ['duplicates', '<cfRule type="duplicateValues" dxfId="0" priority="1"/>', []],
  ['unique', '<cfRule type="uniqueValues" dxfId="0" priority="1"/>', [1, 2, 3, 4, 5]],
  [
    'text',
    '<cfRule type="containsText" dxfId="0" priority="1" operator="containsText" text="3"><formula>NOT(ISERROR(SEARCH("3",A1)))</formula></cfRule>',
    [3],
  ],
  [
    'errors',
    '<cfRule type="notContainsErrors" dxfId="0" priority="1"><formula>NOT(ISERROR(A1))</formula></cfRule>',
    [1, 2, 3, 4, 5],
  ],
])('a rule of a conditional format is worked out: %s', (_, xml, rows) => {
  const drawn = grid(book({ rows: numbers([1, 2, 3, 4, 5]), tail: rule('A1:A5', xml) }))
  expect(over(drawn)).toEqual(rows)
  expect(drawn.undrawn).toEqual([])
  for (const cell of drawn.cells)
    if (cell.over) expect(cell.over).toEqual({ bold: true, color: '9C0006', fill: 'FFC7CE' })
})

test('the rule in front counts first, and one that stops ends it', () => {
  const both = (stop: string) =>
    grid(
      book({
        rows: numbers([1, 9]),
        tail:
          rule(
            'A1:A2',
            '<cfRule type="cellIs" dxfId="1" priority="2" operator="greaterThan"><formula>0</formula></cfRule>',
          ) +
          rule(
            'A2',
            `<cfRule type="cellIs" dxfId="0" priority="1"${stop} operator="equal"><formula>9</formula></cfRule>`,
          ),
      }),
    ).cells.map(cell => cell.over)
  expect(both('')).toEqual([
    { italic: true },
    { bold: true, color: '9C0006', fill: 'FFC7CE', italic: true },
  ])
  expect(both(' stopIfTrue="1"')[1]).toEqual({ bold: true, color: '9C0006', fill: 'FFC7CE' })
})

test('scales, bars and icons are worked out over their range', () => {
  const drawn = (xml: string) => grid(book({ rows: numbers([0, 5, 10]), tail: rule('A1:A3', xml) }))
  const scale = drawn(
    '<cfRule type="colorScale" priority="1"><colorScale><cfvo type="min"/><cfvo type="percentile" val="50"/><cfvo type="max"/><color rgb="FFFF0000"/><color rgb="FFFFFFFF"/><color rgb="FF0000FF"/></colorScale></cfRule>',
  )
  expect(scale.cells.map(cell => cell.over?.fill)).toEqual(['FF0000', 'FFFFFF', '0000FF'])
  const bar = drawn(
    '<cfRule type="dataBar" priority="1"><dataBar showValue="0"><cfvo type="num" val="0"/><cfvo type="max"/><color rgb="FF638EC6"/></dataBar></cfRule>',
  )
  expect(bar.cells.map(cell => [cell.bar?.to, cell.hidesText])).toEqual([
    [0, true],
    [0.5, true],
    [1, true],
  ])
  const icons = drawn(
    '<cfRule type="iconSet" priority="1"><iconSet iconSet="3Arrows" reverse="1"><cfvo type="percent" val="0"/><cfvo type="percent" val="33"/><cfvo type="percent" val="67"/></iconSet></cfRule>',
  )
  expect(icons.cells.map(cell => cell.icon)).toEqual([
    { set: '3Arrows', index: 2, of: 3 },
    { set: '3Arrows', index: 1, of: 3 },
    { set: '3Arrows', index: 0, of: 3 },
  ])
})

test('a rule that is not worked out is named', () => {
  const drawn = grid(
    book({
      rows: numbers([1]),
      tail: rule(
        'A1',
        '<cfRule type="expression" dxfId="0" priority="1"><formula>VLOOKUP(A1,Other!A:B,2,0)&gt;1</formula></cfRule>',
      ),
    }),
  )
  expect(drawn.undrawn).toEqual([
    'A1 {"formula":"=VLOOKUP(A1,Other!A:B,2,0)>1"}: bold, color 9C0006, fill FFC7CE',
  ])
})

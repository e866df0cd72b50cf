import { unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { OpcPackage } from '../../../opc/index.ts'
import { buildZip } from '../../../opc/zip.contract.ts'
import { LOOK_RULES } from './look-rules.contract.ts'
import { SHEET_RULES, sheetFaults } from './sheet-rules.contract.ts'
import { zooBook } from './zoo.contract.ts'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const header = (at: string, text: string) =>
  `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`

/** Something of everything that a rule looks at, with nothing to repair. */
const SOUND = zooBook({
  sheets: {
    S: {
      rows:
        `<row r="1">${header('A1', 'Name')}${header('B1', 'Amount')}</row>` +
        '<row r="2"><c r="A2"><v>1</v></c><c r="B2"><f t="shared" ref="B2:B3" si="0">A2*2</f><v>2</v></c></row>' +
        '<row r="3"><c r="A3"><v>2</v></c><c r="B3"><f t="shared" si="0"/><v>4</v></c></row>' +
        `<row r="5">${header('A5', 'Other')}<c r="D5"><f t="array" ref="D5:D6">A2:A3</f><v>1</v></c></row>` +
        '<row r="6"><c r="A6"><v>3</v></c><c r="D6"><v>2</v></c></row>',
      head: '<cols><col min="1" max="2" width="9"/><col min="3" max="3" width="5"/></cols>',
      tail:
        '<protectedRanges><protectedRange sqref="A2:A3" name="p"/></protectedRanges>' +
        '<mergeCells count="2"><mergeCell ref="D1:E1"/><mergeCell ref="D2:E3"/></mergeCells>' +
        '<conditionalFormatting sqref="A2:A3"><cfRule type="expression" priority="1"><formula>A2&gt;1</formula><extLst><ext uri="u"><id>{1}</id></ext></extLst></cfRule></conditionalFormatting>' +
        '<dataValidations count="1"><dataValidation type="whole" sqref="A2:A3"><formula1>0</formula1></dataValidation></dataValidations>' +
        '<hyperlinks><hyperlink ref="A2" r:id="rId1"/></hyperlinks>' +
        '<rowBreaks count="1"><brk id="3"/></rowBreaks><drawing r:id="rId4"/><tableParts count="2"><tablePart r:id="rId2"/><tablePart r:id="rId5"/></tableParts>' +
        '<extLst><ext uri="v"><conditionalFormattings><conditionalFormatting><cfRule id="{1}"/></conditionalFormatting></conditionalFormattings><sparklines><sparkline><f>S!A2:A3</f><sqref>F2</sqref></sparkline></sparklines></ext></extLst>',
      links: [
        ['rId1', 'hyperlink', '../x.xml'],
        ['rId2', 'table', '../tables/table1.xml'],
        ['rId3', 'comments', '../comments1.xml'],
        ['rId4', 'drawing', '../drawings/drawing1.xml'],
        ['rId5', 'table', '../tables/table2.xml'],
      ],
    },
  },
  names:
    '<definedName name="One">S!$A$2</definedName><definedName name="Two" localSheetId="0">S!$A$3</definedName>',
  workbookLinks: [['rId70', 'calcChain', 'calcChain.xml']],
  parts: {
    'xl/x.xml': '<x/>',
    'xl/calcChain.xml': `<calcChain xmlns="${MAIN}"><c r="B2" i="1"/><c r="B3"/></calcChain>`,
    'xl/tables/table1.xml': `<table xmlns="${MAIN}" id="1" name="T" displayName="T" ref="A1:B3"><autoFilter ref="A1:B3"/><tableColumns count="2"><tableColumn id="1" name="Name"/><tableColumn id="2" name="Amount"/></tableColumns></table>`,
    'xl/tables/table2.xml': `<table xmlns="${MAIN}" id="2" name="U" displayName="U" ref="A5:A6"><tableColumns count="1"><tableColumn id="1" name="Other"/></tableColumns></table>`,
    'xl/comments1.xml': `<comments xmlns="${MAIN}"><authors><author>me</author></authors><commentList><comment ref="A2" authorId="0"/><comment ref="A3" authorId="0"/></commentList></comments>`,
    'xl/drawings/drawing1.xml':
      '<wsDr><twoCellAnchor><from><col>1</col><row>2</row></from><to><col>3</col><row>8</row></to></twoCellAnchor></wsDr>',
  },
})

const SHEET = 'xl/worksheets/sheet1.xml'
const TABLE = 'xl/tables/table1.xml'
const BOOK = 'xl/workbook.xml'
const STYLES = 'xl/styles.xml'

/** How a sound workbook is damaged, and the rule that must say so; others may find the same. */
const FAULTS: readonly (readonly [string, string, string, string])[] = [
  ['xlsx/elements-out-of-order', SHEET, '<rowBreaks', '<autoFilter ref="H1:I2"/><rowBreaks'],
  ['xlsx/rows-out-of-order', SHEET, '<row r="3">', '<row r="2">'],
  ['xlsx/cell-in-another-row', SHEET, '<c r="A3"><v>2', '<c r="A4"><v>2'],
  ['xlsx/cell-twice', SHEET, '<c r="A3"><v>2', '<c r="A3"><v>9</v></c><c r="A3"><v>2'],
  ['xlsx/cell-beyond-the-end', SHEET, '<c r="D6">', '<c r="XFE6">'],
  ['xlsx/shared-formula-without-text', SHEET, 'si="0">A2*2<', 'si="0"><'],
  ['xlsx/array-beside-its-range', SHEET, 'ref="D5:D6"', 'ref="D6:D7"'],
  ['xlsx/merges-overlap', SHEET, 'ref="D2:E3"', 'ref="D1:E3"'],
  ['xlsx/merge-of-one-cell', SHEET, 'ref="D2:E3"', 'ref="D2"'],
  ['xlsx/list-empty', SHEET, '<hyperlink ref="A2" r:id="rId1"/>', ''],
  ['xlsx/columns-overlap', SHEET, '<col min="3" max="3"', '<col min="2" max="3"'],
  ['xlsx/count-wrong', SHEET, '<dataValidations count="1">', '<dataValidations count="3">'],
  ['xlsx/range-unreadable', SHEET, 'sqref="A2:A3" name', 'sqref="#REF!" name'],
  ['xlsx/formula-of-nothing', SHEET, '<formula1>0<', '<formula1><'],
  ['xlsx/link-without-target', SHEET, 'r:id="rId4"', 'r:id="rId9"'],
  ['xlsx/x14-id-unpaired', SHEET, '<cfRule id="{1}"/>', '<cfRule id="{2}"/>'],
  ['xlsx/sparkline-without-cell', SHEET, '<sqref>F2</sqref>', ''],
  ['xlsx/tables-overlap', 'xl/tables/table2.xml', 'ref="A5:A6"', 'ref="A3:A6"'],
  ['xlsx/merge-in-table', SHEET, 'ref="D2:E3"', 'ref="B2:B3"'],
  ['xlsx/table-columns-wrong', TABLE, 'ref="A1:B3"><auto', 'ref="A1:C3"><auto'],
  ['xlsx/table-column-twice', TABLE, 'id="2" name="Amount"', 'id="1" name="Amount"'],
  ['xlsx/table-filter-outside', TABLE, '<autoFilter ref="A1:B3"/>', '<autoFilter ref="A1:B4"/>'],
  ['xlsx/table-without-rows', 'xl/tables/table2.xml', 'ref="A5:A6"', 'ref="A5:A5"'],
  ['xlsx/table-header-unlike-its-cell', SHEET, '<t>Amount<', '<t>Sum<'],
  ['xlsx/table-named-twice', 'xl/tables/table2.xml', 'displayName="U"', 'displayName="t"'],
  ['xlsx/name-twice', BOOK, 'name="Two" localSheetId="0"', 'name="one"'],
  ['xlsx/name-of-no-sheet', BOOK, 'localSheetId="0"', 'localSheetId="4"'],
  ['xlsx/name-of-nothing', BOOK, '>S!$A$2<', '><'],
  ['xlsx/chain-without-formula', 'xl/calcChain.xml', '<c r="B3"/>', '<c r="B4"/>'],
  ['xlsx/comment-twice', 'xl/comments1.xml', 'ref="A3"', 'ref="A2"'],
  [
    'xlsx/comment-without-author',
    'xl/comments1.xml',
    'ref="A3" authorId="0"',
    'ref="A3" authorId="2"',
  ],
  ['xlsx/anchor-turned-over', 'xl/drawings/drawing1.xml', '<row>8<', '<row>1<'],
  ['xlsx/style-of-nothing', SHEET, '<c r="A6">', '<c r="A6" s="4">'],
  ['xlsx/style-of-nothing', SHEET, '<col min="3"', '<col style="9" min="3"'],
  ['xlsx/rule-look-of-nothing', SHEET, 'type="expression"', 'type="expression" dxfId="0"'],
  [
    'xlsx/format-part-of-nothing',
    STYLES,
    '<xf numFmtId="14" fontId="0"',
    '<xf numFmtId="14" fontId="2"',
  ],
  ['xlsx/style-count-wrong', STYLES, '<cellXfs count="4">', '<cellXfs count="5">'],
  [
    'xlsx/number-format-twice',
    STYLES,
    '<fonts',
    '<numFmts><numFmt numFmtId="164" formatCode="0"/><numFmt numFmtId="164" formatCode="1"/></numFmts><fonts',
  ],
  [
    'xlsx/cell-style-twice',
    STYLES,
    '</cellXfs>',
    '</cellXfs><cellStyles><cellStyle name="A" xfId="0"/><cellStyle name="a" xfId="0"/></cellStyles>',
  ],
  [
    'xlsx/filter-column-outside',
    SHEET,
    '<mergeCells',
    '<autoFilter ref="A1:B3"><filterColumn colId="2"/></autoFilter><mergeCells',
  ],
  [
    'xlsx/panes-wrong',
    SHEET,
    '<cols>',
    '<sheetViews><sheetView><pane state="frozen"/></sheetView></sheetViews><cols>',
  ],
  [
    'xlsx/panes-wrong',
    SHEET,
    '<cols>',
    '<sheetViews><sheetView><selection pane="bottomLeft"/></sheetView></sheetViews><cols>',
  ],
  ['xlsx/margins-missing', SHEET, '<rowBreaks', '<pageMargins left="1"/><rowBreaks'],
  [
    'xlsx/header-too-long',
    SHEET,
    '<rowBreaks',
    `<headerFooter><oddHeader>${'x'.repeat(256)}</oddHeader></headerFooter><rowBreaks`,
  ],
  ['xlsx/level-too-deep', SHEET, '<row r="6">', '<row r="6" outlineLevel="8">'],
]

function damaged(part: string, from: string, to: string): Uint8Array {
  const opc = unwrap(OpcPackage.open(SOUND))
  return buildZip(
    opc.names.map(name => {
      const data = Buffer.from(unwrap(opc.part(name))).toString('utf8')
      if (name === part) expect(data, 'there is nothing to damage').toContain(from)
      return { name, data: name === part ? data.replace(from, to) : data }
    }),
  )
}

describe('the repair lint of workbooks', () => {
  test('finds nothing in a sound one', () => {
    expect(sheetFaults(SOUND)).toEqual([])
  })

  test.each(FAULTS)('%s', (rule, part, from, to) => {
    const rules = sheetFaults(damaged(part, from, to)).map(fault => fault.split(': ')[0])
    expect(rules).toContain(rule)
  })

  test('every rule is proven by a fault', () => {
    const proven = new Set(FAULTS.map(([rule]) => rule))
    expect(
      [...SHEET_RULES, ...LOOK_RULES].map(({ id }) => id).filter(id => !proven.has(id)),
    ).toEqual([])
  })
})

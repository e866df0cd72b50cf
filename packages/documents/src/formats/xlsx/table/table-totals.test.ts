import { describe, expect, test } from 'vitest'
import { edited, partText, shown, type ZooBook } from '../testing/zoo.contract.ts'

const PART = 'xl/tables/table1.xml'

function tableWith(columns: string): ZooBook {
  return {
    strings: ['Name', 'Units', 'Price', 'Total'],
    sheets: {
      S: {
        rows: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row><row r="2"><c r="B2"><v>4</v></c><c r="C2"><v>5</v></c></row><row r="3"><c r="A3" t="s"><v>3</v></c><c r="B3"><f>SUBTOTAL(109,Sales[Units])</f><v>4</v></c></row>',
        tail: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
        links: [['rId1', 'table', '../tables/table1.xml']],
      },
    },
    parts: {
      [PART]: `<table id="1" name="Sales" displayName="Sales" ref="A1:C3" totalsRowCount="1"><tableColumns count="3">${columns}</tableColumns></table>`,
    },
  }
}

const table = tableWith(
  '<tableColumn id="1" name="Name" totalsRowLabel="Total"/><tableColumn id="2" name="Units" totalsRowFunction="sum"/><tableColumn id="3" name="Price" dataDxfId="0"><calculatedColumnFormula>1</calculatedColumnFormula></tableColumn>',
)

/** The columns of the table's part after a cell is set. */
function columnsAfter(cell: string, value: unknown, book = table) {
  const operation = { op: 'set_cells', sheet: 'S', cells: [{ cell, value }] }
  const { bytes, after, warnings } = edited(book, [operation])
  const text = partText(bytes, PART)
  const columns = text.slice(text.indexOf('>', text.indexOf('<tableColumns')) + 1)
  return { columns: columns.split('</tableColumns>')[0]!, after, warnings }
}

const NAME = '<tableColumn id="1" name="Name" totalsRowLabel="Total"/>'
const UNITS = '<tableColumn id="2" name="Units" totalsRowFunction="sum"/>'
const PRICE =
  '<tableColumn id="3" name="Price" dataDxfId="0"><calculatedColumnFormula>1</calculatedColumnFormula></tableColumn>'

describe('the part of a table agrees with the cells of its row of totals', () => {
  test.each([
    [
      'A3',
      'Sum & "all"\nof it',
      '<tableColumn id="1" name="Name" totalsRowLabel="Sum &amp; &quot;all&quot;_x000a_of it"/>',
      UNITS,
      PRICE,
    ],
    ['A3', null, '<tableColumn id="1" name="Name"/>', UNITS, PRICE],
    ['B3', 'none', NAME, '<tableColumn totalsRowLabel="none" id="2" name="Units"/>', PRICE],
    [
      'B3',
      { formula: 'SUBTOTAL(101,Sales[Units])' },
      NAME,
      '<tableColumn id="2" name="Units" totalsRowFunction="average"/>',
      PRICE,
    ],
    [
      'B3',
      { formula: 'SUM(Sales[Units])/2' },
      NAME,
      '<tableColumn id="2" name="Units" totalsRowFunction="custom"><totalsRowFormula>SUM(Sales[Units])/2</totalsRowFormula></tableColumn>',
      PRICE,
    ],
    [
      'B3',
      { formula: 'SUBTOTAL(109,Sales[Price])' },
      NAME,
      '<tableColumn id="2" name="Units" totalsRowFunction="custom"><totalsRowFormula>SUBTOTAL(109,Sales[Price])</totalsRowFormula></tableColumn>',
      PRICE,
    ],
    [
      'C3',
      { formula: 'MAX(C2,1)' },
      NAME,
      UNITS,
      '<tableColumn totalsRowFunction="custom" id="3" name="Price" dataDxfId="0"><calculatedColumnFormula>1</calculatedColumnFormula><totalsRowFormula>MAX(C2,1)</totalsRowFormula></tableColumn>',
    ],
    ['C2', 7, NAME, UNITS, PRICE],
  ])('%s = %j', (cell, value, ...columns) => {
    expect(columnsAfter(cell, value).columns).toBe(columns.join(''))
  })

  test('a formula of its own is replaced, and goes for a label', () => {
    const custom = tableWith(
      '<tableColumn id="1" name="Name"/><tableColumn id="2" name="Units" totalsRowFunction="custom"><totalsRowFormula>B2</totalsRowFormula></tableColumn><tableColumn id="3" name="Price"/>',
    )
    const around = (units: string) =>
      `<tableColumn id="1" name="Name"/>${units}<tableColumn id="3" name="Price"/>`
    expect(columnsAfter('B3', { formula: 'B2*2' }, custom).columns).toBe(
      around(
        '<tableColumn id="2" name="Units" totalsRowFunction="custom"><totalsRowFormula>B2*2</totalsRowFormula></tableColumn>',
      ),
    )
    expect(columnsAfter('B3', 'x', custom).columns).toBe(
      around('<tableColumn totalsRowLabel="x" id="2" name="Units"></tableColumn>'),
    )
  })

  test('a number there becomes the formula that gives it, and that is said', () => {
    const { columns, after, warnings } = columnsAfter('B3', -12.5)
    expect(columns).toContain(
      'totalsRowFunction="custom"><totalsRowFormula>-12.5</totalsRowFormula>',
    )
    expect(shown(after, 'S', 'B3')).toBe('? {=-12.5}')
    expect(warnings.join()).toContain('holds only labels and formulas: S!B3')
  })

  test('a header and its total are renamed in one step', () => {
    const { bytes } = edited(table, [
      { op: 'set_cells', sheet: 'S', cells: [{ cell: 'B1', value: 'Pieces' }] },
      {
        op: 'set_cells',
        sheet: 'S',
        cells: [{ cell: 'B3', value: { formula: 'SUBTOTAL(104,Sales[Pieces])' } }],
      },
    ])
    expect(partText(bytes, PART)).toContain(
      '<tableColumn id="2" name="Pieces" totalsRowFunction="max"/>',
    )
  })
})

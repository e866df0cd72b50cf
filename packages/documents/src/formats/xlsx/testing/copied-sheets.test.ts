import { unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { edited, partText, shown, type ZooBook } from './zoo.contract.ts'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const text = (cell: string, value: string) => `<c r="${cell}" t="str"><v>${value}</v></c>`
const formula = (cell: string, value: string) => `<c r="${cell}"><f>${value}</f><v>1</v></c>`

/** Two months' worth: a table of units and prices with a row of totals, and names for what it yields. */
const budget: ZooBook = {
  sheets: {
    Nov: {
      rows: [
        `<row r="1">${text('A1', 'Units')}${text('B1', 'Price')}${formula('D1', 'SUM(Sales[Units])')}</row>`,
        `<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c><c r="C2"><f t="shared" ref="C2:C3" si="0">Sales[[#This Row],[Units]]*Sales[[#This Row],[Price]]</f><v>2</v></c>${formula('D2', 'Total*2')}</row>`,
        `<row r="3"><c r="A3"><v>3</v></c><c r="B3"><v>4</v></c><c r="C3"><f t="shared" si="0"/><v>12</v></c>${formula('D3', 'ROWS(Sales)+Rate')}</row>`,
        `<row r="4">${formula('A4', 'SUBTOTAL(109,Sales[Units])')}${formula('D4', 'SUM(Sales[[#Totals],[Units]:[Price]])+Other[x]+Nov!A2')}</row>`,
      ].join(''),
      tail: '<tableParts/>',
      links: [['rId1', 'table', '../tables/table1.xml']],
    },
    Rates: '',
  },
  names:
    '<definedName name="Total">SUM(Sales[Units])</definedName><definedName name="Rate">Rates!$A$1</definedName><definedName name="First">Nov!$A$2</definedName><definedName name="_xlnm.Print_Area" localSheetId="0">Nov!$A$1:$D$4</definedName>',
  parts: {
    'xl/tables/table1.xml': `<table xmlns="${MAIN}" id="1" name="Sales" displayName="Sales" ref="A1:B4" totalsRowCount="1"><tableColumns count="2"><tableColumn id="1" name="Units"/><tableColumn id="2" name="Price"/></tableColumns></table>`,
  },
}
const copy = { op: 'copy_sheet', sheet: 'Nov', new_name: 'Dec' }

describe('the formulas of a copied sheet mean its own cells', () => {
  test('where they name its tables, which are not copied', () => {
    const { after, open } = edited(budget, [copy])
    for (const document of [open, after])
      expect(['D1', 'C2', 'C3', 'A4', 'D4'].map(cell => shown(document, 'Dec', cell))).toEqual([
        '? {=SUM($A$2:$A$3)}',
        '? {=$A2*$B2}',
        '? {=$A3*$B3}',
        '? {=SUBTOTAL(109,$A$2:$A$3)}',
        '? {=SUM($A$4:$B$4)+Other[x]+Dec!A2}',
      ])
    expect(shown(after, 'Nov', 'D1')).toBe('1 {=SUM(Sales[Units])}')
  })

  test('where they use names of the workbook, which the copy has for itself', () => {
    const { bytes, results } = edited(budget, [copy, { op: 'move_sheet', sheet: 'Dec', index: 2 }])
    const workbook = partText(bytes, 'xl/workbook.xml')
    expect(workbook).toContain(
      '<definedName name="_xlnm.Print_Area" localSheetId="2">Dec!$A$1:$D$4</definedName><definedName name="Total" localSheetId="2">SUM(Dec!$A$2:$A$3)</definedName><definedName name="First" localSheetId="2">Dec!$A$2</definedName></definedNames>',
    )
    expect(workbook).toContain('<definedName name="Total">SUM(Sales[Units])</definedName>')
    expect(results[0]!.message).toBe(
      'Copied the sheet "Nov" to "Dec", with its own names: Total, First.',
    )
  })

  test('where they were written in the same draft', () => {
    const set = {
      op: 'set_cells',
      sheet: 'Nov',
      cells: [{ cell: 'E1', value: { formula: 'SUM(Nov!A2:A3)+SUM(Sales[Price])' } }],
    }
    const { after, open } = edited(budget, [set, copy])
    for (const document of [open, after]) {
      expect(shown(document, 'Dec', 'E1')).toBe('? {=SUM(Dec!A2:A3)+SUM($B$2:$B$3)}')
      expect(shown(document, 'Nov', 'E1')).toBe('? {=SUM(Nov!A2:A3)+SUM(Sales[Price])}')
    }
  })
})

test('a review names what a copied sheet lacks', () => {
  const { changes } = edited(budget, [copy])
  expect(changes[0]!.description).toBe(
    'copy of Nov, without tables (their cells are copied, and formulas of the copy name these)',
  )
})

test('names of a copied sheet go with it', () => {
  const { bytes } = edited(budget, [copy, { op: 'delete_sheet', sheet: 'Dec' }])
  expect(partText(bytes, 'xl/workbook.xml')).not.toContain('Dec')
})

test('the map shows a formula without a value as the formula', () => {
  const rows = `<row r="1">${formula('A1', 'SUM(B3:B9)')}</row>`
  const { open } = edited({ sheets: { Nov: rows } }, [copy])
  expect(unwrap(open.map()).text).toContain('cell A1: =SUM(B3:B9)')
})

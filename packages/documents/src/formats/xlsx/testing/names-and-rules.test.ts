import { describe, expect, test } from 'vitest'
import { newRepairFaults } from '../../../../../../test/repair-lint/lint.ts'
import { structureFaults } from './structure.contract.ts'
import { edited, logged, openZoo, partText, saved, shown, type ZooBook } from './zoo.contract.ts'

const SHEET1 = 'xl/worksheets/sheet1.xml'
const book: ZooBook = {
  strings: ['Region', 'North'],
  names: '<definedName name="Rate">0.19</definedName>',
  sheets: {
    Sales: {
      rows: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>10</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2"><f>B1*Rate</f><v>1.9</v></c></row>',
      tail: '<dataValidations count="1"><dataValidation type="whole" sqref="B1:B9"><formula1>1</formula1><formula2>9</formula2></dataValidation></dataValidations><hyperlinks><hyperlink ref="D1:D4" r:id="rId1"/></hyperlinks>',
    },
    'Costs 2': '<row r="1"><c r="A1"><v>5</v></c></row>',
  },
  parts: {
    'xl/worksheets/_rels/sheet1.xml.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="https://old.example/" TargetMode="External"/></Relationships>',
  },
}

function done(...operations: { op: string; [key: string]: unknown }[]) {
  const own = edited(book, operations)
  expect(newRepairFaults(own.before, own.bytes)).toEqual([])
  expect(structureFaults(own.bytes)).toEqual([])
  return own
}
/** A refused call leaves the file as it was. */
function refused(...operations: { op: string; [key: string]: unknown }[]): string {
  const { document, bytes } = openZoo(book)
  const result = document.apply(logged(operations))
  expect(Buffer.compare(saved(document, bytes).bytes, bytes)).toBe(0)
  return result.ok ? 'done' : result.failure.message
}

describe('names', () => {
  test('define_name fixes its references, and a formula can use it', () => {
    const use = {
      op: 'set_cells',
      sheet: 'Sales',
      cells: [{ cell: 'C1', value: { formula: 'SUM(Net)' } }],
    }
    const { bytes, changes } = done(
      { op: 'define_name', name: 'Net', refers_to: 'Sales!B1:B2' },
      use,
    )
    expect(partText(bytes, 'xl/workbook.xml')).toContain(
      '<definedName name="Net">Sales!$B$1:$B$2</definedName>',
    )
    expect(changes[1]!.dependsOn).toEqual([changes[0]!.id])
    const quoted = done({
      op: 'define_name',
      name: 'Cost',
      refers_to: "'Costs 2'!A1",
      scope: 'Sales',
    })
    expect(partText(quoted.bytes, 'xl/workbook.xml')).toContain(
      `<definedName name="Cost" localSheetId="0">'Costs 2'!$A$1</definedName>`,
    )
  })

  test('edit_name renames it in formulas, and what reads it is computed again', () => {
    const renamed = done({ op: 'edit_name', name: 'rate', new_name: 'Tax' })
    expect(shown(renamed.after, 'Sales', 'B2')).toBe('1.9 {=B1*Tax}')
    const other = done({ op: 'edit_name', name: 'Rate', refers_to: 0.2 })
    expect(shown(other.after, 'Sales', 'B2')).toBe('? {=B1*Rate}')
    expect(partText(other.bytes, 'xl/workbook.xml')).toContain('fullCalcOnLoad="1"')
  })

  test('remove_name refuses a name in use, and takes one that is not', () => {
    expect(refused({ op: 'remove_name', name: 'Rate' })).toContain(
      'the formula "=B1*Rate" uses Rate',
    )
    const clear = { op: 'clear_range', sheet: 'Sales', range: 'B2' }
    expect(
      partText(done(clear, { op: 'remove_name', name: 'Rate' }).bytes, 'xl/workbook.xml'),
    ).not.toContain('definedName')
  })

  test.each([
    [{ op: 'define_name', name: 'Rate', refers_to: '1' }, 'is taken by the name Rate'],
    [{ op: 'define_name', name: 'A1', refers_to: '1' }, 'reads as a cell'],
    [{ op: 'define_name', name: 'X', refers_to: 'B2:B9' }, 'without its sheet'],
    [{ op: 'define_name', name: 'Xx', refers_to: 'SUM(' }, 'define_name: refers_to'],
    [{ op: 'remove_name', name: 'Rats' }, 'the names are Rate'],
  ])('%j is refused: %s', (operation, problem) => {
    expect(refused(operation)).toContain(problem)
  })
})

describe('validations', () => {
  test('a list takes its cells from the rule they had', () => {
    const { bytes, changes } = done({
      op: 'data_validation',
      sheet: 'Sales',
      range: 'B3:B4',
      type: 'list',
      list: ['Yes', 'No'],
      error: 'Yes or no',
    })
    const sheet = partText(bytes, SHEET1)
    expect(sheet).toContain('<dataValidations count="2">')
    expect(sheet).toContain('sqref="B1:B2 B5:B9"')
    expect(sheet).toContain(
      'error="Yes or no" sqref="B3:B4"><formula1>"Yes,No"</formula1></dataValidation>',
    )
    expect(changes).toMatchObject([
      { place: 'Sales!B3:B4 validation', before: { text: 'B1:B9: whole between 1 and 9' } },
    ])
  })

  test.each([
    [
      { type: 'list', source: 'Costs 2!A1:A9' },
      `type="list" allowBlank="1"`,
      `<formula1>'Costs 2'!$A$1:$A$9</formula1>`,
    ],
    [
      { type: 'whole', min: 1, max: 5 },
      'type="whole" allowBlank="1"',
      '<formula1>1</formula1><formula2>5</formula2>',
    ],
    [
      { type: 'decimal', operator: '>=', value: 0.5 },
      'operator="greaterThanOrEqual"',
      '<formula1>0.5</formula1>',
    ],
    [
      { type: 'date', min: '2026-01-01' },
      'type="date" operator="greaterThanOrEqual"',
      '<formula1>46023</formula1>',
    ],
    [
      { type: 'length', max: 10 },
      'type="textLength" operator="lessThanOrEqual"',
      '<formula1>10</formula1>',
    ],
    [
      { type: 'custom', formula: '=ISNUMBER(C1)' },
      'type="custom"',
      '<formula1>ISNUMBER(C1)</formula1>',
    ],
  ])('%j', (rule, attributes, formulas) => {
    const sheet = partText(
      done({ op: 'data_validation', sheet: 'Sales', range: 'C1:C9', ...rule }).bytes,
      SHEET1,
    )
    expect(sheet).toContain(attributes)
    expect(sheet).toContain(formulas)
  })

  test('what is given changes a rule for the same cells, the rest stays', () => {
    const sheet = partText(
      done({
        op: 'data_validation',
        sheet: 'Sales',
        range: 'B1:B9',
        prompt: 'One to nine',
        level: 'warning',
      }).bytes,
      SHEET1,
    )
    expect(sheet).toContain('type="whole" errorStyle="warning"')
    expect(sheet).toContain(
      'prompt="One to nine" sqref="B1:B9"><formula1>1</formula1><formula2>9</formula2>',
    )
    expect(sheet).toContain('<dataValidations count="1">')
  })

  test('remove_validation', () => {
    expect(
      partText(done({ op: 'remove_validation', sheet: 'Sales', range: 'B1:B20' }).bytes, SHEET1),
    ).not.toContain('dataValidation')
    expect(refused({ op: 'remove_validation', sheet: 'Sales', range: 'C1' })).toContain(
      'no cell of Sales!C1 has a validation',
    )
  })

  test.each([
    [{ type: 'list' }, 'a list needs list'],
    [{ type: 'list', list: ['a,b'] }, 'no commas'],
    [{ type: 'list', list: Array.from({ length: 60 }, (_, i) => `item ${i}`) }, 'send source'],
    [{ type: 'whole', operator: 'between', min: 1 }, 'between needs min and max'],
    [{ type: 'whole', min: 'abc' }, 'is no limit'],
    [{ type: 'colour' }, 'type is "list", "whole"'],
  ])('%j is refused: %s', (rule, problem) => {
    expect(refused({ op: 'data_validation', sheet: 'Sales', range: 'C1', ...rule })).toContain(
      problem,
    )
  })
})

describe('links', () => {
  test('set_hyperlink links a cell in the middle of a link', () => {
    const { bytes, after } = done({
      op: 'set_hyperlink',
      sheet: 'Sales',
      cell: 'D2',
      url: 'https://new.example/a b',
      text: 'New',
    })
    const sheet = partText(bytes, SHEET1)
    expect(sheet).toContain(
      '<hyperlink ref="D1" r:id="rId1"/><hyperlink ref="D3:D4" r:id="rId1"/><hyperlink ref="D2" r:id="rId2"/>',
    )
    expect(partText(bytes, 'xl/worksheets/_rels/sheet1.xml.rels')).toContain(
      'https://new.example/a%20b',
    )
    expect(shown(after, 'Sales', 'D2')).toBe('New')
  })

  test('to a place of the workbook, and off again', () => {
    const { bytes, after } = done({
      op: 'set_hyperlink',
      sheet: 'Sales',
      cell: 'E1',
      location: 'Costs 2!A1',
    })
    expect(partText(bytes, SHEET1)).toContain(`<hyperlink ref="E1" location="'Costs 2'!A1"/>`)
    expect(shown(after, 'Sales', 'E1')).toContain("'Costs 2'!A1")
    const off = done({ op: 'remove_hyperlink', sheet: 'Sales', cell: 'D1:D4' })
    expect(partText(off.bytes, SHEET1)).not.toContain('hyperlink')
    expect(partText(off.bytes, 'xl/worksheets/_rels/sheet1.xml.rels')).not.toContain('old.example')
  })

  test.each([
    [{ url: 'javascript:alert(1)' }, 'would run code'],
    [{ location: 'Nowhere!A1' }, 'the sheets are Sales, Costs 2'],
    [{}, 'needs url'],
  ])('%j is refused: %s', (link, problem) => {
    expect(refused({ op: 'set_hyperlink', sheet: 'Sales', cell: 'A1', ...link })).toContain(problem)
  })
})

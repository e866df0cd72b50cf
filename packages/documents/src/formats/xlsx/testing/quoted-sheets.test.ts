import type { Operation } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { quoteSheet } from '../cell/address.ts'
import { SHEETS } from './random-formulas.contract.ts'
import { edited, partText, type ZooBook } from './zoo.contract.ts'

/** A sheet of that name with values in A1:B6, and formulas, a name and a validation elsewhere that name it. */
function bookOf(name: string): ZooBook {
  const own = quoteSheet(name)
  const rows = Array.from(
    { length: 6 },
    (_, at) =>
      `<row r="${at + 1}"><c r="A${at + 1}"><v>${6 - at}</v></c><c r="B${at + 1}"><v>${at}</v></c></row>`,
  )
  return {
    sheets: {
      [name]: rows.join(''),
      Sum: {
        rows: `<row r="1"><c r="A1"><f>${own}!B5</f><v>4</v></c><c r="B1"><f>SUM(${own}!A2:B5)</f><v>24</v></c></row>`,
        tail: `<dataValidations count="1"><dataValidation type="list" sqref="C1"><formula1>${own}!$B$5:$B$6</formula1></dataValidation></dataValidations>`,
      },
    },
    names: `<definedName name="Fifth">${own}!$B$5</definedName>`,
  }
}

const cases: readonly (readonly [Operation, string, string, string])[] = [
  [{ op: 'insert_rows', at: 2 }, 'B6', 'A3:B6', '$B$6:$B$7'],
  [{ op: 'delete_rows', rows: '2' }, 'B4', 'A2:B4', '$B$4:$B$5'],
  [{ op: 'insert_columns', at: 'B' }, 'C5', 'A2:C5', '$C$5:$C$6'],
  [{ op: 'delete_columns', columns: 'A' }, 'A5', 'A2:A5', '$A$5:$A$6'],
  [{ op: 'insert_cells', range: 'A2:B2', shift: 'down' }, 'B6', 'A3:B6', '$B$6:$B$7'],
  [{ op: 'delete_cells', range: 'A2:B2', shift: 'up' }, 'B4', 'A2:B4', '$B$4:$B$5'],
  [{ op: 'move_range', range: 'A2:B6', to: 'D10' }, 'E13', 'D10:E13', '$E$13:$E$14'],
]

describe.each(SHEETS)('what names the sheet %s', name => {
  test.each(cases)('follows %j: %s, %s, %s', (operation, cell, range, list) => {
    const { bytes } = edited(bookOf(name), [{ ...operation, sheet: name }])
    const own = quoteSheet(name)
    expectNamed(bytes, own, cell, range, list)
  })

  test('follows its new name', () => {
    const to = "It's new"
    const { bytes } = edited(bookOf(name), [{ op: 'rename_sheet', sheet: name, new_name: to }])
    expectNamed(bytes, quoteSheet(to), 'B5', 'A2:B5', '$B$5:$B$6')
  })

  test('is lost with it', () => {
    const { bytes } = edited(bookOf(name), [{ op: 'delete_sheet', sheet: name }])
    expect(formulasOf(bytes)).toEqual(['#REF!', 'SUM(#REF!)', '#REF!', '#REF!'])
  })
})

function expectNamed(bytes: Uint8Array, own: string, cell: string, range: string, list: string) {
  const fixed = cell.replace(/([A-Z]+)(\d+)/, '$$$1$$$2')
  expect(formulasOf(bytes)).toEqual([
    `${own}!${cell}`,
    `SUM(${own}!${range})`,
    `${own}!${list}`,
    `${own}!${fixed}`,
  ])
}

function formulasOf(bytes: Uint8Array): string[] {
  const part = bytes && partOf(bytes)
  const texts = [...part.matchAll(/<f>([^<]*)<\/f>|<formula1>([^<]*)</g)].map(
    own => own[1] ?? own[2]!,
  )
  const name = /<definedName [^>]*>([^<]*)</.exec(partText(bytes, 'xl/workbook.xml'))?.[1] ?? ''
  return [...texts, name].map(text => text.replaceAll('&apos;', "'"))
}

function partOf(bytes: Uint8Array): string {
  return partText(bytes, 'xl/worksheets/sheet2.xml')
}

import { expect, test } from 'vitest'
import { findTool } from '../catalog.ts'

const xlsxOperations = findTool('xlsx_operations')!.declaration

const lackOf = (operation: unknown) =>
  xlsxOperations.lacks?.({ path: 'a.xlsx', operations: [operation] })[0]?.message

test.each([
  ['shift_rows', 'insert and delete whole rows'],
  ['set_text_style', 'set_style sets the look of cells'],
  ['page_break', 'freeze_panes, print_setup, group'],
  ['add_table_column', 'add_, edit_ and remove_ work on a table'],
  ['add_sparkline', 'sparklines, slicers, macros'],
  ['explode', 'there is no operation "explode". The operations are ensure_sheet, '],
])('%s is answered with what works instead', (op, words) => {
  const message = lackOf({ op, sheet: 'S', row: 3 })
  expect(message).toContain(words)
  expect(message).toContain('The operations are')
})

test('an operation under another name is not a missing one', () => {
  for (const op of ['create_sheet', 'rename', 'clear', 'set_cells', 'duplicate_sheet'])
    expect(lackOf({ op, sheet: 'S' }), op).toBeUndefined()
})

test('a sheet of another workbook is not taken for one of this', () => {
  expect(lackOf({ op: 'copy_sheet', from: 'b.xlsx', sheet: 'S', new_name: 'T' })).toContain(
    'copies inside one workbook, and "b.xlsx" is another',
  )
  expect(lackOf({ op: 'copy_sheet', from: 'S', new_name: 'T' })).toBeUndefined()
})

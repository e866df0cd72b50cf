import { expect, test } from 'vitest'
import { findTool } from '../catalog.ts'
import { repairArguments } from '../repair-arguments.ts'

const xlsxOperations = findTool('xlsx_operations')!.declaration

const rowsOf = (fields: Record<string, unknown>) => {
  const operation = { op: 'set_range', sheet: 'S', ...fields }
  const repaired = repairArguments(xlsxOperations, { path: 'a.xlsx', operations: [operation] })
  return (repaired?.operations as { start: string; values: unknown }[] | undefined)?.[0]
}

test('records are offered as a row of their names and a row each', () => {
  const values = [
    { Name: 'a', Units: 1 },
    { Name: 'b', Price: { formula: 'B2*2' } },
  ]
  expect(rowsOf({ start: 'A1', values })?.values).toEqual([
    ['Name', 'Units', 'Price'],
    ['a', 1, null],
    ['b', null, { formula: 'B2*2' }],
  ])
})

test('one list is a row, or a column where the range is one', () => {
  expect(rowsOf({ start: 'A1', values: [1, { formula: 'A1' }] })?.values).toEqual([
    [1, { formula: 'A1' }],
  ])
  expect(rowsOf({ range: 'B2:B3', values: [1, 2] })).toMatchObject({
    start: 'B2',
    values: [[1], [2]],
  })
  expect(rowsOf({ range: 'B2:C2', values: [1, 2] })?.values).toEqual([[1, 2]])
})

test.each([
  [{ op: 'add_slide', title: 'New', after: 2 }, 3],
  [{ op: 'add_slide', title: 'New', before: 2 }, 2],
  [{ op: 'import_slides', from: 'b.pptx', after: 0 }, 1],
])('a new slide beside another is offered with its index: %o', (operation, at) => {
  const { declaration } = findTool('pptx_operations')!
  const repaired = repairArguments(declaration, { path: 'a.pptx', operations: [operation] })
  const [offered] = repaired!.operations as Record<string, unknown>[]
  expect(offered).toMatchObject({ op: operation.op, at })
  expect(Object.keys(offered!)).not.toContain('after')
})

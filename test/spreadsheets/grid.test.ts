import { expect, test } from 'vitest'
import { zooBook } from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { embedded } from '../embedded.ts'

const BOOK = zooBook({
  sheets: { S: '<row r="1"><c r="A1" s="1"><v>1234.5</v></c><c r="B1" s="3"><v>7</v></c></row>' },
})

test('a page draws a sheet as it is on disk, and as a draft has it', async () => {
  const product = await embedded({ 'Book.xlsx': BOOK, 'notes.txt': 'words' })
  const gridOf = (query: Readonly<Record<string, string>>) => product.ask('grid', { query })
  const { status, value } = await gridOf({ path: 'Book.xlsx', sheet: 'S', range: 'A1:B2' })
  expect(status).toBe(200)
  expect(value).toMatchObject({
    box: { top: 1, left: 1, bottom: 2, right: 2 },
    cells: [{ text: '1,234.50' }, { text: '7', look: 1 }],
    looks: [{ font: 'Calibri', size: 11 }, { bold: true }],
  })
  const edited = await product.call('xlsx_operations', {
    path: 'Book.xlsx',
    operations: [{ op: 'set_cells', sheet: 'S', cells: [{ cell: 'A1', value: 9 }] }],
  })
  expect(edited.success).toBe(true)
  const [draft] = (await product.ask('listDrafts', {})).value
  const drafted = await gridOf({ path: 'Book.xlsx', draftId: draft.id })
  expect(drafted.value.cells[0]).toMatchObject({ text: '9.00' })
  expect((await gridOf({ path: 'Book.xlsx' })).value.cells[0]).toMatchObject({ text: '1,234.50' })
})

test('what has no cells is refused in words', async () => {
  const product = await embedded({ 'Book.xlsx': BOOK, 'notes.txt': 'words' })
  const ask = async (query: Readonly<Record<string, string>>) => product.ask('grid', { query })
  const text = await ask({ path: 'notes.txt' })
  expect([text.status, text.value.message]).toEqual([
    415,
    '"notes.txt" is a text file, which has no cells to draw.',
  ])
  expect((await ask({ path: 'gone.xlsx' })).status).toBe(404)
  expect((await ask({ path: 'Book.xlsx', sheet: 'T' })).value.message).toContain('the sheets are S')
  expect((await ask({ path: 'Book.xlsx', draftId: 'drf_none' })).status).toBe(404)
})

import { unwrap } from '@filewright/protocol'
import { expect } from 'vitest'
import { xlsxFormat } from '../../packages/documents/src/formats/xlsx/index.ts'
import { NAME, zooBook } from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'

const rowsTo = (last: number) =>
  Array.from(
    { length: last },
    (_, index) => `<row r="${index + 1}"><c r="A${index + 1}"><v>${index}</v></c></row>`,
  ).join('')

verifies(
  'CONTRACT §4 get_file_info chunk boundaries',
  'each chunk that a map names is read as a region, and together they are the sheet',
  async () => {
    const product = await embedded({ 'book.xlsx': zooBook({ sheets: { S: rowsTo(9_000) } }) })
    const map = await product.call('get_file_info', { path: 'book.xlsx' })
    const [{ chunks }] = map.sheets as [{ chunks: string[] }]
    expect(chunks.length).toBeGreaterThan(1)
    const lasts: unknown[] = []
    for (const range of chunks) {
      const part = await product.call('read_file', { path: 'book.xlsx', sheet: 'S', range })
      expect(part).toMatchObject({ success: true, sheet: 'S' })
      expect(part.cells[0].value).toBe((Number(lasts.at(-1) ?? -1) as number) + 1)
      lasts.push(Number(/\d+$/.exec(range)![0]) - 1)
    }
    expect(lasts.at(-1)).toBe(8_999)
  },
)

verifies('CONTRACT §4 list_files paged', 'pages of a list join, each file once', async () => {
  const names = Array.from({ length: 23 }, (_, index) => `f${String(index).padStart(2, '0')}.txt`)
  const product = await embedded(Object.fromEntries(names.map(name => [name, name])))
  const seen: string[] = []
  let after: string | undefined
  do {
    const page = await product.call('list_files', { limit: 5, ...(after && { after }) })
    expect(page.total).toBe(23)
    expect(page.files.length).toBeLessThanOrEqual(5)
    seen.push(...page.files.map((file: { path: string }) => file.path))
    after = page.next ?? undefined
  } while (after)
  expect(seen).toEqual(names)
})

verifies(
  ['CONTRACT §4 open in Office edited', 'CONTRACT §4 open in Office warns'],
  'a workbook that Office has open is edited in the draft, and publishing warns',
  async () => {
    const product = await embedded({
      'book.xlsx': unwrap(xlsxFormat.create(NAME)),
      '~$book.xlsx': 'Ana',
      'other.xlsx': unwrap(xlsxFormat.create(NAME)),
    })
    const set = (path: string) =>
      product.call('xlsx_operations', {
        path,
        operations: [{ op: 'set_cells', sheet: 'Sheet1', cells: [{ cell: 'A1', value: 7 }] }],
      })
    expect(await set('book.xlsx')).toMatchObject({ success: true, draft: 'changed' })
    expect(await set('other.xlsx')).toMatchObject({ success: true })
    const { value } = await product.ask('publish', { body: { by: 'the person' } })
    expect(value.warnings).toHaveLength(1)
    expect(value.warnings[0]).toMatch(/^"book.xlsx" seems to be open in an office program/)
    const read = await product.call('read_file', { path: 'book.xlsx' })
    expect(read).toMatchObject({ cells: [{ cell: 'A1', value: 7 }], draft: 'none' })
  },
)

import { unwrap } from '@filewright/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verifies } from '../../../../../test/verifies.ts'
import type { DocumentName } from '../../format.ts'
import { csvFormat } from './format.ts'
import { scanRecords, toScannable } from './records.ts'

const nameOf = (docPath: string) => ({ docPath, path: docPath }) as DocumentName
const open = (text: string | Uint8Array, docPath = 'sales.csv') =>
  unwrap(csvFormat.open(typeof text === 'string' ? Buffer.from(text) : text, nameOf(docPath)))
const table = (text: string, docPath = 'sales.csv') =>
  (unwrap(open(text, docPath).map()).fields as { table?: Record<string, unknown> }).table
const MANY = { maxBytes: 40_000 }

verifies(
  'CONTRACT §4 get_file_info csv',
  'the map of a csv names its columns and their types',
  () => {
    const text =
      'Product,Price,Sold,In stock,Code,Note\nPen,1.50,2024-03-01,yes,007,\nInk,12,2024-03-02,no,010,\n'
    expect(table(text)).toMatchObject({
      delimiter: ',',
      hasHeader: true,
      columns: [
        { name: 'Product', type: 'text' },
        { name: 'Price', type: 'number' },
        { name: 'Sold', type: 'date' },
        { name: 'In stock', type: 'boolean' },
        { name: 'Code', type: 'text' },
        { name: 'Note', type: 'empty' },
      ],
      rowCount: 3,
      rowsSeen: 2,
    })
    const map = unwrap(open('a;b\r\n1,5;x\r\n').map())
    expect(map.text).toContain(
      'table of 2 columns and 2 rows, separated by ";", with a header, decimal comma: a (number), b (text)',
    )
  },
)

test('quotes hold delimiters, quotes and line ends', () => {
  const text = 'name,text\n"a, b","say ""hi""\nand go"\nc,d\n'
  expect(table(text)).toMatchObject({ columns: [{ name: 'name' }, { name: 'text' }], rowsSeen: 2 })
  const { fields } = unwrap(open(text).read({ row_start: 2, row_count: 1 }, MANY))
  expect(fields.rows).toEqual([['a, b', 'say "hi"\nand go']])
})

test('a table without a header has numbered columns; a line that declares the delimiter is obeyed', () => {
  expect(table('1\t2\n3\t4\n', 'x.tsv')).toMatchObject({
    delimiter: '\t',
    hasHeader: false,
    columns: [{ name: 'column 1', type: 'number' }, { name: 'column 2' }],
  })
  expect(table('a,b\n-,%\n')).toMatchObject({ columns: [{ type: 'text' }, { type: 'text' }] })
  expect(table('', 'x.csv')).toBeUndefined()
  expect(table('sep=|\na|b\n1|2\n')).toMatchObject({ delimiter: '|', headerRow: 2 })
})

test('rows are paged, and lines show the text to edit', () => {
  const document = open(
    `id,name\n${Array.from({ length: 500 }, (_, n) => `${n},"n ${n}"`).join('\n')}\n`,
  )
  const first = unwrap(document.read({}, { maxBytes: 300, version: '1a2b3c4d' }))
  expect(first.text).toContain(
    'sales.csv · version 1a2b3c4d · rows 1-29 of 501 · 2 columns · separated by "," · header in row 1 · encoding utf-8\n1|id|name\n2|0|n 0',
  )
  expect(first.next).toEqual({ row_start: 30 })
  const last = unwrap(document.read({ row_start: 501 }, MANY))
  expect(last).toMatchObject({
    shown: 'row 501',
    total: '501 rows',
    fields: { rows: [['499', 'n 499']] },
  })
  expect(unwrap(document.read({ line_start: 3, line_count: 1 }, MANY)).text).toContain('3|1,"n 1"')
  expect(document.read({ row_start: 502 }, MANY)).toMatchObject({
    failure: {
      code: 'NO_SUCH_REGION',
      message: 'Cannot read "sales.csv" from row 502: its last row is 501.',
    },
  })
  expect(document.read({ row_start: 1, line_start: 1 }, MANY)).toMatchObject({ ok: false })
})

test('a quote that is never closed is a character, and the rows below stay rows', () => {
  const document = open(`a,b\n1,2\n"x,y\n${'3,4\n'.repeat(3)}`)
  const map = unwrap(document.map())
  expect(map.fields).toMatchObject({ table: { rowCount: 6 } })
  expect(map.warnings?.[0]).toContain('Row 3 opens a quote that is never closed')
  expect(unwrap(document.read({ row_start: 3, row_count: 1 }, MANY)).fields.rows).toEqual([
    ['"x', 'y'],
  ])
})

test('a cell of many megabytes and a row of very many cells are shown in part, and say so', () => {
  const long = 'x""y'.repeat(100_000)
  const document = open(`id,text\n1,"${long}"\n2,"a ""b"" c"d,"" \n`)
  const reading = unwrap(document.read({ row_start: 2 }, MANY))
  expect(Buffer.byteLength(JSON.stringify(reading))).toBeLessThan(4 * MANY.maxBytes)
  expect(reading.text).toContain('(300000 characters)')
  expect(reading.fields.rows).toContainEqual(['2', 'a "b" cd', ' '])
  const alone = unwrap(document.read({ row_start: 2, row_count: 1 }, MANY))
  expect(Buffer.byteLength(JSON.stringify(alone))).toBeLessThan(4 * MANY.maxBytes)
  const wide = open(`${Array.from({ length: 5_000 }, (_, n) => `c${n}`).join(',')}\n`.repeat(2))
  const row = unwrap(wide.read({ row_start: 2 }, MANY))
  expect(Buffer.byteLength(JSON.stringify(row))).toBeLessThan(4 * MANY.maxBytes)
  expect(row.warnings?.[0]).toContain('up to 5000 cells, and the first 1000 are shown')
})

test('files in other encodings are divided at their characters', () => {
  const utf16 = Buffer.from('\ufeffname;größe\nä;1,5\n', 'utf16le')
  expect(unwrap(open(utf16).read({}, MANY)).fields.rows).toEqual([
    ['name', 'größe'],
    ['ä', '1,5'],
  ])
  const latin1 = Buffer.from('name;größe\nÄpfel;1,5\nBirnen süß;2\n', 'latin1')
  expect(unwrap(open(latin1).read({}, MANY)).fields.rows).toContainEqual(['Äpfel', '1,5'])
})

test('a query gets each cell by its own type, with the row it comes from', () => {
  const document = open('code;paid;note\n007;1.234,50;\n8;NP;x\n\n9;-2,5;"a;b"\n', 'in/p.csv')
  const [only] = unwrap(document.tables!())
  expect(only).toMatchObject({ name: 'p', headerRow: 1, box: { bottom: 5, right: 3 } })
  expect([...only!.rows()]).toEqual([
    { row: 1, cells: ['code', 'paid', 'note'] },
    { row: 2, cells: ['007', 1234.5, null] },
    { row: 3, cells: [8, 'NP', 'x'] },
    { row: 5, cells: [9, -2.5, 'a;b'] },
  ])
  expect([...only!.rows({ top: 3, bottom: 3, left: 2, right: 3 })]).toEqual([
    { row: 3, cells: ['NP', 'x'] },
  ])
})

test('what is written in quotes is read back', () => {
  const cell = fc.string().map(text => text.replace(/[\r\0]/g, ''))
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 }),
      rows => {
        const written = rows.map(row => row.map(text => `"${text.replace(/"/g, '""')}"`).join(','))
        const records = scanRecords(toScannable(Buffer.from(`${written.join('\r\n')}\r\n`)), ',')
        expect(records.count).toBe(rows.length)
        expect(rows.map((_, index) => records.cells(index + 1))).toEqual(rows)
      },
    ),
  )
})

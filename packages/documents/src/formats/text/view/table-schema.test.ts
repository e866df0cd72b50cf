import { expect, test } from 'vitest'
import { verifies } from '../../../../../../test/verifies.ts'
import { decodeText } from '../decode/text.ts'
import { mapText } from './map.ts'

const table = (text: string, docPath = 'sales.csv') => {
  const { fields } = mapText(decodeText(Buffer.from(text)), { docPath, path: docPath } as never)
  return (fields as { table?: Record<string, unknown> }).table
}

verifies(
  'CONTRACT §4 get_file_info csv',
  'the map of a csv names its columns and their types',
  () => {
    const text =
      'Product,Price,Sold,In stock,Code,Note\nPen,1.50,2024-03-01,yes,007,\nInk,12,2024-03-02,no,010,\n'
    expect(table(text)).toEqual({
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
      rowsSeen: 2,
      isWhole: true,
    })
    const map = mapText(decodeText(Buffer.from('a;b\r\n1,5;x\r\n')), {
      docPath: 'x.csv',
      path: 'X.csv',
    } as never)
    expect(map.text).toContain(
      'table of 2 columns separated by ";", with a header, 1 row: a (number), b (text)',
    )
  },
)

test('quotes hold delimiters, quotes and line ends', () => {
  expect(table('name,text\n"a, b","say ""hi""\nand go"\nc,d\n')).toMatchObject({
    columns: [{ name: 'name' }, { name: 'text' }],
    rowsSeen: 2,
  })
})

test('a table without a header has numbered columns, and other endings have none', () => {
  expect(table('1\t2\n3\t4\n', 'x.tsv')).toMatchObject({
    delimiter: '\t',
    hasHeader: false,
    columns: [{ name: 'column 1', type: 'number' }, { name: 'column 2' }],
  })
  expect(table('a,b\n1,2\n', 'x.txt')).toBeUndefined()
  expect(table('a,b\n-,%\n')).toMatchObject({ columns: [{ type: 'text' }, { type: 'text' }] })
  expect(table('', 'x.csv')).toBeUndefined()
})

test('of a long table the first rows are looked at', () => {
  const long = table(`n\n${'1\n'.repeat(5000)}late\n`)
  expect(long).toMatchObject({ isWhole: false, rowsSeen: 1000, columns: [{ type: 'number' }] })
  expect(table(`"${'x\n'.repeat(5000)}`)).toBeUndefined() // a quote without its end
})

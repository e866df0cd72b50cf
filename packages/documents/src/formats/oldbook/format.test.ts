import { utils, write } from '@e965/xlsx'
import { unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import type { DocumentName } from '../../format.ts'
import { oldbookFormat } from './format.ts'

const NAME = { docPath: 'a.xls', path: 'A.xls' } as DocumentName
const MANY = { maxBytes: 46_000 }

const book = utils.book_new()
utils.book_append_sheet(
  book,
  utils.aoa_to_sheet([
    ['Name', 'Sum'],
    ['Ann', 12.5],
    ['NP', null],
  ]),
  'Sales',
)
utils.book_append_sheet(book, utils.aoa_to_sheet([['x']]), 'Other')

test.each(['biff8', 'xlsb', 'ods'] as const)(
  'a workbook of %s is read, searched and queried',
  bookType => {
    const bytes = new Uint8Array(write(book, { type: 'buffer', bookType }))
    const document = unwrap(oldbookFormat.open(bytes, NAME))
    expect(unwrap(document.map()).text).toContain('sheet "Sales": 3 rows, 2 columns')
    const reading = unwrap(document.read({}, MANY))
    expect(reading.text).toContain('1|Name|Sum\n2|Ann|12.5\n3|NP|')
    expect(reading.text).toContain('other sheets: Other')
    expect(unwrap(document.search({ text: 'ann', maxHits: 3 })).hits).toEqual([
      { region: { sheet: 'Sales', row_start: 2, row_count: 1 }, place: 'Sales!A2', text: 'Ann' },
    ])
    const [table] = unwrap(document.tables!())
    expect([...table!.rows()]).toEqual([
      { row: 1, cells: ['Name', 'Sum'] },
      { row: 2, cells: ['Ann', 12.5] },
      { row: 3, cells: ['NP', null] },
    ])
    expect(document.read({ sheet: 'Sale' }, MANY)).toMatchObject({
      failure: { code: 'NO_SUCH_REGION', message: expect.stringContaining('Sales, Other') },
    })
  },
)

test('what is none ends in one sentence', () => {
  for (const bytes of [
    Buffer.from('hello'),
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.from('PK\u0003\u0004'),
  ])
    expect(oldbookFormat.open(bytes, NAME).ok).toBe(false)
})

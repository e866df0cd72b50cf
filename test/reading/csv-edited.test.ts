import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { embedded } from '../embedded.ts'

test('a csv is edited as lines, read as a table from the draft, and published byte for byte elsewhere', async () => {
  const rows = ['Produkt;Preis;Notiz', 'Stift;1,50;"a; b"', 'Tinte;12,00;grün', 'Papier;3,25;']
  const bytes = (lines: readonly string[]) => Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1')
  const product = await embedded({ 'preise.csv': bytes(rows) })

  const edited = await product.call('edit_text_file', {
    path: 'preise.csv',
    edits: [{ search: 'Tinte;12,00', replace: 'Tinte;12,75' }],
  })
  expect(edited).toMatchObject({
    success: true,
    format: 'csv',
    draft: 'changed',
    changeCount: 1,
    places: ['line 3'],
  })

  const drafted = await product.call('read_file', { path: 'preise.csv', row_start: 3 })
  expect(drafted).toMatchObject({
    success: true,
    draft: 'changed',
    rows: [
      ['Tinte', '12,75', 'grün'],
      ['Papier', '3,25', ''],
    ],
  })

  await product.ask('publish', { body: { by: 'the person' } })
  const expected = rows.with(2, 'Tinte;12,75;grün')
  expect(readFileSync(join(product.dir, 'preise.csv'))).toEqual(bytes(expected))
})

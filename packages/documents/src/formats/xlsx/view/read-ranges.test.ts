import { type Region, unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { openZoo, type ZooBook } from '../testing/zoo.contract.ts'

const row = (n: number) =>
  `<row r="${n}"><c r="A${n}"><v>${n}</v></c><c r="B${n}"><v>${-n}</v></c></row>`
const rows = Array.from({ length: 400 }, (_, i) => row(i + 1)).join('')
const book: ZooBook = { sheets: { S: { rows }, T: { rows: row(1) } } }
const read = (range: string, maxBytes = 10_000, sheet = 'S') =>
  openZoo(book).document.read({ sheet, range }, { maxBytes })
const cellsOf = (range: string, maxBytes?: number) =>
  (unwrap(read(range, maxBytes)).fields.cells as { cell: string }[]).map(({ cell }) => cell)

test('several ranges are one reading, and cells in two of them are listed once', () => {
  expect(cellsOf('A2,B3:B4')).toEqual(['A2', 'B3', 'B4'])
  expect(cellsOf("A1:A2; 'S'!A2:A3")).toEqual(['A1', 'A2', 'A3'])
  expect(unwrap(read('A2,B3')).text).toBe(
    'sheet "S", cells A2 of A1:B400\n|A\n2|2\nsheet "S", cells B3 of A1:B400\n|B\n3|-3',
  )
})

test('what does not fit comes next, the rest of a range and the ranges after it', () => {
  const document = openZoo(book).document
  const seen: string[] = []
  let region: Region | undefined = { sheet: 'S', range: 'A1:A400,B1:B2' }
  for (let reads = 0; region && reads < 50; reads++) {
    const { fields, next }: { fields: Region; next?: Region } = unwrap(
      document.read(region, { maxBytes: 1_500 }),
    )
    seen.push(...(fields.cells as unknown as { cell: string }[]).map(({ cell }) => cell))
    region = next
  }
  expect(seen).toHaveLength(402)
  expect(new Set(seen).size).toBe(402)
  expect(seen.slice(-2)).toEqual(['B1', 'B2'])
})

test('a range that is open at one side ends with the content', () => {
  expect(unwrap(read('A399:A')).shown).toBe('A399:A400')
  expect(unwrap(read('A2:2')).shown).toBe('A2:B2')
  expect(read('A500:A')).toMatchObject({ ok: false, failure: { code: 'NO_SUCH_REGION' } })
})

test('ranges of two sheets are two reads', () => {
  expect(read('S!A1,T!A1')).toMatchObject({
    failure: { message: expect.stringContaining('Read each sheet with a call of its own') },
  })
})

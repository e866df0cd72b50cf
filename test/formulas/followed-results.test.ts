import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Review } from '@filewright/protocol'
import { toBytes, unwrap } from '@filewright/protocol'
import { expect } from 'vitest'
import { xlsxFormat } from '../../packages/documents/src/formats/xlsx/format.ts'
import {
  logged,
  NAME,
  shown,
  zooBook,
} from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'

const number = (cell: string, value: number) => `<c r="${cell}"><v>${value}</v></c>`
const BOOK = zooBook({
  sheets: {
    S:
      `<row r="1">${number('A1', 2)}<c r="B1"><f>A1*10</f><v>20</v></c></row>` +
      `<row r="2">${number('A2', 3)}<c r="B2"><f>A2*10</f><v>30</v></c></row>` +
      '<row r="3"><c r="B3"><f>SUM(B1:B2)</f><v>50</v></c></row>',
  },
})

const set = (cell: string, value: unknown) => ({
  op: 'set_cells',
  sheet: 'S',
  cells: [{ cell, value }],
})

function edit(product: Embedded, ...operations: object[]) {
  return product.call('xlsx_operations', { path: 'b.xlsx', operations })
}

/** A cell of the file on disk. */
function onDisk(product: Embedded, cell: string): string {
  const bytes = readFileSync(join(product.dir, 'b.xlsx'))
  return shown(unwrap(xlsxFormat.open(bytes, NAME)), 'S', cell)
}

async function review(product: Embedded): Promise<Review> {
  const { value } = await product.ask<Review>('review')
  return value
}

verifies(
  'CONTRACT §4 formula values answered',
  'a call that sets formulas answers with their values, and names the totals it moved',
  async () => {
    const product = await embedded({ 'b.xlsx': BOOK })
    const answer = await edit(product, set('C1', { formula: 'B1/A1' }), set('A2', 5))
    expect(answer).toMatchObject({
      results: [
        { formulas: [{ cell: 'S!C1', value: 10 }] },
        { totals: [{ cell: 'S!B3', from: 50, to: 70 }] },
      ],
    })
    expect(await edit(product, set('A2', 6))).toMatchObject({
      results: [{ totals: [{ cell: 'S!B3', from: 70, to: 80 }] }],
    })
  },
)

verifies(
  'CONTRACT §6 recomputed results are consequences',
  'a review shows the results that follow, and none of them can be refused',
  async () => {
    const product = await embedded({ 'b.xlsx': BOOK })
    await edit(product, set('A2', 5))
    const { changes, consequences } = await review(product)
    expect(changes.map(({ place }) => place)).toEqual(['S!A2'])
    expect(consequences).toMatchObject([
      {
        path: 'b.xlsx',
        place: 'S!B2',
        formula: '=A2*10',
        before: { value: 30 },
        after: { value: 50 },
      },
      {
        path: 'b.xlsx',
        place: 'S!B3',
        formula: '=SUM(B1:B2)',
        before: { value: 50 },
        after: { value: 70 },
      },
    ])
    expect(consequences?.every(own => !('id' in own))).toBe(true)
  },
)

verifies(
  'CONTRACT §6 recomputed for the accepted',
  'results are computed for the accepted changes alone, and again on what somebody else saved',
  async () => {
    const product = await embedded({ 'b.xlsx': BOOK })
    await edit(product, set('A1', 7), set('A2', 5))
    const { changes } = await review(product)
    const refused = changes.filter(({ place }) => place === 'S!A1').map(({ id }) => id)
    await product.ask('publish', { body: { refused } })
    expect(onDisk(product, 'B1')).toBe('20 {=A1*10}')
    expect(onDisk(product, 'B3')).toBe('70 {=SUM(B1:B2)}')

    const moved = await embedded({ 'b.xlsx': BOOK })
    await edit(moved, set('A1', 7))
    const theirs = unwrap(xlsxFormat.open(BOOK, NAME))
    unwrap(theirs.apply(logged([set('A2', 100)])))
    moved.write('b.xlsx', toBytes(unwrap(theirs.content()), BOOK))
    await moved.ask('publish', { body: {} })
    expect(onDisk(moved, 'B1')).toBe('70 {=A1*10}')
  },
)

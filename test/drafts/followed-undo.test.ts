import { describe, expect, test } from 'vitest'
import { zooBook } from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n'

/** `two` is `TWO` in the file, and can be undone. */
async function published(): Promise<Embedded> {
  const product = await embedded({ 'a.txt': LINES })
  const edits = [{ search: 'two', replace: 'TWO' }]
  await product.call('edit_text_file', { path: 'a.txt', edits })
  expect((await product.ask('publish', { body: {} })).status).toBe(200)
  return product
}

function saveOver(product: Embedded, from: string, to: string): void {
  product.write('a.txt', product.read('a.txt').replace(from, to))
}

async function takeBack(product: Embedded, way: 'undo' | 'redo') {
  const { status, value } = await product.ask<{ message?: string }>(way, { body: {} })
  return { status, message: value.message ?? '' }
}

describe('undo and redo of a text that somebody saved since', () => {
  verifies(
    'CONTRACT §6 undo follows a moved file',
    'take back what the change set did, and nothing else',
    async () => {
      const product = await published()
      saveOver(product, 'seven', 'SEVEN')
      expect(await takeBack(product, 'undo')).toMatchObject({ status: 200 })
      expect(product.read('a.txt')).toBe(LINES.replace('seven', 'SEVEN'))
      saveOver(product, 'one\n', 'zero\none\n')
      saveOver(product, 'eight', 'EIGHT')
      await product.detach()
      await product.attach()
      expect(await takeBack(product, 'redo')).toMatchObject({ status: 200 })
      expect(product.read('a.txt')).toBe(
        `zero\n${LINES.replace('two', 'TWO').replace('seven', 'SEVEN').replace('eight', 'EIGHT')}`,
      )
      expect(await takeBack(product, 'undo')).toMatchObject({ status: 200 })
      expect(product.read('a.txt')).not.toContain('TWO')
    },
  )

  verifies(
    'CONTRACT §6 undo follows a moved file',
    'are a conflict that says which lines were changed',
    async () => {
      const product = await published()
      saveOver(product, 'TWO', 'Two!')
      const { status, message } = await takeBack(product, 'undo')
      expect(status).toBe(409)
      expect(message).toContain('line 2')
      expect(product.read('a.txt')).toBe(LINES.replace('two', 'Two!'))
    },
  )

  test('leave the files as they are when one of two cannot follow', async () => {
    const product = await embedded({ 'a.txt': LINES, 'b.txt': LINES })
    for (const path of ['a.txt', 'b.txt'])
      await product.call('edit_text_file', { path, edits: [{ search: 'two', replace: 'TWO' }] })
    await product.ask('publish', { body: {} })
    saveOver(product, 'seven', 'SEVEN')
    product.write('b.txt', LINES.replace('two', 'other'))
    expect(await takeBack(product, 'undo')).toMatchObject({ status: 409 })
    expect(product.read('a.txt')).toContain('TWO')
    expect(product.read('b.txt')).toContain('other')
  })
})

describe('undo and redo of a workbook that somebody saved since', () => {
  function book(amounts: readonly number[]): Uint8Array {
    const rows = amounts.map((amount, index) => {
      const row = index + 1
      return `<row r="${row}"><c r="A${row}" t="inlineStr"><is><t>Name ${row}</t></is></c><c r="B${row}"><v>${amount}</v></c></row>`
    })
    return zooBook({ sheets: { Sales: rows.join('') } })
  }

  async function written(): Promise<Embedded> {
    const product = await embedded({ 'b.xlsx': book([10, 20, 30]) })
    const cells = [{ cell: 'B2', value: 99 }]
    const operations = [{ op: 'set_cells', sheet: 'Sales', cells }]
    await product.call('xlsx_operations', { path: 'b.xlsx', operations })
    expect((await product.ask('publish', { body: {} })).status).toBe(200)
    return product
  }

  async function amounts(product: Embedded): Promise<unknown[]> {
    const sessionId = await product.newSession()
    const region = { path: 'b.xlsx', sheet: 'Sales', range: 'B1:B3' }
    const { cells } = await product.call('read_file', region, { sessionId })
    return cells.map(({ value }: { value: unknown }) => value)
  }

  verifies(
    'CONTRACT §6 undo follows a moved file',
    'put back its own cells, and leave the others',
    async () => {
      const product = await written()
      product.write('b.xlsx', book([11, 99, 30]))
      expect(await takeBack(product, 'undo')).toMatchObject({ status: 200 })
      expect(await amounts(product)).toEqual([11, 20, 30])
      product.write('b.xlsx', book([11, 20, 31]))
      expect(await takeBack(product, 'redo')).toMatchObject({ status: 200 })
      expect(await amounts(product)).toEqual([11, 99, 31])
    },
  )

  test('are a conflict that says which cell was changed', async () => {
    const product = await written()
    product.write('b.xlsx', book([10, 98, 30]))
    const { status, message } = await takeBack(product, 'undo')
    expect(status).toBe(409)
    expect(message).toContain('Sales!B2: the undo has "20", the disk "98", and it was "99"')
    expect(await amounts(product)).toEqual([10, 98, 30])
  })
})

import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verifies } from '../../../../../../test/verifies.ts'
import { toWithdrawal } from '../../../withdrawal.ts'
import { xlsxFormat } from '../format.ts'
import { logged, NAME, shown, zooBook } from './zoo.contract.ts'

const book = zooBook({
  sheets: {
    S: [1, 2, 3, 4].map(row => `<row r="${row}"><c r="A${row}"><v>${row}</v></c></row>`).join(''),
  },
})
const set = (cell: string, value: unknown) => ({
  op: 'set_cells',
  sheet: 'S',
  cells: [{ cell, value }],
})

/** What is left of a log without its insertions, and what the file then reads. */
function without(operations: Operation[], cells: readonly string[], own = book) {
  const log = logged(operations)
  const { changes } = unwrap(unwrap(xlsxFormat.open(own, NAME)).apply(log))
  const inserted = changes.filter(({ place }) => place.endsWith('inserted')).map(({ id }) => id)
  const replayed = unwrap(xlsxFormat.replay(own, log, new Set(inserted), NAME))
  const after = unwrap(xlsxFormat.open(toBytes(replayed.content, own), NAME))
  return {
    changes,
    places: replayed.changes.map(({ place }) => place),
    ids: replayed.changes.map(({ id }) => id),
    dropped: changes.filter(({ id }) => replayed.dropped.includes(id)).map(({ place }) => place),
    read: cells.map(cell => shown(after, 'S', cell)),
  }
}

verifies(
  ['CONTRACT §6 rows inserted before'],
  'when an insertion is refused, later cells move back to where they are without it',
  () => {
    const left = without(
      [
        { op: 'insert_rows', sheet: 'S', at: 3 },
        set('A1', 10),
        set('A4', 30),
        set('B1', { formula: 'A4+SUM(A1:A5)' }),
        { op: 'set_range', sheet: 'S', start: 'C2', values: [['two'], ['new'], ['three']] },
        { op: 'clear_range', sheet: 'S', range: 'A5:A6' },
      ],
      ['A1', 'A3', 'A4', 'B1', 'C2', 'C3', 'C4'],
    )
    expect(left.places).toEqual(['S!A1', 'S!A3', 'S!B1', 'S!C2', 'S!C3', 'S!A4'])
    expect(left.dropped).toEqual(['S!C3'])
    expect(left.read).toEqual(['10', '30', '', '? {=A3+SUM(A1:A4)}', 'two', 'three', ''])
    const kept = left.changes.filter(({ id }) => left.ids.includes(id)).map(({ place }) => place)
    expect(kept).toEqual(['S!A1', 'S!A4', 'S!B1', 'S!C2', 'S!C4', 'S!A5'])
  },
)

verifies(
  ['CONTRACT §6 rows inserted before'],
  'a change in the inserted rows, or a formula that names them, goes with the insertion',
  () => {
    const left = without(
      [
        { op: 'insert_rows', sheet: 'S', at: 3, count: 2 },
        set('A4', 'new'),
        set('B1', { formula: 'SUM(A1:A4)' }),
        set('B2', { formula: 'INDIRECT("A"&5)' }),
        set('B6', { formula: 'A3' }),
        set('C5', 'old'),
      ],
      ['C3', 'A3'],
    )
    expect(left.dropped).toEqual(['S!A4', 'S!B1', 'S!B2', 'S!B6'])
    expect(left.places).toEqual(['S!C3'])
    expect(left.read).toEqual(['old', '3'])
  },
)

test('columns move back too, and so do formulas of other sheets', () => {
  const two = zooBook({
    sheets: {
      S: '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row>',
      T: '<row r="1"><c r="A1"><v>5</v></c></row>',
    },
  })
  const left = without(
    [
      { op: 'insert_columns', sheet: 'S', at: 'B' },
      set('C1', 20),
      { op: 'set_cells', sheet: 'T', cells: [{ cell: 'B1', value: { formula: 'S!C1*A1' } }] },
      { op: 'set_cells', sheet: 'T', cells: [{ cell: 'B2', value: { formula: 'S!B1' } }] },
    ],
    ['A1', 'B1', 'C1'],
    two,
  )
  expect(left.places).toEqual(['S!B1', 'T!B1'])
  expect(left.dropped).toEqual(['T!B2'])
  expect(left.read).toEqual(['1', '20', ''])
})

test('a draft goes on after an insertion was taken back, in the places without it', () => {
  const document = unwrap(xlsxFormat.open(book, NAME))
  const first = logged([{ op: 'insert_rows', sheet: 'S', at: 2 }, set('A5', 40)], 'tc_1')
  const { changes } = unwrap(document.apply(first))
  const about = { toolCallId: 'tc_2', index: 0, circumstances: first[0]!.circumstances }
  unwrap(document.apply([toWithdrawal([changes[0]!.id], about)]))
  expect(shown(document, 'S', 'A4')).toBe('40')
  const later = logged([set('A5', 'later'), { op: 'insert_rows', sheet: 'S', at: 1 }], 'tc_3')
  const all = unwrap(document.apply(later)).changes
  const inserted = all.find(({ place }) => place.endsWith('inserted'))!
  unwrap(document.apply([toWithdrawal([inserted.id], { ...about, toolCallId: 'tc_4' })]))
  expect(['A4', 'A5'].map(cell => shown(document, 'S', cell))).toEqual(['40', 'later'])
  expect(document.changes()[0]!.id).toBe(changes[1]!.id)
})

/** What a cell reads may not depend on whether rows were inserted and refused, or never asked for. */
test('cells written after a refused insertion are as if it had never been asked for', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 3 }),
      fc.array(
        fc.record({
          row: fc.integer({ min: 1, max: 9 }),
          column: fc.constantFrom('A', 'B', 'C'),
          from: fc.integer({ min: 1, max: 9 }),
          to: fc.integer({ min: 1, max: 9 }),
          isFormula: fc.boolean(),
        }),
        { minLength: 1, maxLength: 8 },
      ),
      (at, count, writes) => {
        const back = (row: number) => (row < at ? row : row >= at + count ? row - count : undefined)
        const written = new Map<string, string>()
        const operations = writes.map(({ row, column, from, to, isFormula }, index) => {
          const formula = `SUM(D${Math.min(from, to)}:D${Math.max(from, to)})`
          const [low, high] = [back(Math.min(from, to)), back(Math.max(from, to))]
          const own = back(row)
          const isKept = own !== undefined && (!isFormula || (low && high))
          if (isKept)
            written.set(`${column}${own}`, isFormula ? `? {=SUM(D${low}:D${high})}` : `${index}`)
          // what it overwrote depends on what was there before
          else if (own !== undefined) written.delete(`${column}${own}`)
          return set(`${column}${row}`, isFormula ? { formula } : index)
        })
        const cells = [...written.keys()]
        const left = without([{ op: 'insert_rows', sheet: 'S', at, count }, ...operations], cells)
        for (const [position, cell] of cells.entries()) {
          const isLost = left.dropped.some(place => isAt(place, cell, at, count))
          if (!isLost) expect(left.read[position], cell).toBe(written.get(cell))
        }
      },
    ),
  )
})

/** Whether a place with the inserted rows is that cell without them. */
function isAt(place: string, cell: string, at: number, count: number): boolean {
  const [, column, row] = /!([A-Z]+)(\d+)$/.exec(place) ?? []
  const own = Number(row) >= at + count ? Number(row) - count : Number(row)
  return `${column}${own}` === cell
}

test('rows inserted into a file that somebody changed meanwhile are a conflict, into one they left alone they are carried', () => {
  const rebase = (current: Uint8Array) => {
    const log = logged([{ op: 'insert_rows', sheet: 'S', at: 3 }, set('A3', 'new')])
    const planned = unwrap(xlsxFormat.replay(book, log, new Set(), NAME)).content
    return xlsxFormat.rebase!({
      name: NAME,
      base: book,
      current,
      log,
      refused: new Set(),
      planned,
      version: 'v',
      since: 'since',
      advice: '',
      isDraft: true,
    })
  }
  const edit = (operation: ReturnType<typeof set>) => {
    const document = unwrap(xlsxFormat.open(book, NAME))
    unwrap(document.apply(logged([operation], 'tc_9')))
    return toBytes(unwrap(document.content()), book)
  }
  const carried = unwrap(rebase(book))
  const after = unwrap(xlsxFormat.open(toBytes(carried.content, book), NAME))
  expect(['A3', 'A4'].map(cell => shown(after, 'S', cell))).toEqual(['new', '3'])
  expect(rebase(edit(set('A4', 99))).ok).toBe(false)
})

test('the cells of an array are cleared together: refusing one keeps them all', () => {
  const array = zooBook({
    sheets: {
      S: '<row r="1"><c r="A1"><f t="array" ref="A1:A2">B1:B2</f><v>1</v></c><c r="B1"><v>1</v></c></row><row r="2"><c r="A2"><v>2</v></c><c r="B2"><v>2</v></c></row>',
    },
  })
  const log = logged([{ op: 'clear_range', sheet: 'S', range: 'A1:B2' }])
  const { changes } = unwrap(unwrap(xlsxFormat.open(array, NAME)).apply(log))
  for (const place of ['S!A1', 'S!A2']) {
    const refused = changes.find(own => own.place === place)!.id
    const left = unwrap(xlsxFormat.replay(array, log, new Set([refused]), NAME))
    expect(left.changes.map(own => own.place)).toEqual(['S!B1', 'S!B2'])
  }
})

import { toBytes, unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
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

test('when an insertion is refused, changes above it stay and changes below it go with it', () => {
  const log = logged([
    { op: 'insert_rows', sheet: 'S', at: 3 },
    set('A1', 10),
    set('A4', 30),
    set('B1', { formula: 'A4' }),
  ])
  const document = unwrap(xlsxFormat.open(book, NAME))
  const { changes } = unwrap(document.apply(log))
  const inserted = changes.find(({ kind }) => kind === 'structure')!
  const dependants = changes.filter(({ dependsOn }) => dependsOn.includes(inserted.id))
  expect(dependants.map(({ place }) => place)).toEqual(['S!A4', 'S!B1'])
  const replayed = unwrap(xlsxFormat.replay(book, log, new Set([inserted.id]), NAME))
  expect(replayed.changes.map(({ place }) => place)).toEqual(['S!A1'])
  const after = unwrap(xlsxFormat.open(toBytes(replayed.content, book), NAME))
  expect(['A1', 'A3', 'A4'].map(cell => shown(after, 'S', cell))).toEqual(['10', '3', '4'])
})

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

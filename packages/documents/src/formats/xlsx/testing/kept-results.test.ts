import type { Operation } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { edited, partText, shown, type ZooBook } from './zoo.contract.ts'

const set = (cell: string, value: unknown): Operation => ({
  op: 'set_cells',
  sheet: 'S',
  cells: [{ cell, value }],
})

describe('the result of a formula that counts the sheets', () => {
  const counting = ['_xlfn.SHEETS()', '_xlfn.SHEET(T!A1)', 'SHEET()', 'Count+1']
  const book: ZooBook = {
    sheets: {
      S: counting
        .map(
          (formula, at) =>
            `<row r="${at + 1}"><c r="A${at + 1}"><f>${formula}</f><v>2</v></c></row>`,
        )
        .join(''),
      T: '',
    },
    names: '<definedName name="Count">_xlfn.SHEETS()</definedName>',
  }
  const shownAfter = (operation: Operation) => {
    const { after } = edited(book, [operation])
    return counting.map((_, at) => shown(after, 'S', `A${at + 1}`)[0])
  }

  test('goes when sheets are added, moved, renamed or deleted', () => {
    for (const operation of [
      { op: 'ensure_sheet', sheet: 'New' },
      { op: 'copy_sheet', sheet: 'T', new_name: 'New' },
      { op: 'rename_sheet', sheet: 'T', new_name: 'New' },
      { op: 'delete_sheet', sheet: 'T' },
      { op: 'move_sheet', sheet: 'T', index: 0 },
    ])
      expect([operation.op, ...shownAfter(operation)]).toEqual([operation.op, ...'????'])
  })

  test('stays when cells are written', () => {
    expect(shownAfter(set('C9', 1))).toEqual([...'2222'])
  })
})

test('a reference built from text loses its error when its sheet may exist now', () => {
  const rows = '<row r="1"><c r="A1" t="e"><f>INDIRECT("New!A1")</f><v>#REF!</v></c></row>'
  const { after } = edited({ sheets: { S: rows } }, [{ op: 'ensure_sheet', sheet: 'New' }])
  expect(shown(after, 'S', 'A1')).toBe('? {=INDIRECT("New!A1")}')
})

describe('a data table', () => {
  // B3 is computed with each of A4:A5 in place of A1.
  const rows =
    '<row r="1"><c r="A1"><v>5</v></c><c r="B1"><f>A1*C1</f><v>10</v></c><c r="C1"><v>2</v></c></row>' +
    '<row r="3"><c r="B3"><f>B1</f><v>10</v></c></row>' +
    '<row r="4"><c r="A4"><v>1</v></c><c r="B4"><f t="dataTable" ref="B4:B5" dt2D="0" dtr="0" r1="A1"/><v>2</v></c></row>' +
    '<row r="5"><c r="A5"><v>2</v></c><c r="B5"><v>4</v></c></row>' +
    '<row r="7"><c r="A7"><f>SUM(B4:B5)</f><v>6</v></c></row>'
  const valuesAfter = (cell: string) => {
    const text = partText(
      edited({ sheets: { S: rows } }, [set(cell, 9)]).bytes,
      'xl/worksheets/sheet1.xml',
    )
    return ['B4', 'B5', 'A7'].map(
      at => new RegExp(`r="${at}">(?:<f[^>]*/>|<f>[^<]*</f>)?<v>(\\d+)`).exec(text)?.[1],
    )
  }

  test('keeps its results when cells are written that it does not read', () => {
    expect(valuesAfter('D9')).toEqual(['2', '4', '6'])
  })

  test('loses them when its formula, an input of the formula, or its own values change', () => {
    for (const cell of ['A1', 'B1', 'C1', 'B3', 'A4', 'A5'])
      expect([cell, ...valuesAfter(cell)]).toEqual([cell, undefined, undefined, undefined])
  })
})

describe('a formula that names a column without its table', () => {
  const table =
    '<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" name="T" displayName="T" ref="A1:C3"><tableColumns count="3"><tableColumn id="1" name="a"/><tableColumn id="2" name="b"/><tableColumn id="3" name="c"/></tableColumns></table>'
  const text = (ref: string, value: string) => `<c r="${ref}" t="str"><v>${value}</v></c>`
  const row = (at: number) =>
    `<row r="${at}"><c r="A${at}"><v>1</v></c><c r="B${at}"><v>1</v></c><c r="C${at}"><f>${at === 2 ? '[[#This Row],[a]]' : 'SUM([a])'}</f><v>1</v></c></row>`
  const book: ZooBook = {
    sheets: {
      S: {
        rows: `<row r="1">${text('A1', 'a')}${text('B1', 'b')}${text('C1', 'c')}</row>${row(2)}${row(3)}<row r="5"><c r="A5"><f>[a]</f><v>1</v></c></row>`,
        tail: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
        links: [['rId1', 'table', '../tables/table1.xml']],
      },
    },
    parts: { 'xl/tables/table1.xml': table },
  }
  const shownAfter = (cell: string) => {
    const { after } = edited(book, [set(cell, 5)])
    return ['C2', 'C3', 'A5'].map(at => shown(after, 'S', at)[0]).join('')
  }

  test('keeps its result at edits elsewhere, and outside a table it does not', () => {
    expect(['E9', 'B2', 'A2', 'A3'].map(shownAfter)).toEqual(['11?', '11?', '???', '1??'])
  })
})

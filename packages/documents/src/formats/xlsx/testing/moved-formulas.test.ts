import type { Operation } from '@filewright/protocol'
import { unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { edited, logged, openZoo, partText, saved, shown, type ZooBook } from './zoo.contract.ts'

const CHAIN = 'xl/calcChain.xml'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.calcChain+xml'

const text = (at: string, value: string) =>
  `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
const number = (at: string, value: number) => `<c r="${at}"><v>${value}</v></c>`
const formula = (at: string, value: number) => `<c r="${at}"><f>$D$1*2</f><v>${value}</v></c>`

/** Some of the amounts are computed, others typed; the chain lists those that are computed. */
const book = (...formulas: string[]): ZooBook => ({
  sheets: {
    S: ['A', 'C', 'B']
      .map((name, index) => {
        const at = `B${index + 2}`
        const cell = formulas.includes(at) ? formula(at, 8) : number(at, index)
        return `<row r="${index + 2}">${text(`A${index + 2}`, name)}${cell}</row>`
      })
      .reduce(
        (rows, own) => rows + own,
        `<row r="1">${text('A1', 'Name')}${text('B1', 'Amount')}${number('D1', 4)}</row>`,
      ),
  },
  parts: {
    [CHAIN]: `<calcChain xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${formulas.map(at => `<c r="${at}" i="1"/>`).join('')}</calcChain>`,
  },
  types: `<Override PartName="/${CHAIN}" ContentType="${TYPE}"/>`,
  workbookLinks: [['rId50', 'calcChain', 'calcChain.xml']],
})

describe('the order of calculation lists formulas where they are', () => {
  test('after rows were sorted', () => {
    const sort = { op: 'sort_range', sheet: 'S', range: 'A1:B4', by: ['Name'] }
    const { bytes } = edited(book('B3'), [sort])
    expect(partText(bytes, CHAIN)).toContain('<c r="B4" i="1"/>')
    expect(partText(bytes, CHAIN)).not.toContain('B3')
  })

  test('after a formula was overwritten by one that moved, and by a number', () => {
    const move = (range: string) => ({
      op: 'move_range',
      sheet: 'S',
      range,
      to: 'B2',
      overwrite: true,
    })
    const one = edited(book('B2', 'B3'), [move('B3')])
    expect(partText(one.bytes, CHAIN).match(/<c /g)).toHaveLength(1)
    const none = edited(book('B2'), [move('B3')])
    expect(() => partText(none.bytes, CHAIN)).toThrow('missing')
    expect(partText(none.bytes, '[Content_Types].xml')).not.toContain('calcChain')
  })

  test('and goes with the last formula', () => {
    const { bytes } = edited(book('B3'), [{ op: 'delete_rows', sheet: 'S', rows: '3' }])
    expect(() => partText(bytes, CHAIN)).toThrow('missing')
    expect(partText(bytes, 'xl/_rels/workbook.xml.rels')).not.toContain('calcChain')
  })
})

describe('the header of rows that are sorted', () => {
  const table = {
    op: 'add_table',
    sheet: 'S',
    range: 'A1:B4',
    name: 'T',
    totals: { Amount: 'sum' },
  }
  const tried = (operations: Operation[]) => openZoo(book()).document.apply(logged(operations))

  test('a range within a table has none', () => {
    const { document, bytes } = openZoo(book())
    const sort = { op: 'sort_range', sheet: 'S', range: 'A2:B4', by: ['A'] }
    expect(unwrap(document.apply(logged([table, sort]))).warnings).toEqual([])
    const after = saved(document, bytes).document
    expect(['A2', 'A3', 'A4'].map(cell => shown(after, 'S', cell))).toEqual(['A', 'B', 'C'])
  })

  test.each([
    ['A1:B5', 'row 5 has the totals of the table T; send the range A1:B4'],
    ['A2:B5', 'row 5 has the totals of the table T; send the range A1:B4'],
  ])('totals of a table are not sorted among its rows: %s', (range, message) => {
    const result = tried([table, { op: 'sort_range', sheet: 'S', range, by: ['B'] }])
    expect(result).toMatchObject({ ok: false, failure: { code: 'CONFLICT' } })
    expect(!result.ok && result.failure.message).toContain(message)
  })

  test.each(['sort_range', 'remove_duplicates'])(
    '%s takes a first row that is data for data',
    op => {
      const { warnings, results } = unwrap(tried([{ op, sheet: 'S', range: 'A2:B4', by: ['B'] }]))
      expect(warnings).toEqual([
        `${op} took row 2 of A2:B4 for data, because row 1 above it has the headers; if it is the header, do it again with header: true.`,
      ])
      if (op === 'sort_range') expect(results[0]!.rowCount).toBe(3)
      const said = { op, sheet: 'S', range: 'A2:B4', by: ['B'], header: false }
      expect(unwrap(tried([said])).warnings).toEqual([])
      expect(unwrap(tried([{ ...said, range: 'A1:B4', header: true }])).warnings).toEqual([])
      expect(unwrap(tried([{ op, sheet: 'S', range: 'A1:B4', by: ['B'] }])).warnings).toEqual([])
    },
  )

  test('numbers in the first row make it data, unless they are periods beside a text', () => {
    const rows = (first: string) =>
      `<row r="1">${first}</row><row r="2">${text('A2', 'x')}${number('B2', 3.5)}</row><row r="3">${text('A3', 'b')}${number('B3', 1)}</row>`
    const sorted = (first: string) =>
      unwrap(
        openZoo({ sheets: { S: rows(first) } }).document.apply(
          logged([{ op: 'sort_range', sheet: 'S', range: 'A1:B3', by: ['B'] }]),
        ),
      ).results[0]!.rowCount
    expect(sorted(text('A1', 'z') + number('B1', 7))).toBe(3)
    expect(sorted(text('A1', 'Region') + number('B1', 2026))).toBe(2)
    expect(sorted(text('A1', 'Region') + text('B1', 'Net'))).toBe(2)
  })
})

describe('a line beside a range', () => {
  const sums: ZooBook = {
    sheets: {
      S:
        `<row r="1">${text('A1', 'Jan')}${text('B1', 'Feb')}${text('C1', 'Sum')}</row>` +
        [2, 3]
          .map(
            at =>
              `<row r="${at}">${number(`A${at}`, 1)}${number(`B${at}`, 2)}<c r="C${at}"><f>SUM(A${at}:B${at})</f><v>3</v></c></row>`,
          )
          .join('') +
        '<row r="4"><c r="A4"><f>SUM(A2:A3)</f><v>2</v></c></row>',
    },
    names: '<definedName name="All">S!$A$2:$B$3</definedName>',
  }
  const warned = (operation: Operation) =>
    unwrap(openZoo(sums).document.apply(logged([operation]))).warnings

  test('is named with what leaves it out', () => {
    expect(warned({ op: 'insert_columns', sheet: 'S', at: 'C' })).toEqual([
      'The new column is not in the ranges that end beside it: S!D2 (A2:B2), S!D3 (A3:B3), the name All (A2:B3); change these if they should count it.',
    ])
    expect(warned({ op: 'insert_rows', sheet: 'S', at: 4, count: 2 })).toEqual([
      'The new rows are not in the ranges that end beside them: S!A6 (A2:A3), the name All (A2:B3); change these if they should count them, or use append_rows, which extends them.',
    ])
    expect(warned({ op: 'insert_rows', sheet: 'S', at: 2 })).toHaveLength(1)
  })

  test('within a range is told with the formulas that include it', () => {
    const told = (operation: Operation) =>
      unwrap(openZoo(sums).document.apply(logged([operation]))).results[0]!.message
    expect(told({ op: 'insert_columns', sheet: 'S', at: 'B' })).toContain(
      '2 formulas now include the new column: S!D2:D3.',
    )
    expect(told({ op: 'insert_rows', sheet: 'S', at: 3, count: 2 })).toContain(
      '1 formula now includes the new rows: S!A6.',
    )
    expect(told({ op: 'insert_rows', sheet: 'S', at: 1 })).not.toContain('includes')
  })

  test('within a range, or away from it, is no matter', () => {
    expect(warned({ op: 'insert_rows', sheet: 'S', at: 3 })).toEqual([])
    expect(warned({ op: 'insert_columns', sheet: 'S', at: 'B' })).toEqual([])
    expect(warned({ op: 'insert_rows', sheet: 'S', at: 1 })).toEqual([])
    expect(warned({ op: 'insert_rows', sheet: 'S', at: 7 })).toEqual([])
  })
})

test('the name of a table for a range is answered with its cells', () => {
  const table = {
    op: 'add_table',
    sheet: 'S',
    range: 'A1:B4',
    name: 'Names',
    totals: { Amount: 'sum' },
  }
  const sort = { op: 'sort_range', range: 'Names', by: ['Name'] }
  const result = openZoo(book()).document.apply(logged([table, sort]))
  const failure = result.ok ? undefined : result.failure
  expect(failure?.message).toContain(
    'sort_range: range "Names" is the name of the table S!A1:B4; send these cells',
  )
  expect(JSON.stringify(failure)).toContain('"range":"A1:B4"')
})

import {
  type ChangeId,
  type Operation,
  type Result,
  toBytes,
  toChangeId,
  unwrap,
} from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../../../../../test/verifies.ts'
import type { Rebased } from '../../../format.ts'
import { xlsxFormat } from '../format.ts'
import { logged, NAME, shown, type ZooBook, zooBook } from '../testing/zoo.contract.ts'

const HEAD =
  '<row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c><c r="B1" t="inlineStr"><is><t>Amount</t></is></c></row>'

function row(number: number, name: string, amount: number | string, more = ''): string {
  return `<row r="${number}"><c r="A${number}" t="inlineStr"><is><t>${name}</t></is></c><c r="B${number}"><v>${amount}</v></c>${more}</row>`
}

const PEOPLE = [row(2, 'Ann', 10), row(3, 'Bob', 20), row(4, 'Cy', 30)]
const sales = (...rows: readonly string[]): ZooBook => ({ sheets: { Sales: HEAD + rows.join('') } })
const set = (cell: string, value: unknown, sheet = 'Sales'): Operation => ({
  op: 'set_cells',
  sheet,
  cells: [{ cell, value }],
})

function rebase(
  base: ZooBook,
  current: ZooBook,
  operations: readonly Operation[],
  ours?: ReadonlySet<ChangeId>,
): Result<Rebased> {
  const [before, now] = [zooBook(base), zooBook(current)]
  const log = logged(operations)
  const { content } = unwrap(xlsxFormat.replay(before, log, new Set(), NAME))
  return xlsxFormat.rebase!({
    name: NAME,
    base: before,
    current: now,
    log,
    refused: new Set(),
    planned: content,
    version: '12345678',
    since: 'since the draft began',
    advice: 'Decide.',
    isDraft: true,
    ...(ours && { ours }),
  })
}

function after(current: ZooBook, rebased: Result<Rebased>) {
  const bytes = toBytes(unwrap(rebased).content, zooBook(current))
  const document = unwrap(xlsxFormat.open(bytes, NAME))
  return (cell: string, sheet = 'Sales') => shown(document, sheet, cell)
}

function conflictOf(rebased: Result<Rebased>): string {
  expect(rebased.ok).toBe(false)
  const { code, message } = rebased.ok ? { code: '', message: '' } : rebased.failure
  expect(code).toBe('CONFLICT')
  return message
}

describe('a draft on a workbook that somebody else saved', () => {
  test('keeps its cell, and theirs', () => {
    const current = sales(row(2, 'Ann', 11), PEOPLE[1]!, PEOPLE[2]!)
    const cell = after(current, rebase(sales(...PEOPLE), current, [set('B3', 99)]))
    expect([cell('B2'), cell('B3')]).toEqual(['11', '99'])
  })

  test('follows a row that was inserted above it, with its formula', () => {
    const current = sales(PEOPLE[0]!, row(3, 'Zed', 15), row(4, 'Bob', 20), row(5, 'Cy', 30))
    const rebased = rebase(sales(...PEOPLE), current, [set('C3', { formula: 'B3/SUM(B2:B4)' })])
    expect(after(current, rebased)('C4')).toBe('? {=B4/SUM(B2:B5)}')
    expect(unwrap(rebased).log[0]?.operation).toEqual(set('C4', { formula: 'B4/SUM(B2:B5)' }))
  })

  test('follows its row through a sort', () => {
    const current = sales(row(2, 'Cy', 30), row(3, 'Bob', 20), row(4, 'Ann', 10))
    const cell = after(current, rebase(sales(...PEOPLE), current, [set('B2', 99)]))
    expect([cell('A4'), cell('B4'), cell('B2')]).toEqual(['Ann', '99', '30'])
  })

  test('follows a renamed sheet, in its formulas too', () => {
    const people = HEAD + PEOPLE.join('')
    const base = { sheets: { Sales: people, Sum: row(1, 'Total', 60) } }
    const current = { sheets: { Umsatz: people, Sum: base.sheets.Sum } }
    const formula = { formula: 'SUM(Sales!B2:B4)' }
    const cell = after(current, rebase(base, current, [set('B1', formula, 'Sum'), set('B2', 1)]))
    expect(cell('B1', 'Sum')).toBe('? {=SUM(Umsatz!B2:B4)}')
    expect(cell('B2', 'Umsatz')).toBe('1')
  })

  test('is a conflict where a formula sums rows that were sorted', () => {
    const current = sales(row(2, 'Cy', 30), row(3, 'Bob', 20), row(4, 'Ann', 10))
    const rebased = rebase(sales(...PEOPLE), current, [set('D1', { formula: 'SUM(B2:B3)' })])
    expect(conflictOf(rebased)).toContain('its formula refers to cells that may have moved')
  })

  test('is a conflict where its row is gone', () => {
    const current = sales(PEOPLE[0]!, row(3, 'Cy', 30))
    const rebased = rebase(sales(...PEOPLE), current, [set('C3', 'paid')])
    expect(conflictOf(rebased)).toContain('row 3 was changed, moved or deleted beyond recognition')
  })

  test('is a conflict where a column came in before its own', () => {
    const cells = (n: number) =>
      `<row r="${n}"><c r="A${n}"><v>${n}</v></c><c r="B${n}"><v>7</v></c><c r="C${n}"><v>7</v></c></row>`
    const moved = (n: number) =>
      `<row r="${n}"><c r="A${n}"><v>${n}</v></c><c r="C${n}"><v>7</v></c><c r="D${n}"><v>7</v></c></row>`
    const book = (line: typeof cells): ZooBook => ({ sheets: { S: [1, 2, 3].map(line).join('') } })
    expect(conflictOf(rebase(book(cells), book(moved), [set('C2', 1, 'S')]))).toContain('S!C2')
  })

  test('is written where both made the same change', () => {
    const current = sales(row(2, 'Ann', 99), PEOPLE[1]!, PEOPLE[2]!)
    expect(after(current, rebase(sales(...PEOPLE), current, [set('B2', 99)]))('B2')).toBe('99')
  })

  test('deletes or copies a sheet only as it was', () => {
    const base = { sheets: { ...sales(...PEOPLE).sheets, Old: row(1, 'x', 1) } }
    const current = { sheets: { ...base.sheets, Old: row(1, 'x', 2) } }
    for (const operation of [
      { op: 'delete_sheet', sheet: 'Old' },
      { op: 'copy_sheet', sheet: 'Old', new_name: 'New' },
    ])
      expect(conflictOf(rebase(base, current, [operation]))).toContain('B1 was changed')
  })

  test('is a conflict where its cell is inside merged cells now', () => {
    const tail = '<mergeCells count="1"><mergeCell ref="C2:D4"/></mergeCells>'
    const current = { sheets: { Sales: { rows: HEAD + PEOPLE.join(''), tail } } }
    const rebased = rebase(sales(...PEOPLE), current, [set('D3', 'paid')])
    expect(conflictOf(rebased)).toMatch(/Sales!D3: .*it cannot be written there any more/)
  })

  test('replaces a text only where it stood', () => {
    const replace = { op: 'find_replace', search: 'Bob', replace: 'Rob' }
    const elsewhere = sales(row(2, 'Bob', 10), ...PEOPLE.slice(1))
    expect(conflictOf(rebase(sales(...PEOPLE), elsewhere, [replace]))).toContain(
      'Sales!A2 contains it now',
    )
    const current = sales(row(2, 'Ann', 11), ...PEOPLE.slice(1))
    expect(after(current, rebase(sales(...PEOPLE), current, [replace]))('A3')).toBe('Rob')
  })

  test('does not delete a sheet that somebody renamed or hid', () => {
    const base = { sheets: { ...sales(...PEOPLE).sheets, Old: row(1, 'x', 1) } }
    const renamed = { sheets: { ...sales(...PEOPLE).sheets, Older: row(1, 'x', 1) } }
    const drop = { op: 'delete_sheet', sheet: 'Old' }
    expect(conflictOf(rebase(base, renamed, [drop]))).toContain('is now called "Older"')
    const hidden = { sheets: { ...base.sheets, Old: { rows: row(1, 'x', 1), state: 'hidden' } } }
    expect(conflictOf(rebase(base, hidden, [drop]))).toContain('the sheet is now hidden')
  })

  test('clears a range only when nobody put anything into it', () => {
    const current = sales(...PEOPLE.slice(0, 2), row(4, 'Cy', 30, '<c r="C4"><v>5</v></c>'))
    const clear = { op: 'clear_range', sheet: 'Sales', range: 'B3:C4' }
    expect(conflictOf(rebase(sales(...PEOPLE), current, [clear]))).toContain(
      'column C was empty and is in use now',
    )
  })

  test('a person may keep the draft’s side of a conflict', () => {
    const current = sales(row(2, 'Ann', 11), PEOPLE[1]!, PEOPLE[2]!)
    const ours = new Set([toChangeId('tc_1', 0, 'Sales!B2')])
    expect(after(current, rebase(sales(...PEOPLE), current, [set('B2', 99)], ours))('B2')).toBe(
      '99',
    )
  })
})

verifies(
  'CONTRACT §6 conflict shows both sides',
  'a conflict names the cell, with what the draft and the disk have',
  () => {
    const current = sales(row(2, 'Ann', 11), PEOPLE[1]!, PEOPLE[2]!)
    const rebased = rebase(sales(...PEOPLE), current, [set('B2', 99), set('B3', 21)])
    expect(conflictOf(rebased)).toContain(
      'Sales!B2: the draft has "99", the disk "11", and it was "10"',
    )
    const { details } = rebased.ok ? { details: undefined } : rebased.failure
    expect(details?.conflicts).toMatchObject([
      { changeId: toChangeId('tc_1', 0, 'Sales!B2'), place: 'Sales!B2', disk: { value: 11 } },
    ])
  },
)

verifies(
  'CONTRACT §6 emptiness proves nothing',
  'an empty cell in an empty row is not found again after rows came in',
  () => {
    const current = sales(...PEOPLE, row(5, 'Dee', 40))
    const note = rebase(sales(...PEOPLE), current, [set('A6', 'Total')])
    expect(conflictOf(note)).toContain(
      'rows around the empty row 6 were inserted, moved or deleted',
    )
    // the cell is as empty as before, but its row is another person's now
    const other = sales(PEOPLE[0]!, row(3, 'Zed', 25), PEOPLE[2]!)
    expect(conflictOf(rebase(sales(...PEOPLE), other, [set('C3', 'paid')]))).toContain('row 3')
  },
)

verifies(
  'CONTRACT §6 caches prove nothing',
  'a stored result that differs is no conflict, and an equal one no proof',
  () => {
    const withTotal = (formula: string, result: number) =>
      sales(
        ...PEOPLE,
        `<row r="5"><c r="A5"><v>1</v></c><c r="B5"><f>${formula}</f><v>${result}</v></c></row>`,
      )
    const base = withTotal('SUM(B2:B4)', 60)
    const write = [set('B5', 1)]
    expect(rebase(base, withTotal('SUM(B2:B4)', 61), write).ok).toBe(true)
    expect(conflictOf(rebase(base, withTotal('SUM(B2:B3)+30', 60), write))).toContain('Sales!B5')
  },
)

describe('the draft’s side of a conflict', () => {
  const decided = (current: ZooBook, operation: Operation) => {
    const base = zooBook(sales(...PEOPLE))
    const { changes } = unwrap(xlsxFormat.replay(base, logged([operation]), new Set(), NAME))
    return rebase(sales(...PEOPLE), current, [operation], new Set(changes.map(({ id }) => id)))
  }
  const withoutBob = sales(PEOPLE[0]!, row(3, 'Cy', 30))

  test.each([
    ['a value', set('B3', 99), 'row 3 was changed, moved or deleted beyond recognition'],
    ['a cleared range', { op: 'clear_range', sheet: 'Sales', range: 'B3:B3' }, 'row 3 was'],
    ['a replaced text', { op: 'find_replace', search: 'Bob', replace: 'Rob' }, 'row 3 was'],
    ['the height of a row', { op: 'set_row_heights', sheet: 'Sales', heights: { 4: 30 } }, 'row 4'],
    [
      'a new row',
      { op: 'insert_rows', sheet: 'Sales', at: 4 },
      'rows or columns of the sheet moved',
    ],
    ['a hidden row', { op: 'hide', sheet: 'Sales', rows: '3:3' }, 'row 3 was'],
    [
      'a formula',
      set('C2', { formula: 'B3*2' }),
      'its formula refers to cells that may have moved',
    ],
  ])('never hits another row in place of one that is gone: %s', (_, operation, reason) => {
    expect(conflictOf(decided(withoutBob, operation))).toContain(reason)
  })

  test('follows its row to where it is now', () => {
    const current = sales(row(2, 'Zed', 15), row(3, 'Ann', 10), row(4, 'Bob', 21), row(5, 'Cy', 30))
    const cell = after(current, decided(current, set('B3', 99)))
    expect([cell('B3'), cell('A4'), cell('B4')]).toEqual(['10', 'Bob', '99'])
  })
})

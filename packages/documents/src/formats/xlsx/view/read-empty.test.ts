import { type Operation, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { logged, openZoo, type ZooBook } from '../testing/zoo.contract.ts'

const BOOK: ZooBook = {
  sheets: {
    S: {
      head: '<cols><col min="6" max="6" width="9" style="3"/></cols>',
      rows: '<row r="1"><c r="A1"><v>1</v></c><c r="C1"><v>3</v></c></row><row r="3"><c r="A3"><v>1</v></c></row>',
    },
  },
}
const STYLE = { op: 'set_style', sheet: 'S', range: 'A1:D5', style: 'fill FFFF00' }
const MERGE = { op: 'merge_cells', sheet: 'S', range: 'E1:G8' }

function read({ styles, ...region }: Record<string, unknown>, ...operations: Operation[]) {
  const { document } = openZoo(BOOK)
  unwrap(document.apply(logged(operations)))
  return document.read(region, { maxBytes: 30_000, styles: styles === true })
}

function text(region: Record<string, unknown>, ...operations: Operation[]): string {
  return unwrap(read(region, ...operations)).text
}

describe('cells without content', () => {
  test('have their looks told, in a range and in a whole sheet', () => {
    expect(text({ sheet: 'S', range: 'A1:D5', styles: true }, STYLE)).toContain(
      'A1:D5: fill FFFF00',
    )
    expect(text({ sheet: 'S', styles: true }, STYLE)).toContain('A1:D5: fill FFFF00')
    expect(text({ sheet: 'S', range: 'D4:D5', styles: true }, STYLE)).toContain(
      'D4:D5: fill FFFF00',
    )
  })

  test('that are not in the file look like their column', () => {
    expect(text({ sheet: 'S', range: 'A1:F2', styles: true })).toContain('F1:F2: bold')
  })

  test('that are merged are told where they were asked for, beyond the cells with content too', () => {
    expect(text({ sheet: 'S', range: 'A1:G8' }, MERGE)).toContain('merged: E1:G8')
    const beyond = text({ sheet: 'S', range: 'E4:G8' }, MERGE)
    expect(beyond).toContain('all empty')
    expect(beyond).toContain('merged: E1:G8')
    const none = read({ sheet: 'S', range: 'J9:K9' }, MERGE)
    expect(!none.ok && none.failure.message).toContain('beyond the data')
  })

  test('stand in the table where they are few, and are named where they are many', () => {
    expect(text({ sheet: 'S' })).toContain('\n|A|B|C\n1|1||3\n')
    const far = { op: 'set_cells', sheet: 'S', cells: [{ cell: 'P1', value: 9 }] }
    const wide = text({ sheet: 'S' }, far)
    expect(wide).toContain('\n|A|C|P\n')
    expect(wide).toContain('columns without content: B, D:O')
  })
})

test('a whole sheet is read in smaller pages than a range that was asked for', () => {
  const rows = Array.from(
    { length: 900 },
    (_, i) => `<row r="${i + 1}"><c r="A${i + 1}"><v>${1_000_000 + i}</v></c></row>`,
  ).join('')
  const { document } = openZoo({ sheets: { S: rows } })
  const options = { maxBytes: 30_000, wholeBytes: 4_000 }
  const whole = unwrap(document.read({ sheet: 'S' }, options))
  expect(Buffer.byteLength(whole.text)).toBeLessThan(4_000)
  expect(whole.next).toMatchObject({ sheet: 'S' })
  const range = unwrap(document.read({ sheet: 'S', range: 'A1:A900' }, options))
  expect(range.next).toBeUndefined()
  expect(unwrap(document.read({ sheet: 'S' }, { maxBytes: 30_000 })).next).toBeUndefined()
})

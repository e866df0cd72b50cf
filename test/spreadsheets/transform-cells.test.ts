import type { Operation } from '@filewright/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ZooBook } from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { ComputedBook } from './computed-book.contract.ts'

const BOOK: ZooBook = {
  strings: [
    'Item',
    'Net',
    ' bolt  M8 ',
    '12 kg (net)',
    'o’neil SMITH',
    '31.12.2025',
    '1.000',
    '<r><t>one </t></r><r><rPr><b/></rPr><t>two</t></r>',
  ],
  sheets: {
    S:
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>' +
      '<row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2" s="1"><v>19.99</v></c><c r="D2" t="s"><v>5</v></c></row>' +
      '<row r="3"><c r="A3" t="s"><v>3</v></c><c r="B3" s="1"><v>3</v></c><c r="D3" t="s"><v>6</v></c></row>' +
      '<row r="4"><c r="A4" t="s"><v>4</v></c><c r="B4" s="1"><f>SUM(B2:B3)</f><v>22.99</v></c><c r="D4" s="2"><v>46000</v></c></row>' +
      '<row r="5"><c r="A5" t="s"><v>7</v></c><c r="B5" t="b"><v>1</v></c><c r="E5"><f>B2*2</f><v>39.98</v></c></row>',
  },
}

const transform = (range: string, steps: unknown, rest: object = {}): Operation => ({
  op: 'transform_cells',
  sheet: 'S',
  range,
  steps,
  ...rest,
})

describe('numbers', () => {
  test('are calculated in place, formulas follow, and what does not fit is counted', () => {
    const book = new ComputedBook(BOOK)
    const { results, warnings } = book.run(transform('B1:B5', [{ multiply: 1.05 }, { round: 2 }]))
    expect(book.shows('S', 'B1', 'B2', 'B3', 'B5')).toEqual(['Net', 20.99, 3.15, true])
    expect(book.shows('S', 'B4')[0]).toBeCloseTo(24.14, 12)
    expect(results[0]).toMatchObject({ cellCount: 2 })
    expect(warnings.join('\n')).toContain(
      '2 cells left as they are, each with what it does not fit: B1 (multiply), B5 (multiply).',
    )
    expect(warnings.join('\n')).toContain('because they follow the cells that they read: B4.')
    book.holds()
    expect(book.without(['S!B2'], 'S', 'B2', 'B3')).toEqual([19.99, 3.15])
  })

  test('are written around formulas where that is asked for', () => {
    const book = new ComputedBook(BOOK)
    const { warnings } = book.run(
      transform('B4:E5', [{ multiply: 2 }, { round: 0 }], { wrap_formulas: true }),
    )
    expect(book.part('xl/worksheets/sheet1.xml')).toContain('ROUND((SUM(B2:B3))*2,0)')
    expect(book.shows('S', 'B4', 'E5')).toEqual([46, 80])
    expect(warnings.join()).not.toContain('twice')
    const again = book.run(transform('B2:B4', [{ add: -1 }], { wrap_formulas: true }))
    expect(again.warnings.join()).toContain('may count twice in them: B4')
    book.holds()
  })

  test('formulas alone are refused with what works', () => {
    const book = new ComputedBook(BOOK)
    const why = book.refusal(transform('B4', [{ multiply: 2 }]))
    expect(why).toContain('S!B4 holds formulas alone (B4)')
    expect(why).toContain('wrap_formulas: true')
    expect(book.refusal(transform('E5', [{ extract: '1' }], { wrap_formulas: true }))).toContain(
      'extract cannot be written around a formula',
    )
  })

  test('units by their definition, dates by days alone', () => {
    const book = new ComputedBook(BOOK)
    book.run(transform('B3', [{ units: ['mi', 'km'] }]), transform('D4', [{ add: 7 }]))
    expect(book.shows('S', 'B3')).toEqual([4.828032])
    expect(book.shows('S', 'D4')).toEqual([46_007])
    const { warnings } = book.run(transform('D4', [{ multiply: 2 }]))
    expect(warnings.join()).toContain('D4 (multiply)')
    expect(book.refusal(transform('B3', [{ units: ['kg', 'km'] }]))).toContain('units takes')
    book.run(transform('B3', [{ units: ['C', 'F'] }]))
    expect(book.shows('S', 'B3')).toEqual([40.6904576])
  })

  test('are rounded half away from zero by their decimal digits', () => {
    const book = new ComputedBook({ sheets: { S: '<row r="1"><c r="A1"><v>1</v></c></row>' } })
    const at = (value: number, digits: number) => {
      book.run({ op: 'set_cells', sheet: 'S', cells: [{ cell: 'A1', value }] })
      book.run(transform('A1', [{ round: digits }]))
      return book.shows('S', 'A1')[0]
    }
    expect([at(1.005, 2), at(-2.5, 0), at(1250, -2), at(2.675, 2), at(1e-9, 3)]).toEqual([
      1.01, -3, 1300, 2.68, 0,
    ])
    fc.assert(
      fc.property(fc.integer({ min: -99_999, max: 99_999 }), number => {
        const cents = number / 1000
        const last = Math.abs(number) % 10
        const whole = (Math.abs(number) - last) / 10 + (last >= 5 ? 1 : 0)
        expect(at(cents, 2)).toBe(whole === 0 ? 0 : (Math.sign(number) * whole) / 100)
      }),
      { numRuns: 40 },
    )
  })
})

describe('texts', () => {
  test('are trimmed, cased, taken apart and read', () => {
    const book = new ComputedBook(BOOK)
    book.run(
      transform('A2', ['trim', 'upper']),
      transform('A3', [{ extract: '(\\d+) (kg|g)', group: 1 }, 'number', { units: ['kg', 'g'] }]),
      transform('A4', ['proper', { suffix: '!' }]),
      transform('D2', ['date']),
    )
    expect(book.shows('S', 'A2', 'A3', 'A4')).toEqual(['BOLT M8', 12_000, 'O’Neil Smith!'])
    expect(book.shows('S', 'D2')).toEqual([46_022])
    expect(book.part('xl/worksheets/sheet1.xml')).toMatch(/<c r="D2" s="\d+"><v>46022<\/v>/)
    book.holds()
  })

  test('what is doubtful or has looks of its own stays, and is named', () => {
    const book = new ComputedBook(BOOK)
    const { warnings } = book.run(transform('D3', ['number']), transform('A5', ['upper']))
    expect(book.shows('S', 'D3', 'A5')).toEqual(['1.000', 'one two'])
    expect(warnings.join('\n')).toContain('D3 (number)')
    expect(warnings.join('\n')).toContain('A5 (upper (parts of the text have looks of their own))')
    book.run(transform('D3', ['number'], { locale: 'de-DE' }))
    expect(book.shows('S', 'D3')).toEqual([1000])
  })

  test('a step that cannot be meant is refused with its place', () => {
    const book = new ComputedBook(BOOK)
    const why = (steps: unknown) => book.refusal(transform('A2', steps))
    expect(why([])).toContain('transform_cells needs steps')
    expect(why(['trim', { multiply: '2' }])).toContain('steps[1] multiply takes a number')
    expect(why([{ extract: '(' }])).toContain('steps[0] extract takes a regular expression')
    expect(why([{ extract: 'a', group: 1 }])).toContain('has the groups 0 to 0')
    expect(why([{ trim: true, upper: true }])).toContain('is not one of')
    expect(why([{ divide: 0 }])).toContain('divide by 0')
  })
})

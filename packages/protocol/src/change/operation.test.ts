import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DocPath } from '../words/doc-path.ts'
import { type Area, type Box, dependsOnFootprint, type Footprint, overlaps } from './operation.ts'

const book = 'book.xlsx' as DocPath
const sales: Area = { docPath: book, within: 'Sales' }
const boxes = fc
  .tuple(fc.nat(20), fc.nat(20), fc.nat(5), fc.nat(5))
  .map(
    ([top, left, height, width]): Box => ({ top, left, bottom: top + height, right: left + width }),
  )

describe('two areas overlap', () => {
  test('when they have a cell in common', () => {
    fc.assert(
      fc.property(boxes, boxes, (a, b) => {
        const common = cellsOf(a).some(cell => cellsOf(b).includes(cell))
        expect(overlaps({ ...sales, box: a }, { ...sales, box: b })).toBe(common)
      }),
    )
  })

  test('both ways or not at all', () => {
    const areas = fc.record({
      docPath: fc.constantFrom(book, 'a.txt' as DocPath),
      within: fc.constantFrom(undefined, 'Sales', 'Costs'),
      box: fc.option(boxes, { nil: undefined }),
    })
    fc.assert(fc.property(areas, areas, (a, b) => overlaps(a, b) === overlaps(b, a)))
  })

  test('never in two files, nor on two sheets', () => {
    expect(overlaps(sales, { docPath: 'a.txt' as DocPath })).toBe(false)
    expect(overlaps(sales, { ...sales, within: 'Costs' })).toBe(false)
  })

  test('where one is the whole of the file or of the sheet', () => {
    expect(overlaps({ docPath: book }, { ...sales, box: boxAt(3) })).toBe(true)
    expect(overlaps(sales, { ...sales, box: boxAt(3) })).toBe(true)
  })
})

describe('a later operation depends on an earlier one', () => {
  test('that wrote what it reads, writes or moves', () => {
    for (const touching of ['reads', 'writes', 'moves'] as const)
      expect(dependsOnFootprint(on(touching, 3), on('writes', 3))).toBe(true)
  })

  test('not when it only reads what was read', () => {
    expect(dependsOnFootprint(on('reads', 3), on('reads', 3))).toBe(false)
  })

  test('not when they touch different rows', () => {
    expect(dependsOnFootprint(on('writes', 3), on('writes', 4))).toBe(false)
  })

  test('that moved anything on its sheet, wherever', () => {
    expect(dependsOnFootprint(on('writes', 3), on('moves', 900))).toBe(true)
    expect(dependsOnFootprint(on('writes', 3, 'Costs'), on('moves', 900))).toBe(false)
  })
})

function on(touching: keyof Footprint, row: number, within = 'Sales'): Footprint {
  const none: Footprint = { reads: [], writes: [], moves: [] }
  return { ...none, [touching]: [{ docPath: book, within, box: boxAt(row) }] }
}

function boxAt(row: number): Box {
  return { top: row, left: 0, bottom: row, right: 5 }
}

function cellsOf({ top, left, bottom, right }: Box): string[] {
  const cells: string[] = []
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++) cells.push(`${row}:${column}`)
  return cells
}

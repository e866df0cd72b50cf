import type { Box } from '@filewright/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { IS_FULL } from '../../../corpus.contract.ts'
import { cellName, quoteSheet } from '../cell/address.ts'
import {
  GRID_SHEETS,
  Grid,
  gridBox,
  gridCell,
  placeStep,
} from '../testing/random-places.contract.ts'
import { lineRuns } from './line-runs.ts'
import { mapFormula } from './map-formula.ts'
import { Mapping } from './mapping.ts'
import { GONE, isLost, type PlaceStep, UNKNOWN } from './place-step.ts'

const numRuns = IS_FULL ? 20_000 : 2_000
const steps = fc.array(placeStep, { maxLength: 5 })
const HOME = { sheet: 'Data', isSheet: (name: string) => GRID_SHEETS.some(own => own === name) }

test('every cell is where moving the cells one by one puts it', () => {
  fc.assert(
    fc.property(steps, fc.array(gridCell, { minLength: 1, maxLength: 8 }), (own, cells) => {
      const grid = new Grid()
      for (const step of own) grid.do(step)
      for (const cell of cells)
        expect(Mapping.of(...own).cell(cell)).toEqual(grid.find(cell) ?? GONE)
    }),
    { numRuns: numRuns / 5 },
  )
})

test('a composition maps as its parts one after the other', () => {
  fc.assert(
    fc.property(steps, steps, gridCell, gridBox, (one, other, cell, box) => {
      const [a, b] = [Mapping.of(...one), Mapping.of(...other)]
      const between = a.cell(cell)
      expect(a.compose(b).cell(cell)).toEqual(isLost(between) ? between : b.cell(between))
      const there = a.box(box)
      expect(a.compose(b).box(box)).toEqual(isLost(there) ? there : b.box(there))
    }),
    { numRuns },
  )
})

test('what the way back knows is where a place came from', () => {
  fc.assert(
    fc.property(steps, gridCell, gridBox, (own, cell, box) => {
      const mapping = Mapping.of(...own)
      const back = mapping.inverse()
      const at = mapping.cell(cell)
      if (!isLost(at)) expect(back.cell(at)).toEqual({ ...cell })
      const before = back.cell(cell)
      if (!isLost(before)) expect(mapping.cell(before)).toEqual({ ...cell })
      const there = mapping.box(box)
      if (isLost(there) || own.some(({ kind }) => kind === 'block')) return
      const found = back.box(there)
      if (found !== UNKNOWN) expect(found).toEqual(box)
    }),
    { numRuns },
  )
})

test('the way back of the way back is the way', () => {
  fc.assert(
    fc.property(steps, own => {
      expect(
        Mapping.of(...own)
          .inverse()
          .inverse().steps,
      ).toEqual(own)
    }),
    { numRuns: numRuns / 5 },
  )
})

test('a reference to one cell goes where the cell goes, unless it is overwritten or sorted', () => {
  fc.assert(
    fc.property(steps, gridCell, (own, { sheet, row, column }) => {
      const mapping = Mapping.of(...own.filter(({ kind }) => kind !== 'order'))
      const at = mapping.cell({ sheet, row, column })
      if (at === GONE && own.some(({ kind }) => kind === 'block')) return
      const one = { top: row, left: column, bottom: row, right: column }
      const box = mapping.box({ sheet, box: one })
      expect(
        isLost(box) ? box : { sheet: box.sheet, row: box.box.top, column: box.box.left },
      ).toEqual(at)
    }),
    { numRuns },
  )
})

test('a reference to a range names what is left of its cells, whole rows and columns moving', () => {
  // One step: cells inserted by it belong to the range for the next.
  const whole = placeStep.filter(({ kind }) => kind === 'lines').map(withoutBand)
  fc.assert(
    fc.property(whole, gridBox, (own, { sheet, box }) => {
      const mapping = Mapping.of(own)
      const cells = []
      for (let row = box.top; row <= box.bottom; row++)
        for (let column = box.left; column <= box.right; column++) {
          const at = mapping.cell({ sheet, row, column })
          if (!isLost(at)) cells.push(at)
        }
      const to = mapping.box({ sheet, box })
      if (cells.length === 0) {
        expect(to).toBe(GONE)
        return
      }
      const [rows, columns] = [cells.map(({ row }) => row), cells.map(({ column }) => column)]
      expect(isLost(to) ? to : to.box).toEqual({
        top: Math.min(...rows),
        bottom: Math.max(...rows),
        left: Math.min(...columns),
        right: Math.max(...columns),
      })
    }),
    { numRuns },
  )
})

/** `A1:A1` too: a range keeps both its corners. */
function cornersOf({ top, left, bottom, right }: Box): string {
  return `${cellName(top, left)}:${cellName(bottom, right)}`
}

function withoutBand(step: PlaceStep): PlaceStep {
  if (step.kind !== 'lines') return step
  const { band, ...lines } = step.lines
  return { ...step, lines }
}

test('a formula names what its references become', () => {
  fc.assert(
    fc.property(steps, fc.array(gridBox, { minLength: 1, maxLength: 4 }), (own, boxes) => {
      for (const mapping of [Mapping.of(...own), Mapping.of(...own).inverse()]) {
        const formula = boxes
          .map(({ sheet, box }) => `${quoteSheet(sheet)}!${cornersOf(box)}`)
          .join('+')
        const found = boxes.map(box => mapping.box(box))
        const wanted = found.includes(UNKNOWN)
          ? UNKNOWN
          : found.includes(GONE)
            ? GONE
            : found
                .map(at =>
                  isLost(at) ? '' : `${quoteSheet(String(at.sheet))}!${cornersOf(at.box)}`,
                )
                .join('+')
        const mapped = mapFormula(mapping, formula, HOME)
        expect(mapped === formula && wanted !== UNKNOWN ? formula : mapped).toBe(wanted)
      }
    }),
    { numRuns },
  )
})

describe('what an inverse cannot tell', () => {
  const deleted = Mapping.of({
    kind: 'lines',
    sheet: 'Data',
    lines: { axis: 'row', kind: 'delete', runs: [{ at: 5, count: 2 }] },
  })
  const box = (top: number, bottom: number) => ({
    sheet: 'Data',
    box: { top, bottom, left: 1, right: 1 },
  })

  test('a range that may have ended in deleted rows is unknown; one around them is not', () => {
    expect(deleted.inverse().box(box(1, 4))).toBe(UNKNOWN)
    expect(deleted.inverse().box(box(5, 9))).toBe(UNKNOWN)
    expect(deleted.inverse().box(box(1, 9))).toEqual(box(1, 11))
    expect(deleted.inverse().box(box(1, 3))).toEqual(box(1, 3))
  })

  test('a range of inserted rows alone is gone, one that ends there is unknown', () => {
    const inserted = deleted.inverse().inverse()
    expect(inserted.steps).toEqual(deleted.steps)
    const taken = Mapping.of({
      kind: 'lines',
      sheet: 'data',
      lines: { axis: 'row', kind: 'insert', runs: [{ at: 5, count: 2 }] },
    }).inverse()
    expect(taken.box(box(5, 6))).toBe(GONE)
    expect(taken.box(box(5, 9))).toBe(UNKNOWN)
    expect(taken.box(box(1, 9))).toEqual(box(1, 7))
    expect(taken.cell({ sheet: 'Data', row: 6, column: 1 })).toBe(GONE)
  })

  test('a sheet that is new is gone, one that is gone is not found again', () => {
    const made = Mapping.of({
      kind: 'sheets',
      pairs: [
        { from: undefined, to: 'New' },
        { from: 'Old', to: undefined },
      ],
    })
    expect(made.sheet('old')).toBe(GONE)
    expect(made.inverse().sheet('new')).toBe(GONE)
    expect(mapFormula(made, 'Old!A1+1', HOME)).toBe(GONE)
    expect(mapFormula(made, 'Old!Rate+1', HOME)).toBe(GONE)
  })
})

describe('places found in another file', () => {
  const found = Mapping.of({
    kind: 'found',
    pairs: [
      {
        from: 'Data',
        to: 'Sales',
        rows: lineRuns([
          [1, 1],
          [2, 4],
          [3, 5],
          [6, 2],
        ]),
        columns: lineRuns([
          [1, 1],
          [2, 3],
        ]),
      },
    ],
  })

  test('are unknown where nothing proves them', () => {
    expect(found.cell({ sheet: 'Data', row: 3, column: 2 })).toEqual({
      sheet: 'Sales',
      row: 5,
      column: 3,
    })
    expect(found.cell({ sheet: 'Data', row: 4, column: 2 })).toBe(UNKNOWN)
    expect(found.cell({ sheet: 'Other', row: 1, column: 1 })).toBe(UNKNOWN)
    expect(found.inverse().cell({ sheet: 'Sales', row: 5, column: 3 })).toEqual({
      sheet: 'Data',
      row: 3,
      column: 2,
    })
  })

  test('make a range where both ends are known and nothing between them went past', () => {
    expect(mapFormula(found, 'SUM(A1:B3)', HOME)).toBe('SUM(A1:C5)')
    expect(mapFormula(found, 'SUM(Data!$A1:B$3)', HOME)).toBe('SUM(Sales!$A1:C$5)')
    expect(mapFormula(found, 'A4', HOME)).toBe(UNKNOWN)
    expect(mapFormula(found, 'SUM(A1:A6)', HOME)).toBe(UNKNOWN)
    expect(mapFormula(found, 'SUM(INDIRECT("A1"))', HOME)).toBe(UNKNOWN)
    expect(mapFormula(found, "SUM(Data:It's!A1)", HOME)).toBe(UNKNOWN)
  })
})

import type { Box } from '@filewright/protocol'
import fc from 'fast-check'
import { lineRuns } from '../places/line-runs.ts'
import type { LineShift } from '../places/line-shift.ts'
import type { PlaceStep, SheetCell } from '../places/place-step.ts'

/** One of them is called like the outcome of a lost place. */
export const GRID_SHEETS = ['Data', "It's", 'gone'] as const
export const GRID_ROWS = 14
export const GRID_COLUMNS = 9

const sheet = fc.constantFrom(...GRID_SHEETS)
const count = fc.integer({ min: 1, max: 3 })
const row = fc.integer({ min: 1, max: GRID_ROWS - 4 })
const column = fc.integer({ min: 1, max: GRID_COLUMNS - 4 })

function runsAt(at: number, size: number, more: number): LineShift['runs'] {
  const runs = [{ at, count: size }]
  return more > 0 ? [...runs, { at: at + size + more, count: 1 }] : runs
}

const shift: fc.Arbitrary<LineShift> = fc
  .record({
    axis: fc.constantFrom('row' as const, 'column' as const),
    kind: fc.constantFrom('insert' as const, 'delete' as const),
    at: fc.integer({ min: 1, max: 6 }),
    count,
    more: fc.integer({ min: 0, max: 2 }),
    band: fc.option(fc.tuple(fc.integer({ min: 1, max: 4 }), count), { nil: undefined }),
  })
  .map(({ axis, kind, at, count: size, more, band }) => ({
    axis,
    kind,
    runs: kind === 'insert' ? runsAt(at, size, 0) : runsAt(at, size, more),
    ...(band && { band: [band[0], band[0] + band[1]] as const }),
  }))

const box: fc.Arbitrary<Box> = fc
  .tuple(row, column, count, count)
  .map(([top, left, down, right]) => ({ top, left, bottom: top + down, right: left + right }))

const order = fc
  .tuple(sheet, box, fc.array(fc.nat(), { minLength: 4, maxLength: 4 }))
  .map(([name, own, draws]): PlaceStep => {
    const rows = Array.from({ length: own.bottom - own.top + 1 }, (_, at) => own.top + at)
    const sorted = [...rows].sort((a, b) => draws[a - own.top]! - draws[b - own.top]!)
    const pairs = sorted.map((line, at) => [line, own.top + at] as const)
    return { kind: 'order', sheet: name, box: own, rows: lineRuns(pairs) }
  })

/** Anything that an operation can do to places; every sheet keeps a name of the three. */
export const placeStep: fc.Arbitrary<PlaceStep> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('lines' as const), sheet, lines: shift }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('block' as const),
      sheet,
      from: box,
      to: fc.record({ row, column }),
    }),
  },
  order,
  fc.constant<PlaceStep>({
    kind: 'sheets',
    pairs: [
      { from: 'Data', to: 'gone' },
      { from: 'gone', to: 'Data' },
    ],
  }),
  fc.constant<PlaceStep>({ kind: 'names', pairs: [{ from: 'Rate', to: 'Tax' }] }),
)

export const gridCell: fc.Arbitrary<SheetCell> = fc.record({ sheet, row, column })
export const gridBox = fc.record({ sheet, box })

/** A workbook of marked cells, on which steps are done by moving the marks: it knows nothing of mappings. */
export class Grid {
  #sheets = new Map<string, (string | undefined)[][]>()

  constructor() {
    for (const name of GRID_SHEETS)
      this.#sheets.set(
        name,
        Array.from({ length: 4 * GRID_ROWS }, (_, at) =>
          Array.from({ length: 4 * GRID_COLUMNS }, (_, own) => `${name} ${at + 1} ${own + 1}`),
        ),
      )
  }

  do(step: PlaceStep): void {
    if (step.kind === 'names' || step.kind === 'found') return
    if (step.kind === 'sheets') {
      this.#sheets = new Map(
        [...this.#sheets].map(([name, cells]) => {
          const pair = step.pairs.find(
            ({ from }) => String(from).toLowerCase() === name.toLowerCase(),
          )
          return [String(pair?.to ?? name), cells]
        }),
      )
      return
    }
    const cells = this.#sheets.get(String(step.sheet))!
    if (step.kind === 'lines') doLines(cells, step.lines)
    if (step.kind === 'block') {
      const { from, to } = step
      const taken = takeOut(cells, from)
      for (const [at, line] of taken.entries())
        for (const [own, mark] of line.entries())
          cells[to.row - 1 + at]![to.column - 1 + own] = mark
    }
    if (step.kind === 'order') {
      const taken = takeOut(cells, step.box)
      for (const { from, to, count: size } of step.rows)
        for (let at = 0; at < size; at++)
          for (const [own, mark] of taken[from + at - step.box.top]!.entries())
            cells[to + at - 1]![step.box.left - 1 + own] = mark
    }
  }

  /** Where the cell with the mark of that place is now. */
  find({ sheet: name, row: line, column: own }: SheetCell): SheetCell | undefined {
    const mark = `${name} ${line} ${own}`
    for (const [now, cells] of this.#sheets)
      for (const [at, marks] of cells.entries()) {
        const found = marks.indexOf(mark)
        if (found >= 0) return { sheet: now, row: at + 1, column: found + 1 }
      }
    return undefined
  }
}

function takeOut(cells: (string | undefined)[][], { top, left, bottom, right }: Box) {
  return cells
    .slice(top - 1, bottom)
    .map(line =>
      line.splice(left - 1, right - left + 1, ...Array(right - left + 1).fill(undefined)),
    )
}

function doLines(cells: (string | undefined)[][], { axis, kind, runs, band }: LineShift): void {
  const flip = axis === 'row'
  const width = flip ? cells[0]!.length : cells.length
  const [low, high] = band ?? [1, width]
  for (let other = low; other <= Math.min(high, width); other++) {
    const line = flip ? cells.map(own => own[other - 1]) : cells[other - 1]!
    const size = line.length
    for (const { at, count: many } of kind === 'delete' ? [...runs].reverse() : runs)
      if (kind === 'insert') line.splice(at - 1, 0, ...Array(many).fill(undefined))
      else line.splice(at - 1, many)
    line.length = Math.max(size, line.length)
    if (flip) for (const [at, mark] of line.entries()) (cells[at] ??= [])[other - 1] = mark
  }
}

import {
  type Box,
  ok,
  type Reading,
  type Result,
  type SheetGrid,
  type SheetGridCell,
} from '@filewright/protocol'
import { attribute, child } from '../../../opc/index.ts'
import { oneAround } from '../book/around.ts'
import type { Book } from '../book/book.ts'
import {
  columnFormats,
  defaultSizes,
  frozenOf,
  heightPixels,
  type LineFormat,
  rowFormats,
  toRuns,
  widthPixels,
} from '../book/line-sizes.ts'
import type { Sheet } from '../book/sheet.ts'
import { showCell } from '../book/show.ts'
import { usedBox } from '../book/used.ts'
import { isTrue } from '../book/workbook-part.ts'
import { boxName, cellKey, intersects, MAX_COLUMN, MAX_ROW } from '../cell/address.ts'
import type { CellNow } from '../cell/cells.ts'
import { drawRules } from '../conditional/draw.ts'
import type { Drawn } from '../conditional/drawn.ts'
import type { WorkbookRegion } from '../declared/selectors.ts'
import { gridLook } from '../looks/grid-look.ts'
import { resolveRegion } from './region.ts'

const MOST_CELLS = 20_000 // of one answer
const MOST_COLUMNS = 512
const MOST_TEXT = 1_000 // characters of one cell

/** What a page needs to draw a region of a sheet; the region may be beyond its content. */
export function readGrid(book: Book, region: WorkbookRegion): Result<Reading> {
  const place = resolveRegion(book, region)
  if (!place.ok) return place
  const sheet = 'empty' in place.value ? place.value.empty : place.value.sheet
  const asked = 'empty' in place.value ? FIRST_CELLS : place.value.box
  const used = usedBox(sheet)
  if (!used.ok) return used
  const box = bounded(asked)
  const grid = drawGrid(book, sheet, box, used.value)
  if (!grid.ok) return grid
  const total = used.value ? boxName(used.value) : 'nothing'
  const fields = grid.value as unknown as Reading['fields']
  return ok({
    text: `sheet ${JSON.stringify(sheet.name)}, cells ${boxName(box)} as a grid`,
    fields,
    shown: boxName(box),
    total,
  })
}

const FIRST_CELLS: Box = { top: 1, left: 1, bottom: 100, right: 26 }

function bounded({ top, left, bottom, right }: Box): Box {
  const columns = Math.min(right - left + 1, MOST_COLUMNS)
  const rows = Math.max(1, Math.floor(MOST_CELLS / columns))
  return {
    top,
    left,
    right: Math.min(left + columns - 1, MAX_COLUMN),
    bottom: Math.min(bottom, top + rows - 1, MAX_ROW),
  }
}

function drawGrid(book: Book, sheet: Sheet, box: Box, used: Box | undefined): Result<SheetGrid> {
  const merges = book.mergesOf(sheet)
  if (!merges.ok) return merges
  const defaults = defaultSizes(sheet)
  const view = child(oneAround(sheet, 'sheetViews')?.root, 'sheetView')
  const columns = columnFormats(sheet, box.left, box.right)
  const rows = rowFormats(sheet, box.top, box.bottom)
  const drawn = drawRules(book, sheet, box)
  const looks = new Looks(book)
  const cells = drawCells(book, sheet, box, { columns, rows, looks, drawn: drawn.at })
  if (!cells.ok) return cells
  return ok({
    sheet: sheet.name,
    sheets: book.sheets
      .filter(own => own.kind !== 'chartsheet')
      .map(({ name, visibility }) => ({ name, visibility })),
    box,
    used: used ?? null,
    columns: toRuns(columns, defaults.width, widthPixels),
    rows: toRuns(rows, defaults.height, heightPixels),
    defaults: { width: widthPixels(defaults.width), height: heightPixels(defaults.height) },
    frozen: frozenOf(sheet) ?? null,
    gridLines: attribute(view, 'showGridLines') !== '0',
    rightToLeft: isTrue(attribute(view, 'rightToLeft')),
    merges: merges.value.filter(own => intersects(own, box)),
    looks: looks.list,
    cells: cells.value,
    undrawn: drawn.undrawn,
  })
}

/** Styles as looks, each once. */
class Looks {
  readonly list: SheetGrid['looks'][number][] = []
  readonly #styles
  readonly #known = new Map<number, number>()

  constructor(book: Book) {
    this.#styles = book.part.styles()
    this.list.push(gridLook(this.#styles.look(0), undefined, this.#styles.palette))
    this.#known.set(0, 0)
  }

  of(style: number): number {
    const known = this.#known.get(style)
    if (known !== undefined) return known
    const { palette } = this.#styles
    const look = gridLook(this.#styles.look(style), this.#styles.look(0), palette)
    const isPlain = Object.keys(look).length === 0
    const index = isPlain ? 0 : this.list.push(look) - 1
    this.#known.set(style, index)
    return index
  }
}

interface Around {
  readonly columns: ReadonlyMap<number, LineFormat>
  readonly rows: ReadonlyMap<number, LineFormat>
  readonly looks: Looks
  readonly drawn: (row: number, column: number) => Drawn | undefined
}

function drawCells(book: Book, sheet: Sheet, box: Box, around: Around): Result<SheetGridCell[]> {
  const found = new Map<number, CellNow>()
  const scanned = book.values.scan(sheet, box, cell => {
    found.set(cellKey(cell.row, cell.column), cell)
  })
  if (!scanned.ok) return scanned
  const cells: SheetGridCell[] = []
  for (let row = box.top; row <= box.bottom; row++)
    for (let column = box.left; column <= box.right; column++) {
      const cell = found.get(cellKey(row, column))
      const style =
        cell?.style ?? around.rows.get(row)?.style ?? around.columns.get(column)?.style ?? 0
      const look = around.looks.of(style)
      const over = around.drawn(row, column)
      if (!cell && look === 0 && !over) continue
      const shown = cell ? showCell(book, cell) : EMPTY
      if (shown.type === 'empty' && look === 0 && !over && !cell?.formula) continue
      cells.push({
        row,
        column,
        text: shown.text.slice(0, MOST_TEXT),
        type: shown.type,
        ...(look > 0 && { look }),
        ...(cell?.formula && { formula: `=${cell.formula.text}` }),
        ...(cell?.isStale && { isStale: true }),
        ...over,
      })
    }
  return ok(cells)
}

const EMPTY = { text: '', type: 'empty' } as const

import { counted, ok, type Result } from '@filewright/protocol'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { showCell } from '../book/show.ts'
import { boxName, cellName, columnName } from '../cell/address.ts'
import type { CellNow } from '../cell/cells.ts'
import { columnsOf, hasHeader, type Island } from './islands.ts'

export const COLUMNS_SHOWN = 40

interface DescribedIsland {
  readonly text: string
  readonly fields: Record<string, unknown>
}

/** Header, type and formula of each column, from the first rows of the block. */
export function describeIslands(
  book: Book,
  sheet: Sheet,
  islands: readonly Island[],
): Result<DescribedIsland[]> {
  const maps: DescribedIsland[] = []
  for (const island of islands) {
    const { box } = island
    const isHeaded = hasHeader(island)
    const right = Math.min(box.right, box.left + COLUMNS_SHOWN - 1)
    const cells = new Map<string, CellNow>()
    const scanned = book.values.scan(
      sheet,
      { ...box, bottom: Math.min(box.top + 1, box.bottom), right },
      cell => {
        cells.set(cellName(cell.row, cell.column), cell)
      },
    )
    if (!scanned.ok) return scanned
    const columns = columnsOf(island)
      .slice(0, COLUMNS_SHOWN)
      .map(own => {
        const first = cells.get(cellName(box.top, own.column))
        const second = cells.get(cellName(box.top + 1, own.column))
        const formula = own.formulas > 0 ? second?.formula?.text : undefined
        return {
          column: columnName(own.column),
          ...(isHeaded && { header: first ? clip(showCell(book, first).text, 60) : '' }),
          type: own.type,
          ...(own.formulas > 0 && { formulas: own.formulas }),
          ...(formula !== undefined && { formula: `=${clip(formula, 80)}` }),
        }
      })
    const more = box.right > right ? ` and ${counted(box.right - right, 'more column')}` : ''
    const name = isHeaded
      ? `data ${boxName(box)}, header in row ${box.top}`
      : `${island.cellCount === 1 ? 'cell' : 'data'} ${boxName(box)}`
    const shown =
      isHeaded || columns.length > 1
        ? `: ${columns.map(own => describeColumn(own)).join(' · ')}${more}`
        : `: ${firstValue(book, cells.get(cellName(box.top, box.left))) || columns.map(describeColumn).join(' · ')}`
    maps.push({
      text:
        island.cellCount <= 3
          ? `${name}: ${[...cells.values()]
              .map(cell => firstValue(book, cell))
              .filter(text => text !== '')
              .join(' | ')}`
          : `${name}${shown}`,
      fields: { range: boxName(box), hasHeader: isHeaded, cellCount: island.cellCount, columns },
    })
  }
  return ok(maps)
}

function describeColumn(column: {
  column: string
  header?: string
  type: string
  formula?: string
}): string {
  const words = [
    column.column,
    column.header && JSON.stringify(column.header),
    column.type,
    column.formula,
  ]
  return words.filter(word => typeof word === 'string' && word !== '').join(' ')
}

/** The formula itself, if it has no value yet. */
function firstValue(book: Book, cell: CellNow | undefined): string {
  if (!cell) return ''
  return clip(cell.isStale ? `=${cell.formula?.text}` : showCell(book, cell).text, 80)
}

export function clip(text: string, limit: number): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  return flat.length <= limit ? flat : `${flat.slice(0, limit)}…`
}

import { type Change, toSideTexts, visible } from '@filewright/protocol'
import type { Colours } from '../../terminal/colours.ts'
import { clip, widthOf } from '../../terminal/text-width.ts'

const MOST_ROWS = 40
const WIDEST_CELL = 28
const CELL_PLACE = /^(.+)!([A-Z]{1,3})(\d{1,7})$/

interface CellChange {
  readonly column: string
  readonly row: number
  readonly text: string
  readonly colour: (text: string) => string
}

/** Which sheet of which file a change of one cell belongs to; undefined for any other change. */
export function sheetOf({ kind, path, place }: Change): string | undefined {
  const [, sheet] = kind === 'cell' ? (CELL_PLACE.exec(place) ?? []) : []
  return sheet === undefined ? undefined : `${visible(path)} ${visible(sheet)}`
}

/** Changed cells of one sheet where they stand; undefined if they do not fit into the width. */
export function cellGrid(
  changes: readonly Change[],
  colours: Colours,
  width: number,
): string[] | undefined {
  const cells = changes.map(change => toCell(change, colours))
  const columns = [...new Set(cells.map(({ column }) => column))].sort(byColumn)
  const rows = [...new Set(cells.map(({ row }) => row))].sort((a, b) => a - b)
  const at = new Map(cells.map(cell => [`${cell.column}${cell.row}`, cell]))
  const shown = rows.slice(0, MOST_ROWS)
  const widths = columns.map(column =>
    Math.max(...[column, ...shown.map(row => at.get(`${column}${row}`)?.text ?? '')].map(widthOf)),
  )
  const head = Math.max(...shown.map(row => String(row).length))
  if (widths.reduce((sum, each) => sum + each + 2, head + 2) > width) return undefined
  const line = (mark: string, texts: readonly string[]) =>
    `  ${mark}  ${texts.join('  ')}`.trimEnd()
  const title = line(
    ' '.repeat(head),
    columns.map((column, index) => column.padEnd(widths[index]!)),
  )
  const more = rows.length - shown.length
  return [
    colours.dim(title),
    ...shown.map(row =>
      line(
        colours.dim(String(row).padStart(head)),
        columns.map((column, index) =>
          showCell(at.get(`${column}${row}`), widths[index]!, colours),
        ),
      ),
    ),
    ...(more > 0 ? [`  … ${more} more rows`] : []),
  ]
}

function toCell({ place, before, after }: Change, colours: Colours): CellChange {
  const [, , column = '', row] = CELL_PLACE.exec(place)!
  const { before: was = '', after: is = '' } = toSideTexts(before, after)
  const text = (side: string) => clip(visible(side), WIDEST_CELL)
  const cell = { column, row: Number(row) }
  if (was === '') return { ...cell, text: text(is), colour: colours.green }
  if (is === '') return { ...cell, text: `${text(was)} → (empty)`, colour: colours.red }
  return { ...cell, text: `${text(was)} → ${text(is)}`, colour: colours.yellow }
}

function showCell(cell: CellChange | undefined, width: number, colours: Colours): string {
  const text = cell?.text ?? '·'
  const room = ' '.repeat(Math.max(0, width - widthOf(text)))
  return `${(cell?.colour ?? colours.dim)(text)}${room}`
}

function byColumn(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : 1)
}

import type { Box, Fields } from '@filewright/protocol'
import { Refusal } from '../../../../refusal.ts'
import type { Sheet } from '../../book/sheet.ts'
import { type CellAddress, cellKey } from '../../cell/address.ts'
import { dateOfSerial } from '../../cell/cells.ts'
import { isForeign, parseValue } from '../../formula/values.ts'
import type { Editor } from '../editor.ts'
import { shownIn } from '../values.ts'
import type { CellWrite } from '../write-cells.ts'

export function cellsOf(box: Box): CellAddress[] {
  const cells: CellAddress[] = []
  for (let row = box.top; row <= box.bottom; row++)
    for (let column = box.left; column <= box.right; column++) cells.push({ row, column })
  return cells
}

/** `{start, by}`; with `unit` a series of dates by days, months or years. */
export function seriesWrites(editor: Editor, sheet: Sheet, box: Box, fields: Fields): CellWrite[] {
  const series = (fields.series ?? {}) as { start?: unknown; by?: unknown; unit?: unknown }
  const { start, by } = seriesFrom(editor, sheet, box, series)
  const date = typeof start === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(start) ? start : undefined
  if (typeof start !== 'number' && date === undefined)
    throw new Refusal(
      'INVALID_ARGUMENT',
      'fill: series needs start, a number or a date such as "2026-01-31", unless the first cell holds a number',
    )
  return cellsOf(box).map((at, index) => {
    const value =
      date === undefined
        ? Number(start) + by * index
        : { date: dateAfter(date, by * index, String(series.unit ?? 'day')) }
    const input = parseValue(editor.book, value, false)
    if (typeof input === 'string' || isForeign(input))
      throw new Refusal('INVALID_ARGUMENT', `fill: ${String(input)}`)
    return { ...at, input }
  })
}

/** Where a series begins and its step: what is not sent is what its first two cells hold. */
function seriesFrom(
  editor: Editor,
  sheet: Sheet,
  box: Box,
  sent: { readonly start?: unknown; readonly by?: unknown; readonly unit?: unknown },
): { readonly start: unknown; readonly by: number } {
  const { book } = editor
  const isRow = box.left < box.right
  const ends = { ...box, ...(isRow ? { bottom: box.top } : { right: box.left }) }
  const at = isRow ? { row: box.top, column: box.left + 1 } : { row: box.top + 1, column: box.left }
  const now = shownIn(editor, sheet, { ...ends, bottom: Math.min(ends.bottom, at.row), right: Math.min(ends.right, at.column) }) // biome-ignore format: one line
  const first = now.get(cellKey(box.top, box.left))
  const second = now.get(cellKey(at.row, at.column))
  const [from, next] = [first, second].map(own =>
    own?.content.type === 'number' ? own.content.value : undefined,
  )
  const isStep = sent.start === undefined && sent.unit === undefined
  const step = isStep && from !== undefined && next !== undefined ? next - from : 1
  const by = typeof sent.by === 'number' ? sent.by : step
  if (sent.start !== undefined || sent.unit === undefined || from === undefined)
    return { start: sent.start ?? from, by }
  const isDate = first !== undefined && book.part.styles().isDate(first.style)
  const day = isDate ? dateOfSerial(from, book.part.is1904)?.slice(0, 10) : undefined
  if (day !== undefined) return { start: day, by }
  throw new Refusal(
    'INVALID_ARGUMENT',
    `fill: a series by ${String(sent.unit)} starts with a date, and the first cell holds ${from}; send start, such as "2026-01-31"`,
  )
}

export function dateAfter(date: string, by: number, unit: string): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  if (unit.startsWith('day'))
    return new Date(Date.UTC(year, month - 1, day + by)).toISOString().slice(0, 10)
  const months = unit.startsWith('year') ? 12 * by : by
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last)))
    .toISOString()
    .slice(0, 10)
}

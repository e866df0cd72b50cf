import type { Box } from '@filewright/protocol'
import type { ChartValues } from '../../../../../charts/chart-plan.ts'
import type { Sheet } from '../../../book/sheet.ts'
import { showCell } from '../../../book/show.ts'
import { usedBox } from '../../../book/used.ts'
import { MAX_ROW } from '../../../cell/address.ts'
import type { CellNow } from '../../../cell/cells.ts'
import type { Editor } from '../../editor.ts'
import { shownIn } from '../../values.ts'
import { fixedReference, type SheetRange } from '../references.ts'

const MOST_POINTS = 10_000 // of a series that the file keeps a copy of

/** A whole column ends where the cells with content end. */
export function closedRange(range: SheetRange): SheetRange {
  if (range.box.bottom < MAX_ROW) return range
  const used = usedBox(range.sheet)
  const bottom = used.ok && used.value ? used.value.bottom : range.box.top
  return { ...range, box: { ...range.box, bottom: Math.max(bottom, range.box.top) } }
}

/** What the cells hold: numbers as numbers, anything else as it is shown. */
export function valuesOf(editor: Editor, range: SheetRange): ChartValues {
  const { book } = editor
  const { top, bottom, left, right } = range.box
  const count = (bottom - top + 1) * (right - left + 1)
  const isDown = left === right
  const shown = Math.min(count, MOST_POINTS)
  const box = isDown
    ? { ...range.box, bottom: top + shown - 1 }
    : { ...range.box, right: left + shown - 1 }
  const values: (string | number | null)[] = new Array(shown).fill(null)
  let format: string | undefined
  for (const cell of cellsOf(editor, range.sheet, box)) {
    const at = isDown ? cell.row - top : cell.column - left
    const { content } = cell
    if (content.type === 'number') {
      values[at] = content.value
      format ??= book.part.styles().pattern(cell.style)
    } else if (content.type !== 'empty') values[at] = showCell(book, cell).text
  }
  return { formula: fixedReference(range), values, count, ...(format && { format }) }
}

/** In row order. */
export function cellsOf(editor: Editor, sheet: Sheet, box: Box): CellNow[] {
  const cells = [...shownIn(editor, sheet, box).values()]
  return cells.sort((a, b) => a.row - b.row || a.column - b.column)
}

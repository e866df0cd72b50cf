import { Refusal } from '../../../refusal.ts'
import { MAX_COLUMN, MAX_ROW, parseBox } from '../cell/address.ts'

const MAX_LINES = 20_000 // rows or columns that one operation may size or hide one by one

/** `"5:7"`, `"C"`: a run of rows or columns. */
export function parseLines(
  axis: 'rows' | 'columns',
  given: unknown,
): { first: number; last: number } {
  const text = String(given).trim()
  const box = parseBox(text.includes(':') ? text : `${text}:${text}`)
  const isRows = box !== undefined && box.left === 1 && box.right === MAX_COLUMN
  const isColumns = box !== undefined && box.top === 1 && box.bottom === MAX_ROW
  if (!box || (axis === 'rows' ? !isRows : !isColumns))
    throw new Refusal(
      'INVALID_ARGUMENT',
      `${JSON.stringify(given)} is not a run of ${axis} such as ${axis === 'rows' ? '"5" or "5:7"' : '"C" or "C:E"'}; ${axis} that are not adjacent take one operation each`,
    )
  const [first, last] = axis === 'rows' ? [box.top, box.bottom] : [box.left, box.right]
  refuseLines(axis, first, last)
  return { first, last }
}

export function refuseLines(axis: 'rows' | 'columns', first: number, last: number): void {
  if (last - first >= MAX_LINES)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `${first}:${last} names ${last - first + 1} ${axis}, and one operation takes ${MAX_LINES}`,
    )
}

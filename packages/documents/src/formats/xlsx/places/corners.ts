import type { Box } from '@filewright/protocol'
import { columnName, columnNumber, MAX_COLUMN, MAX_ROW } from '../cell/address.ts'

/** One end of a reference as it is written: `B2`, `$B$2`, `$B`, `2`. */
export interface Corner {
  /** 0: the corner of whole columns. */
  readonly row: number
  /** 0: the corner of whole rows. */
  readonly column: number
  readonly fixedRow: boolean
  readonly fixedColumn: boolean
  /** As they are spelled. */
  readonly letters: string
  readonly digits: string
}

const CORNER = /^(\$?)([A-Za-z]{0,3})(\$?)([0-9]*)$/

export function parseCorner(text: string): Corner | undefined {
  const match = CORNER.exec(text)
  if (!match) return undefined
  const [, mark, letters = '', rowMark, digits = ''] = match
  return {
    row: digits === '' ? 0 : Number(digits),
    column: letters === '' ? 0 : columnNumber(letters),
    // A lone `$` before digits belongs to the row.
    fixedRow: digits !== '' && Boolean(letters === '' ? mark || rowMark : rowMark),
    fixedColumn: letters !== '' && Boolean(mark),
    letters,
    digits,
  }
}

/** The corner in another place, with its marks; what stays keeps its spelling. */
export function cornerText(corner: Corner, row = corner.row, column = corner.column): string {
  const { fixedColumn, fixedRow, letters, digits } = corner
  const shownColumn = column === corner.column ? letters : columnName(column)
  const shownRow = row === corner.row ? digits : String(row)
  return `${fixedColumn ? '$' : ''}${shownColumn}${fixedRow ? '$' : ''}${shownRow}`
}

/** The cells between two corners. */
export function cornersBox(a: Corner, b: Corner): Box {
  return {
    top: a.row === 0 ? 1 : Math.min(a.row, b.row),
    bottom: a.row === 0 ? MAX_ROW : Math.max(a.row, b.row),
    left: a.column === 0 ? 1 : Math.min(a.column, b.column),
    right: a.column === 0 ? MAX_COLUMN : Math.max(a.column, b.column),
  }
}

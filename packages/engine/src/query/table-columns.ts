import type { DocumentTable, TableCell, TableRow } from '@filewright/documents'
import type { Box } from '@filewright/protocol'

/** Which column of the SQL table is which of the source, and where its rows begin. */
export interface TableLayout {
  /** Without `_row`. */
  readonly columns: readonly string[]
  /** The row with the names; null: the columns have the letters of the source. */
  readonly headerRow: number | null
  readonly box: Box
}

const LOOKED_AT = 20 // rows: a header with a title above it is found, a table of text has none
const ENOUGH = 0.6 // of the widest row: a title fills one cell or two

export function layOut(
  table: DocumentTable,
  box: Box,
  asked: number | null | undefined,
): TableLayout {
  const headerRow = asked !== undefined ? asked : findHeader(table, box)
  const header = headerRow === null ? undefined : rowAt(table, box, headerRow)
  const columns = toNames(header?.cells ?? [], box)
  const top = headerRow === null ? box.top : Math.max(box.top, headerRow + 1)
  return { columns, headerRow, box: { ...box, top } }
}

function findHeader({ box: whole, headerRow, rows }: DocumentTable, box: Box): number | null {
  const isWhole = box.top === whole.top && box.left === whole.left && box.right === whole.right
  if (headerRow !== undefined && isWhole) return headerRow
  const first: TableRow[] = []
  for (const row of rows({ ...box, bottom: Math.min(box.bottom, box.top + 10 * LOOKED_AT) }))
    if (first.push(row) >= LOOKED_AT) break
  const filled = ({ cells }: TableRow) => cells.filter(cell => cell !== null).length
  const widest = Math.max(0, ...first.map(filled))
  const at = first.findIndex(row => filled(row) >= ENOUGH * widest)
  const candidate = first[at]
  const rest = first.slice(at + 1)
  if (!candidate || rest.length === 0 || !candidate.cells.every(isName)) return null
  const isAllText = rest.every(({ cells }) => cells.every(isName))
  return isAllText && hasRepeats(candidate.cells) ? null : candidate.row
}

function isName(cell: TableCell): boolean {
  return cell === null || (typeof cell === 'string' && !/^\d{4}-\d\d-\d\d/.test(cell))
}

function hasRepeats(cells: readonly TableCell[]): boolean {
  const given = cells.filter(cell => cell !== null)
  return new Set(given).size < given.length
}

function rowAt(table: DocumentTable, box: Box, row: number): TableRow | undefined {
  for (const found of table.rows({ ...box, top: row, bottom: row })) return found
  return undefined
}

/** Unique as SQLite compares them, in any case; a column without a name has the letters of its place. */
function toNames(cells: readonly TableCell[], { left, right }: Box): string[] {
  const taken = new Set(['_row'])
  return Array.from({ length: right - left + 1 }, (_, i) => {
    const text = String(cells[i] ?? '')
      .replace(/\s+/g, ' ')
      .trim()
    const name = text || toLetters(left + i)
    let unique = name
    for (let n = 2; taken.has(unique.toLowerCase()); n++) unique = `${name}_${n}`
    taken.add(unique.toLowerCase())
    return unique
  })
}

function toLetters(column: number): string {
  let letters = ''
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  return letters
}

const RANGE = /^\$?([A-Z]{1,3})\$?(\d{1,7})?(?::\$?([A-Z]{1,3})\$?(\d{1,7})?)?$/i

/** A1, A1:C9 or A:C, within the table; undefined for anything else. */
export function toPart(range: string, { top, bottom, left, right }: Box): Box | undefined {
  const [, from, first, to = from, last = to === from ? first : undefined] =
    RANGE.exec(range.trim()) ?? []
  if (from === undefined || to === undefined) return undefined
  const columns = [toNumber(from), toNumber(to)].sort((a, b) => a - b)
  const rows = [Number(first ?? top), Number(last ?? bottom)].sort((a, b) => a - b)
  const part = {
    top: Math.max(top, rows[0]!),
    bottom: Math.min(bottom, rows[1]!),
    left: Math.max(left, columns[0]!),
    right: Math.min(right, columns[1]!),
  }
  return part.top <= part.bottom && part.left <= part.right ? part : undefined
}

function toNumber(letters: string): number {
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
}

import type { Box } from '@filewright/protocol'
import { boxName, columnNumber } from '../cell/address.ts'

/** Of one sheet, `Sales!`. It grows cell by cell, and row by row. */
interface Block extends Box {
  readonly sheet: string
  right: number
  bottom: number
}

const CELL = /^(.*!)?([A-Z]{1,3})([0-9]+)$/

/** Adjacent cells as ranges: `Sales!A1:B3`. Any other place stays as it is, such as `sheet Sales`. */
export function joinPlaces(places: readonly string[]): string[] {
  const blocks: Block[] = []
  const others: string[] = []
  for (const place of places) {
    const cell = CELL.exec(place)
    if (cell) extend(blocks, cell)
    else others.push(place)
  }
  return [...joinRows(blocks).map(nameOf), ...others]
}

/** Cells come row by row, so a cell continues the block before it or begins one. */
function extend(blocks: Block[], [, sheet = '', letters, digits]: RegExpExecArray): void {
  const column = columnNumber(letters!)
  const row = Number(digits)
  const last = blocks.at(-1)
  const isNext = last && last.sheet === sheet && last.top === row && last.right + 1 === column
  if (isNext) last.right = column
  else blocks.push({ sheet, left: column, right: column, top: row, bottom: row })
}

/** Blocks of the same columns in rows that follow each other are one. */
function joinRows(rows: readonly Block[]): Block[] {
  const joined = new Map<string, Block[]>()
  for (const row of rows) {
    const key = `${row.sheet} ${row.left} ${row.right}`
    const same = joined.get(key) ?? []
    const above = same.at(-1)
    if (above && above.bottom + 1 === row.top) above.bottom = row.bottom
    else same.push({ ...row })
    joined.set(key, same)
  }
  return [...joined.values()].flat()
}

function nameOf({ sheet, ...box }: Block): string {
  return `${sheet}${boxName(box)}`
}

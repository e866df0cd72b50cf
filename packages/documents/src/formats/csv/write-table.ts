import { counted, type Operation, visible } from '@filewright/protocol'
import type { TableCell } from '../../format.ts'
import type { WrittenTable } from '../../table-query.ts'

/** The whole text: a row of names, then the rows. */
export function writeCsv({ columns, rows, docPath }: WrittenTable): readonly Operation[] {
  const delimiter = /\.(?:tsv|tab)$/.test(docPath) ? '\t' : ','
  const lines = [columns, ...rows].map(row =>
    row.map(cell => toField(cell, delimiter)).join(delimiter),
  )
  return [{ op: 'write_text', content: `${lines.join('\n')}\n` }]
}

function toField(cell: TableCell, delimiter: string): string {
  const text = cell === null ? '' : String(cell)
  const isPlain = !/["\r\n]|^\s|\s$/.test(text) && !text.includes(delimiter)
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`
}

/** Text that a spreadsheet program computes when it opens the file. A csv cannot say that it is text. */
export function warnOfFormulas({ columns, rows, docPath }: WrittenTable): readonly string[] {
  let count = 0
  let first = ''
  for (const [at, row] of [columns, ...rows].entries())
    for (const [column, cell] of row.entries()) {
      if (typeof cell !== 'string' || !STARTS_FORMULA.test(cell) || IS_NUMBER.test(cell)) continue
      count++
      first ||= `${columns[column]} of row ${at + 1}: ${cell.slice(0, SHOWN_CHARACTERS)}`
    }
  if (count === 0) return []
  return [
    `${counted(count, 'cell')} ${count === 1 ? 'begins' : 'begin'} like a formula, such as ${visible(first)}. A spreadsheet program that opens "${docPath}" computes them, and may run what they name; in an .xlsx they stay text.`,
  ]
}

const SHOWN_CHARACTERS = 60
const STARTS_FORMULA = /^[\s"']*[=+\-@\uff1d\uff0b\uff0d\uff20]/
/** `-5`, `+49 30 1`, `-` and `−1.234,50 €`. */
const IS_NUMBER = /^[\s+-]*[\d.,\s/()%€$£-]*$/

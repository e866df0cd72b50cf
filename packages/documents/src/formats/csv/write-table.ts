import type { Operation } from '@filewright/protocol'
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

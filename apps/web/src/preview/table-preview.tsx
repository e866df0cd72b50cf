import { useMemo } from 'react'
import { parseTable, separatorOf } from '../grid/csv.ts'
import { Grid } from '../grid/grid.tsx'
import type { GridSource } from '../grid/grid-source.ts'
import { widthOf } from '../grid/text-width.ts'
import { endingOf } from './preview-of.ts'

const WIDEST = 416 // pixels

/** Comma-separated text in the grid; numbers stand on the right. */
export default function TablePreview({
  path,
  text,
  onSelect,
}: {
  path: string
  text: string
  onSelect: (words: string) => void
}) {
  const source = useMemo(
    () => toSource(parseTable(text, separatorOf(text, endingOf(path)))),
    [text, path],
  )
  return (
    <Grid
      label={path}
      source={source}
      onSelect={(range, cells) => onSelect(`${path} ${range}:\n${cells}`)}
    />
  )
}

function toSource(rows: readonly (readonly string[])[]): GridSource {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 1)
  const widths = Array.from({ length: columns }, (_, column) => {
    const longest = rows
      .slice(0, 200)
      .reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 4)
    return Math.min(WIDEST, widthOf(longest))
  })
  return {
    rows: Math.max(rows.length, 1),
    columns,
    width: column => widths[column],
    cell(row, column) {
      const text = rows[row]?.[column]
      if (text === undefined) return undefined
      const isNumber = /^[-+]?[\d.,' ]*\d%?$/.test(text)
      return {
        text,
        ...(isNumber && { align: 'right' as const }),
        isBold: row === 0 && rows.length > 1,
      }
    },
  }
}

import { visible } from '@filewright/protocol'
import { useState } from 'react'
import { columnName } from '../grid/column-name.ts'
import { type CellPosition, Grid } from '../grid/grid.tsx'
import { useSheet } from '../grid/use-sheet.ts'
import { FailureNote } from '../parts/section.tsx'
import type { PreviewProps } from './preview-props.ts'

/** A workbook: one sheet at a time, the formula of the chosen cell above it. */
export default function SheetPreview({ path, content, cells, onSelect }: PreviewProps) {
  const [chosen, setChosen] = useState<string>()
  const sheet = useSheet(cells, path, chosen, content.sha256)
  const [at, setAt] = useState<CellPosition>({ row: 0, column: 0 })
  const cell = sheet.cell(at.row, at.column)
  const name = chosen ?? sheet.name ?? ''
  if (sheet.failure)
    return (
      <div className="px-4">
        <FailureNote failure={sheet.failure} />
      </div>
    )
  if (sheet.rows === 0) return <p className="p-4 text-sm text-muted">Loading the sheet …</p>
  return (
    <>
      <p
        role="status"
        className="flex flex-none gap-3 border-b border-line bg-card px-3 py-1 font-mono text-sm"
      >
        <span className="w-gutter flex-none text-muted">
          {columnName(at.column)}
          {at.row + 1}
        </span>
        <span className="keep-inside">{visible(cell?.formula ?? cell?.text ?? '')}</span>
      </p>
      <Grid
        key={name}
        label={`${visible(path)}, sheet ${visible(name)}`}
        source={sheet}
        onActive={setAt}
        onSelect={(range, text) => onSelect(`${name}!${range}:\n${text}`)}
      />
      <div
        role="tablist"
        aria-label="Sheets"
        className="flex flex-none gap-1 overflow-x-auto border-t border-line bg-sunken px-2 py-1 text-sm"
      >
        {sheet.sheets.map(each => (
          <button
            key={each}
            type="button"
            role="tab"
            aria-selected={each === name}
            className={`flex-none rounded-sm px-3 py-0.5 ${each === name ? 'bg-card font-medium' : 'text-muted hover:text-ink'}`}
            onClick={() => setChosen(each)}
          >
            {visible(each)}
          </button>
        ))}
      </div>
      {sheet.undrawn.length > 0 && (
        <p className="flex-none bg-note px-3 py-1 text-xs text-note-ink">
          Not drawn here: {visible(sheet.undrawn.join('; '))}
        </p>
      )}
    </>
  )
}

import { type Change, type Consequence, toSideTexts, visible } from '@filewright/protocol'
import { useMemo } from 'react'
import type { Api } from '../api.ts'
import { parseCell } from '../grid/column-name.ts'
import { Grid } from '../grid/grid.tsx'
import type { CellMark, GridSource } from '../grid/grid-source.ts'
import { widthOf } from '../grid/text-width.ts'
import { useSheet } from '../grid/use-sheet.ts'
import { type Decisions, verdictOn } from './decisions.ts'

const LOOKS = { accept: 'accepted', refuse: 'refused', leave: 'left' } as const
const ROOM = 4 // rows and columns around what changed, where the sheet itself is not there

/** The changed cells where they stand, with the old value beside the new one. */
export default function SheetChanges({
  path,
  sheet,
  changes,
  consequences,
  decisions,
  current,
  cells,
  onCurrent,
}: {
  path: string
  sheet: string
  changes: readonly Change[]
  consequences: readonly Consequence[]
  decisions: Decisions
  current: string | undefined
  cells: { readonly api: Api; readonly workspaceId: string; readonly draftId: string }
  onCurrent: (changeId: string) => void
}) {
  const under = useSheet(cells, path, sheet)
  const placed = useMemo(
    () => place(changes, consequences, path, sheet),
    [changes, consequences, path, sheet],
  )
  const source = useMemo((): GridSource => {
    const columns = marksByColumn(placed)
    const most = (axis: 'row' | 'column') =>
      Math.max(0, ...[...placed.values()].map(each => each[axis])) + ROOM
    return {
      ...under,
      rows: Math.max(under.usedRows, most('row'), rowsShown(placed) + 1),
      columns: Math.max(under.columns, most('column')),
      cell: under.cell,
      width: column => widest(under.width?.(column), columns.get(column)),
      mark: (row, column) => markOf(placed.get(`${row} ${column}`), decisions),
    }
  }, [under, placed, decisions])
  const wanted = changes.find(({ id }) => id === current) ?? changes[0]
  const goTo = useMemo(() => wanted && parseCell(wanted.place), [wanted])
  return (
    <div
      className="mt-2 flex flex-col overflow-hidden rounded-md border border-line"
      style={{ height: `${(rowsShown(placed) + 3) * ROW_REM}rem` }}
    >
      <p className="flex-none border-b border-line bg-sunken px-3 py-1 text-xs font-medium">
        {visible(sheet)}
      </p>
      <Grid
        label={`${visible(path)}, sheet ${visible(sheet)}`}
        source={source}
        goTo={goTo}
        isAmongOthers
        onActive={({ row, column }) => {
          const found = placed.get(`${row} ${column}`)
          if (found?.change) onCurrent(found.change.id)
        }}
      />
    </div>
  )
}

const WIDEST = 320 // pixels

/** Both values of a changed cell have room beside each other. */
function widest(own: number | undefined, characters: number | undefined): number | undefined {
  if (characters === undefined) return own
  return Math.max(own ?? 0, Math.min(WIDEST, widthOf(characters)))
}

/** How many characters the longest mark of each column has. */
function marksByColumn(placed: ReadonlyMap<string, Placed>): ReadonlyMap<number, number> {
  const columns = new Map<number, number>()
  for (const { column, change, consequence } of placed.values()) {
    const own = (change ?? consequence)!
    const { before = '', after = '' } = toSideTexts(own.before, own.after)
    columns.set(column, Math.max(columns.get(column) ?? 0, before.length + after.length + 1))
  }
  return columns
}

const ROW_REM = 1.625
const FEWEST = 6
const MOST = 12

/** As many rows as are needed to see what changed, and some around it. */
function rowsShown(placed: ReadonlyMap<string, Placed>): number {
  const rows = new Set([...placed.values()].map(({ row }) => row))
  return Math.min(MOST, Math.max(FEWEST, rows.size + 2))
}

interface Placed {
  readonly row: number
  readonly column: number
  readonly change?: Change
  readonly consequence?: Consequence
}

function place(
  changes: readonly Change[],
  consequences: readonly Consequence[],
  path: string,
  sheet: string,
): ReadonlyMap<string, Placed> {
  const placed = new Map<string, Placed>()
  const add = (at: string, own: Pick<Placed, 'change' | 'consequence'>) => {
    const cell = parseCell(at)
    if (cell?.sheet === sheet) placed.set(`${cell.row} ${cell.column}`, { ...cell, ...own })
  }
  for (const consequence of consequences)
    if (consequence.path === path) add(consequence.place, { consequence })
  for (const change of changes) add(change.place, { change })
  return placed
}

function markOf(placed: Placed | undefined, decisions: Decisions): CellMark | undefined {
  if (!placed) return undefined
  const { change, consequence } = placed
  const { before, after } = toSideTexts(
    (change ?? consequence)!.before,
    (change ?? consequence)!.after,
  )
  if (!change) return { before, after, look: 'follows' }
  return { changeId: change.id, before, after, look: LOOKS[verdictOn(decisions, change)] }
}

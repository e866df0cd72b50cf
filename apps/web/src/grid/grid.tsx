import { visible } from '@filewright/protocol'
import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { columnName } from './column-name.ts'
import type { CellMark, DrawnCell, GridSource, MergedCells } from './grid-source.ts'

const ROW_REM = 1.625
const COLUMN_REM = 7
const HEAD_REM = 3.25
const OVERSCAN = 6

export interface CellPosition {
  readonly row: number
  readonly column: number
}

interface GridProps {
  readonly source: GridSource
  readonly label: string
  /** Brings this cell into view. */
  readonly goTo?: CellPosition
  readonly onSelect?: (range: string, text: string) => void
  readonly onActive?: (position: CellPosition) => void
  /** It stands among other things that scroll: at its end, they go on. */
  readonly isAmongOthers?: boolean
}

/** Rows and columns without end: only those in view are in the document. */
export function Grid(props: GridProps) {
  const { source, label, goTo, onSelect, onActive, isAmongOthers = false } = props
  const box = useRef<HTMLDivElement>(null)
  const rem = useMemo(
    () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
    [],
  )
  const selection = useSelection(source, onSelect, onActive)
  const { active, move } = selection
  const { rows, columns } = useView(source, box, rem, active)
  const shownRows = rows.getVirtualItems()
  const shownColumns = columns.getVirtualItems()
  useEffect(() => {
    if (goTo) move(goTo)
  }, [goTo, move])
  return (
    <div
      ref={box}
      role="grid"
      aria-label={label}
      aria-rowcount={source.rows + 1}
      aria-colcount={source.columns + 1}
      tabIndex={0}
      className="scrolls relative min-h-0 flex-1 bg-card text-xs outline-offset-0"
      style={isAmongOthers ? { overscrollBehavior: 'auto' } : undefined}
      onKeyDown={selection.onKeyDown}
    >
      <div
        className="relative"
        style={{
          height: rows.getTotalSize() + ROW_REM * rem,
          width: columns.getTotalSize() + HEAD_REM * rem,
        }}
      >
        <Heads columns={shownColumns} height={ROW_REM * rem} active={active.column} />
        {shownRows.map(row => (
          <GridRow
            key={row.key}
            row={row}
            columns={shownColumns}
            columnsKey={shownColumns.map(({ key, size }) => `${key}:${size}`).join()}
            source={source}
            head={HEAD_REM * rem}
            isActive={row.index === active.row}
            selected={selection.columnsIn(row.index)}
            onPointer={selection.onPointer}
          />
        ))}
        <Merged {...{ source, rows: shownRows, columns: shownColumns }} />
      </div>
    </div>
  )
}

/** The rows and columns in view; the source learns of them, and the active cell stays among them. */
function useView(
  source: GridSource,
  box: RefObject<HTMLDivElement | null>,
  rem: number,
  active: CellPosition,
) {
  const rows = useVirtualizer({
    count: source.rows,
    getScrollElement: () => box.current,
    estimateSize: row => source.height?.(row) ?? ROW_REM * rem,
    scrollMargin: ROW_REM * rem,
    overscan: OVERSCAN,
  })
  const columns = useVirtualizer({
    horizontal: true,
    count: source.columns,
    getScrollElement: () => box.current,
    estimateSize: column => source.width?.(column) ?? COLUMN_REM * rem,
    scrollMargin: HEAD_REM * rem,
    overscan: 3,
  })
  const shown = rows.getVirtualItems()
  const first = shown[0]?.index ?? 0
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => source.need?.(first, last), [source, first, last])
  useEffect(() => {
    columns.measure()
    rows.measure()
  }, [source.width, source.height])
  useEffect(() => {
    rows.scrollToIndex(active.row)
    columns.scrollToIndex(active.column)
  }, [active])
  return { rows, columns }
}

function Heads({
  columns,
  height,
  active,
}: {
  columns: readonly VirtualItem[]
  height: number
  active: number
}) {
  return (
    <div role="row" aria-rowindex={1} className="sticky top-0 z-20" style={{ height }}>
      <div
        role="columnheader"
        className="sticky left-0 z-30 h-full w-gutter border-r border-b border-line bg-sunken"
      >
        <span className="sr-only">Row</span>
      </div>
      {columns.map(({ index, start, size }) => (
        <div
          key={index}
          role="columnheader"
          aria-colindex={index + 2}
          className={`absolute top-0 h-full border-r border-b border-line text-center text-xs leading-6 ${index === active ? 'bg-accent-soft font-medium' : 'bg-sunken text-muted'}`}
          style={{ left: start, width: size }}
        >
          {columnName(index)}
        </div>
      ))}
    </div>
  )
}

interface RowProps {
  readonly row: VirtualItem
  readonly columns: readonly VirtualItem[]
  readonly columnsKey: string
  readonly source: GridSource
  readonly head: number
  readonly isActive: boolean
  /** The first and last selected column of this row. */
  readonly selected: string
  readonly onPointer: (event: PointerEvent, position: CellPosition) => void
}

const GridRow = memo(
  ({ row: { index, start, size }, columns, source, isActive, selected, onPointer }: RowProps) => {
    const [from, to] = selected === '' ? [1, 0] : selected.split(' ').map(Number)
    return (
      <div
        role="row"
        aria-rowindex={index + 2}
        className="absolute top-0 left-0 w-full"
        style={{ transform: `translateY(${start}px)`, height: size }}
      >
        <div
          role="rowheader"
          className={`sticky left-0 z-10 h-full w-gutter border-r border-b border-line pr-2 text-right text-xs leading-6 tabular-nums ${isActive ? 'bg-accent-soft font-medium' : 'bg-sunken text-muted'}`}
        >
          {index + 1}
        </div>
        {columns.map(column => (
          <Cell
            key={column.index}
            cell={source.cell(index, column.index)}
            mark={source.mark?.(index, column.index)}
            isSelected={column.index >= from! && column.index <= to!}
            position={{ row: index, column: column.index }}
            left={column.start}
            width={column.size}
            onPointer={onPointer}
          />
        ))}
      </div>
    )
  },
  (before, after) =>
    before.row.start === after.row.start &&
    before.row.size === after.row.size &&
    before.columnsKey === after.columnsKey &&
    before.source === after.source &&
    before.isActive === after.isActive &&
    before.selected === after.selected,
)

const MARKS: Readonly<Record<CellMark['look'], string>> = {
  accepted: 'bg-added text-added-ink',
  refused: 'bg-removed text-removed-ink',
  left: 'bg-note text-note-ink',
  follows: 'bg-accent-soft',
}

function Cell({
  cell,
  mark,
  isSelected,
  position,
  left,
  width,
  onPointer,
}: {
  cell: DrawnCell | undefined
  mark: CellMark | undefined
  isSelected: boolean
  position: CellPosition
  left: number
  width: number
  onPointer: (event: PointerEvent, position: CellPosition) => void
}) {
  const look = mark ? MARKS[mark.look] : ''
  return (
    <div
      role="gridcell"
      aria-colindex={position.column + 2}
      aria-selected={isSelected}
      data-change={mark?.changeId}
      title={cell?.formula ? `=${cell.formula.replace(/^=/, '')}` : undefined}
      className={`absolute top-0 h-full border-r border-b border-line px-1 leading-6 ${cell?.wraps ? 'whitespace-pre-wrap overflow-hidden' : 'truncate'} ${ALIGN[cell?.align ?? 'left']} ${cell?.isBold ? 'font-semibold' : ''} ${cell?.isItalic ? 'italic' : ''} ${look} ${isSelected ? 'outline-2 -outline-offset-2 outline-accent' : ''}`}
      style={{
        left,
        width,
        ...(!mark && cell?.fill && { background: cell.fill }),
        ...(!mark && cell?.color && { color: cell.color }),
      }}
      onPointerDown={event => onPointer(event, position)}
      onPointerEnter={event => event.buttons === 1 && onPointer(event, position)}
    >
      {mark ? <MarkedText mark={mark} text={cell?.text ?? ''} /> : visible(cell?.text ?? '')}
    </div>
  )
}

/** The old value, struck out, before the new one. */
function MarkedText({ mark: { before, after }, text }: { mark: CellMark; text: string }) {
  return (
    <>
      {before !== undefined && before !== '' && (
        <del className="mr-1 text-removed-ink">
          <span className="sr-only">before </span>
          {visible(before)}
        </del>
      )}
      <ins className="no-underline">
        <span className="sr-only">after </span>
        {visible(after ?? text)}
      </ins>
    </>
  )
}

const ALIGN = { left: 'text-left', center: 'text-center', right: 'text-right' }

/** Drawn over the cells that they cover. */
function Merged({
  source,
  rows,
  columns,
}: {
  source: GridSource
  rows: readonly VirtualItem[]
  columns: readonly VirtualItem[]
}) {
  const inView = (source.merges ?? []).filter(
    merge =>
      merge.row <= (rows.at(-1)?.index ?? -1) &&
      merge.row + merge.rows > (rows[0]?.index ?? 0) &&
      merge.column <= (columns.at(-1)?.index ?? -1) &&
      merge.column + merge.columns > (columns[0]?.index ?? 0),
  )
  return inView.map(merge => (
    <MergedCell key={`${merge.row} ${merge.column}`} {...{ merge, source, rows, columns }} />
  ))
}

function MergedCell({
  merge: { row, column, rows: height, columns: width },
  source,
  rows,
  columns,
}: {
  merge: MergedCells
  source: GridSource
  rows: readonly VirtualItem[]
  columns: readonly VirtualItem[]
}) {
  const within = (items: readonly VirtualItem[], from: number, count: number) =>
    items.filter(({ index }) => index >= from && index < from + count)
  const across = within(columns, column, width)
  const down = within(rows, row, height)
  const cell = source.cell(row, column)
  if (across.length === 0 || down.length === 0) return null
  const sum = (items: readonly VirtualItem[]) => items.reduce((all, { size }) => all + size, 0)
  return (
    <div
      aria-hidden="true"
      className={`absolute top-0 border-r border-b border-line bg-card px-1.5 leading-6 ${ALIGN[cell?.align ?? 'left']} ${cell?.isBold ? 'font-semibold' : ''}`}
      style={{
        left: across[0]!.start,
        width: sum(across),
        height: sum(down),
        transform: `translateY(${down[0]!.start}px)`,
        ...(cell?.fill && { background: cell.fill }),
        ...(cell?.color && { color: cell.color }),
      }}
    >
      {visible(cell?.text ?? '')}
    </div>
  )
}

const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  PageDown: [25, 0],
  PageUp: [-25, 0],
}

function useSelection(
  source: GridSource,
  onSelect: ((range: string, text: string) => void) | undefined,
  onActive: ((position: CellPosition) => void) | undefined,
) {
  const [active, setActive] = useState<CellPosition>({ row: 0, column: 0 })
  const [anchor, setAnchor] = useState<CellPosition>({ row: 0, column: 0 })
  const tell = (a: CellPosition, b: CellPosition) => onSelect?.(rangeOf(a, b), textIn(source, a, b))
  const place = (to: CellPosition, { extends: isExtended }: { extends: boolean }) => {
    const inside = {
      row: Math.max(0, Math.min(source.rows - 1, to.row)),
      column: Math.max(0, Math.min(source.columns - 1, to.column)),
    }
    setActive(inside)
    if (!isExtended) setAnchor(inside)
    tell(isExtended ? anchor : inside, inside)
    onActive?.(inside)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const to = step
      ? { row: active.row + step[0], column: active.column + step[1] }
      : event.key === 'Home'
        ? { row: event.ctrlKey ? 0 : active.row, column: 0 }
        : event.key === 'End'
          ? { row: event.ctrlKey ? source.rows - 1 : active.row, column: source.columns - 1 }
          : undefined
    if (!to) return
    event.preventDefault()
    place(to, { extends: event.shiftKey })
  }
  const onPointer = (event: PointerEvent, position: CellPosition) =>
    place(position, { extends: event.shiftKey || event.type === 'pointerenter' })
  const rowsFrom = Math.min(active.row, anchor.row)
  const rowsTo = Math.max(active.row, anchor.row)
  const columnsIn = (row: number) =>
    row < rowsFrom || row > rowsTo
      ? ''
      : `${Math.min(active.column, anchor.column)} ${Math.max(active.column, anchor.column)}`
  const move = useMemo(
    () => (to: CellPosition) => {
      setActive(to)
      setAnchor(to)
    },
    [],
  )
  return { active, onKeyDown, onPointer, columnsIn, move }
}

function rangeOf(a: CellPosition, b: CellPosition): string {
  const [top, bottom] = [Math.min(a.row, b.row), Math.max(a.row, b.row)]
  const [left, right] = [Math.min(a.column, b.column), Math.max(a.column, b.column)]
  const first = `${columnName(left)}${top + 1}`
  const last = `${columnName(right)}${bottom + 1}`
  return first === last ? first : `${first}:${last}`
}

const MOST_CELLS = 200 // of a selection, in words

function textIn(source: GridSource, a: CellPosition, b: CellPosition): string {
  const lines: string[] = []
  for (let row = Math.min(a.row, b.row); row <= Math.max(a.row, b.row); row++) {
    const cells: string[] = []
    for (let at = Math.min(a.column, b.column); at <= Math.max(a.column, b.column); at++)
      cells.push(source.cell(row, at)?.text ?? '')
    lines.push(cells.join('\t'))
    if (lines.length * cells.length > MOST_CELLS) break
  }
  return lines.join('\n')
}

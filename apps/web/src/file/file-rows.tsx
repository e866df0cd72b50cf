import { counted, type FileEntry, visible } from '@filewright/protocol'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type Dispatch,
  type KeyboardEvent,
  type SetStateAction,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { toSize } from '../parts/size.ts'
import { dragPath } from './dragged-file.ts'
import { describeKind } from './file-kind.ts'
import { folderOf, foldersAbove, nameOf, type TreeRow, toRows } from './file-tree.ts'
import { KindIcon } from './kind-icon.tsx'

const FEW = 300 // so many are shown with every folder open
const OVERSCAN = 12

const MARKS: Readonly<Record<string, { sign: string; look: string }>> = {
  created: { sign: 'new', look: 'text-good' },
  changed: { sign: 'changed', look: 'text-accent' },
  moved: { sign: 'moved', look: 'text-accent' },
  deleted: { sign: 'deleted', look: 'text-danger' },
  left: { sign: 'moved away', look: 'text-danger' },
}

interface FileRowsProps {
  entries: readonly FileEntry[]
  marks: ReadonlyMap<string, string>
  shown: string | undefined
  isBusy: boolean
  /** Every file with its whole path, as search results are. */
  isFlat: boolean
  folders: FolderToggles
  onOpen: (path: string) => void
}

/** Only the rows in view are in the document; the arrow keys walk the tree. */
export function FileRows(props: FileRowsProps) {
  const { entries, marks, shown, isBusy, isFlat, folders, onOpen } = props
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const { rows, toggle, reveal } = useRows(entries, isFlat, folders)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight(),
    overscan: OVERSCAN,
  })
  useEffect(() => {
    if (shown !== undefined) reveal(shown)
  }, [shown, reveal])

  const { at, onKeyDown, onAct } = useWalk(rows, virtual.scrollToIndex, { toggle, onOpen })
  return (
    <div
      ref={box}
      role="tree"
      aria-label="Files"
      aria-busy={isBusy}
      aria-activedescendant={`${id}-${at}`}
      tabIndex={0}
      className={`scrolls group min-h-0 flex-1 py-1 text-sm ${isBusy ? 'opacity-60' : ''}`}
      onKeyDown={onKeyDown}
    >
      <div className="relative w-full" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => (
          <Row
            key={rows[index]!.path + rows[index]!.kind}
            id={`${id}-${index}`}
            row={rows[index]!}
            start={start}
            isFlat={isFlat}
            isShown={rows[index]!.path === shown}
            isFocused={index === at}
            mark={marks.get(rows[index]!.path.toLowerCase())}
            onAct={() => onAct(index)}
          />
        ))}
      </div>
    </div>
  )
}

/** The arrow keys walk the rows, Enter opens one. */
function useWalk(
  rows: readonly TreeRow[],
  scrollTo: (index: number) => void,
  { toggle, onOpen }: { toggle: (path: string) => void; onOpen: (path: string) => void },
) {
  const [focused, setFocused] = useState(0)
  const at = Math.min(focused, rows.length - 1)
  const act = (row: TreeRow) => (row.kind === 'folder' ? toggle(row.path) : onOpen(row.path))
  const move = (index: number) => {
    const to = Math.max(0, Math.min(rows.length - 1, index))
    setFocused(to)
    scrollTo(to)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at]
    const step = STEPS[event.key]
    if (step !== undefined) move(step(at, rows.length))
    else if (event.key === 'Enter' || event.key === ' ') row && act(row)
    else if (event.key === 'ArrowRight' && row?.kind === 'folder' && !row.isOpen) toggle(row.path)
    else if (event.key === 'ArrowLeft' && row?.kind === 'folder' && row.isOpen) toggle(row.path)
    else return
    event.preventDefault()
  }
  const onAct = (index: number) => {
    setFocused(index)
    act(rows[index]!)
  }
  return { at, onKeyDown, onAct }
}

const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: at => at + 1,
  ArrowUp: at => at - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
  PageDown: at => at + 15,
  PageUp: at => at - 15,
}

/** As the tokens have it, in pixels of this screen. */
function rowHeight(): number {
  return 1.75 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}

/** Which folders the person opened or closed; kept while nothing is listed. */
export type FolderToggles = readonly [
  ReadonlyMap<string, boolean>,
  Dispatch<SetStateAction<ReadonlyMap<string, boolean>>>,
]

function useRows(
  entries: readonly FileEntry[],
  isFlat: boolean,
  [toggled, setToggled]: FolderToggles,
) {
  const isOpenAtFirst = entries.length <= FEW
  const rows = useMemo(
    () =>
      isFlat
        ? entries.map(
            (entry): TreeRow => ({
              kind: 'file',
              path: entry.path,
              name: entry.path,
              level: 1,
              entry,
            }),
          )
        : toRows(entries, path => toggled.get(path) ?? isOpenAtFirst),
    [entries, isFlat, toggled, isOpenAtFirst],
  )
  const actions = useMemo(
    () => ({
      toggle: (path: string) =>
        setToggled(before => new Map(before).set(path, !(before.get(path) ?? isOpenAtFirst))),
      reveal: (path: string) =>
        setToggled(before => {
          const closed = foldersAbove(path).filter(each => !(before.get(each) ?? isOpenAtFirst))
          if (closed.length === 0) return before
          return new Map([...before, ...closed.map((each): [string, boolean] => [each, true])])
        }),
    }),
    [isOpenAtFirst, setToggled],
  )
  return { rows, ...actions }
}

function Row({
  id,
  row,
  start,
  isFlat,
  isShown,
  isFocused,
  mark,
  onAct,
}: {
  id: string
  row: TreeRow
  start: number
  isFlat: boolean
  isShown: boolean
  isFocused: boolean
  mark: string | undefined
  onAct: () => void
}) {
  const look = isShown
    ? 'bg-accent-soft font-medium'
    : isFocused
      ? 'group-focus-visible:bg-sunken hover:bg-sunken'
      : 'hover:bg-sunken'
  const marked = mark === undefined ? undefined : MARKS[mark]
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names this row
    <div
      id={id}
      role="treeitem"
      aria-level={row.level}
      aria-selected={isShown}
      aria-expanded={row.kind === 'folder' ? row.isOpen : undefined}
      aria-label={labelOf(row, mark)}
      draggable={row.kind === 'file' && !row.entry.folded}
      onDragStart={({ dataTransfer }) => dragPath(dataTransfer, row.path)}
      className={`absolute inset-x-0 top-0 mx-1 flex h-row items-center gap-1.5 rounded-sm pr-2 ${look}`}
      style={{
        transform: `translateY(${start}px)`,
        paddingInlineStart: `${0.5 + (row.level - 1) * 0.875}rem`,
      }}
      onClick={onAct}
    >
      <RowSign row={row} />
      <span
        title={titleOf(row)}
        className={`min-w-0 flex-1 truncate ${mark === 'deleted' || mark === 'left' ? 'line-through' : ''}`}
      >
        {visible(isFlat ? nameOf(row.path) : row.name)}
        {isFlat && row.path.includes('/') && (
          <span className="text-xs text-muted"> {visible(folderOf(row.path))}</span>
        )}
      </span>{' '}
      {marked && <span className={`flex-none text-xs ${marked.look}`}>{marked.sign}</span>}
      {!marked && <span className="flex-none text-xs text-muted tabular-nums">{sizeOf(row)}</span>}
    </div>
  )
}

function RowSign({ row }: { row: TreeRow }) {
  if (row.kind === 'file') return <KindIcon path={row.path} />
  return (
    <span aria-hidden="true" className="w-3.5 flex-none text-center text-xs text-muted">
      {row.isOpen ? '▾' : '▸'}
    </span>
  )
}

function labelOf(row: TreeRow, mark: string | undefined): string {
  const more = mark ? ' in the draft' : row.kind === 'folder' ? ', folder' : ''
  const kind = row.kind === 'file' && !row.entry.folded ? `, ${describeKind(row.path)}` : ''
  return `${visible(row.path)} ${(mark && MARKS[mark]?.sign) ?? sizeOf(row)}${more}${kind}`
}

function titleOf(row: TreeRow): string {
  const path = visible(row.path)
  if (row.kind === 'folder' || row.entry.folded) return path
  const { version } = row.entry
  return `${path}\n${describeKind(row.path)}${version ? `\nversion ${version.slice(0, 8)}` : ''}`
}

function sizeOf(row: TreeRow): string {
  if (row.kind === 'folder') return String(row.files)
  const { folded, isPrivate, sizeBytes } = row.entry
  if (folded) return counted(folded.files, 'file')
  return isPrivate ? 'private' : toSize(sizeBytes)
}

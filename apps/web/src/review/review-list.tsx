import { type Change, counted, type Review, visible } from '@filewright/protocol'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Api } from '../api.ts'
import { type ContextLines, contextOf } from '../change/context-lines.ts'
import { folderOf, nameOf } from '../file/file-tree.ts'
import type { StageView } from '../stage/shown.ts'
import { ChangeItem } from './change-item.tsx'
import { type ChangeVerdict, type Decisions, decide, verdictOn, wentAlong } from './decisions.ts'
import { FileItem } from './file-item.tsx'
import { type ReviewItem, toItems } from './review-items.ts'

const SheetChanges = lazy(() => import('./sheet-changes.tsx'))

export interface ReviewListProps {
  readonly review: Review
  readonly decisions: Decisions
  readonly comments: ReadonlyMap<string, string>
  /** Where the sheets are; absent: changed cells are shown as a list alone. */
  readonly cells?: { readonly api: Api; readonly workspaceId: string; readonly draftId: string }
  readonly onDecisions: (decisions: Decisions) => void
  readonly onComment: (changeId: string, words: string) => void
  /** Absent: there is no place to show a file in. */
  readonly onShow?: (shown: StageView) => void
  readonly intro: ReactNode
  readonly outro: ReactNode
}

const HEIGHTS = { file: 48, grid: 340, change: 96 } // until they are measured
const KEYS: Readonly<Record<string, ChangeVerdict>> = { a: 'accept', r: 'refuse', l: 'leave' }

/** Every change below the other, with a list to jump in; `j` and `k` walk, `a`, `r` and `l` decide. */
export function ReviewList(props: ReviewListProps) {
  const { review, decisions, intro, outro } = props
  const hasSheets = props.cells !== undefined
  const items = useMemo(
    () => toItems(review).filter(({ kind }) => kind !== 'grid' || hasSheets),
    [review, hasSheets],
  )
  const contexts = useContexts(review)
  const box = useRef<HTMLElement>(null)
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: index => HEIGHTS[items[index]!.kind],
    getItemKey: index => keyOf(items[index]!),
    overscan: 8,
  })
  const { settle, along } = useSettle(props)
  const { current, setCurrent, goTo, onKey } = useWalk(items, virtual.scrollToIndex, settle)
  useKeys(onKey)
  return (
    <>
      <div className="flex min-h-0 flex-1">
        <JumpList items={items} decisions={decisions} onGoTo={goTo} />
        <section
          ref={box}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls only what it can reach
          tabIndex={0}
          aria-label="Changes"
          aria-keyshortcuts="j k a r l"
          className="scrolls min-h-0 min-w-0 flex-1 px-4 pb-6"
        >
          {intro}
          <KeysHelp />
          <div className="relative" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ index, start, key }) => (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${start}px)` }}
              >
                <Item
                  {...props}
                  item={items[index]!}
                  current={current}
                  contexts={contexts}
                  onCurrent={setCurrent}
                  onSettle={settle}
                />
              </div>
            ))}
          </div>
          {outro}
        </section>
      </div>
      <Along>{along}</Along>
    </>
  )
}

/** What a decision takes along with it. */
function Along({ children }: { readonly children?: string }) {
  return (
    <p role="status" className="flex-none bg-note px-4 py-1 text-sm text-note-ink empty:hidden">
      {children}
    </p>
  )
}

function useContexts({ diffs }: Review): ReadonlyMap<string, ContextLines> {
  return useMemo(() => new Map(diffs.map(({ path, diff }) => [path, contextOf(diff)])), [diffs])
}

function useSettle({ review, decisions, onDecisions }: ReviewListProps) {
  const [along, setAlong] = useState<string>()
  const settle = (chosen: readonly Change[], verdict: ChangeVerdict) => {
    const next = decide(decisions, chosen, verdict, review.changes)
    setAlong(describeAlong(wentAlong(decisions, next, chosen, review.changes), verdict))
    onDecisions(next)
  }
  return { settle, along }
}

function KeysHelp() {
  return (
    <p className="py-2 text-xs text-muted">
      <kbd>j</kbd> next, <kbd>k</kbd> back, <kbd>a</kbd> accept, <kbd>r</kbd> refuse, <kbd>l</kbd>{' '}
      leave in the draft
    </p>
  )
}

const VERDICTS: Readonly<Record<ChangeVerdict, string>> = {
  accept: 'are accepted with it',
  refuse: 'are refused with it',
  leave: 'stay in the draft with it',
}

/** Nobody is surprised by what a decision brings along. */
function describeAlong(others: number, verdict: ChangeVerdict): string | undefined {
  if (others === 0) return undefined
  const what = others === 1 ? 'One other change goes' : `${others} other changes go`
  return `${what} along: they belong together, and ${VERDICTS[verdict]}.`
}

/** Which change is looked at, and how the keys move it and decide on it. */
function useWalk(
  items: readonly ReviewItem[],
  scrollTo: (index: number, options: { align: 'center' | 'start' }) => void,
  settle: (chosen: readonly Change[], verdict: ChangeVerdict) => void,
) {
  const [current, setCurrent] = useState<string>()
  const goTo = (index: number) => {
    const item = items[index]
    if (!item) return
    setCurrent(item.kind === 'change' ? item.change.id : item.changes[0]?.id)
    scrollTo(index, { align: item.kind === 'change' ? 'center' : 'start' })
  }
  const onKey = (key: string): boolean => {
    const at = items.findIndex(item => item.kind === 'change' && item.change.id === current)
    const isChange = (item: ReviewItem) => item.kind === 'change'
    if (key === 'j') goTo(items.findIndex((item, index) => index > at && isChange(item)))
    else if (key === 'k') goTo(items.findLastIndex((item, index) => index < at && isChange(item)))
    else if (KEYS[key]) {
      const item = items[at]
      if (item?.kind === 'change') settle([item.change], KEYS[key])
    } else return false
    return true
  }
  return { current, setCurrent, goTo, onKey }
}

function keyOf(item: ReviewItem): string {
  if (item.kind === 'change') return item.change.id
  return item.kind === 'grid' ? `grid ${item.path} ${item.sheet}` : `file ${item.path}`
}

/** Wherever the focus is on the page, unless something is being written. */
function useKeys(onKey: (key: string) => boolean): void {
  const newest = useRef(onKey)
  useEffect(() => {
    newest.current = onKey
  })
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent | KeyboardEvent) => {
      const target = event.target as HTMLElement | null
      const isWriting = target?.closest('input, textarea, select, [contenteditable]')
      if (isWriting || event.ctrlKey || event.metaKey || event.altKey) return
      if (newest.current(event.key)) event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

function Item({
  item,
  current,
  contexts,
  decisions,
  comments,
  review,
  cells,
  onCurrent,
  onSettle,
  onComment,
  onShow,
}: ReviewListProps & {
  item: ReviewItem
  current: string | undefined
  contexts: ReadonlyMap<string, ReturnType<typeof contextOf>>
  onCurrent: (changeId: string) => void
  onSettle: (chosen: readonly Change[], verdict: ChangeVerdict) => void
}) {
  switch (item.kind) {
    case 'file':
      return <FileItem {...item} {...{ decisions, review, onSettle, onShow }} />
    case 'grid':
      return (
        cells && (
          <Suspense
            fallback={<p className="h-files p-3 text-sm text-muted">Loading the sheet …</p>}
          >
            <SheetChanges
              {...item}
              {...{ decisions, current, cells, onCurrent }}
              consequences={review.consequences ?? []}
            />
          </Suspense>
        )
      )
    case 'change':
      return (
        <ChangeItem
          change={item.change}
          context={contexts.get(item.change.path)}
          verdict={verdictOn(decisions, item.change)}
          isCurrent={item.change.id === current}
          comment={comments.get(item.change.id) ?? ''}
          onCurrent={() => onCurrent(item.change.id)}
          onVerdict={verdict => onSettle([item.change], verdict)}
          onComment={words => onComment(item.change.id, words)}
        />
      )
  }
}

/** The changed files, each a step away; where there is one, there is nothing to jump to. */
function JumpList({
  items,
  decisions,
  onGoTo,
}: {
  items: readonly ReviewItem[]
  decisions: Decisions
  onGoTo: (index: number) => void
}) {
  const files = items.flatMap((item, index) => (item.kind === 'file' ? [{ item, index }] : []))
  if (files.length < 2) return null
  return (
    <nav
      aria-label="Changed files"
      className="scrolls hidden w-jump flex-none border-r border-line py-2 text-sm broad:block"
    >
      <ul>
        {files.map(({ item, index }) => {
          const accepted = item.changes.filter(each => verdictOn(decisions, each) === 'accept')
          return (
            <li key={item.path}>
              <button
                type="button"
                className="flex w-full items-baseline gap-2 px-3 py-1 text-left hover:bg-sunken"
                onClick={() => onGoTo(index)}
              >
                <span className="min-w-0 flex-1 truncate" title={visible(item.path)}>
                  {visible(nameOf(item.path))}
                  <span className="ml-1.5 text-xs text-muted">{visible(folderOf(item.path))}</span>
                </span>
                <span className="flex-none text-xs text-muted tabular-nums">
                  <span className="sr-only">
                    {counted(item.changes.length, 'change')}, accepted{' '}
                  </span>
                  {accepted.length}/{item.changes.length}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

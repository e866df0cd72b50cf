import { type Failure, type Result, type SessionSummary, visible } from '@filewright/protocol'
import { useState } from 'react'
import type { Api } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { More, useMore } from '../parts/more.tsx'
import { FailureNote } from '../parts/section.tsx'
import { When } from '../parts/when.tsx'
import { download } from '../stage/use-content.ts'
import { useAsked } from '../use-polled.ts'
import { exportSession } from './export-session.ts'

const FIRST = 20

interface SessionListProps {
  readonly api: Api
  readonly workspaceId: string
  readonly current: string | undefined
  readonly ask: () => Promise<Result<readonly SessionSummary[]>>
  readonly onOpen: (sessionId: string) => void
  /** The session of this tab was deleted. */
  readonly onGone?: () => void
}

/** What was asked for before in this workspace: the pinned first, then the latest; those put away on request. */
export function SessionList({ api, workspaceId, current, ask, onOpen, onGone }: SessionListProps) {
  const { value, failure, reload } = useAsked(ask)
  const [sought, setSought] = useState('')
  const [hasArchived, setArchived] = useState(false)
  const found = (value ?? [])
    .filter(({ title, isArchived }) => {
      const isSought = title.toLowerCase().includes(sought.trim().toLowerCase())
      return isSought && (hasArchived || !isArchived)
    })
    .toSorted((a, b) => Number(b.isPinned ?? false) - Number(a.isPinned ?? false))
  const { shown, left, showMore } = useMore(found, FIRST)
  const { problem, update, remove, give } = useSessionDeeds(
    { api, workspaceId, current, onGone },
    reload,
  )
  return (
    <nav
      aria-label="Earlier conversations"
      aria-busy={value === undefined && !failure}
      className="scrolls max-h-80 flex-none border-b border-line bg-card text-sm"
    >
      <FindSession {...{ sought, hasArchived }} onSought={setSought} onArchived={setArchived} />
      {(failure ?? problem) && <FailureNote failure={(failure ?? problem)!} />}
      {value && found.length === 0 && <p className="px-4 py-2 text-muted">None yet.</p>}
      <ul>
        {shown.map(session => (
          <SessionLine
            key={session.sessionId}
            session={session}
            isCurrent={session.sessionId === current}
            onOpen={() => onOpen(session.sessionId)}
            onUpdate={marks => update(session.sessionId, marks)}
            onRemove={() => remove(session)}
            onExport={() => give(session)}
          />
        ))}
      </ul>
      <More left={left} of="conversation" onMore={showMore} />
    </nav>
  )
}

/** What a person does with a conversation. */
function useSessionDeeds(
  {
    api,
    workspaceId,
    current,
    onGone,
  }: Pick<SessionListProps, 'api' | 'workspaceId' | 'current' | 'onGone'>,
  reload: () => void,
) {
  const [problem, setProblem] = useState<Failure>()
  const settle = (result: Result<unknown>) => {
    setProblem(result.ok ? undefined : result.failure)
    reload()
  }
  const update = async (sessionId: string, body: Marks) =>
    settle(await api.call('updateSession', { params: { workspaceId, sessionId }, body }))
  const remove = async ({ sessionId, title }: SessionSummary) => {
    if (!window.confirm(`Delete “${title}” with all its messages, and its draft?`)) return
    const gone = await api.call('deleteSession', {
      params: { workspaceId, sessionId },
      query: { discard: 'true' },
    })
    settle(gone)
    if (gone.ok && sessionId === current) onGone?.()
  }
  const give = async ({ sessionId, title }: SessionSummary) => {
    const text = await exportSession(api, workspaceId, sessionId, title)
    if (text.ok) download(text.value, `${title.slice(0, 40).replace(/[^\p{L}\p{N} -]/gu, '')}.md`)
    else setProblem(text.failure)
  }
  return { problem, update, remove, give }
}

function FindSession({
  sought,
  hasArchived,
  onSought,
  onArchived,
}: {
  sought: string
  hasArchived: boolean
  onSought: (sought: string) => void
  onArchived: (hasArchived: boolean) => void
}) {
  return (
    <div className="flex items-center gap-2 px-4 py-2">
      <input
        type="search"
        aria-label="Find a conversation"
        placeholder="Find"
        className="min-w-0 flex-1 rounded-md border border-field bg-card px-2 py-1"
        value={sought}
        onChange={event => onSought(event.target.value)}
      />
      <label className="flex items-center gap-1 text-xs whitespace-nowrap text-muted">
        <input
          type="checkbox"
          checked={hasArchived}
          onChange={event => onArchived(event.target.checked)}
        />
        archived too
      </label>
    </div>
  )
}

type Marks = { title?: string; isPinned?: boolean; isArchived?: boolean }

function SessionLine({
  session: { title, updated, isPinned = false, isArchived = false, state },
  isCurrent,
  onOpen,
  onUpdate,
  onRemove,
  onExport,
}: {
  session: SessionSummary
  isCurrent: boolean
  onOpen: () => void
  onUpdate: (marks: Marks) => void
  onRemove: () => void
  onExport: () => void
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li className="border-t border-line">
      <div className="flex items-baseline">
        <button
          type="button"
          aria-current={isCurrent || undefined}
          className={`flex min-w-0 flex-1 items-baseline justify-between gap-3 px-4 py-1.5 text-left hover:bg-sunken ${isCurrent ? 'font-medium' : ''}`}
          onClick={onOpen}
        >
          <span className="keep-inside">
            {isPinned && <span aria-hidden="true">★ </span>}
            {visible(title)}
            {state !== 'idle' && <span className="text-accent"> ({state})</span>}
          </span>
          <When time={updated} />
        </button>
        <Button
          size="small"
          kind="quiet"
          aria-expanded={isOpen}
          aria-label={`More about ${visible(title)}`}
          onClick={() => setOpen(!isOpen)}
        >
          ⋯
        </Button>
      </div>
      {isOpen && (
        <SessionDeeds {...{ title, isPinned, isArchived, onUpdate, onRemove, onExport }} />
      )}
    </li>
  )
}

function SessionDeeds({
  title,
  isPinned,
  isArchived,
  onUpdate,
  onRemove,
  onExport,
}: {
  title: string
  isPinned: boolean
  isArchived: boolean
  onUpdate: (marks: Marks) => void
  onRemove: () => void
  onExport: () => void
}) {
  const rename = () => {
    const given = window.prompt('A name for this conversation', title)?.trim()
    if (given) onUpdate({ title: given })
  }
  return (
    <div className="flex flex-wrap gap-1 px-4 pb-2">
      <Button size="small" onClick={rename}>
        Rename
      </Button>
      <Button size="small" onClick={() => onUpdate({ isPinned: !isPinned })}>
        {isPinned ? 'Unpin' : 'Pin'}
      </Button>
      <Button size="small" onClick={() => onUpdate({ isArchived: !isArchived })}>
        {isArchived ? 'Bring back' : 'Archive'}
      </Button>
      <Button size="small" onClick={onExport}>
        Export
      </Button>
      <Button size="small" kind="danger" onClick={onRemove}>
        Delete
      </Button>
    </div>
  )
}

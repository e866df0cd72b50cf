import { type Result, type SessionSummary, visible } from '@filewright/protocol'
import { More, useMore } from '../parts/more.tsx'
import { FailureNote } from '../parts/section.tsx'
import { When } from '../parts/when.tsx'
import { useAsked } from '../use-polled.ts'

const FIRST = 20

/** What was asked for before in this workspace, the latest first. */
export function EarlierSessions({
  ask,
  onOpen,
}: {
  ask: () => Promise<Result<readonly SessionSummary[]>>
  onOpen: (sessionId: string) => void
}) {
  const { value, failure } = useAsked(ask)
  const { shown, left, showMore } = useMore(value ?? [], FIRST)
  return (
    <nav
      aria-label="Earlier conversations"
      aria-busy={value === undefined && !failure}
      className="mb-3 max-h-80 overflow-y-auto rounded-md border border-line bg-card text-sm"
    >
      {failure && <FailureNote failure={failure} />}
      {value?.length === 0 && <p className="px-3 py-2 text-muted">None yet.</p>}
      <ul>
        {shown.map(({ sessionId, title, updated }) => (
          <li key={sessionId} className="border-b border-line last:border-b-0">
            <button
              type="button"
              className="flex w-full items-baseline justify-between gap-4 px-3 py-1.5 text-left hover:bg-paper"
              onClick={() => onOpen(sessionId)}
            >
              <span className="min-w-0 break-words">{visible(title)}</span>
              <When time={updated} />
            </button>
          </li>
        ))}
      </ul>
      <More left={left} of="conversation" onMore={showMore} />
    </nav>
  )
}

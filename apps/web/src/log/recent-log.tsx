import {
  type JournalLine,
  type LogRow,
  planTitle,
  type Result,
  type SessionSummary,
  visible,
} from '@filewright/protocol'
import { useMemo } from 'react'
import type { Api } from '../api.ts'
import type { PaneProps } from '../parts/pane.ts'
import { Section } from '../parts/section.tsx'
import { When } from '../parts/when.tsx'
import { usePolled } from '../use-polled.ts'
import { toDraftNote } from './draft-note.ts'
import { failureReason } from './failure-reason.ts'

/** Rows that come with one answer. */
const PAGE = 1000
const SHOWN = 30
/** Many rows have nothing to show. */
const KEPT = 300

/** What happened last in the session that was last at work. */
export function RecentLog({ api, workspaceId, pulse }: PaneProps) {
  const follow = useMemo(() => followLog(api, workspaceId), [api, workspaceId])
  const polled = usePolled(follow, pulse)
  return (
    <Section
      title="Recent"
      polled={polled}
      empty={({ rows }) => (told(rows).length === 0 ? 'Nothing has happened here yet.' : undefined)}
    >
      {({ rows }) => (
        <ol className="text-sm">
          {told(rows).map(({ seq, time, sentence }) => (
            <li key={seq} className="flex gap-4 border-b border-line py-1">
              <When time={time} />
              <span className="min-w-0 break-words">{visible(sentence)}</span>
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}

/** Asks only for the rows that came since it asked last: the log only grows, and may be long. */
function followLog(api: Api, workspaceId: string): () => Promise<Result<{ rows: LogRow[] }>> {
  let followed: string | undefined
  let rows: LogRow[] = []
  return async () => {
    const sessions = await api.call('listSessions', { params: { workspaceId } })
    if (!sessions.ok) return sessions
    const latest = latestOf(sessions.value.sessions)
    if (latest !== followed) rows = []
    followed = latest
    for (let isMore = latest !== undefined; isMore; ) {
      const page = await api.call('log', {
        params: { workspaceId, sessionId: latest! },
        query: { after: rows.at(-1)?.seq ?? 0, limit: PAGE },
      })
      if (!page.ok) return page
      rows = [...rows, ...page.value.rows].slice(-KEPT)
      isMore = page.value.rows.length === PAGE
    }
    return { ok: true, value: { rows } }
  }
}

function latestOf(sessions: readonly SessionSummary[]): string | undefined {
  return sessions.toSorted((a, b) => (a.updated < b.updated ? 1 : -1))[0]?.sessionId
}

function told(rows: readonly LogRow[]) {
  return rows
    .flatMap(({ seq, time, body }) => {
      const sentence = toSentence(body)
      return sentence ? [{ seq, time, sentence }] : []
    })
    .slice(-SHOWN)
    .reverse()
}

/** Rows that only the loop needs have no sentence. */
function toSentence(line: JournalLine): string | undefined {
  switch (line.type) {
    case 'user_message':
      return `You: ${line.text}`
    case 'assistant_message':
      return line.text || undefined
    case 'call-start':
      return line.label
    case 'tool_result':
      return line.success ? undefined : failureReason(line)
    case 'approval':
      return line.pending.message.replace(/ Approve it with: .*$/s, '')
    case 'question':
      return `Asked you: ${line.question}`
    case 'plan':
      return planTitle(line.steps)
    case 'decision':
      return `${line.decision === 'approved' ? 'Approved' : 'Denied'} by ${line.by}`
    case 'draft':
      return toDraftNote(line)
    case 'limit':
      return line.message
    case 'run-end':
      return line.reason === 'waiting' ? undefined : line.closing // that one has not ended
    default:
      return undefined
  }
}

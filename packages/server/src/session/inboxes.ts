import {
  type IdSource,
  type JournalLine,
  type SessionId,
  serialise,
  type ToolCallId,
  type ToolOutcome,
  type WorkspaceId,
} from '@filewright/protocol'
import { toEnded } from '../calls/call-end.ts'
import type { InboxItem, SessionLog } from '../log/log.ts'
import type { Logger } from '../words/logger.ts'
import type { Actors } from './actors.ts'
import type { DraftNote } from './draft-note.ts'

/** What people and clients send to sessions. A run under way takes it; otherwise it goes to the log at once. */
export interface Inboxes {
  put(sessionId: SessionId, items: readonly InboxItem[]): Promise<void>
  /** Moves what waits to the log: each item once, however many callers drain at the same time. */
  drain(sessionId: SessionId): Promise<void>
  /**
   * Reports what a person did with a draft to the draft's session, once, however often it is reported. A failure is logged,
   * and answered with false: the deed itself is done.
   */
  tell(workspaceId: WorkspaceId, note: DraftNote): Promise<boolean>
  /** `read` answers whether a run takes what arrived. */
  setReader(read: (sessionId: SessionId) => Promise<boolean>): void
}

export interface InboxesOptions {
  readonly log: Pick<SessionLog, 'peekInbox' | 'putInbox' | 'getSession'>
  readonly actors: Pick<Actors, 'open'>
  readonly ids: IdSource
  readonly logger: Logger
}

export function createInboxes({ log, actors, ids, logger }: InboxesOptions): Inboxes {
  const oneAtATime = serialise()
  let isTaken: (sessionId: SessionId) => Promise<boolean> = async () => false

  async function writeDown(sessionId: SessionId): Promise<void> {
    if (await isTaken(sessionId)) return
    const opened = await actors.open(sessionId)
    if (!opened.ok) return
    for (const item of await log.peekInbox(sessionId)) {
      const lines = linesOf(item, ids)
      if (lines.length > 0) await opened.value.append(lines, { consume: [item.id] })
    }
  }

  const drain = (sessionId: SessionId) => oneAtATime(sessionId, () => writeDown(sessionId))

  async function put(sessionId: SessionId, items: readonly InboxItem[]) {
    for (const item of items) await log.putInbox(sessionId, item)
  }

  return {
    put,
    drain,
    async tell(workspaceId, { sessionId, id, line }) {
      try {
        const session = await log.getSession(sessionId)
        if (session?.workspaceId !== workspaceId) return true // the session is gone
        await put(sessionId, [{ id, type: 'line', body: { line } }])
        await drain(sessionId)
        return true
      } catch (cause) {
        logger.error('Log.AppendFailed', cause, { sessionId })
        return false
      }
    },
    setReader(read) {
      isTaken = read
    },
  }
}

function linesOf({ body }: InboxItem, ids: IdSource): JournalLine[] {
  const { line, lines, outcome } = body as {
    line?: JournalLine
    lines?: JournalLine[]
    outcome?: { toolCallId: ToolCallId; outcome: ToolOutcome }
  }
  if (line) return [line]
  if (lines) return lines
  return outcome ? [toEnded(outcome.toolCallId, outcome.outcome, ids)] : []
}

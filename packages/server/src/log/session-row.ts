import type { ConversationId, SessionId, WorkspaceId } from '@filewright/protocol'
import type { Session, SessionKind, SessionLog, SessionState } from './log.ts'

/** What a store answers about sessions. */
export type SessionPart = Pick<
  SessionLog,
  | 'createSession'
  | 'standingSession'
  | 'getSession'
  | 'listSessions'
  | 'setTitle'
  | 'deleteSession'
  | 'tally'
>

/** A session as a database selects it. */
export interface SessionRow {
  readonly session: string
  readonly workspace: string
  readonly kind: string
  readonly title: string
  readonly conversation: string
  readonly state: string
  readonly created: string
  readonly touched: string
}

export function toSession(row: SessionRow): Session {
  return {
    sessionId: row.session as SessionId,
    workspaceId: row.workspace as WorkspaceId,
    kind: row.kind as SessionKind,
    title: row.title,
    conversationId: row.conversation as ConversationId,
    state: row.state as SessionState,
    created: row.created,
    updated: row.touched,
  }
}

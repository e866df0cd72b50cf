import type { ConversationId, JournalLine, LogRow, SessionId } from '@filewright/protocol'

export const ROW = 'session, seq, conversation, time, body'

export interface PgLogRow {
  readonly session: string
  readonly seq: number
  readonly conversation: string
  readonly time: string
  readonly body: string
}

export function fromStored(row: PgLogRow): LogRow {
  const body = JSON.parse(row.body) as JournalLine
  return {
    sessionId: row.session as SessionId,
    seq: row.seq,
    conversationId: row.conversation as ConversationId,
    type: body.type,
    time: row.time,
    body,
  }
}

/** The key by which the row is found. */
export function subjectOf(body: JournalLine): string | null {
  if (body.type === 'tool_result' || body.type === 'call-start') return body.tool_call_id
  return body.type === 'assistant_message' ? body.turn_id : null
}

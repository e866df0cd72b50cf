import type { ConversationId, JournalLine, LogRow, SessionId } from '@filewright/protocol'
import type { NewLine } from '../../log/log.ts'

export interface StoredRow {
  readonly seq: number
  readonly conversation: string
  readonly time: string
  readonly body: string
}

export function fromStored(sessionId: SessionId, row: StoredRow): LogRow {
  const body = JSON.parse(row.body) as JournalLine
  const conversationId = row.conversation as ConversationId
  return toRow(sessionId, row.seq, { conversationId, body }, row.time)
}

export function toRow(sessionId: SessionId, seq: number, line: NewLine, time: string): LogRow {
  const { conversationId, body } = line
  return { sessionId, seq, conversationId, type: body.type, time, body }
}

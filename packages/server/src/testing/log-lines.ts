import {
  type ConversationId,
  type JournalLine,
  type LogRow,
  type MessageId,
  type SessionId,
  type ToolCallId,
  unwrap,
  type WorkspaceId,
} from '@filewright/protocol'
import type { Lease, NewLine, SessionLog } from '../log/log.ts'

export const SESSION = 'ses_1' as SessionId
export const WORKSPACE = 'ws_1' as WorkspaceId
export const CONVERSATION = 'con_1' as ConversationId

export async function newSession(log: SessionLog, changed: { workspaceId?: WorkspaceId } = {}) {
  const sessionId = `ses_${Math.random().toString(16).slice(2)}` as SessionId
  const session = { sessionId, workspaceId: WORKSPACE, conversationId: CONVERSATION, ...changed }
  return unwrap(await log.createSession(session))
}

export async function begin(log: SessionLog, sessionId: SessionId): Promise<Lease> {
  const session = { sessionId, workspaceId: WORKSPACE, conversationId: CONVERSATION }
  unwrap(await log.createSession(session))
  return unwrap(await log.claim(sessionId, `holder of ${sessionId}`, 60_000))
}

/** Another claims when its time is over. */
export async function takeOver(log: SessionLog, lease: Lease, holder: string): Promise<Lease> {
  unwrap(await log.renew(lease, 1))
  await sleep(20)
  return unwrap(await log.claim(lease.sessionId, holder, 60_000))
}

export function textOf({ body }: LogRow): string {
  return body.type === 'steer' ? body.text : body.type
}

export function line(body: JournalLine): NewLine {
  return { conversationId: CONVERSATION, body }
}

export function steer(text: string): NewLine {
  return line({ type: 'steer', text })
}

export function result(id: string, content: string, full?: { sha256: string; sizeBytes: number }) {
  return line({
    type: 'tool_result',
    message_id: `msg_${id}` as MessageId,
    tool_call_id: id as ToolCallId,
    content,
    success: true,
    ...(full && { full }),
  })
}

/** A message that a picture came with. */
export function pictured(sha256: string) {
  return line({ type: 'steer', text: 'Look.', images: [{ sha256, mediaType: 'image/png' }] })
}

export function item(id: string) {
  return { id, type: 'decision', body: { approval: id } }
}

export function countTo(last: number): number[] {
  return Array.from({ length: last }, (_, i) => i + 1)
}

export function sleep(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}

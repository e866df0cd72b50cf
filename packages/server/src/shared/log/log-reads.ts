import type { LogRow, SessionId } from '@filewright/protocol'

/** What is looked up when a notification came, or may have been lost. */
export interface LogReads {
  readAfter(sessionId: SessionId, after: number): Promise<readonly LogRow[]>
  lastSeq(sessionId: SessionId): Promise<number>
  withMail(): Promise<readonly SessionId[]>
}

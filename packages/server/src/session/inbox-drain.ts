import {
  type JournalLine,
  type Result,
  type SessionId,
  serialise,
  type ToolCallId,
} from '@filewright/protocol'
import type { SessionLog } from '../log/log.ts'
import type { SessionActor } from './session-actor.ts'

export interface InboxDrainPorts {
  readonly log: Pick<SessionLog, 'peekInbox'>
  readonly actor: (sessionId: SessionId) => Promise<Result<SessionActor, 'NOT_FOUND'>>
  /** Whether a run takes what arrived. */
  readonly isTaken: (sessionId: SessionId) => Promise<boolean>
}

/** Writes down what arrived for a session that runs no loop, each item once however many come for it at a time. */
export function createInboxDrain({ log, actor, isTaken }: InboxDrainPorts) {
  const oneAtATime = serialise()

  async function drain(sessionId: SessionId): Promise<void> {
    if (await isTaken(sessionId)) return
    const opened = await actor(sessionId)
    if (!opened.ok) return
    for (const item of await log.peekInbox(sessionId)) {
      const body = item.body as {
        line?: JournalLine
        outcome?: { toolCallId: ToolCallId; outcome: never }
      }
      const lines = body.line
        ? [body.line]
        : body.outcome
          ? [opened.value.resultLine(body.outcome.toolCallId, body.outcome.outcome)]
          : []
      await opened.value.append(lines, { consume: [item.id] })
    }
  }

  return (sessionId: SessionId) => oneAtATime(sessionId, () => drain(sessionId))
}

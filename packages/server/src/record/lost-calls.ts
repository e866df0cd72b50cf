import {
  type KeptCall,
  LIMITS,
  type SessionId,
  type ToolCallId,
  type WorkspaceId,
} from '@filewright/protocol'
import type { ClientLink } from '../link/client-link.ts'
import type { SessionLog } from '../log/log.ts'

const FIRST_LOOK = 64 // calls per draft; a crash loses the rows of a few milliseconds

const WITHIN = { timeoutMs: LIMITS.toolTimeoutMs }

export interface LostCall {
  readonly sessionId: SessionId
  readonly toolCallId: ToolCallId
}

/**
 * Calls that an open draft keeps and whose results the log lacks, oldest first. Only rows at the end of the log can be
 * lost, so the search ends at the first call that the log knows.
 */
export async function findLostCalls(
  link: ClientLink,
  log: SessionLog,
  workspaceId: WorkspaceId,
): Promise<readonly LostCall[]> {
  for (let limit = FIRST_LOOK; ; limit *= 4) {
    const kept = await link.ask(workspaceId, 'kept-calls', { limit }, WITHIN)
    if (!kept.ok) return []
    const lost: LostCall[] = []
    let isAll = true
    for (const draft of kept.value) {
      const sessionId = draft.sessionId as SessionId
      const before = lost.length
      for (const id of draft.toolCallIds as readonly ToolCallId[])
        if (!(await log.findResult(sessionId, id))) lost.push({ sessionId, toolCallId: id })
      if (lost.length - before === limit) isAll = false
    }
    if (isAll) return lost.reverse()
  }
}

export async function askForCall(
  link: ClientLink,
  workspaceId: WorkspaceId,
  toolCallId: ToolCallId,
): Promise<KeptCall | undefined> {
  const asked = await link.ask(workspaceId, 'kept-call', { toolCallId }, WITHIN)
  return (asked.ok && asked.value) || undefined
}

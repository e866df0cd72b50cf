import {
  type LineOf,
  type RunId,
  rowsInView,
  type SessionId,
  type StoppedBy,
} from '@filewright/protocol'
import type { SessionLog } from '../log/log.ts'

const ROWS_LOOKED_AT = 200 // after the end of a run come only a person's decisions about its draft

/** The last run of the conversation, if it ended before the model was done. */
export async function findStoppedRun(
  log: SessionLog,
  sessionId: SessionId,
): Promise<{ readonly runId: RunId; readonly stopped: StoppedBy } | undefined> {
  const last = await log.lastSeq(sessionId)
  const after = Math.max(0, last - ROWS_LOOKED_AT)
  const rows = rowsInView(await log.read(sessionId, { after, limit: ROWS_LOOKED_AT }))
  const end = rows.findLast(({ type }) => type === 'run-end' || type === 'conversation-start')?.body
  return end?.type === 'run-end' ? toStopped(end) : undefined
}

function toStopped({ run_id, reason }: LineOf<'run-end'>) {
  if (reason === 'final' || reason === 'waiting') return undefined
  return { runId: run_id, stopped: reason }
}

import type { LogRow, Result, SessionId } from '@filewright/protocol'
import type { Appended, AppendFailure, SessionLog } from '../log/log.ts'

/** Rows that this process appended, in their order: some are acknowledged later than those after them. */
export type OnAppend = (sessionId: SessionId, kept: Promise<readonly LogRow[]>) => void

/** The same log; whoever listens is given the rows that are kept. */
export function watchedLog(log: SessionLog, onAppend: OnAppend): SessionLog {
  return {
    ...log,
    append(lease, lines, options) {
      const kept = log.append(lease, lines, options)
      onAppend(lease.sessionId, rowsOf(kept))
      return kept
    },
    appendNow(lease, lines, options) {
      const appending = log.appendNow(lease, lines, options)
      onAppend(lease.sessionId, rowsOf(appending.kept))
      return appending
    },
  }
}

/** Whoever appended gets the failure. */
function rowsOf(kept: Promise<Result<Appended, AppendFailure>>): Promise<readonly LogRow[]> {
  return kept.then(
    result => (result.ok ? result.value.rows : []),
    () => [],
  )
}

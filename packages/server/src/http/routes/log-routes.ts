import { fail, ok, type Result, type SessionId } from '@filewright/protocol'
import type { SessionLog } from '../../log/log.ts'
import type { Runs } from '../../runs/runs.ts'
import { findTurn } from '../../session/turns.ts'
import type { Routes } from '../route.ts'
import type { Within } from './within.ts'

export interface LogRouteParts {
  readonly log: SessionLog
  readonly runs: Runs
}

/** The rows of a session: live, by page, and as turns. */
export function createLogRoutes(
  { log, runs }: LogRouteParts,
  within: Within,
): Pick<Routes, 'events' | 'log' | 'getTurn'> {
  /** A cursor past the last row is refused: the rows that come next would count as already seen. */
  async function findEnd(sessionId: SessionId, after = 0): Promise<Result<never> | undefined> {
    if (after === 0) return undefined
    const last = await log.lastSeq(sessionId)
    if (after <= last) return undefined
    return fail(
      'INVALID_ARGUMENT',
      `Cannot continue after row ${after}: the log of ${sessionId} ends at ${last}. Continue with after=${last}, or read it from the beginning.`,
      { details: { last } },
    )
  }

  return {
    events: within.log(async ({ params: { sessionId }, query, request }) => {
      const after = parseCursor(query.after, request)
      if (!after.ok) return after
      const beyond = await findEnd(sessionId, after.value)
      return beyond ?? runs.events(sessionId, after.value, request.signal)
    }),
    log: within.log(async ({ params: { sessionId }, query }) => {
      const beyond = await findEnd(sessionId, query.after)
      if (beyond) return beyond
      return ok({ rows: await log.read(sessionId, query), last: await log.lastSeq(sessionId) })
    }),
    getTurn: within.session(({ params }) => findTurn(log, params.sessionId, params.turnId)),
  }
}

/** An EventSource that reconnects uses its first address again and sends its position in a header. */
function parseCursor(after = 0, { headers }: Request): Result<number, 'INVALID_ARGUMENT'> {
  const last = headers.get('last-event-id')
  if (last === null || last === '') return ok(after)
  if (/^\d{1,15}$/.test(last)) return ok(Math.max(after, Number(last)))
  return fail(
    'INVALID_ARGUMENT',
    'Last-Event-ID: must be the id of an event, a whole number. Leave it out to read from the beginning.',
  )
}

import type { LogRow, SessionId } from '@filewright/protocol'
import type { Unsubscribe } from '../../log/log.ts'
import type { LogReads } from './log-reads.ts'

/** The subscribers of one session in this process. */
interface Hearing {
  readonly listeners: Set<(rows: readonly LogRow[]) => void>
  /** The last row that they heard, or that was there when the first of them came; undefined until that is known. */
  heard: number | undefined
  /** Deliveries, one after the other. */
  turn: Promise<void>
}

/** Delivers rows in order and without a gap, whichever instance wrote them. */
export function createHearings({ readAfter, lastSeq }: LogReads) {
  const hearings = new Map<SessionId, Hearing>()

  /** What fails here is left for the next look. `work` learns the last row that was heard. */
  function inTurn(
    sessionId: SessionId,
    work: (hearing: Hearing, heard: number) => Promise<void> | void,
  ): Promise<void> {
    const hearing = hearings.get(sessionId)
    if (!hearing) return DONE
    const done = hearing.turn.then(async () => {
      hearing.heard ??= await lastSeq(sessionId)
      await work(hearing, hearing.heard)
    })
    hearing.turn = done.catch(() => {})
    return done
  }

  function begin(sessionId: SessionId): Hearing {
    const hearing: Hearing = { listeners: new Set(), heard: undefined, turn: DONE }
    hearings.set(sessionId, hearing)
    inTurn(sessionId, () => {}).catch(() => {}) // `ready` tries again
    return hearing
  }

  function tell(hearing: Hearing, heard: number, rows: readonly LogRow[]) {
    const fresh = rows.filter(({ seq }) => seq > heard)
    if (fresh.length === 0) return
    hearing.heard = fresh.at(-1)!.seq
    for (const listener of hearing.listeners) listener(fresh)
  }

  async function catchUp(sessionId: SessionId, hearing: Hearing, heard: number) {
    tell(hearing, heard, await readAfter(sessionId, heard))
  }

  return {
    subscribe(sessionId: SessionId, listener: (rows: readonly LogRow[]) => void): Unsubscribe {
      const hearing = hearings.get(sessionId) ?? begin(sessionId)
      hearing.listeners.add(listener)
      return () => {
        hearing.listeners.delete(listener)
        if (hearing.listeners.size === 0 && hearings.get(sessionId) === hearing)
          hearings.delete(sessionId)
      }
    },
    ready: (sessionId: SessionId): Promise<void> => inTurn(sessionId, () => {}),
    /** Rows that this process wrote. */
    hear: (sessionId: SessionId, rows: readonly LogRow[]): Promise<void> =>
      inTurn(sessionId, (hearing, heard) =>
        rows[0]!.seq <= heard + 1 ? tell(hearing, heard, rows) : catchUp(sessionId, hearing, heard),
      ).catch(() => {}),
    /** Another instance wrote up to this row. */
    noteLast(sessionId: SessionId, last: number): void {
      inTurn(sessionId, (hearing, heard) =>
        last > heard ? catchUp(sessionId, hearing, heard) : undefined,
      ).catch(() => {})
    },
    async lookAtAll(): Promise<void> {
      for (const sessionId of [...hearings.keys()])
        await inTurn(sessionId, (hearing, heard) => catchUp(sessionId, hearing, heard)).catch(
          () => {},
        )
    },
  }
}

const DONE = Promise.resolve()

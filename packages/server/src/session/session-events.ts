import {
  createNotifier,
  type LogRow,
  type SessionEvent,
  type SessionId,
} from '@filewright/protocol'
import type { SessionLog } from '../log/log.ts'
import { openEventStream } from './event-stream.ts'

/** Text as a model writes it: heard by whoever listens now, kept by nobody. */
export interface Deltas {
  emit(sessionId: SessionId, turnId: string, text: string): void
  /** A row was numbered: text that comes now stands behind it, also for a listener who is yet to hear of the row. */
  noteRow(sessionId: SessionId, seq: number): void
  /** Told at once: the rows before it may never be kept. */
  emitLost(sessionId: SessionId, lost: RunLost): void
  /** The turn is over: its text stands in the log. */
  end(sessionId: SessionId): void
  forget(sessionId: SessionId): void
  listen(sessionId: SessionId, listener: (text: TextEvent) => void): () => void
  /** Of the turn under way, in one piece. */
  soFar(sessionId: SessionId): TextEvent | undefined
}

type RunLost = Extract<SessionEvent, { type: 'run-lost' }>

export interface TextEvent {
  readonly event: SessionEvent
  /** The row behind which it stands. */
  readonly after: number
}

export function createDeltas(): Deltas {
  const listeners = new Map<SessionId, Set<(text: TextEvent) => void>>()
  const lastRows = new Map<SessionId, number>()
  const texts = new Map<SessionId, { turnId: string; text: string }>()
  const lastRow = (sessionId: SessionId) => lastRows.get(sessionId) ?? 0
  return {
    emit(sessionId, turnId, text) {
      const before = texts.get(sessionId)
      texts.set(sessionId, { turnId, text: before?.turnId === turnId ? before.text + text : text })
      for (const listener of listeners.get(sessionId) ?? [])
        listener({ event: { type: 'text-delta', turnId, text }, after: lastRow(sessionId) })
    },
    noteRow: (sessionId, seq) => void lastRows.set(sessionId, seq),
    emitLost(sessionId, event) {
      lastRows.delete(sessionId) // what was numbered and not kept comes under other numbers
      for (const listener of listeners.get(sessionId) ?? []) listener({ event, after: 0 })
    },
    end: sessionId => void texts.delete(sessionId),
    forget(sessionId) {
      texts.delete(sessionId)
      lastRows.delete(sessionId)
    },
    listen(sessionId, listener) {
      const own = listeners.get(sessionId) ?? new Set()
      listeners.set(sessionId, own.add(listener))
      return () => {
        own.delete(listener)
        if (own.size === 0 && listeners.get(sessionId) === own) listeners.delete(sessionId)
      }
    },
    soFar(sessionId) {
      const text = texts.get(sessionId)
      return text && { event: { type: 'text-so-far', ...text }, after: lastRow(sessionId) }
    },
  }
}

/** The rows of a turn and more: calls that began there may end behind the cursor. */
const ROWS_OF_A_TURN = 200

/**
 * Rows from the cursor on, then live; none twice, none missed; the text of the turn so far as one piece. What has a name
 * of ADR-0010's carries it beside, as `method` and `params`.
 */
export async function streamEvents(
  sessionId: SessionId,
  after: number,
  { log, deltas, signal }: { log: SessionLog; deltas: Deltas; signal: AbortSignal },
): Promise<Response> {
  let stop = () => {}
  const stream = openEventStream(() => stop(), signal)
  const early: LogRow[] = []
  const held: TextEvent[] = []
  let sent = after
  let isLive = false
  const notify = createNotifier()
  const send = (event: SessionEvent, id?: string) =>
    stream.send(JSON.stringify({ ...event, ...notify(event) }), id)
  const sendRows = (rows: readonly LogRow[]) => {
    for (const row of rows) {
      if (row.seq <= sent) continue
      sent = row.seq
      send({ type: 'row', cursor: row.seq, row }, String(row.seq))
      sendTexts()
    }
  }
  // a row is told when it is durable, text at once: it waits for the rows that came before it
  const sendTexts = () => {
    while (held[0] && held[0].after <= sent) send(held.shift()!.event)
  }
  const hold = (text: TextEvent) => {
    if (text.event.type === 'run-lost') {
      held.length = 0
      send(text.event)
      return
    }
    held.push(text)
    sendTexts()
  }
  const stopRows = log.subscribe(sessionId, rows => {
    if (isLive) sendRows(rows)
    else early.push(...rows)
  })
  let stopDeltas = () => {}
  stop = () => {
    stopRows()
    stopDeltas()
  }
  if (after > 0) {
    const before = { after: Math.max(0, after - ROWS_OF_A_TURN), limit: ROWS_OF_A_TURN }
    for (const row of await log.read(sessionId, before))
      if (row.seq <= after) notify({ type: 'row', cursor: row.seq, row })
  }
  sendRows(await log.read(sessionId, { after }))
  sendRows(early)
  isLive = true
  const text = deltas.soFar(sessionId)
  if (text) hold(text)
  stopDeltas = deltas.listen(sessionId, hold)
  return stream.response
}

import {
  createNotifier,
  type LogRow,
  type QueuedMessage,
  type SessionEvent,
  type SessionId,
} from '@filewright/protocol'
import type { SessionLog } from '../log/log.ts'
import type { Deltas, TextEvent } from './deltas.ts'
import { type EventStream, openEventStream } from './event-stream.ts'

/** More than the rows of a turn: calls that began there may end after the cursor. */
const ROWS_OF_A_TURN = 200

/**
 * Sends the rows after the cursor, then new ones as they come: none twice, none missed. The text of the current turn so
 * far comes in one piece. An event that ADR-0010 names also has `method` and `params`.
 */
export async function streamEvents(
  sessionId: SessionId,
  after: number,
  { log, deltas, queued, signal }: EventSources,
): Promise<Response> {
  let stop = () => {}
  const stream = openEventStream(() => stop(), signal)
  const sender = createEventSender(stream, after)
  const early: LogRow[] = []
  let isLive = false
  const stopRows = log.subscribe(sessionId, rows => {
    if (isLive) sender.sendRows(rows)
    else early.push(...rows)
  })
  let stopDeltas = () => {}
  stop = () => {
    stopRows()
    stopDeltas()
  }
  if (after > 0) {
    const before = { after: Math.max(0, after - ROWS_OF_A_TURN), limit: ROWS_OF_A_TURN }
    sender.recall(await log.read(sessionId, before))
  }
  const messages = await queued(sessionId)
  sender.sendRows(await log.read(sessionId, { after }))
  sender.sendRows(early)
  isLive = true
  const text = deltas.soFar(sessionId)
  if (text) sender.sendText(text)
  if (messages.length > 0) sender.sendText({ event: { type: 'queue', messages }, after: 0 })
  stopDeltas = deltas.listen(sessionId, sender.sendText)
  return stream.response
}

export interface EventSources {
  readonly log: SessionLog
  readonly deltas: Deltas
  /** Messages that wait for the run in progress. */
  readonly queued: (sessionId: SessionId) => Promise<readonly QueuedMessage[]>
  readonly signal: AbortSignal
}

/** Rows come when they are durable, text comes at once; so text waits for the rows numbered before it. */
function createEventSender(stream: EventStream, after: number) {
  const notify = createNotifier()
  const held: TextEvent[] = []
  let sent = after

  const send = (event: SessionEvent, id?: string) =>
    stream.send(JSON.stringify({ ...event, ...notify(event) }), id)

  function sendHeld() {
    while (held[0] && held[0].after <= sent) send(held.shift()!.event)
  }

  return {
    /** Rows that the listener already has: they name the calls that end after the cursor. */
    recall(rows: readonly LogRow[]) {
      for (const row of rows) if (row.seq <= after) notify({ type: 'row', cursor: row.seq, row })
    },
    sendRows(rows: readonly LogRow[]) {
      for (const row of rows) {
        if (row.seq <= sent) continue
        sent = row.seq
        send({ type: 'row', cursor: row.seq, row }, String(row.seq))
        sendHeld()
      }
    },
    sendText(text: TextEvent) {
      if (text.event.type === 'run-lost') {
        held.length = 0
        send(text.event)
        return
      }
      held.push(text)
      sendHeld()
    },
  }
}

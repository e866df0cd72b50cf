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

/** Rows that are read at once: few at first, as a row may have megabytes. */
const ROWS_AT_ONCE = 50
const ROWS_AT_FIRST = 2

/**
 * Sends the rows after the cursor, then new ones as they come: none twice, none missed. The text of the current turn so
 * far comes in one piece. An event that ADR-0010 names also has `method` and `params`.
 */
export async function streamEvents(
  sessionId: SessionId,
  after: number,
  { log, deltas, queued, signal, leave }: EventSources,
): Promise<Response> {
  let stop = () => {}
  let isOver = false
  const stream = openEventStream(() => {
    isOver = true
    stop()
    leave()
  }, signal)
  const sender = createEventSender(stream, after)
  const rows = followRows(sessionId, log, sender)
  stop = rows.stop
  const goLive = async () => {
    const messages = await queued(sessionId)
    if (isOver) return
    const text = deltas.soFar(sessionId)
    if (text) sender.sendText(text)
    if (messages.length > 0) sender.sendText({ event: { type: 'queue', messages }, after: 0 })
    const stopDeltas = deltas.listen(sessionId, sender.sendText)
    stop = () => {
      rows.stop()
      stopDeltas()
    }
  }
  /** A long log goes as fast as its reader takes it, however long that is. */
  const sendRest = async () => {
    while (await stream.taken()) if (await rows.sendMore(stream)) return goLive()
  }
  try {
    await recallTurn(sessionId, after, log, sender)
    if (await rows.sendMore(stream)) await goLive()
    else sendRest().catch(() => stream.breakOff()) // the reader asks again, and is told why it cannot be
  } catch (error) {
    stream.breakOff()
    throw error
  }
  return stream.response
}

type Sender = ReturnType<typeof createEventSender>

/** The calls of the turn that the cursor is in. */
async function recallTurn(sessionId: SessionId, after: number, log: SessionLog, sender: Sender) {
  for (let from = Math.max(0, after - ROWS_OF_A_TURN); from < after; from += ROWS_AT_ONCE)
    sender.recall(await log.read(sessionId, { after: from, limit: ROWS_AT_ONCE }))
}

/** The rows that are there, in pieces, and then each as it comes. */
function followRows(sessionId: SessionId, log: SessionLog, sender: Sender) {
  let state: 'behind' | 'reading' | 'live' = 'behind'
  let early: LogRow[] = []
  let atOnce = ROWS_AT_FIRST
  const stop = log.subscribe(sessionId, rows => {
    if (state === 'live') sender.sendRows(rows)
    else if (state === 'reading') early.push(...rows)
  })
  return {
    stop,
    /** True when all were sent and the rest comes by itself; false when the reader has enough for now. */
    async sendMore(stream: EventStream): Promise<boolean> {
      for (;;) {
        state = 'reading'
        const rows = await log.read(sessionId, { after: sender.sent(), limit: atOnce })
        let count = 0
        while (count < rows.length && !stream.isFull()) sender.sendRows([rows[count++]!])
        if (count === rows.length && rows.length < atOnce) break
        state = 'behind' // what comes now is read later
        early = []
        atOnce = Math.min(ROWS_AT_ONCE, Math.max(1, count * 2))
        if (stream.isFull()) return false
      }
      sender.sendRows(early)
      early = []
      state = 'live'
      return true
    },
  }
}

export interface EventSources {
  readonly log: SessionLog
  readonly deltas: Deltas
  /** Messages that wait for the run in progress. */
  readonly queued: (sessionId: SessionId) => Promise<readonly QueuedMessage[]>
  readonly signal: AbortSignal
  /** Called once, when the stream has ended. */
  readonly leave: () => void
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
    /** The last row that was sent. */
    sent: () => sent,
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

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
    if (after > 0) await recallOpenCalls(sessionId, log, sender)
    if (await rows.sendMore(stream)) await goLive()
    else sendRest().catch(() => stream.breakOff()) // the reader asks again, and is told why it cannot be
  } catch (error) {
    stream.breakOff()
    throw error
  }
  return stream.response
}

type Sender = ReturnType<typeof createEventSender>

/** Calls that began before the cursor and have not ended: their ends are named after them. */
async function recallOpenCalls(sessionId: SessionId, log: SessionLog, sender: Sender) {
  for (const { toolCallId } of await log.openCalls({ sessionId })) {
    const start = await log.findStart(sessionId, toolCallId)
    if (start) sender.recall(start)
  }
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
  /** Of a call that began before the cursor and ended after it. */
  async function recallStart({ body }: LogRow) {
    if (body.type !== 'tool_result' || sender.knows(body.tool_call_id)) return
    const start = await log.findStart(sessionId, body.tool_call_id)
    if (start) sender.recall(start)
  }
  return {
    stop,
    /** True when all were sent and the rest comes by itself; false when the reader has enough for now. */
    async sendMore(stream: EventStream): Promise<boolean> {
      for (;;) {
        state = 'reading'
        const rows = await log.read(sessionId, { after: sender.sent(), limit: atOnce })
        let count = 0
        while (count < rows.length && !stream.isFull()) {
          const row = rows[count++]!
          await recallStart(row)
          sender.sendRows([row])
        }
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
  /** Calls that have begun and not ended. */
  const begun = new Set<string>()
  let sent = after

  const send = (event: SessionEvent, id?: string) =>
    stream.send(JSON.stringify({ ...event, ...notify(event) }), id)

  function sendHeld() {
    while (held[0] && held[0].after <= sent) send(held.shift()!.event)
  }

  return {
    /** The last row that was sent. */
    sent: () => sent,
    knows: (toolCallId: string) => begun.has(toolCallId),
    /** A start that the listener already has: it names the call. */
    recall(row: LogRow) {
      if (row.body.type !== 'call-start' || row.seq > after) return
      begun.add(row.body.tool_call_id)
      notify({ type: 'row', cursor: row.seq, row })
    },
    sendRows(rows: readonly LogRow[]) {
      for (const row of rows) {
        if (row.seq <= sent) continue
        sent = row.seq
        if (row.body.type === 'call-start') begun.add(row.body.tool_call_id)
        if (row.body.type === 'tool_result') begun.delete(row.body.tool_call_id)
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

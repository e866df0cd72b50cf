import {
  type ConversationId,
  fail,
  type JournalLine,
  type LogRow,
  ok,
  type Result,
  type SessionId,
  type ToolCallId,
} from '@filewright/protocol'
import type { Database } from '../store/database.ts'
import type {
  Appended,
  AppendFailure,
  Appending,
  AppendOptions,
  Lease,
  LeaseFailure,
  NewLine,
  SessionLog,
} from './log.ts'
import { createDelivery } from './log-delivery.ts'
import { createLogIndex, type StoredRow } from './log-index.ts'
import { leaseLost } from './log-leases.ts'
import { hasConsequences, noteLine } from './log-sessions.ts'

export type RowPart = Pick<
  SessionLog,
  'append' | 'appendNow' | 'read' | 'lastSeq' | 'findResult' | 'subscribe'
>

export function createRowPart(database: Database, now: () => Date): RowPart {
  const delivery = createDelivery<LogRow>()
  const counters = new Map<SessionId, Counter>()
  const index = createLogIndex(database)

  function insertLines(
    lease: Lease,
    lines: readonly NewLine[],
    areNoted: boolean,
  ): Result<Appended, LeaseFailure> {
    const rows: LogRow[] = []
    const alreadyEnded: ToolCallId[] = []
    const time = now().toISOString()
    for (const line of lines) {
      const seq = insertLine(lease, line, time)
      if (seq !== undefined) {
        if (areNoted) noteLine(database, lease.sessionId, line, time)
        rows.push(toRow(lease.sessionId, seq, line, time))
      } else if (!isHeld(lease)) return leaseLost(lease)
      else if (line.body.type === 'tool_result') alreadyEnded.push(line.body.tool_call_id)
      else throw new Error(`The log refused a ${line.body.type} row of ${lease.sessionId}`)
    }
    return ok({ rows, alreadyEnded })
  }

  /** The fence and the row are one statement: undefined when the epoch is over, or the call had its result. */
  function insertLine(lease: Lease, { conversationId, body }: NewLine, time: string) {
    const counter = counterOf(lease)
    const { changes } = database.run(
      `insert into log (session, seq, conversation, workspace, type, time, tool_call, body)
       select session, ?3, ?4, workspace, ?5, ?6, ?7, ?8 from sessions where session = ?1 and epoch = ?2
       on conflict do nothing`,
      lease.sessionId,
      lease.epoch,
      counter.last + 1,
      conversationId,
      body.type,
      time,
      body.type === 'tool_result' ? body.tool_call_id : null,
      JSON.stringify(body),
    )
    return changes === 1 ? ++counter.last : undefined
  }

  /** Nobody but the holder appends, so it need not ask for the last number each time. */
  function counterOf({ sessionId, epoch }: Lease): Counter {
    const known = counters.get(sessionId)
    const undone = database.undone()
    if (known?.epoch === epoch && known.undone === undone) return known
    const counter = { epoch, undone, last: index.lastSeq(sessionId) }
    counters.set(sessionId, counter)
    return counter
  }

  function isHeld(lease: Lease): boolean {
    const held = database.get(
      'select 1 from sessions where session = ? and epoch = ?',
      lease.sessionId,
      lease.epoch,
    )
    return held !== undefined
  }

  function isWaiting(sessionId: SessionId, itemId: string): boolean {
    const item = database.get(
      'select 1 from inbox where session = ? and id = ? and body is not null',
      sessionId,
      itemId,
    )
    return item !== undefined
  }

  function insertAll(
    lease: Lease,
    lines: readonly NewLine[],
    consume: readonly string[],
    areNoted: boolean,
  ): Result<Appended, AppendFailure> {
    if (consume.length === 0) return insertLines(lease, lines, areNoted)
    if (!isHeld(lease)) return leaseLost(lease)
    const gone = consume.filter(id => !isWaiting(lease.sessionId, id))
    if (gone.length > 0) return consumedBefore(lease.sessionId, gone)
    for (const id of consume)
      database.run('update inbox set body = null where session = ? and id = ?', lease.sessionId, id)
    return insertLines(lease, lines, areNoted)
  }

  function appendNow(
    lease: Lease,
    lines: readonly NewLine[],
    { acknowledge = 'durable', consume = [] }: AppendOptions = {},
  ): Appending {
    const areNoted = lines.some(hasConsequences)
    const writesOnce = lines.length <= 1 && consume.length === 0 && !areNoted
    const work = () => insertAll(lease, lines, consume, areNoted)
    const { value: result, kept } = database.change(work, writesOnce ? ONE_STATEMENT : undefined)
    if (!result.ok) return { ...NOTHING, kept: Promise.resolve(result) }
    index.noteAppended(result.value.rows.length)
    return { ...result.value, kept: deliver(lease.sessionId, result, kept(acknowledge)) }
  }

  /**
   * Subscribers hear rows in the order of the calls, whatever each waited for. Who subscribes later reads the log first,
   * and finds them there.
   */
  async function deliver(
    sessionId: SessionId,
    result: { readonly ok: true; readonly value: Appended },
    kept: Promise<void>,
  ) {
    if (!delivery.isHeard(sessionId)) {
      await kept
      return result
    }
    const place = delivery.queue(sessionId)
    try {
      await kept
      place.fill(result.value.rows)
      return result
    } catch (error) {
      place.fill([])
      throw error
    }
  }

  return {
    appendNow,
    append: (lease, lines, options) => appendNow(lease, lines, options).kept,
    async read(sessionId, { after = 0, limit = ALL } = {}) {
      return index.read(sessionId, after, limit).map(row => fromStored(sessionId, row))
    },
    lastSeq: async sessionId => index.lastSeq(sessionId),
    async findResult(sessionId, toolCallId) {
      const row = database.get<StoredRow>(
        `select seq, conversation, time, body from log
         where session = ? and tool_call = ? and type = 'tool_result'`,
        sessionId,
        toolCallId,
      )
      return row && fromStored(sessionId, row)
    },
    subscribe: delivery.subscribe,
  }
}

const ALL = Number.MAX_SAFE_INTEGER

interface Counter {
  readonly epoch: number
  /** Of the database, when it was last read there. */
  readonly undone: number
  last: number
}

const ONE_STATEMENT = { writesOnce: true }

const NOTHING: Appended = { rows: [], alreadyEnded: [] }

function fromStored(sessionId: SessionId, row: StoredRow): LogRow {
  const body = JSON.parse(row.body) as JournalLine
  const conversationId = row.conversation as ConversationId
  return toRow(sessionId, row.seq, { conversationId, body }, row.time)
}

function toRow(sessionId: SessionId, seq: number, line: NewLine, time: string): LogRow {
  const { conversationId, body } = line
  return { sessionId, seq, conversationId, type: body.type, time, body }
}

function consumedBefore(sessionId: SessionId, ids: readonly string[]) {
  return fail(
    'CONFLICT',
    `Nothing was appended: ${ids.join(', ')} no longer waits in the inbox of session ${sessionId}. Read the log and the inbox again.`,
    { details: { consumed: ids } },
  )
}

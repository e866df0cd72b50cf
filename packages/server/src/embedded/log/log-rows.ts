import { type LogRow, ok, type Result, type SessionId, type ToolCallId } from '@filewright/protocol'
import { hasEffects } from '../../log/line-effects.ts'
import type {
  Appended,
  AppendFailure,
  Appending,
  AppendOptions,
  Lease,
  LeaseFailure,
  NewLine,
  SessionLog,
} from '../../log/log.ts'
import { createDelivery } from '../../log/log-delivery.ts'
import { consumedBefore, leaseLost } from '../../log/log-failures.ts'
import type { Committed, Database } from '../database/database.ts'
import { createLogIndex } from './log-index.ts'
import { insertRow, insertRows, isOneStatement } from './log-insert.ts'
import { createNumbers } from './log-numbers.ts'
import { fromStored, toRow } from './log-row.ts'
import { noteLine } from './log-sessions.ts'
import type { LostLeases } from './lost-leases.ts'

export type RowPart = Pick<SessionLog, 'append' | 'appendNow' | 'read' | 'lastSeq' | 'subscribe'>

export function createRowPart(database: Database, now: () => Date, lost: LostLeases): RowPart {
  const delivery = createDelivery<LogRow>()
  const index = createLogIndex(database)
  const numbers = createNumbers(database, index, lost)
  const timeNow = createTimeSource(now)
  let waiting: Gathered[] = []
  let turn: Pick<Committed<void>, 'kept'> | undefined

  function insertLines(
    lease: Lease,
    lines: readonly NewLine[],
    areNoted: boolean,
  ): Result<Inserted, LeaseFailure> {
    const inserted: Inserted = { rows: [], alreadyEnded: [], positions: [] }
    const counter = numbers.counterOf(lease)
    if (!counter) return leaseLost(lease)
    const time = timeNow()
    for (const line of lines) {
      const row = toRow(lease.sessionId, counter.last + 1, line, time)
      const position = insertRow(database, lease, row)
      if (position !== undefined) {
        counter.last++
        if (areNoted) noteLine(database, lease.sessionId, line, time)
        inserted.rows.push(row)
        inserted.positions.push(position)
      } else if (!isHeld(database, lease)) return leaseLost(lease)
      else if (line.body.type === 'tool_result') inserted.alreadyEnded.push(line.body.tool_call_id)
      else throw new Error(`The log refused a ${line.body.type} row of ${lease.sessionId}`)
    }
    return ok(inserted)
  }

  function insertAll(
    lease: Lease,
    lines: readonly NewLine[],
    consume: readonly string[],
    areNoted: boolean,
  ): Result<Inserted, AppendFailure> {
    if (consume.length === 0) return insertLines(lease, lines, areNoted)
    if (lost.has(lease) || !isHeld(database, lease)) return leaseLost(lease)
    const gone = consume.filter(id => !isWaiting(database, lease.sessionId, id))
    if (gone.length > 0) return consumedBefore(lease.sessionId, gone)
    for (const id of consume)
      database.run('update inbox set body = null where session = ? and id = ?', lease.sessionId, id)
    return insertLines(lease, lines, areNoted)
  }

  function insertNow(lease: Lease, lines: readonly NewLine[], consume: readonly string[]) {
    const areNoted = lines.some(hasEffects)
    const writesOnce = lines.length <= 1 && consume.length === 0 && !areNoted
    const work = () => insertAll(lease, lines, consume, areNoted)
    try {
      const change = database.change(work, writesOnce ? ONE_STATEMENT : undefined)
      if (change.value.ok) noteInIndex(lease.sessionId, change.value.value)
      return change
    } catch (error) {
      numbers.forget(lease.sessionId)
      throw error
    }
  }

  function noteInIndex(sessionId: SessionId, { rows, positions }: Inserted) {
    for (let i = 0; i < rows.length; i++) index.note(sessionId, rows[i]!.seq, positions[i]!)
    index.enterMany()
  }

  function appendNow(
    lease: Lease,
    lines: readonly NewLine[],
    { acknowledge = 'durable', consume = [] }: AppendOptions = {},
  ): Appending {
    const { value: inserted, kept } = insertNow(lease, lines, consume)
    if (!inserted.ok) return { ...NOTHING, kept: Promise.resolve(inserted) }
    const result = toAppended(inserted)
    return { ...result.value, kept: deliver(lease, { result }, kept(acknowledge)) }
  }

  /**
   * Rows without other effects wait until the turn ends or something reads or writes: one statement writes them all.
   */
  function append(lease: Lease, lines: readonly NewLine[], options: AppendOptions = {}) {
    const { acknowledge = 'durable', consume } = options
    if (consume?.length || lines.length === 0 || lines.some(hasEffects))
      return appendNow(lease, lines, options).kept
    const gathered = toGathered(lease, lines)
    if (!gathered) return Promise.resolve(leaseLost(lease))
    return deliver(lease, gathered, gather(gathered).kept(acknowledge))
  }

  function gather(gathered: Gathered): Pick<Committed<void>, 'kept'> {
    if (waiting.push(gathered) > 1 && turn) return turn
    try {
      turn = database.later(writeGathered)
      return turn
    } catch (error) {
      waiting = []
      numbers.forget(gathered.lease.sessionId)
      throw error
    }
  }

  function toGathered(lease: Lease, lines: readonly NewLine[]): Gathered | undefined {
    const counter = numbers.counterOf(lease)
    if (!counter) return undefined
    const time = timeNow()
    const rows = lines.map(line => toRow(lease.sessionId, ++counter.last, line, time))
    return { lease, lines, rows }
  }

  function writeGathered() {
    const all = waiting
    waiting = []
    let position = writeTogether(all)
    if (position === undefined) return writeEach(all)
    for (const gathered of all) {
      gathered.result = ok({ rows: gathered.rows, alreadyEnded: [] })
      for (const row of gathered.rows) index.note(row.sessionId, row.seq, position++)
    }
    index.enterMany()
  }

  /** All or none: undefined when one of them was refused. */
  function writeTogether(all: readonly Gathered[]): number | undefined {
    const count = all.reduce((sum, { rows }) => sum + rows.length, 0)
    const { lease, rows } = all[0]!
    const work = () =>
      count === 1 ? insertRow(database, lease, rows[0]!) : insertRows(database, all)
    try {
      return database.change(work, isOneStatement(count) ? ONE_STATEMENT : undefined).value
    } catch {
      return undefined // inserting them one by one shows which was refused, and why
    }
  }

  /** Their numbers are still private: a second result is dropped, and the rows after it move up. */
  function writeEach(all: readonly Gathered[]) {
    numbers.forgetAll()
    for (const gathered of all)
      try {
        const inserted = insertNow(gathered.lease, gathered.lines, []).value
        gathered.result = inserted.ok ? toAppended(inserted) : inserted
      } catch (error) {
        gathered.error = error
        numbers.end(gathered.lease)
      }
  }

  /**
   * Subscribers get rows in call order, whichever wait ends first. A later subscriber finds them by reading the log.
   */
  async function deliver(lease: Lease, appended: Outcome, kept: Promise<void>) {
    const { sessionId } = lease
    const place = delivery.isHeard(sessionId) ? delivery.queue(sessionId) : undefined
    try {
      await kept
      if (!appended.result) throw appended.error
      place?.fill(appended.result.ok ? appended.result.value.rows : [])
      return appended.result
    } catch (error) {
      numbers.end(lease)
      place?.fill([])
      throw error
    }
  }

  return {
    appendNow,
    append,
    async read(sessionId, { after = 0, limit = ALL } = {}) {
      return index.read(sessionId, after, limit).map(row => fromStored(sessionId, row))
    },
    lastSeq: async sessionId => index.lastSeq(sessionId),
    subscribe: delivery.subscribe,
  }
}

const ALL = Number.MAX_SAFE_INTEGER

/** The outcome of an append, once written. */
interface Outcome {
  result?: Result<Appended, AppendFailure>
  error?: unknown
}

interface Gathered extends Outcome {
  readonly lease: Lease
  readonly lines: readonly NewLine[]
  /** The rows, provided none is refused. */
  readonly rows: readonly LogRow[]
}

interface Inserted {
  readonly rows: LogRow[]
  readonly alreadyEnded: ToolCallId[]
  readonly positions: number[]
}

const ONE_STATEMENT = { writesOnce: true }

const NOTHING: Appended = { rows: [], alreadyEnded: [] }

function toAppended({ value: { rows, alreadyEnded } }: { readonly value: Inserted }) {
  return ok({ rows, alreadyEnded })
}

function isHeld(database: Database, lease: Lease): boolean {
  const held = database.get(
    'select 1 from sessions where session = ? and epoch = ?',
    lease.sessionId,
    lease.epoch,
  )
  return held !== undefined
}

function isWaiting(database: Database, sessionId: SessionId, itemId: string): boolean {
  const item = database.get(
    'select 1 from inbox where session = ? and id = ? and body is not null',
    sessionId,
    itemId,
  )
  return item !== undefined
}

/** Many rows come in one millisecond. */
function createTimeSource(now: () => Date): () => string {
  let last = Number.NaN
  let text = ''
  return () => {
    const date = now()
    if (date.getTime() !== last) {
      last = date.getTime()
      text = date.toISOString()
    }
    return text
  }
}

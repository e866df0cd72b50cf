import type { SessionId } from '@filewright/protocol'
import type { Database } from '../database/database.ts'
import { deleteEntries, enterEntries, IN_TAIL } from './log-entries.ts'
import type { StoredRow } from './log-row.ts'

/** Rows at the end of the log that are scanned one by one: some 0.15 ms. */
const TAIL_ROWS = 1024

/**
 * Finds the rows of a session. A commit writes every page it touched, and each session touches an index by session in a
 * different place: that was two thirds of an append. So the rows at the end of the log (the tail) are scanned and enter
 * the index in bulk: one entry (a span) for all rows of a session in that tail.
 */
export interface LogIndex {
  /** Notes the position of an appended row. */
  note(sessionId: SessionId, seq: number, position: number): void
  /** Called after all rows of a change were noted, and outside the change. */
  enterMany(): void
  read(sessionId: SessionId, after: number, limit: number): StoredRow[]
  lastSeq(sessionId: SessionId): number
}

interface Span {
  readonly first: number
  readonly positions: number[]
}

/** The tail as this process wrote it, row by row without a gap. */
interface KnownTail extends Mark {
  /** The database's rollback count when the tail began. */
  readonly undone: number
  readonly spans: Map<SessionId, Span>
  rows: number
}

interface Mark {
  /** The position of the last indexed row. */
  readonly mark: number
  /** Counts deleted sessions: their positions may be reused. */
  readonly deletions: number
}

export function createLogIndex(database: Database): LogIndex {
  let tail: KnownTail | undefined

  /** Indexes the whole tail: from memory when every row is known, otherwise by a scan. */
  function enter(known: KnownTail | undefined): KnownTail {
    const { mark, deletions, end } = database.get<Mark & { end: number }>(
      `select position as mark, deletions, coalesce((select max(position) from log), 0) as end from log_indexed`,
    )!
    const isWhole =
      known?.mark === mark && known.deletions === deletions && mark + known.rows === end
    if (isWhole) enterSpans(database, known.spans)
    else enterByLooking(database)
    enterEntries(database)
    database.run('update log_indexed set position = ?', end)
    return { mark: end, deletions, undone: database.undone(), spans: new Map(), rows: 0 }
  }

  return {
    note(sessionId, seq, position) {
      if (tail && !addTo(tail, sessionId, seq, position)) tail = undefined
    },
    enterMany() {
      const known = tail?.undone === database.undone() ? tail : undefined
      if (known && known.rows < TAIL_ROWS) return
      tail = undefined
      try {
        tail = database.change(() => enter(known)).value
      } catch {
        // the rows are still found in the tail; the next append tries again
      }
    },
    read: (sessionId, after, limit) =>
      // one statement, so that no row moves from the tail to the index in between
      database.all<StoredRow>(
        `select seq, conversation, time, body from log where position in (
           select p.value from log_spans s, json_each(s.positions) p
             where s.session = ?1 and s.last > ?2 and s.first <= ?3 and s.first + p.key > ?2 and s.first + p.key <= ?3
           union all
           select position from log where ${IN_TAIL} and session = ?1 and seq > ?2 and seq <= ?3)
         order by position`,
        sessionId,
        after,
        after + limit,
      ),
    lastSeq(sessionId) {
      const row = database.get<{ last: number | null }>(
        `select max(last) as last from (
           select max(last) as last from log_spans where session = ?1
           union all select max(seq) from log where ${IN_TAIL} and session = ?1)`,
        sessionId,
      )
      return row?.last ?? 0
    },
  }
}

/** Returns false when there is a gap between this row and the last. */
function addTo(tail: KnownTail, sessionId: SessionId, seq: number, position: number): boolean {
  if (position !== tail.mark + tail.rows + 1) return false
  tail.rows++
  const span = tail.spans.get(sessionId)
  if (!span) tail.spans.set(sessionId, { first: seq, positions: [position] })
  else if (seq === span.first + span.positions.length) span.positions.push(position)
  else return false
  return true
}

/** Runs inside a change. Returns the number of deleted rows. */
export function deleteLogRows(database: Database, sessionId: SessionId): number {
  const tail = database.run(`delete from log where ${IN_TAIL} and session = ?`, sessionId)
  const entered = database.run(
    `delete from log where position in (
       select p.value from log_spans s, json_each(s.positions) p where s.session = ?)`,
    sessionId,
  )
  database.run('delete from log_spans where session = ?', sessionId)
  deleteEntries(database, sessionId)
  // the next row takes the first free position, which must be behind the mark
  database.run(
    `update log_indexed set deletions = deletions + 1,
       position = min(position, coalesce((select max(position) from log), 0))`,
  )
  return tail.changes + entered.changes
}

/** The position of the last row of each session in `sessions`, or 0; needs `tail_ends`. */
export const LAST_POSITION = `max(
  coalesce((select position from tail_ends where tail_ends.session = sessions.session), 0),
  coalesce((select json_extract(positions, '$[#-1]') from log_spans
    where log_spans.session = sessions.session order by last desc limit 1), 0))`

export const TAIL_ENDS = `tail_ends as materialized (
  select session, max(position) as position from log where ${IN_TAIL} group by session)`

function enterSpans(database: Database, spans: ReadonlyMap<SessionId, Span>): void {
  for (const [sessionId, { first, positions }] of spans)
    database.run(
      'insert into log_spans (session, last, first, positions) values (?, ?, ?, ?)',
      sessionId,
      first + positions.length - 1,
      first,
      JSON.stringify(positions),
    )
}

function enterByLooking(database: Database): void {
  database.run(
    `insert into log_spans (session, last, first, positions)
     select session, max(seq), min(seq), json_group_array(position order by seq)
     from log where ${IN_TAIL} group by session`,
  )
}

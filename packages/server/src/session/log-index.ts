import type { SessionId } from '@filewright/protocol'
import type { Database } from '../store/database.ts'

/** Rows at the end of the log that are found by looking at each: some 0.1 ms. */
const TAIL_ROWS = 512

export interface StoredRow {
  readonly seq: number
  readonly conversation: string
  readonly time: string
  readonly body: string
}

/**
 * Which rows are a session's. A commit writes every page it touched, and an index by session is touched in another
 * place by every session: that was two thirds of an append. So rows are entered into it many at a time, and the few at
 * the end of the log that are not in it yet are looked through.
 */
export interface LogIndex {
  /** So many rows were appended. */
  noteAppended(rows: number): void
  read(sessionId: SessionId, after: number, limit: number): StoredRow[]
  lastSeq(sessionId: SessionId): number
}

export function createLogIndex(database: Database): LogIndex {
  let inTail: number | undefined
  return {
    noteAppended(rows) {
      inTail = inTail === undefined ? countTail(database) : inTail + rows
      if (inTail < TAIL_ROWS) return
      inTail = 0
      database.change(() => enterTail(database))
    },
    read: (sessionId, after, limit) =>
      database.all<StoredRow>(
        `select l.seq, l.conversation, l.time, l.body
           from log_index i join log l on l.position = i.position where i.session = ?1 and i.seq > ?2
         union all
         select seq, conversation, time, body from log where ${IN_TAIL} and session = ?1 and seq > ?2
         order by seq limit ?3`,
        sessionId,
        after,
        limit,
      ),
    lastSeq(sessionId) {
      const row = database.get<{ last: number | null }>(
        `select max(last) as last from (
           select max(seq) as last from log_index where session = ?1
           union all select max(seq) from log where ${IN_TAIL} and session = ?1)`,
        sessionId,
      )
      return row?.last ?? 0
    },
  }
}

/** Inside a change. Answers how many there were. */
export function deleteLogRows(database: Database, sessionId: SessionId): number {
  const tail = database.run(`delete from log where ${IN_TAIL} and session = ?`, sessionId)
  const entered = database.run(
    'delete from log where position in (select position from log_index where session = ?)',
    sessionId,
  )
  database.run('delete from log_index where session = ?', sessionId)
  // the next row takes the first free position, and must stand behind the mark
  database.run(
    'update log_indexed set position = min(position, coalesce((select max(position) from log), 0))',
  )
  return tail.changes + entered.changes
}

const IN_TAIL = 'position > (select position from log_indexed)'

function countTail(database: Database): number {
  return database.get<{ rows: number }>(`select count(*) as rows from log where ${IN_TAIL}`)!.rows
}

function enterTail(database: Database): void {
  database.run(
    `insert into log_index (session, seq, position)
     select session, seq, position from log where ${IN_TAIL} order by session, seq`,
  )
  database.run(
    'update log_indexed set position = coalesce((select max(position) from log), position)',
  )
}

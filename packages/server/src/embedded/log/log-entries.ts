import type { SessionId } from '@filewright/protocol'
import type { Database } from '../database/database.ts'

/** Rows at the end of the log that no index has yet (log-index.ts). */
export const IN_TAIL = 'position > (select position from log_indexed)'

/** A condition on a row of `log` or `open_calls`: its call has a result. */
export const hasResult = (table: string, call: string) => `exists (select 1 from log as ended
  where ended.session = ${table}.session and ended.subject = ${table}.${call} and ended.type = 'tool_result')`

/**
 * Enters what finds single rows: open calls, the last row of a type, the answer of a turn. An index that every
 * append writes took a loop half as long again as its rows; so these get their entries when the tail enters the index,
 * many at a time, and a lookup searches the tail first.
 */
export function enterEntries(database: Database): void {
  for (const sql of ENTER) database.run(sql)
}

/** For a session that is deleted. */
export function deleteEntries(database: Database, sessionId: SessionId): void {
  for (const table of ['open_calls', 'last_rows', 'answers'])
    database.run(`delete from ${table} where session = ?`, sessionId)
}

const MOVE_ON = 'do update set position = excluded.position'

const ENTER = [
  `delete from open_calls where ${hasResult('open_calls', 'tool_call')}`,
  `insert into open_calls (session, tool_call, position)
   select session, subject, max(position) from log
   where ${IN_TAIL} and type = 'call-start' and not ${hasResult('log', 'subject')}
   group by session, subject on conflict (session, tool_call) ${MOVE_ON}`,
  `insert into last_rows (session, type, position)
   select session, type, max(position) from log
   where ${IN_TAIL} and type in ('run-start', 'conversation-start', 'context', 'assistant_message')
   group by session, type on conflict (session, type) ${MOVE_ON}`,
  `insert into answers (session, turn, position)
   select session, subject, max(position) from log
   where ${IN_TAIL} and type = 'assistant_message'
   group by session, subject on conflict (session, turn) ${MOVE_ON}`,
]

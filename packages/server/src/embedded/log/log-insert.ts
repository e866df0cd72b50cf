import type { JournalLine, LogRow } from '@filewright/protocol'
import type { Lease } from '../../log/log.ts'
import type { Database, SqlValue } from '../database/database.ts'

export interface LeasedRows {
  readonly lease: Lease
  readonly rows: readonly LogRow[]
}

/**
 * Returns the row's position. The fence and the insert are one statement: undefined when the epoch is over or the call
 * already has its result.
 */
export function insertRow(database: Database, lease: Lease, row: LogRow): number | undefined {
  const values: SqlValue[] = []
  pushValues(values, lease, row)
  const { changes, lastRowId } = database.run(ONE_ROW, ...values)
  return changes === 1 ? lastRowId : undefined
}

/**
 * The same for rows of many leases, in as few statements as possible: a statement costs as much as two rows. Returns
 * the position of the first row, the others follow it; undefined when one was refused, and then none is kept. A change
 * needs a savepoint only when this takes more than one statement.
 */
export function insertRows(database: Database, all: readonly LeasedRows[]): number | undefined {
  const first = database.get<{ next: number }>(NEXT_POSITION)!.next
  let position = first
  const values: SqlValue[] = []
  for (const { lease, rows } of all)
    for (const row of rows) {
      values.push(position++)
      pushValues(values, lease, row)
    }
  let inserted = 0
  while (values.length > 0) {
    const { size, sql } = statementFor(values.length / COLUMNS)
    inserted += database.run(sql, ...values.splice(0, size * COLUMNS)).changes
  }
  if (inserted === position - first) return first
  database.run('delete from log where position >= ?', first)
  return undefined
}

export function isOneStatement(rows: number): boolean {
  return statementFor(rows).size === rows
}

function statementFor(rows: number) {
  return STATEMENTS.find(({ size }) => size <= rows)!
}

function pushValues(values: SqlValue[], lease: Lease, row: LogRow): void {
  const { body } = row
  values.push(
    row.seq,
    row.conversationId,
    row.type,
    row.time,
    subjectOf(body),
    JSON.stringify(body),
    lease.sessionId,
    lease.epoch,
  )
}

/** The key by which the row is found. */
function subjectOf(body: JournalLine): string | null {
  if (body.type === 'tool_result' || body.type === 'call-start') return body.tool_call_id
  return body.type === 'assistant_message' ? body.turn_id : null
}

const ONE_ROW = `
  insert into log (seq, conversation, type, time, subject, body, session, workspace)
  select ?, ?, ?, ?, ?, ?, session, workspace from sessions where session = ? and epoch = ?
  on conflict do nothing`

const COLUMNS = 9 // with the position

const NEXT_POSITION = 'select coalesce(max(position), 0) + 1 as next from log'

/** Largest first; each is prepared once. */
const STATEMENTS = [16, 8, 4, 2, 1].map(size => ({
  size,
  sql: `insert into log (position, seq, conversation, type, time, subject, body, session, workspace)
    select column1, column2, column3, column4, column5, column6, column7, session, workspace
    from (values ${Array(size).fill('(?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ')})
    cross join sessions on session = column8 and epoch = column9
    where true on conflict do nothing`,
}))

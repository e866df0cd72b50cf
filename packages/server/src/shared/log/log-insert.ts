import type { LogRow, ToolCallId } from '@filewright/protocol'
import { blobsNamedBy, stateAfter } from '../../log/line-effects.ts'
import type { Lease } from '../../log/log.ts'
import type { PgValue, Postgres, Queries } from '../database/postgres.ts'
import { subjectOf } from './log-row.ts'

/** Rows of one holder that are written together. */
export interface LogWrite {
  readonly lease: Lease
  readonly rows: readonly LogRow[]
  /** Items of the inbox. */
  readonly consume: readonly string[]
  /** Calls that these rows leave open. */
  readonly opened: readonly {
    readonly toolCallId: ToolCallId
    readonly seq: number
    name: string
  }[]
  readonly durable: boolean
}

/**
 * All or nothing: false when the epoch is over or an item is gone. The fence and the insert are one statement. The row
 * of the session stays locked until it commits, so one who claims the session next sees these rows or shuts them out.
 */
export async function write(database: Postgres, asked: LogWrite): Promise<boolean> {
  if (asked.consume.length === 0) return insert(database, asked)
  try {
    return await database.transaction(async queries => {
      if (!(await insert(queries, asked)) || !(await consume(queries, asked))) throw new Refused()
      return true
    })
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}

class Refused extends Error {}

async function consume(queries: Queries, { lease, consume: ids }: LogWrite): Promise<boolean> {
  const taken = await queries.run(
    'update inbox set body = null where session = $1 and id = any($2::text[]) and body is not null',
    [lease.sessionId, ids],
  )
  return taken === new Set(ids).size
}

async function insert(queries: Queries, asked: LogWrite): Promise<boolean> {
  const { sql, values } = statementOf(asked)
  const [found] = await queries.query<{ held: number }>(sql, values)
  return found!.held === 1
}

/** Its parts stand in the order in which they need one another. */
function statementOf({ lease, rows, opened, durable }: LogWrite) {
  const values: PgValue[] = [lease.sessionId, lease.epoch]
  const give = (value: PgValue) => `$${values.push(value)}`
  const parts = [`held as (${heldBy(rows, give)})`]
  if (rows.length > 0) parts.push(`added as (${insertRows(rows, give)})`)
  if (opened.length > 0)
    parts.push(`opened as (
      insert into open_calls (session, tool_call, workspace, name, position)
      select added.session, call.id, added.workspace, call.name, added.position
      from unnest(${give(opened.map(call => call.toolCallId))}::text[], ${give(opened.map(call => call.seq))}::int8[],
        ${give(opened.map(call => call.name))}::text[]) as call (id, seq, name)
      join added on added.seq = call.seq
      on conflict (session, tool_call) do update set position = excluded.position, name = excluded.name)`)
  if (rows.some(({ type }) => type === 'tool_result'))
    parts.push(`closed as (
      delete from open_calls using added
      where open_calls.session = added.session and open_calls.tool_call = added.subject
        and added.type = 'tool_result')`)
  const named = rows.flatMap(({ body }) => blobsNamedBy(body))
  if (named.length > 0)
    parts.push(`named as (
      insert into log_blobs (session, sha256, workspace)
      select session, sha256, workspace from held, unnest(${give([...new Set(named)])}::text[]) as sha256
      on conflict do nothing)`)
  if (!durable) parts.push("soon as (select set_config('synchronous_commit', 'off', true))")
  const last = durable ? '' : ', (select count(*) from soon) as soon'
  return {
    sql: `with ${parts.join(', ')} select (select count(*) from held) as held${last}`,
    values,
  }
}

/** The session under this epoch, and what the rows change about it. */
function heldBy(rows: readonly LogRow[], give: (value: PgValue) => string): string {
  const changes: string[] = []
  const conversation = rows.findLast(({ type }) => type === 'conversation-start')
  if (conversation) changes.push(`conversation = ${give(conversation.conversationId)}`)
  const moved = rows.findLast(({ body }) => stateAfter(body))
  if (moved)
    changes.push(`state = ${give(stateAfter(moved.body)!)}`, `updated = ${give(moved.time)}`)
  if (changes.length === 0)
    return 'select session, workspace from sessions where session = $1 and epoch = $2 for share'
  return `update sessions set ${changes.join(', ')} where session = $1 and epoch = $2 returning session, workspace`
}

function insertRows(rows: readonly LogRow[], give: (value: PgValue) => string): string {
  const seqs = give(rows.map(row => row.seq))
  const conversations = give(rows.map(row => row.conversationId))
  const types = give(rows.map(row => row.type))
  const times = give(rows.map(row => row.time))
  const subjects = give(rows.map(row => subjectOf(row.body)))
  const bodies = give(rows.map(row => JSON.stringify(row.body)))
  return `insert into log (session, workspace, seq, position, conversation, type, time, subject, body)
    select session, workspace, seq, nextval('log_position'), conversation, type, time, subject, body
    from held, (select * from unnest(${seqs}::int8[], ${conversations}::text[], ${types}::text[], ${times}::text[],
      ${subjects}::text[], ${bodies}::text[]) as line (seq, conversation, type, time, subject, body) order by seq) as lines
    returning session, workspace, seq, position, type, subject`
}

import type { JournalLine, LogRow, SessionId } from '@filewright/protocol'
import type { CallsOf, OpenCall, RowOf, SessionLog } from '../../log/log.ts'
import type { Database } from '../database/database.ts'
import { hasResult, IN_TAIL } from './log-entries.ts'
import { fromStored, type StoredRow } from './log-row.ts'

export type FinderPart = Pick<
  SessionLog,
  'findResult' | 'findStart' | 'openCalls' | 'findAnswer' | 'findLast'
>

/** Finds single rows by their subject, without reading their neighbours. */
export function createFinderPart(database: Database): FinderPart {
  function findOne<Type extends JournalLine['type']>(
    type: Type,
    sessionId: SessionId,
    sql: string,
    ...more: readonly string[]
  ): RowOf<Type> | undefined {
    const stored = database.get<StoredRow>(sql, sessionId, ...more)
    const row = stored && fromStored(sessionId, stored)
    return row && isOf(row, type) ? row : undefined
  }

  return {
    findResult: async (sessionId, toolCallId) =>
      findOne('tool_result', sessionId, SELECT_RESULT, toolCallId),
    findStart: async (sessionId, toolCallId) =>
      findOne('call-start', sessionId, SELECT_RECENT_START, toolCallId) ??
      findOne('call-start', sessionId, SELECT_EARLIER_START, toolCallId),
    openCalls: async of => toOpenCalls(selectOpenCalls(database, of)),
    findAnswer: async (sessionId, turnId) =>
      findOne('assistant_message', sessionId, SELECT_ANSWER, turnId),
    async findLast(sessionId, ...types) {
      const found = types.flatMap(type => findOne(type, sessionId, SELECT_LAST, type) ?? [])
      return found.sort((one, other) => other.seq - one.seq)[0]
    },
  }
}

function isOf<Type extends JournalLine['type']>(row: LogRow, type: Type): row is RowOf<Type> {
  return row.type === type
}

interface StoredCall {
  readonly session: string
  readonly body: string
}

function selectOpenCalls(database: Database, of: CallsOf): StoredCall[] {
  return 'sessionId' in of
    ? database.all<StoredCall>(`${SELECT_OPEN} and session = ? order by position`, of.sessionId)
    : database.all<StoredCall>(`${SELECT_OPEN} and workspace = ? order by position`, of.workspaceId)
}

/** A call that started twice under its id is one call. */
function toOpenCalls(stored: readonly StoredCall[]): readonly OpenCall[] {
  const open = new Map<string, OpenCall>()
  for (const { session, body } of stored) {
    const { tool_call_id: toolCallId, name } = JSON.parse(body) as RowOf<'call-start'>['body']
    open.set(`${session} ${toolCallId}`, { sessionId: session as SessionId, toolCallId, name })
  }
  return [...open.values()]
}

const COLUMNS = 'seq, conversation, time, body'

const SELECT_RESULT = `select ${COLUMNS} from log where session = ? and subject = ? and type = 'tool_result'`

const SELECT_ANSWER = `select ${COLUMNS} from log where position = coalesce(
  (select max(position) from log
   where ${IN_TAIL} and session = ?1 and subject = ?2 and type = 'assistant_message'),
  (select position from answers where session = ?1 and turn = ?2))`

const SELECT_RECENT_START = `select ${COLUMNS} from log
  where ${IN_TAIL} and session = ? and subject = ? and type = 'call-start' order by position desc limit 1`

const IS_START = "started.type = 'call-start' and started.subject = ?2"

/** An open call has an entry; the start row of an ended call is a little before its result. */
const SELECT_EARLIER_START = `select ${COLUMNS} from log where position = coalesce(
  (select position from open_calls where session = ?1 and tool_call = ?2),
  (select max(started.position) from log as started where ${IS_START} and position in (
    select value from json_each((
      select positions from log_spans as span where session = ?1
        and first <= (select seq from log where session = ?1 and subject = ?2 and type = 'tool_result')
        and exists (select 1 from json_each(span.positions) as place
          cross join log as started on started.position = place.value where ${IS_START})
      order by last desc limit 1)))))`

const SELECT_OPEN = `select session, body from log where position in (
    select position from open_calls
    union all select position from log where ${IN_TAIL} and type = 'call-start')
  and not ${hasResult('log', 'subject')}`

const SELECT_LAST = `select ${COLUMNS} from log where position = coalesce(
  (select max(position) from log where ${IN_TAIL} and session = ?1 and type = ?2),
  (select position from last_rows where session = ?1 and type = ?2))`

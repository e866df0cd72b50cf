import type { JournalLine, LogRow } from '@filewright/protocol'
import type { OpenCall, RowOf, SessionLog } from '../../log/log.ts'
import type { PgValue, Postgres } from '../database/postgres.ts'
import { fromStored, type PgLogRow, ROW } from './log-row.ts'

type FinderPart = Pick<
  SessionLog,
  'findResult' | 'findStart' | 'openCalls' | 'findAnswer' | 'findLast'
>

/** Each look-up has an index (database/migrations.ts). */
export function createFinderPart(database: Postgres): FinderPart {
  async function findOne<Type extends JournalLine['type']>(
    types: readonly Type[],
    where: string,
    ...values: readonly PgValue[]
  ): Promise<RowOf<Type> | undefined> {
    const [stored] = await database.repeat<PgLogRow>(
      `select ${ROW} from log where session = $1 and ${where} order by seq desc limit 1`,
      values,
    )
    const row = stored && fromStored(stored)
    return row && isOf(row, types) ? row : undefined
  }

  const bySubject = <Type extends 'tool_result' | 'call-start' | 'assistant_message'>(
    type: Type,
    sessionId: string,
    subject: string,
  ) => findOne([type], `subject = $2 and type = '${type}'`, sessionId, subject)

  return {
    findResult: (sessionId, toolCallId) => bySubject('tool_result', sessionId, toolCallId),
    findStart: (sessionId, toolCallId) => bySubject('call-start', sessionId, toolCallId),
    findAnswer: (sessionId, turnId) => bySubject('assistant_message', sessionId, turnId),
    async findLast(sessionId, ...types) {
      const found = await Promise.all(
        types.map(type => findOne([type], `type = '${type}'`, sessionId)),
      )
      return found.filter(row => row !== undefined).sort((one, other) => other.seq - one.seq)[0]
    },
    async openCalls(of) {
      const [column, id] =
        'sessionId' in of ? ['session', of.sessionId] : ['workspace', of.workspaceId]
      return database.repeat<OpenCall>(
        `select session as "sessionId", tool_call as "toolCallId", name
         from open_calls where ${column} = $1 order by position`,
        [id!],
      )
    },
  }
}

function isOf<Type extends JournalLine['type']>(
  row: LogRow,
  types: readonly Type[],
): row is RowOf<Type> {
  return types.some(type => type === row.type)
}

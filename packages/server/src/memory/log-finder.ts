import type { JournalLine, LogRow, SessionId } from '@filewright/protocol'
import type { OpenCall, RowOf, SessionLog } from '../log/log.ts'
import type { KeptSession } from './remote-log.ts'

type LogFinder = Pick<
  SessionLog,
  'findResult' | 'findStart' | 'openCalls' | 'findAnswer' | 'findLast'
>

/** By looking at every row: there are few of them. */
export function createLogFinder(
  find: (sessionId: SessionId) => Promise<KeptSession | undefined>,
  findAll: () => Promise<readonly KeptSession[]>,
): LogFinder {
  async function newest<Type extends JournalLine['type']>(
    sessionId: SessionId,
    types: readonly Type[],
    fits: (body: RowOf<Type>['body']) => boolean = () => true,
  ): Promise<RowOf<Type> | undefined> {
    const rows = (await find(sessionId))?.rows ?? []
    return rows.filter(row => isOf(row, types)).findLast(({ body }) => fits(body))
  }

  return {
    findResult: (sessionId, id) =>
      newest(sessionId, ['tool_result'], body => body.tool_call_id === id),
    findStart: (sessionId, id) =>
      newest(sessionId, ['call-start'], body => body.tool_call_id === id),
    findAnswer: (sessionId, id) =>
      newest(sessionId, ['assistant_message'], body => body.turn_id === id),
    findLast: (sessionId, ...types) => newest(sessionId, types),
    async openCalls(of) {
      return (await findAll())
        .filter(({ session }) =>
          'sessionId' in of
            ? session.sessionId === of.sessionId
            : session.workspaceId === of.workspaceId,
        )
        .flatMap(openCallsIn)
        .sort((one, other) => one.at - other.at)
        .map(({ at: _, ...call }) => call)
    },
  }
}

function openCallsIn({ session, started, results }: KeptSession): (OpenCall & { at: number })[] {
  return [...started]
    .filter(([toolCallId]) => !results.has(toolCallId))
    .map(([toolCallId, call]) => ({ sessionId: session.sessionId, toolCallId, ...call }))
}

function isOf<Type extends JournalLine['type']>(
  row: LogRow,
  types: readonly Type[],
): row is RowOf<Type> {
  return types.some(type => type === row.type)
}

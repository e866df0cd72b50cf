import { type DecisionRow, toDecision } from '../store/access-rows.ts'
import type { DecisionLog } from '../store/decisions.ts'
import type { Database } from './database/database.ts'

export function createDecisions(database: Database): DecisionLog {
  return {
    begin: decided =>
      database.write(
        () =>
          database.run(
            'insert into decisions (workspace, body) values (?, ?)',
            decided.workspaceId ?? null,
            JSON.stringify(decided),
          ).lastRowId,
      ),
    async end(position, outcome, result) {
      await database.write(() =>
        database.run(
          'update decisions set outcome = ?, result = ? where position = ? and outcome is null',
          outcome,
          result ?? null,
          position,
        ),
      )
    },
    async list({ before = Number.MAX_SAFE_INTEGER, limit, workspaces }) {
      const ofSome = 'and workspace in (select value from json_each(?))'
      const rows = database.all<DecisionRow>(
        `select position, body, outcome, result from decisions
         where position < ? ${workspaces ? ofSome : ''} order by position desc limit ?`,
        before,
        ...(workspaces ? [JSON.stringify(workspaces)] : []),
        limit,
      )
      return rows.map(toDecision)
    },
  }
}

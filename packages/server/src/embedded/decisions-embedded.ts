import { type DecisionRow, toDecision } from '../store/access-rows.ts'
import type { Decisions } from '../store/decisions.ts'
import type { Database } from './database/database.ts'

export function createDecisions(database: Database): Decisions {
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
    async end(position, outcome) {
      await database.write(() =>
        database.run(
          'update decisions set outcome = coalesce(outcome, ?) where position = ?',
          outcome,
          position,
        ),
      )
    },
    async list({ before = Number.MAX_SAFE_INTEGER, limit, workspaces }) {
      const ofSome = 'and workspace in (select value from json_each(?))'
      const rows = database.all<DecisionRow>(
        `select position, workspace, body, outcome from decisions
         where position < ? ${workspaces ? ofSome : ''} order by position desc limit ?`,
        before,
        ...(workspaces ? [JSON.stringify(workspaces)] : []),
        limit,
      )
      return rows.map(toDecision)
    },
  }
}

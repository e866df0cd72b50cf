import { type DecisionRow, toDecision } from '../store/access-rows.ts'
import type { DecisionLog } from '../store/decisions.ts'
import type { Postgres } from './database/postgres.ts'

export function createSharedDecisions(database: Postgres): DecisionLog {
  return {
    async begin(decided) {
      const [row] = await database.query<{ position: number }>(
        'insert into decisions (workspace, body) values ($1, $2) returning position',
        [decided.workspaceId ?? null, JSON.stringify(decided)],
      )
      return row!.position
    },
    async end(position, outcome, result) {
      await database.repeat(
        'update decisions set outcome = $2, result = $3 where position = $1 and outcome is null',
        [position, outcome, result ?? null],
      )
    },
    async list({ before = Number.MAX_SAFE_INTEGER, limit, workspaces }) {
      const rows = await database.repeat<DecisionRow>(
        `select position, body, outcome, result from decisions
         where position < $1 and ($3::text[] is null or workspace = any($3))
         order by position desc limit $2`,
        [before, limit, workspaces ?? null],
      )
      return rows.map(toDecision)
    },
  }
}

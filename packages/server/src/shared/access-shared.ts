import type { Access } from '../store/access.ts'
import { type AccessRow, toAccessToken } from '../store/access-rows.ts'
import type { Postgres } from './database/postgres.ts'

const FIELDS = 'body, revoked, last_used'

/** Nothing is kept in memory: another instance may have revoked a token a moment ago. */
export function createSharedAccess(database: Postgres): Access {
  return {
    async add(token, hash) {
      await database.run('insert into access_tokens (token, hash, body) values ($1, $2, $3)', [
        token.tokenId,
        hash,
        JSON.stringify(token),
      ])
    },
    async find(hash) {
      const [row] = await database.repeat<AccessRow>(
        `select ${FIELDS} from access_tokens where hash = $1`,
        [hash],
      )
      return row && toAccessToken(row)
    },
    async get(tokenId) {
      const [row] = await database.repeat<AccessRow>(
        `select ${FIELDS} from access_tokens where token = $1`,
        [tokenId],
      )
      return row && toAccessToken(row)
    },
    async list() {
      const rows = await database.repeat<AccessRow>(
        `select ${FIELDS} from access_tokens order by position`,
      )
      return rows.map(toAccessToken)
    },
    async revoke(tokenId, time) {
      const [row] = await database.repeat<AccessRow>(
        `update access_tokens set revoked = coalesce(revoked, $2) where token = $1 returning ${FIELDS}`,
        [tokenId, time],
      )
      return row && toAccessToken(row)
    },
    async touch(tokenId, time) {
      await database.repeat('update access_tokens set last_used = $2 where token = $1', [
        tokenId,
        time,
      ])
    },
    async count(tokenId, what, period, amount) {
      const [row] = await database.query<{ amount: number }>(
        `insert into access_use (token, what, period, amount) values ($1, $2, $3, $4)
         on conflict (token, what, period) do update set amount = access_use.amount + excluded.amount
         returning amount`,
        [tokenId, what, period, amount],
      )
      return row!.amount
    },
    async counted(tokenId, what, period) {
      const [row] = await database.repeat<{ amount: number }>(
        'select amount from access_use where token = $1 and what = $2 and period = $3',
        [tokenId, what, period],
      )
      return row?.amount ?? 0
    },
  }
}

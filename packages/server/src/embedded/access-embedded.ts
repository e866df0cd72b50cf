import type { TokenId } from '@filewright/protocol'
import type { Access, Counted } from '../store/access.ts'
import { type AccessRow, toAccessToken } from '../store/access-rows.ts'
import type { Database } from './database/database.ts'

const SELECT = 'select body, revoked, last_used from access_tokens'

export function createAccess(database: Database): Access {
  const byId = (tokenId: TokenId) => database.get<AccessRow>(`${SELECT} where token = ?`, tokenId)
  const countedIn = (tokenId: TokenId, what: Counted, period: string) =>
    database.get<{ amount: number }>(
      'select amount from access_use where token = ? and what = ? and period = ?',
      tokenId,
      what,
      period,
    )?.amount ?? 0
  return {
    async add(token, hash) {
      await database.write(() =>
        database.run(
          'insert into access_tokens (token, hash, body) values (?, ?, ?)',
          token.tokenId,
          hash,
          JSON.stringify(token),
        ),
      )
    },
    async find(hash) {
      const row = database.get<AccessRow>(`${SELECT} where hash = ?`, hash)
      return row && toAccessToken(row)
    },
    async get(tokenId) {
      const row = byId(tokenId)
      return row && toAccessToken(row)
    },
    async list() {
      return database.all<AccessRow>(`${SELECT} order by position`).map(toAccessToken)
    },
    async revoke(tokenId, time) {
      await database.write(() =>
        database.run(
          'update access_tokens set revoked = coalesce(revoked, ?) where token = ?',
          time,
          tokenId,
        ),
      )
      const row = byId(tokenId)
      return row && toAccessToken(row)
    },
    async touch(tokenId, time) {
      await database.write(() =>
        database.run('update access_tokens set last_used = ? where token = ?', time, tokenId),
      )
    },
    async count(tokenId, what, period, amount) {
      return database.write(() => {
        database.run(
          `insert into access_use (token, what, period, amount) values (?, ?, ?, ?)
           on conflict (token, what, period) do update set amount = amount + excluded.amount`,
          tokenId,
          what,
          period,
          amount,
        )
        return countedIn(tokenId, what, period)
      })
    },
    counted: async (tokenId, what, period) => countedIn(tokenId, what, period),
  }
}

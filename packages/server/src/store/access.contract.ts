import type { TokenId, WorkspaceId } from '@filewright/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Access, AccessToken } from './access.ts'

const TIME = '2026-01-02T03:04:05.000Z'
const LATER = '2026-01-02T03:05:05.000Z'

function aToken(number: number): AccessToken {
  return {
    tokenId: `tok_${number}` as TokenId,
    name: `the ${number}th`,
    rights: ['read', 'edit'],
    workspaces: ['ws_1' as WorkspaceId],
    isAgent: number % 2 === 0,
    created: TIME,
    createdBy: 'owner',
    limits: { runs: 2, dollars: 1.5 },
  }
}

/** What every store of tokens does. `make` gives a new, empty one. */
export function accessContract(name: string, make: () => Promise<Access>): void {
  describe(name, () => {
    let access: Access
    beforeEach(async () => {
      access = await make()
    })

    test('a token is found by its hash alone, as it was made', async () => {
      await access.add(aToken(1), 'aa')
      await access.add({ ...aToken(2), workspaces: 'all', expires: LATER }, 'bb')
      expect(await access.find('aa')).toEqual(aToken(1))
      expect(await access.find('bb')).toEqual({ ...aToken(2), workspaces: 'all', expires: LATER })
      expect(await access.find('a')).toBeUndefined()
      expect(await access.find('tok_1')).toBeUndefined()
      expect(await access.get('tok_1' as TokenId)).toEqual(aToken(1))
      expect(await access.get('aa' as TokenId)).toBeUndefined()
    })

    test('no two tokens have one id or one hash', async () => {
      await access.add(aToken(1), 'aa')
      await expect(access.add(aToken(1), 'bb')).rejects.toThrow()
      await expect(access.add(aToken(2), 'aa')).rejects.toThrow()
      expect(await access.list()).toEqual([aToken(1)])
    })

    test('tokens are listed in the order in which they were made, with their last use', async () => {
      for (const number of [10, 9, 8]) await access.add(aToken(number), `${number}`)
      await access.touch('tok_9' as TokenId, TIME)
      await access.touch('tok_9' as TokenId, LATER)
      expect((await access.list()).map(({ tokenId }) => tokenId)).toEqual([
        'tok_10',
        'tok_9',
        'tok_8',
      ])
      expect((await access.find('9'))?.lastUsed).toBe(LATER)
    })

    test('a token is revoked once, and stays listed', async () => {
      await access.add(aToken(1), 'aa')
      expect(await access.revoke('tok_1' as TokenId, TIME)).toEqual({ ...aToken(1), revoked: TIME })
      expect((await access.revoke('tok_1' as TokenId, LATER))?.revoked).toBe(TIME)
      expect(await access.revoke('tok_2' as TokenId, TIME)).toBeUndefined()
      expect((await access.find('aa'))?.revoked).toBe(TIME)
      expect(await access.list()).toHaveLength(1)
    })

    test('what is used is counted for each token, thing and period, and none of many at once is lost', async () => {
      const [one, two] = ['tok_1' as TokenId, 'tok_2' as TokenId]
      const sums = await Promise.all(
        Array.from({ length: 20 }, () => access.count(one, 'modelTokens', '2026-01', 7)),
      )
      expect(sums.sort((a, b) => a - b)).toEqual(sums.map((_, n) => 7 * (n + 1)))
      await access.count(one, 'modelTokens', '2026-02', 1)
      await access.count(one, 'storageBytes', '', 5_000_000_000)
      await access.count(two, 'modelTokens', '2026-01', 3)
      expect(await access.counted(one, 'modelTokens', '2026-01')).toBe(140)
      expect(await access.counted(one, 'modelTokens', '2026-02')).toBe(1)
      expect(await access.counted(one, 'storageBytes', '')).toBe(5_000_000_000)
      expect(await access.counted(two, 'modelTokens', '2026-01')).toBe(3)
      expect(await access.counted(two, 'microdollars', '2026-01')).toBe(0)
    })
  })
}

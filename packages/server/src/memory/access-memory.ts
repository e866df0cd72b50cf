import type { TokenId } from '@filewright/protocol'
import type { Access, AccessToken } from '../store/access.ts'

/** The same contract without a disk, for tests. */
export function createMemoryAccess(): Access {
  const tokens = new Map<TokenId, { readonly hash: string; token: AccessToken }>()
  const amounts = new Map<string, number>()

  function change(tokenId: TokenId, more: Partial<AccessToken>): AccessToken | undefined {
    const held = tokens.get(tokenId)
    if (held) held.token = { ...held.token, ...more }
    return held?.token
  }

  return {
    async add(token, hash) {
      const isTaken = tokens.has(token.tokenId) || [...tokens.values()].some(of => of.hash === hash)
      if (isTaken) throw new Error(`The token ${token.tokenId} or its hash is there already`)
      tokens.set(token.tokenId, { hash, token })
    },
    find: async hash => [...tokens.values()].find(held => held.hash === hash)?.token,
    get: async tokenId => tokens.get(tokenId)?.token,
    list: async () => [...tokens.values()].map(({ token }) => token),
    revoke: async (tokenId, time) =>
      change(tokenId, { revoked: tokens.get(tokenId)?.token.revoked ?? time }),
    touch: async (tokenId, time) => void change(tokenId, { lastUsed: time }),
    async count(tokenId, what, period, amount) {
      const key = `${tokenId} ${what} ${period}`
      const sum = (amounts.get(key) ?? 0) + amount
      amounts.set(key, sum)
      return sum
    },
    counted: async (tokenId, what, period) => amounts.get(`${tokenId} ${what} ${period}`) ?? 0,
  }
}

import type { TokenId } from '@filewright/protocol'

/**
 * Room for bodies that carry the text of a file, each of which takes many times its size until it is answered: one of each
 * token at a time, and few in all. Whoever sends another waits, and so does their sending.
 */
export interface LargeBodies {
  take(tokenId: TokenId): Promise<void>
  release(tokenId: TokenId): void
}

const MOST = 4

export function createLargeBodies(): LargeBodies {
  const held = new Set<TokenId>()
  const waiting: { readonly tokenId: TokenId; readonly go: () => void }[] = []

  function next(): void {
    for (let at = 0; at < waiting.length && held.size < MOST; ) {
      const { tokenId, go } = waiting[at]!
      if (held.has(tokenId)) at++
      else {
        waiting.splice(at, 1)
        held.add(tokenId)
        go()
      }
    }
  }

  return {
    take: tokenId =>
      new Promise(go => {
        waiting.push({ tokenId, go })
        next()
      }),
    release(tokenId) {
      held.delete(tokenId)
      next()
    },
  }
}

import { ok } from '@filewright/protocol'
import type { Workspaces } from '../../sources/workspaces.ts'
import type { Quotas } from '../quotas.ts'
import type { Routes } from '../route.ts'
import type { Tokens } from '../tokens.ts'

export interface TokenRouteParts {
  readonly tokens: Tokens
  readonly quotas: Quotas
  readonly workspaces: Workspaces
}

/** Tokens, for those who administer workspaces. */
export function createTokenRoutes({
  tokens,
  quotas,
  workspaces,
}: TokenRouteParts): Pick<Routes, 'listTokens' | 'createToken' | 'revokeToken'> {
  return {
    async listTokens({ scope, query }) {
      const all = await tokens.list(scope)
      const shown = all.filter(({ revoked }) => query.all === 'true' || !revoked)
      return ok({ tokens: await Promise.all(shown.map(quotas.withUse)) })
    },
    async createToken({ scope, body }) {
      for (const workspaceId of body.workspaces === 'all' ? [] : body.workspaces) {
        const found = await workspaces.find(workspaceId)
        if (!found.ok) return found
      }
      return tokens.create(body, scope)
    },
    revokeToken: ({ scope, params }) => tokens.revoke(params.tokenId, scope),
  }
}

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { WorkspaceId } from '@filewright/protocol'
import type { Settings } from '../store/settings.ts'

/** The scope of a token: everything on this server, or one workspace. */
export type Scope =
  | { readonly kind: 'owner' }
  | { readonly kind: 'workspace'; readonly workspaceId: WorkspaceId }

/** Stores only hashes of tokens. */
export interface Tokens {
  scopeOf(token: string): Promise<Scope | undefined>
  /** A token that reaches one workspace and nothing else. */
  issue(workspaceId: WorkspaceId): Promise<string>
}

export function createTokens(settings: Settings, ownerToken: string): Tokens {
  const owner = digest(ownerToken)
  const known = new Map<string, Scope>()
  const owners = new Map<string, Scope>() // at most one entry: the owner's token, once compared
  return {
    async scopeOf(token) {
      const seen = owners.get(token)
      if (seen) return seen
      const own = digest(token)
      if (timingSafeEqual(own, owner)) {
        owners.set(token, { kind: 'owner' })
        return { kind: 'owner' }
      }
      const key = own.toString('hex')
      const held = known.get(key) ?? (await settings.get<Scope>(`token/${key}`))
      if (held) known.set(key, held)
      return held
    },
    async issue(workspaceId) {
      const token = newToken()
      const scope: Scope = { kind: 'workspace', workspaceId }
      await settings.set(`token/${digest(token).toString('hex')}`, scope)
      return token
    },
  }
}

export function newToken(): string {
  return randomBytes(24).toString('base64url')
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

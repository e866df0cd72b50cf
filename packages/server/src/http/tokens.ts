import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  AGENT_RIGHTS,
  fail,
  type GivenBody,
  type IdSource,
  ok,
  type Result,
  RIGHTS,
  type TokenId,
  type WorkspaceId,
} from '@filewright/protocol'
import type { Access, AccessToken } from '../store/access.ts'
import { reaches, type Scope } from './scope.ts'

/** The tokens of this server. The owner's is in no store; of the others only hashes are. */
export interface Tokens {
  /** A failure for a token that is unknown, revoked or expired. */
  scopeOf(token: string): Promise<Result<Scope, 'DENIED'>>
  create(given: NewToken, by: Scope): Promise<Result<AccessToken & { readonly token: string }>>
  /** Those within the reach of the asker. */
  list(by: Scope): Promise<readonly AccessToken[]>
  revoke(tokenId: string, by: Scope): Promise<Result<AccessToken, 'NOT_FOUND'>>
  /** The owner's, for whoever works in its name. */
  readonly owner: Scope
}

export type NewToken = GivenBody<'createToken'>

export interface TokensOptions {
  readonly access: Access
  readonly ownerToken: string
  /** One person on one machine. */
  readonly isSingleUser: boolean
  readonly ids: IdSource
  readonly now: () => Date
  /** The last use could not be written. */
  readonly onError: (cause: unknown) => void
}

const USE_EVERY_MS = 60_000 // a write for each request would cost more than the request
const TOKEN_BYTES = 32
/** So that a person, and a program that looks for secrets, knows what it is. */
const PREFIX = 'fwt_'

export function createTokens(options: TokensOptions): Tokens {
  const { access, ids, now } = options
  const hashOfOwner = digest(options.ownerToken)
  const owner: Scope = {
    tokenId: 'owner' as TokenId,
    name: 'owner',
    workspaces: 'all',
    rights: RIGHTS,
    isOwner: true,
    decidesOwn: options.isSingleUser,
  }
  const owners = new Set<string>() // at most one: the owner's token, once compared
  const noted = new Map<TokenId, number>()

  /** Not waited for: what is asked does not depend on it. */
  function noteUse(tokenId: TokenId): void {
    const time = now()
    if (time.getTime() - (noted.get(tokenId) ?? 0) < USE_EVERY_MS) return
    noted.set(tokenId, time.getTime())
    access.touch(tokenId, time.toISOString()).catch(options.onError)
  }

  return {
    owner,
    async scopeOf(token) {
      if (owners.has(token)) return ok(owner)
      const hash = digest(token)
      if (timingSafeEqual(hash, hashOfOwner)) {
        owners.add(token)
        return ok(owner)
      }
      const held = await access.find(hash.toString('hex')) // each time: it may have been revoked
      if (!held)
        return fail(
          'DENIED',
          'This server does not know this token. "filewright serve" prints the right one.',
        )
      const refused = ended(held, now())
      if (refused) return refused
      noteUse(held.tokenId)
      return ok(toScope(held))
    },
    async create(given, by) {
      const refused = refuseNew(given, by, now())
      if (refused) return refused
      const token = PREFIX + randomBytes(TOKEN_BYTES).toString('base64url')
      const { expires, limits, isAgent = false } = given
      const made: AccessToken = {
        tokenId: ids('token'),
        name: given.name,
        rights: RIGHTS.filter(right => right === 'read' || given.rights.includes(right)),
        workspaces: given.workspaces as 'all' | readonly WorkspaceId[],
        isAgent,
        created: now().toISOString(),
        createdBy: by.name,
        ...(expires && { expires: new Date(expires).toISOString() }),
        ...(limits && { limits }),
      }
      await access.add(made, digest(token).toString('hex'))
      return ok({ ...made, token })
    },
    list: async by => (await access.list()).filter(each => isWithin(each, by)),
    async revoke(tokenId, by) {
      const known = (await access.list()).find(each => each.tokenId === tokenId)
      const revoked =
        known && isWithin(known, by)
          ? await access.revoke(known.tokenId, now().toISOString())
          : undefined
      return revoked ? ok(revoked) : fail('NOT_FOUND', `There is no token "${tokenId}".`)
    },
  }
}

function toScope({ tokenId, name, workspaces, rights, limits }: AccessToken): Scope {
  return {
    tokenId,
    name,
    workspaces,
    rights,
    isOwner: false,
    decidesOwn: false,
    ...(limits && { limits }),
  }
}

function ended({ revoked, expires }: AccessToken, now: Date) {
  if (revoked !== undefined) return fail('DENIED', 'This token was revoked.')
  if (expires !== undefined && Date.parse(expires) <= now.getTime())
    return fail('DENIED', `This token expired at ${expires}. Ask for a new one.`)
  return undefined
}

/** Nobody gives a token a reach that they do not have, and an agent decides nothing. */
function refuseNew(
  { workspaces, rights, isAgent, expires }: NewToken,
  by: Scope,
  now: Date,
): Result<never> | undefined {
  const beyond = workspaces === 'all' ? [] : workspaces.filter(each => !reaches(by, each))
  if (beyond.length > 0)
    return fail('NOT_FOUND', `No token was made: there is no workspace ${beyond.join(', ')}.`)
  if (workspaces === 'all' && by.workspaces !== 'all')
    return fail(
      'DENIED',
      `No token was made: the token "${by.name}" reaches some workspaces, so it cannot give away all. Name them.`,
    )
  const deciding = isAgent ? rights.filter(right => !AGENT_RIGHTS.includes(right)) : []
  if (deciding.length > 0)
    return fail(
      'INVALID_ARGUMENT',
      `No token was made: an agent's token holds ${AGENT_RIGHTS.join(' and ')}, never ${deciding.join(' or ')}. An agent proposes, and others decide.`,
    )
  if (expires !== undefined && Date.parse(expires) <= now.getTime())
    return fail('INVALID_ARGUMENT', `No token was made: ${expires} is over.`)
  return undefined
}

function isWithin({ workspaces }: AccessToken, by: Scope): boolean {
  if (by.workspaces === 'all') return true
  return workspaces !== 'all' && workspaces.every(each => reaches(by, each))
}

/** A token has 256 random bits, so a plain hash cannot be reversed by trying. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

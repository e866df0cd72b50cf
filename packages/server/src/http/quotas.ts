import {
  fail,
  type GivenBody,
  ok,
  type Result,
  type SessionId,
  type TokenId,
  type TokenUse,
  type Usage,
} from '@filewright/protocol'
import type { SessionLog } from '../log/log.ts'
import type { Access, AccessToken } from '../store/access.ts'
import type { Pieces } from '../store/blobs.ts'
import type { Scope } from './scope.ts'

/** What tokens use, and the bounds of those that have some. Without bounds nothing is counted. */
export interface Quotas {
  /** Starts a run within what is left, one at a time for each token. */
  start<Value>(
    asked: RunAsked,
    begin: (budget: Budget) => Promise<Result<Value>>,
  ): Promise<Result<Value>>
  /** Puts bytes as far as there is room for them. */
  store<Value>(
    scope: Scope,
    bytes: Pieces,
    put: (bytes: Pieces) => Promise<Result<Value>>,
  ): Promise<Result<Value>>
  /** The same for bytes that are here already. */
  storeWhole<Value>(
    scope: Scope,
    bytes: Uint8Array,
    put: () => Promise<Result<Value>>,
  ): Promise<Result<Value>>
  spend(tokenId: TokenId, usage: Usage): Promise<void>
  used(tokenId: TokenId): Promise<TokenUse>
  /** With what it has used, where it has bounds. */
  withUse(token: AccessToken): Promise<AccessToken & { readonly used?: TokenUse }>
}

type Budget = GivenBody<'sendMessage'>['budget']

export interface RunAsked {
  readonly scope: Scope
  readonly sessionId: SessionId
  readonly budget: Budget
}

export interface QuotasOptions {
  readonly access: Access
  readonly log: Pick<SessionLog, 'listSessions' | 'findLast'>
  readonly now: () => Date
}

const MICRO = 1_000_000
const FOREVER = '' // the period of what is counted since the token was made
const SOON_S = 5 // until a run may have ended

export function createQuotas({ access, log, now }: QuotasOptions): Quotas {
  const starting = new Map<TokenId, Promise<unknown>>()
  const month = () => now().toISOString().slice(0, 7)

  /** Two that begin at once must not both find the last place. */
  function inTurn<Value>(tokenId: TokenId, work: () => Promise<Value>): Promise<Value> {
    const before = starting.get(tokenId) ?? Promise.resolve()
    const mine = before.then(work, work)
    starting.set(tokenId, mine)
    const clear = () => starting.get(tokenId) === mine && starting.delete(tokenId)
    mine.then(clear, clear)
    return mine
  }

  async function runsOf(tokenId: TokenId, except: SessionId): Promise<number> {
    const running = (await log.listSessions({ state: 'running' })).filter(
      ({ sessionId }) => sessionId !== except,
    )
    const begun = await Promise.all(
      running.map(({ sessionId }) => log.findLast(sessionId, 'run-start')),
    )
    return begun.filter(row => row?.body.token_id === tokenId).length
  }

  async function used(tokenId: TokenId): Promise<TokenUse> {
    const [modelTokens, microdollars, storageBytes] = await Promise.all([
      access.counted(tokenId, 'modelTokens', month()),
      access.counted(tokenId, 'microdollars', month()),
      access.counted(tokenId, 'storageBytes', FOREVER),
    ])
    return { modelTokens, dollars: microdollars / MICRO, storageBytes }
  }

  async function refuseRun({ scope, sessionId }: RunAsked): Promise<Result<never> | undefined> {
    const { tokenId, name, limits = {} } = scope
    if (limits.runs === undefined) return undefined
    const running = await runsOf(tokenId, sessionId)
    if (running < limits.runs) return undefined
    return reached(
      `No run was started: the token "${name}" may have ${limits.runs} at one time, and ${running} are under way. Wait until one ends, or cancel one.`,
      SOON_S,
    )
  }

  /** What is left of the month is the most that the run may use. */
  async function withinMonth({ scope, budget = {} }: RunAsked): Promise<Result<Budget>> {
    const { tokenId, name, limits = {} } = scope
    if (limits.modelTokens === undefined && limits.dollars === undefined) return ok(budget)
    const spent = await used(tokenId)
    const left = {
      tokens: less(limits.modelTokens, spent.modelTokens),
      dollars: less(limits.dollars, spent.dollars),
    }
    if ((left.tokens ?? 1) <= 0 || (left.dollars ?? 1) <= 0)
      return reached(
        `No run was started: the token "${name}" has used what it may use of models this month.`,
        untilNextMonth(now()),
      )
    const tokens = smaller(budget.tokens, left.tokens)
    const dollars = smaller(budget.dollars, left.dollars)
    return ok({
      ...budget,
      ...(tokens !== undefined && { tokens }),
      ...(dollars !== undefined && { dollars }),
    })
  }

  async function store<Value>(
    { tokenId, name, limits }: Scope,
    bytes: Pieces,
    put: (bytes: Pieces) => Promise<Result<Value>>,
  ): Promise<Result<Value>> {
    const most = limits?.storageBytes
    if (most === undefined) return put(bytes)
    const before = await access.counted(tokenId, 'storageBytes', FOREVER)
    const room = new Room(most - before)
    try {
      const stored = await put(room.pass(bytes))
      if (stored.ok) await access.count(tokenId, 'storageBytes', FOREVER, room.taken)
      return stored
    } catch (error) {
      if (error !== room) throw error
      return fail(
        'LIMIT_REACHED',
        `Nothing was stored: the token "${name}" may store ${most} bytes, ${before} are used, and this would be more.`,
      )
    }
  }

  return {
    used,
    store,
    storeWhole: (scope, bytes, put) =>
      store(scope, bytes, async pieces => {
        for await (const _ of pieces as AsyncIterable<Uint8Array>); // all of them pass
        return put()
      }),
    start(asked, begin) {
      if (asked.scope.limits === undefined) return begin(asked.budget)
      return inTurn(asked.scope.tokenId, async () => {
        const refused = await refuseRun(asked)
        if (refused) return refused
        const budget = await withinMonth(asked)
        return budget.ok ? begin(budget.value) : budget
      })
    },
    async spend(tokenId, { inputTokens, outputTokens, cost = 0 }) {
      await access.count(tokenId, 'modelTokens', month(), inputTokens + outputTokens)
      if (cost > 0) await access.count(tokenId, 'microdollars', month(), Math.ceil(cost * MICRO))
    },
    withUse: async token => (token.limits ? { ...token, used: await used(token.tokenId) } : token),
  }
}

/** Thrown by itself when what passes does not fit. */
class Room extends Error {
  taken = 0
  readonly most: number

  constructor(most: number) {
    super('The token may not store as much')
    this.most = most
  }

  async *pass(bytes: Pieces): AsyncGenerator<Uint8Array> {
    for await (const piece of bytes instanceof Uint8Array ? [bytes] : bytes) {
      this.taken += piece.byteLength
      if (this.taken > this.most) throw this
      yield piece
    }
  }
}

function reached(message: string, retryAfterSeconds: number) {
  return fail('LIMIT_REACHED', message, { details: { retryAfterSeconds } })
}

function less(most: number | undefined, spent: number): number | undefined {
  return most === undefined ? undefined : most - spent
}

function smaller(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)
}

function untilNextMonth(now: Date): number {
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)
  return Math.ceil((next - now.getTime()) / 1000)
}

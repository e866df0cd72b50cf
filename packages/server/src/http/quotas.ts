import {
  fail,
  type GivenBody,
  ok,
  type Result,
  type SessionId,
  type TokenId,
  type TokenLimits,
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
  /** Gives the token when nothing is left of its month. */
  spend(tokenId: TokenId, usage: Usage): Promise<AccessToken | undefined>
  /** For a message into a run that is under way: it adds to what the run costs. */
  refuseMore(scope: Scope): Promise<Result<never> | undefined>
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
    const left = leftOf(limits, await used(tokenId))
    if (isNothing(left))
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
    const room = new Room(most, amount => access.count(tokenId, 'storageBytes', FOREVER, amount))
    try {
      const stored = await put(room.pass(bytes))
      if (stored.ok) room.keep()
      return stored
    } catch (error) {
      if (error !== room) throw error
      return fail(
        'LIMIT_REACHED',
        `Nothing was stored: the token "${name}" may store ${most} bytes, ${room.usedByOthers} are used, and this would be more.`,
      )
    } finally {
      await room.giveBack()
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
    async refuseMore({ tokenId, name, limits = {} }) {
      const hasBound = limits.modelTokens !== undefined || limits.dollars !== undefined
      if (!hasBound || !isNothing(leftOf(limits, await used(tokenId)))) return undefined
      return reached(
        `The message was not sent: the token "${name}" has used what it may use of models this month.`,
        untilNextMonth(now()),
      )
    },
    async spend(tokenId, { inputTokens, outputTokens, cost = 0 }) {
      await access.count(tokenId, 'modelTokens', month(), inputTokens + outputTokens)
      if (cost > 0) await access.count(tokenId, 'microdollars', month(), Math.ceil(cost * MICRO))
      const token = await access.get(tokenId)
      return token?.limits && isNothing(leftOf(token.limits, await used(tokenId)))
        ? token
        : undefined
    },
    withUse: async token => (token.limits ? { ...token, used: await used(token.tokenId) } : token),
  }
}

/**
 * Bytes are counted before they pass, so that many requests at once, at any instance, do not find the same room. Thrown
 * by itself when they do not fit.
 */
class Room extends Error {
  usedByOthers = 0
  #taken = 0
  #reserved = 0
  readonly #most: number
  readonly #count: (amount: number) => Promise<number>

  constructor(most: number, count: (amount: number) => Promise<number>) {
    super('The token may not store as much')
    this.#most = most
    this.#count = count
  }

  async *pass(bytes: Pieces): AsyncGenerator<Uint8Array> {
    for await (const piece of bytes instanceof Uint8Array ? [bytes] : bytes) {
      const lacking = this.#taken + piece.byteLength - this.#reserved
      // As much again as has passed, so that a long upload writes few rows; near the bound, no more than it needs.
      const isThere =
        lacking <= 0 ||
        (this.#taken > lacking && (await this.#reserve(this.#taken))) ||
        (await this.#reserve(lacking))
      if (!isThere) throw this
      this.#taken += piece.byteLength
      yield piece
    }
  }

  async #reserve(amount: number): Promise<boolean> {
    const sum = await this.#count(amount)
    this.#reserved += amount
    if (sum <= this.#most) return true
    this.usedByOthers = sum - this.#reserved
    this.#reserved -= amount
    await this.#count(-amount)
    return false
  }

  /** What passed is stored: it stays counted. */
  keep(): void {
    this.#reserved -= this.#taken
  }

  async giveBack(): Promise<void> {
    if (this.#reserved !== 0) await this.#count(-this.#reserved)
  }
}

function reached(message: string, retryAfterSeconds: number) {
  return fail('LIMIT_REACHED', message, { details: { retryAfterSeconds } })
}

interface Left {
  readonly tokens: number | undefined
  readonly dollars: number | undefined
}

function leftOf({ modelTokens, dollars }: TokenLimits, spent: TokenUse): Left {
  return { tokens: less(modelTokens, spent.modelTokens), dollars: less(dollars, spent.dollars) }
}

function isNothing({ tokens = 1, dollars = 1 }: Left): boolean {
  return tokens <= 0 || dollars <= 0
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

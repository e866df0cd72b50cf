import { ok, type Result, type SessionId } from '@filewright/protocol'
import type {
  Appended,
  AppendFailure,
  Appending,
  AppendOptions,
  Lease,
  NewLine,
  SessionLog,
} from '../../log/log.ts'
import { consumedBefore, leaseLost } from '../../log/log-failures.ts'
import type { Postgres } from '../database/postgres.ts'
import { createHands, type Hand, numberLines, openedBy } from './hands.ts'
import { createLanes } from './lanes.ts'
import { write } from './log-insert.ts'
import { claim, release, renew } from './log-leases.ts'
import type { LogNews } from './log-news.ts'

type Kept = Result<Appended, AppendFailure>

interface Waiting {
  readonly hand: Hand
  readonly appended: Appended
  readonly consume: readonly string[]
  readonly durable: boolean
  end(kept: Kept): void
  fail(error: unknown): void
}

type LogWriter = Pick<
  SessionLog,
  'leaseMs' | 'claim' | 'renew' | 'release' | 'append' | 'appendNow'
> & {
  /** Resolves when everything sent for the session has arrived or failed. */
  settled(sessionId: SessionId): Promise<void>
}

/** Numbers rows here and sends them in order, those of one session together while an earlier write is under way. */
export function createLogWriter(
  database: Postgres,
  news: LogNews,
  now: () => Date,
  leaseMs: number,
): LogWriter {
  const hands = createHands()
  const lanes = createLanes<Waiting>(async all => {
    for (const group of byHand(all)) await writeGroup(group)
  })

  async function writeGroup(all: readonly Waiting[]): Promise<void> {
    const { hand } = all[0]!
    const { lease } = hand
    if (hand.isLost) return endAll(all, leaseLost(lease))
    const rows = all.flatMap(({ appended }) => appended.rows)
    try {
      const isKept = await write(database, {
        lease,
        rows,
        consume: all.flatMap(({ consume }) => consume),
        opened: openedBy(hand, rows),
        durable: all.some(({ durable }) => durable),
      })
      if (!isKept) {
        hand.isLost = true
        return endAll(all, leaseLost(lease))
      }
      await news.wrote(lease.sessionId, rows)
      for (const { appended, end } of all) end(ok(appended))
    } catch (error) {
      hand.isLost = true
      for (const { fail } of all) fail(error)
    }
  }

  function appendNow(
    lease: Lease,
    lines: readonly NewLine[],
    { consume = [], acknowledge = 'durable' }: AppendOptions = {},
  ): Appending {
    const hand = hands.of(lease)
    if (!hand) return { ...NOTHING, kept: Promise.resolve(leaseLost(lease)) }
    const gone = consume.filter(id => hand.consumed.has(id))
    if (gone.length > 0)
      return { ...NOTHING, kept: Promise.resolve(consumedBefore(lease.sessionId, gone)) }
    const appended = numberLines(hand, lines, now().toISOString())
    for (const id of consume) hand.consumed.add(id)
    const kept = new Promise<Kept>((end, fail) => {
      const durable = acknowledge !== 'written'
      lanes.add(lease.sessionId, { hand, appended, consume, durable, end, fail })
    })
    return { ...appended, kept }
  }

  return {
    leaseMs,
    settled: lanes.settled,
    claim: (sessionId, holder, ttlMs = leaseMs) =>
      lanes.run(sessionId, async () => {
        const lostEpoch = hands.lostEpoch(sessionId)
        const claimed = await claim(database, sessionId, holder, { ttlMs, lostEpoch })
        if (!claimed.ok) return claimed
        hands.take(claimed.value)
        return ok(claimed.value.lease)
      }),
    async renew(lease, ttlMs = leaseMs) {
      const renewed = hands.of(lease) ? await renew(database, lease, ttlMs) : leaseLost(lease)
      const hand = hands.of(lease)
      if (!renewed.ok && hand) hand.isLost = true
      return hand || !renewed.ok ? renewed : leaseLost(lease)
    },
    release: lease =>
      lanes.run(lease.sessionId, async () => {
        await release(database, lease)
        hands.drop(lease)
      }),
    async append(lease, lines, options) {
      try {
        return await appendNow(lease, lines, options).kept
      } catch (error) {
        const hand = hands.of(lease)
        if (hand) hand.isLost = true
        throw error
      }
    },
    appendNow,
  }
}

const NOTHING: Appended = { rows: [], alreadyEnded: [] }

function endAll(all: readonly Waiting[], kept: Kept): void {
  for (const { end } of all) end(kept)
}

/** Appends of one lease in a row. */
function byHand(all: readonly Waiting[]): Waiting[][] {
  const groups: Waiting[][] = []
  for (const waiting of all) {
    const last = groups.at(-1)
    if (last?.[0]?.hand === waiting.hand) last.push(waiting)
    else groups.push([waiting])
  }
  return groups
}

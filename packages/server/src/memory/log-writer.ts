import { type LogRow, ok, type Result, type SessionId, type ToolCallId } from '@filewright/protocol'
import {
  type Appended,
  type AppendFailure,
  type Appending,
  type AppendOptions,
  LEASE_MS,
  type Lease,
  type NewLine,
  type SessionLog,
} from '../log/log.ts'
import type { createDelivery } from '../log/log-delivery.ts'
import { consumedBefore, heldBy, leaseLost, noSession } from '../log/log-failures.ts'
import { FREE, type KeptSession, land, type RemoteLog } from './remote-log.ts'

/** A holder's knowledge since its claim, which lets it number rows before they arrive. */
interface Hand {
  readonly lease: Lease
  last: number
  readonly ended: Set<ToolCallId>
  readonly consumed: Set<string>
  isLost: boolean
}

type Kept = Result<Appended, AppendFailure>

type LogWriter = Pick<
  SessionLog,
  'leaseMs' | 'claim' | 'renew' | 'release' | 'append' | 'appendNow'
>

export function createLogWriter(
  remote: RemoteLog,
  delivery: ReturnType<typeof createDelivery<LogRow>>,
) {
  const { sessions, now, arrive } = remote
  const hands = new Map<SessionId, Hand>()
  const writing = new Map<SessionId, Promise<unknown>>()

  /** Writes of one session arrive in the order they were sent. */
  function send<Value>(sessionId: SessionId, work: () => Value): Promise<Value> {
    const arriving = (writing.get(sessionId) ?? Promise.resolve()).then(arrive).then(work)
    const ended = arriving.catch(() => {}) // the sender gets the error
    writing.set(sessionId, ended)
    return arriving
  }

  function handOf({ sessionId, epoch }: Lease): Hand | undefined {
    const hand = hands.get(sessionId)
    return hand?.lease.epoch === epoch && !hand.isLost ? hand : undefined
  }

  function claim(sessionId: SessionId, holder: string, ttlMs: number) {
    const kept = sessions.get(sessionId)
    if (!kept) return noSession(sessionId)
    const hand = hands.get(sessionId)
    const isOurLost = hand?.isLost && hand.lease.epoch === kept.lease.epoch
    const left = kept.lease.expires - now().getTime()
    if (kept.lease.holder !== null && left > 0 && !isOurLost)
      return heldBy(sessionId, kept.lease.holder, left)
    const { workspaceId } = kept.session
    kept.lease = { holder, epoch: kept.lease.epoch + 1, expires: now().getTime() + ttlMs }
    const lease: Lease = { sessionId, workspaceId, ...kept.lease, holder }
    hands.set(sessionId, newHand(lease, kept))
    return ok(lease)
  }

  function renew(lease: Lease, ttlMs: number) {
    const kept = sessions.get(lease.sessionId)
    if (!handOf(lease) || kept?.lease.epoch !== lease.epoch) return leaseLost(lease)
    kept.lease = { ...kept.lease, expires: now().getTime() + ttlMs }
    return ok({ ...lease, expires: kept.lease.expires })
  }

  function appendNow(
    lease: Lease,
    lines: readonly NewLine[],
    { consume = [] }: AppendOptions = {},
  ): Appending {
    const hand = handOf(lease)
    if (!hand) return { ...NOTHING, kept: Promise.resolve(leaseLost(lease)) }
    const gone = consume.filter(id => hand.consumed.has(id))
    if (gone.length > 0)
      return { ...NOTHING, kept: Promise.resolve(consumedBefore(lease.sessionId, gone)) }
    const appended = number(hand, lines, now().toISOString())
    for (const id of consume) hand.consumed.add(id)
    return { ...appended, kept: write(hand, appended, consume) }
  }

  async function write(hand: Hand, appended: Appended, consume: readonly string[]): Promise<Kept> {
    const { lease } = hand
    const { sessionId, epoch } = lease
    const place = delivery.queue(sessionId)
    try {
      const { rows } = appended
      const isKept = await send(
        sessionId,
        () => !hand.isLost && land(remote, { sessionId, epoch, rows, consume }),
      )
      if (!isKept) hand.isLost = true
      place.fill(isKept ? rows : [])
      return isKept ? ok(appended) : leaseLost(lease)
    } catch (error) {
      hand.isLost = true
      place.fill([])
      throw error
    }
  }

  async function append(lease: Lease, lines: readonly NewLine[], options?: AppendOptions) {
    try {
      return await appendNow(lease, lines, options).kept
    } catch (error) {
      const hand = handOf(lease)
      if (hand) hand.isLost = true
      throw error
    }
  }

  const writer: LogWriter = {
    leaseMs: LEASE_MS,
    claim: (sessionId, holder, ttlMs = LEASE_MS) =>
      send(sessionId, () => claim(sessionId, holder, ttlMs)),
    renew: (lease, ttlMs = LEASE_MS) => send(lease.sessionId, () => renew(lease, ttlMs)),
    release: ({ sessionId, epoch }) =>
      send(sessionId, () => {
        const kept = sessions.get(sessionId)
        if (kept?.lease.epoch === epoch) free(kept)
      }),
    append,
    appendNow,
  }

  return {
    ...writer,
    async releaseAll() {
      for (const kept of sessions.values()) if (kept.lease.holder !== null) free(kept)
    },
    /** Resolves when everything sent for the session has arrived or is lost. */
    settled: async (sessionId: SessionId) => void (await writing.get(sessionId)),
  }
}

const NOTHING: Appended = { rows: [], alreadyEnded: [] }

function newHand(lease: Lease, { rows, results }: KeptSession): Hand {
  return {
    lease,
    last: rows.length,
    ended: new Set(results.keys()),
    consumed: new Set(),
    isLost: false,
  }
}

function free(kept: KeptSession): void {
  kept.lease = { ...FREE, epoch: kept.lease.epoch + 1 }
}

/** Drops a second result. A line that cannot be sent throws before any line is numbered. */
function number(hand: Hand, lines: readonly NewLine[], time: string): Appended {
  const rows: LogRow[] = []
  const alreadyEnded: ToolCallId[] = []
  const sent = JSON.parse(JSON.stringify(lines)) as readonly NewLine[]
  const { sessionId } = hand.lease
  for (const { conversationId, body } of sent) {
    if (body.type === 'tool_result' && hand.ended.has(body.tool_call_id)) {
      alreadyEnded.push(body.tool_call_id)
      continue
    }
    if (body.type === 'tool_result') hand.ended.add(body.tool_call_id)
    rows.push({ sessionId, seq: ++hand.last, conversationId, type: body.type, time, body })
  }
  return { rows, alreadyEnded }
}

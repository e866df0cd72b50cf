import type { LogRow, SessionId, Sha256, ToolCallId } from '@filewright/protocol'
import { blobsNamedBy, stateAfter } from '../log/line-effects.ts'
import type { NewSession, Session, SessionKind, WaitingItem } from '../log/log.ts'

/** The remote side: only a request that has arrived changes it. */
export interface RemoteLog {
  readonly sessions: Map<SessionId, KeptSession>
  readonly now: () => Date
  readonly arrive: () => Promise<void>
  /** The total number of rows that have arrived. */
  arrived: number
}

export interface KeptSession {
  session: Session
  /** How many rows had arrived at its last one; without a row, when it was made. */
  last: number
  lease: KeptLease
  readonly rows: LogRow[]
  /** The newest start of a call, among all rows. */
  readonly started: Map<ToolCallId, { readonly name: string; readonly at: number }>
  readonly results: Map<ToolCallId, LogRow>
  readonly blobs: Set<Sha256>
  readonly inbox: Map<string, KeptItem>
}

export interface KeptLease {
  readonly holder: string | null
  readonly epoch: number
  readonly expires: number
}

interface KeptItem {
  readonly item: WaitingItem
  readonly isWaiting: boolean
}

export const FREE = { holder: null, expires: 0 } as const

export function newSession(
  session: NewSession,
  kind: SessionKind,
  { time, arrived }: { readonly time: string; readonly arrived: number },
): KeptSession {
  return {
    last: arrived,
    session: { title: '', ...session, kind, state: 'idle', created: time, updated: time },
    lease: { ...FREE, epoch: 0 },
    rows: [],
    started: new Map(),
    results: new Map(),
    blobs: new Set(),
    inbox: new Map(),
  }
}

export interface Write {
  readonly sessionId: SessionId
  readonly epoch: number
  readonly rows: readonly LogRow[]
  readonly consume: readonly string[]
}

/** All or nothing, fenced like a database: false when the epoch is over, a number is taken, or an item is gone. */
export function land(remote: RemoteLog, { sessionId, epoch, rows, consume }: Write): boolean {
  const kept = remote.sessions.get(sessionId)
  if (!kept || kept.lease.epoch !== epoch) return false
  if (rows.length > 0 && rows[0]!.seq !== kept.rows.length + 1) return false
  if (rows.some(({ body }) => body.type === 'tool_result' && kept.results.has(body.tool_call_id)))
    return false
  if (!consume.every(id => kept.inbox.get(id)?.isWaiting)) return false
  for (const id of consume) kept.inbox.set(id, { ...kept.inbox.get(id)!, isWaiting: false })
  for (const row of rows) add(kept, row, ++remote.arrived)
  return true
}

function add(kept: KeptSession, row: LogRow, at: number): void {
  const { body, conversationId, time } = row
  kept.rows.push(row)
  kept.last = at
  if (body.type === 'call-start') kept.started.set(body.tool_call_id, { name: body.name, at })
  if (body.type === 'tool_result') kept.results.set(body.tool_call_id, row)
  if (body.type === 'conversation-start') kept.session = { ...kept.session, conversationId }
  const state = stateAfter(body)
  if (state) kept.session = { ...kept.session, state, updated: time }
  for (const sha256 of blobsNamedBy(body)) kept.blobs.add(sha256 as Sha256)
}

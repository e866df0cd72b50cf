import { LEASE_MS, type SessionLog } from '../../log/log.ts'
import type { Blobs } from '../../store/blobs.ts'
import type { Database } from '../database/database.ts'
import { createFinderPart } from './log-finder.ts'
import { createInboxPart } from './log-inbox.ts'
import { createLeasePart, type LeasePart } from './log-leases.ts'
import { createRowPart } from './log-rows.ts'
import { createSessionPart } from './log-sessions.ts'
import { createLostLeases } from './lost-leases.ts'

export interface SessionLogOptions {
  readonly now?: () => Date
  /** Blobs younger than this survive the deletion of their session. */
  readonly blobGraceMs?: number
  readonly leaseMs?: number
}

export type EmbeddedLog = SessionLog & Pick<LeasePart, 'releaseAll'>

export function createSessionLog(
  database: Database,
  blobs: Blobs,
  { now = () => new Date(), blobGraceMs, leaseMs = LEASE_MS }: SessionLogOptions = {},
): EmbeddedLog {
  const lost = createLostLeases()
  return {
    ...createSessionPart(database, blobs, now, blobGraceMs),
    ...createLeasePart(database, lost, leaseMs),
    ...createRowPart(database, now, lost),
    ...createFinderPart(database),
    ...createInboxPart(database, now),
  }
}

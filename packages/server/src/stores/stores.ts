import { join } from 'node:path'
import { createIdSource, type IdSource, ok, type Result } from '@filewright/protocol'
import { createAccess } from '../embedded/access-embedded.ts'
import { createFileBlobs } from '../embedded/blobs-embedded.ts'
import { type Database, type OpenFailure, openDatabase } from '../embedded/database/database.ts'
import { createDecisions } from '../embedded/decisions-embedded.ts'
import { createSessionLog } from '../embedded/log/log-embedded.ts'
import { createPatches } from '../embedded/patches-embedded.ts'
import { createSearchIndex } from '../embedded/search-index-embedded.ts'
import { createSettings } from '../embedded/settings-embedded.ts'
import { createSources } from '../embedded/sources-embedded.ts'
import type { SessionLog } from '../log/log.ts'
import { createMemoryAccess } from '../memory/access-memory.ts'
import { createMemoryBlobs } from '../memory/blobs-memory.ts'
import { createMemoryDecisions } from '../memory/decisions-memory.ts'
import { createMemoryLog } from '../memory/log-memory.ts'
import { createMemoryPatches } from '../memory/patches-memory.ts'
import { createMemorySearchIndex } from '../memory/search-index-memory.ts'
import { createMemorySettings } from '../memory/settings-memory.ts'
import { createMemorySources } from '../memory/sources-memory.ts'
import type { Patches } from '../patches/patches.ts'
import type { SharedFailure, SharedPlace } from '../shared/open-shared.ts'
import type { Access } from '../store/access.ts'
import type { Blobs } from '../store/blobs.ts'
import type { DecisionLog } from '../store/decisions.ts'
import type { Homes } from '../store/homes.ts'
import type { Hosted } from '../store/hosted.ts'
import type { SearchIndex } from '../store/search-index.ts'
import type { Settings } from '../store/settings.ts'
import type { Sources } from '../store/sources.ts'
import { createRandomHex } from '../words/random-hex.ts'

/** Everything the server remembers. */
export interface Stores {
  readonly blobs: Blobs
  readonly sources: Sources
  readonly log: SessionLog
  readonly patches: Patches
  readonly settings: Settings
  readonly searchIndex: SearchIndex
  readonly access: Access
  readonly decisions: DecisionLog
  /** Only where other instances use the same stores. */
  readonly homes?: Homes
  readonly hosted?: Hosted
  /**
   * For a server at its start: frees the leases of holders that cannot be alive. When one process owns the state, that
   * is every lease; when several share it, none, since a dead holder's lease expires.
   */
  releaseDead(): Promise<void>
  close(): Promise<void>
}

export interface StoresOptions {
  readonly ids?: IdSource
  readonly now?: () => Date
}

/** Nothing is freed at a start: another instance may be at work, and the lease of a dead one expires. */
export async function openSharedStores(
  place: SharedPlace,
  { ids = createIdSource(randomHex), now = () => new Date() }: StoresOptions = {},
): Promise<Result<Stores, SharedFailure>> {
  const { openShared } = await import('../shared/open-shared.ts') // a start on one machine does not load it
  const opened = await openShared(place, { ids, now })
  return opened.ok ? ok({ ...opened.value, releaseDead: async () => {} }) : opened
}

/** Long, because each renewal is a write. If the owner dies, the next one frees its sessions when it starts. */
const OWNED_LEASE_MS = 60 * 60_000

/** `filewright.db` and `blobs/` in the state folder, which the caller owns (it holds its lock). */
export async function openStores(
  folder: string,
  options?: StoresOptions,
): Promise<Result<Stores, OpenFailure>> {
  const database = await openDatabase(join(folder, 'filewright.db'))
  if (!database.ok) return database
  return ok(createStores(database.value, createFileBlobs(join(folder, 'blobs')), options))
}

/** On a database that the caller alone uses; it is closed with the stores. */
export function createStores(
  database: Database,
  blobs: Blobs,
  { ids = createIdSource(randomHex), now }: StoresOptions = {},
): Stores {
  const log = createSessionLog(database, blobs, { now, leaseMs: OWNED_LEASE_MS })
  return {
    blobs,
    log,
    sources: createSources(database, blobs, now),
    patches: createPatches(database, ids, now),
    settings: createSettings(database),
    searchIndex: createSearchIndex(database),
    access: createAccess(database),
    decisions: createDecisions(database),
    releaseDead: log.releaseAll,
    close: () => database.close(),
  }
}

/** The same without a database, for tests: writes to the log arrive later, as if they went to another machine. */
export async function openMemoryStores({
  ids = createIdSource(randomHex),
  now = () => new Date(),
}: StoresOptions = {}): Promise<Stores> {
  const blobs = createMemoryBlobs()
  const sources = createMemorySources(blobs, now)
  const log = createMemoryLog(blobs, { now, isVersion: sources.names })
  return {
    blobs,
    log,
    sources,
    patches: createMemoryPatches(ids, now),
    settings: createMemorySettings(),
    searchIndex: createMemorySearchIndex(),
    access: createMemoryAccess(),
    decisions: createMemoryDecisions(),
    releaseDead: log.releaseAll,
    close: async () => {},
  }
}

const randomHex = createRandomHex()

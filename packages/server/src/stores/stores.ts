import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createIdSource, type IdSource, ok, type Result } from '@filewright/protocol'
import { createFileBlobs } from '../embedded/blobs-embedded.ts'
import { type OpenFailure, openDatabase } from '../embedded/database/database.ts'
import { createSessionLog } from '../embedded/log/log-embedded.ts'
import { createPatches } from '../embedded/patches-embedded.ts'
import { createSettings } from '../embedded/settings-embedded.ts'
import { createSources } from '../embedded/sources-embedded.ts'
import type { SessionLog } from '../log/log.ts'
import { createMemoryBlobs } from '../memory/blobs-memory.ts'
import { createMemoryLog } from '../memory/log-memory.ts'
import { createMemoryPatches } from '../memory/patches-memory.ts'
import { createMemorySettings } from '../memory/settings-memory.ts'
import { createMemorySources } from '../memory/sources-memory.ts'
import type { Patches } from '../patches/patches.ts'
import type { Blobs } from '../store/blobs.ts'
import type { Settings } from '../store/settings.ts'
import type { Sources } from '../store/sources.ts'

/** Everything the server remembers. */
export interface Stores {
  readonly blobs: Blobs
  readonly sources: Sources
  readonly log: SessionLog
  readonly patches: Patches
  readonly settings: Settings
  /**
   * For a server at its start: what holders that cannot be alive any more held is free. Where one process owns the state
   * that is every lease; where several share it none, since a dead holder's lease ends at its time.
   */
  releaseDead(): Promise<void>
  close(): Promise<void>
}

export interface StoresOptions {
  readonly ids?: IdSource
  readonly now?: () => Date
}

/** `filewright.db` and `blobs/` in the state folder, which the caller owns (it holds its lock). */
export async function openStores(
  folder: string,
  { ids = createIdSource(randomHex), now = () => new Date() }: StoresOptions = {},
): Promise<Result<Stores, OpenFailure>> {
  const opened = await openDatabase(join(folder, 'filewright.db'))
  if (!opened.ok) return opened
  const database = opened.value
  const blobs = createFileBlobs(join(folder, 'blobs'))
  const log = createSessionLog(database, blobs, { now })
  return ok({
    blobs,
    log,
    sources: createSources(database, blobs, now),
    patches: createPatches(database, ids, now),
    settings: createSettings(database),
    releaseDead: log.releaseAll,
    close: () => database.close(),
  })
}

/** The same without a disk, for tests. */
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
    releaseDead: log.releaseAll,
    close: async () => {},
  }
}

function randomHex(digits: number): string {
  return randomBytes(Math.ceil(digits / 2))
    .toString('hex')
    .slice(0, digits)
}

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createIdSource, type IdSource, ok, type Result } from '@filewright/protocol'
import { sweepBlobs } from '../embedded/blob-references.ts'
import { createFileBlobs } from '../embedded/blobs-embedded.ts'
import {
  type Database,
  IN_MEMORY,
  type OpenFailure,
  openDatabase,
} from '../embedded/database/database.ts'
import { createSessionLog } from '../embedded/log/log-embedded.ts'
import { createPatches } from '../embedded/patches-embedded.ts'
import { createSettings } from '../embedded/settings-embedded.ts'
import { createSources } from '../embedded/sources-embedded.ts'
import type { SessionLog } from '../log/log.ts'
import { createMemoryBlobs } from '../memory/blobs-memory.ts'
import type { Patches } from '../patches/patches.ts'
import type { Blobs, IsKept } from '../store/blobs.ts'
import type { Settings } from '../store/settings.ts'
import type { Sources } from '../store/sources.ts'

/** Everything the server remembers. */
export interface Stores {
  readonly blobs: Blobs
  readonly sources: Sources
  readonly log: SessionLog
  readonly patches: Patches
  readonly settings: Settings
  /** Removes blobs that nothing names: neither a row here nor, by `isKept`, a draft or checkpoint. */
  sweepBlobs(isKept: IsKept): Promise<void>
  close(): Promise<void>
}

export interface StoresOptions {
  readonly ids?: IdSource
  readonly now?: () => Date
}

/** `filewright.db` and `blobs/` in the state folder, which the caller owns (it holds its lock). */
export async function openStores(
  folder: string,
  options: StoresOptions = {},
): Promise<Result<Stores, OpenFailure>> {
  const database = await openDatabase(join(folder, 'filewright.db'))
  if (!database.ok) return database
  return ok(storesOn(database.value, createFileBlobs(join(folder, 'blobs')), options))
}

/** The same without a disk, for tests. */
export async function openMemoryStores(options: StoresOptions = {}): Promise<Stores> {
  const database = await openDatabase(IN_MEMORY)
  if (!database.ok) throw new Error(database.failure.message)
  return storesOn(database.value, createMemoryBlobs(), options)
}

function storesOn(database: Database, blobs: Blobs, options: StoresOptions): Stores {
  const { ids = createIdSource(randomHex), now = () => new Date() } = options
  return {
    blobs,
    sources: createSources(database, blobs, now),
    log: createSessionLog(database, blobs, { now }),
    patches: createPatches(database, ids, now),
    settings: createSettings(database),
    async sweepBlobs(isKept) {
      await sweepBlobs(database, blobs, isKept)
    },
    close: () => database.close(),
  }
}

function randomHex(digits: number): string {
  return randomBytes(Math.ceil(digits / 2))
    .toString('hex')
    .slice(0, digits)
}

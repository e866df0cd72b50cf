import { fail, type IdSource, ok, type Result } from '@filewright/protocol'
import type { SessionLog } from '../log/log.ts'
import type { Patches } from '../patches/patches.ts'
import type { Access } from '../store/access.ts'
import type { Blobs } from '../store/blobs.ts'
import type { DecisionLog } from '../store/decisions.ts'
import type { Homes } from '../store/homes.ts'
import type { Hosted } from '../store/hosted.ts'
import type { SearchIndex } from '../store/search-index.ts'
import type { Settings } from '../store/settings.ts'
import type { Sources } from '../store/sources.ts'
import { createSharedAccess } from './access-shared.ts'
import { createSharedBlobs } from './blobs/blobs-shared.ts'
import { type BucketPlace, openBucket } from './blobs/bucket.ts'
import { migrate } from './database/migrate.ts'
import { connectPostgres, type Postgres } from './database/postgres.ts'
import { createSharedDecisions } from './decisions-shared.ts'
import { createSharedHomes } from './homes-shared.ts'
import { createHosted } from './hosted/hosted-shared.ts'
import { createSharedLog } from './log/log-shared.ts'
import { createSharedPatches } from './patches-shared.ts'
import { createSharedSearchIndex } from './search-index-shared.ts'
import { createSharedSettings } from './settings-shared.ts'
import { createSharedSources } from './sources-shared.ts'

export interface SharedPlace {
  /** `postgres://…` */
  readonly database: string
  readonly bucket: BucketPlace
}

export interface SharedOptions {
  readonly ids: IdSource
  readonly now: () => Date
  readonly leaseMs?: number
}

export interface SharedParts {
  readonly blobs: Blobs
  readonly sources: Sources
  readonly log: SessionLog
  readonly patches: Patches
  readonly settings: Settings
  readonly searchIndex: SearchIndex
  readonly access: Access
  readonly decisions: DecisionLog
  readonly homes: Homes
  readonly hosted: Hosted
  close(): Promise<void>
}

export type SharedFailure = 'STATE_TOO_NEW' | 'STATE_UNREADABLE' | 'STATE_UNREACHABLE'

/** A database and a bucket that several instances use at the same time. */
export async function openShared(
  place: SharedPlace,
  options: SharedOptions,
): Promise<Result<SharedParts, SharedFailure>> {
  const connected = await connectShared(place)
  if (!connected.ok) return connected
  return ok(assemble(connected.value.database, connected.value.blobs, options))
}

/** The tables are there, and both were tried. */
export async function connectShared({
  database: url,
  bucket: place,
}: SharedPlace): Promise<Result<{ database: Postgres; blobs: Blobs }, SharedFailure>> {
  if (!/^postgres(ql)?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    return unreachable('database', 'FILEWRIGHT_DATABASE', new Error(NO_ADDRESS))
  const database = await connectPostgres(url)
  try {
    const migrated = await migrate(database)
    if (!migrated.ok) {
      await database.close()
      return migrated
    }
  } catch (error) {
    await database.close()
    return unreachable('database', `FILEWRIGHT_DATABASE (${withoutPassword(url)})`, error)
  }
  const bucket = await openBucket(place)
  try {
    await bucket.check()
  } catch (error) {
    await database.close()
    return unreachable('bucket', `FILEWRIGHT_BLOBS (${place.url})`, error)
  }
  return ok({ database, blobs: createSharedBlobs(database, bucket) })
}

function assemble(
  database: Postgres,
  blobs: Blobs,
  { ids, now, leaseMs }: SharedOptions,
): SharedParts {
  const log = createSharedLog(database, blobs, { now, leaseMs })
  const homes = createSharedHomes(database)
  return {
    blobs,
    homes,
    hosted: createHosted(database, blobs, {
      instance: homes.instance,
      now,
      blobGraceMs: REMOVED_GRACE_MS,
    }),
    log,
    sources: createSharedSources(database, blobs, now),
    patches: createSharedPatches(database, ids, now),
    settings: createSharedSettings(database),
    searchIndex: createSharedSearchIndex(database),
    access: createSharedAccess(database),
    decisions: createSharedDecisions(database),
    async close() {
      await homes.close()
      await log.close()
      await database.close()
    },
  }
}

/** Another workspace may be about to name the same bytes. */
const REMOVED_GRACE_MS = 10 * 60_000

function unreachable(what: string, setting: string, error: unknown) {
  const reason = (error as Error).message || String((error as { code?: string }).code)
  return fail(
    'STATE_UNREACHABLE',
    `Cannot use the ${what} that ${setting} names: ${reason.replace(/\.$/, '')}. Check the address, the key and that it is running.`,
    { kind: 'unavailable' },
  )
}

const NO_ADDRESS = 'it is no address such as postgres://USER:PASSWORD@HOST:5432/DATABASE'

/** For messages: a password never leaves the setting. */
function withoutPassword(url: string): string {
  const { protocol, username, host, pathname } = new URL(url)
  return `${protocol}//${username ? `${username}@` : ''}${host}${pathname}`
}

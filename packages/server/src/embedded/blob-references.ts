import type { Sha256 } from '@filewright/protocol'
import type { Blobs, IsKept } from '../store/blobs.ts'
import type { Database } from './database/database.ts'

const GRACE_MS = 60 * 60 * 1000 // bytes go in before the row that names them, and an upload of many takes a while

/** Whether any version of a source or any row of the log names these bytes. */
export function isReferenced(database: Database, sha256: Sha256): boolean {
  const inSources = database.get('select 1 from versions where sha256 = ? limit 1', sha256)
  return inSources !== undefined || isReferencedByLog(database, sha256)
}

function isReferencedByLog(database: Database, sha256: Sha256): boolean {
  return database.get('select 1 from log_blobs where sha256 = ? limit 1', sha256) !== undefined
}

/** Removes every blob that nothing names any more: what a cut upload or a young session left behind. */
export function sweepBlobs(
  database: Database,
  blobs: Blobs,
  isKept: IsKept,
  { graceMs = GRACE_MS } = {},
): Promise<{ readonly removed: readonly Sha256[] }> {
  return blobs.sweep({
    isReferenced: async sha256 => isReferenced(database, sha256) || isKept(sha256),
    graceMs,
  })
}

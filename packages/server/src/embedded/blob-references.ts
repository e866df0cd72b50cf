import type { Sha256 } from '@filewright/protocol'
import type { Database } from './database/database.ts'

/** Whether any version of a source or any row of the log names these bytes. */
export function isReferenced(database: Database, sha256: Sha256): boolean {
  const found = database.get(
    `select 1 from versions where sha256 = ?1
     union all select 1 from log_blobs where sha256 = ?1 limit 1`,
    sha256,
  )
  return found !== undefined
}

import type { BlobRef, Sha256 } from '@filewright/protocol'
import { unwrap } from '@filewright/protocol'
import type { Blobs } from '../../store/blobs.ts'
import type { StateBytes } from '../../store/hosted.ts'
import type { Postgres } from '../database/postgres.ts'
import { type Fence, write } from './fence.ts'

/**
 * The rows that name them are among those of sessions, under a name that no session has, so that every sweep knows
 * them, also one of an older instance.
 */
export function createStateBytes(
  database: Postgres,
  blobs: Blobs,
  fence: Fence,
  shelf: string,
): StateBytes {
  const { workspaceId } = fence
  const holder = `${stateHolder(workspaceId)}${shelf}`

  async function find(sha256: Sha256): Promise<number | null> {
    const [row] = await database.repeat<{ size: number }>(
      `select size_bytes as size from blobs join log_blobs using (sha256)
       where session = $1 and sha256 = $2`,
      [holder, sha256],
    )
    return row?.size ?? null
  }

  return {
    async put(bytes) {
      const { sha256 } = unwrap(await blobs.put(bytes))
      const named = `named as (insert into log_blobs (session, sha256, workspace)
        select $3, $4, workspace from home on conflict do nothing)`
      await write(database, fence, [named], [holder, sha256])
      return sha256
    },
    get: async sha256 => ((await find(sha256)) === null ? undefined : blobs.get(sha256)),
    sizeOf: find,
    list: () =>
      database.repeat<BlobRef>(
        `select sha256, size_bytes as "sizeBytes" from blobs join log_blobs using (sha256)
         where session = $1`,
        [holder],
      ),
    async remove(sha256, { unusedSince }) {
      const [row] = await database.repeat<{ isOld: boolean }>(
        'select put < to_timestamp($2::float8 / 1000) as "isOld" from blobs where sha256 = $1',
        [sha256, unusedSince],
      )
      if (!row?.isOld) return false
      const gone = `gone as (delete from log_blobs using home
        where log_blobs.workspace = home.workspace and session = $3 and sha256 = $4)`
      await write(database, fence, [gone], [holder, sha256])
      return true
    },
  }
}

/** How the names of those who hold bytes of a workspace's state begin. */
export function stateHolder(workspaceId: string): string {
  return `state/${workspaceId}/`
}

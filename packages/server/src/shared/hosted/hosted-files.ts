import type { RelativePath, Sha256 } from '@filewright/protocol'
import type { Blobs } from '../../store/blobs.ts'
import type { HostedFile, HostedFiles } from '../../store/hosted.ts'
import { StoreAway } from '../../store/store-away.ts'
import type { Postgres } from '../database/postgres.ts'
import { moveHeadsIn, versionsOf } from '../sources-shared.ts'
import { type Fence, holdHome } from './fence.ts'

const TRIES = 5
const PAUSE_MS = 200

export function createHostedFiles(
  database: Postgres,
  blobs: Blobs,
  fence: Fence,
  now: () => Date,
): HostedFiles {
  const { workspaceId } = fence

  async function sizeOf(sha256: Sha256): Promise<number | undefined> {
    const [row] = await database.repeat<{ size: number }>(
      'select size_bytes as size from versions where sha256 = $1 and workspace = $2 limit 1',
      [sha256, workspaceId],
    )
    return row?.size
  }

  return {
    async list() {
      const rows = await database.repeat<HostedFile>(
        `select v.path, v.sha256, v.size_bytes as "sizeBytes", v.time
         from heads h join versions v on v.id = h.version
         where h.workspace = $1 and v.sha256 is not null`,
        [workspaceId],
      )
      return rows.map(row => ({ ...row, path: row.path as RelativePath }))
    },
    async read(sha256, range) {
      return (await sizeOf(sha256)) === undefined ? undefined : blobs.get(sha256, range)
    },
    sizeOf,
    put: pieces => blobs.put(pieces),
    move: (changeSetId, moves) =>
      untilKnown(() =>
        database.transaction(async queries => {
          await holdHome(queries, fence)
          const origin = { kind: 'change-set', changeSetId } as const
          return moveHeadsIn(queries, { workspaceId, origin, time: now().toISOString() }, moves)
        }),
      ),
    async moved(changeSetId) {
      const reading = { query: database.repeat }
      const found = await versionsOf(reading, workspaceId, { kind: 'change-set', changeSetId })
      return found.length > 0 ? found : undefined
    },
  }
}

/** Asked again, a change set that is in already says so: that is how one learns what a cut connection left in doubt. */
async function untilKnown<Value>(step: () => Promise<Value>): Promise<Value> {
  for (let tried = 1; ; tried++)
    try {
      return await step()
    } catch (error) {
      if (!(error instanceof StoreAway) || tried === TRIES) throw error
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS * tried))
    }
}

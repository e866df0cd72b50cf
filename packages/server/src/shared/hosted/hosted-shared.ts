import type { WorkspaceId } from '@filewright/protocol'
import type { Blobs } from '../../store/blobs.ts'
import type { Hosted, HostedHold, HostedWorkspace } from '../../store/hosted.ts'
import type { Postgres } from '../database/postgres.ts'
import type { Fence } from './fence.ts'
import { createHostedFiles } from './hosted-files.ts'
import { removeHosted } from './remove-hosted.ts'
import { createStateBytes } from './state-bytes.ts'
import { openStateLines } from './state-lines.ts'

export interface HostedOptions {
  /** By which other instances know this one. */
  readonly instance: string
  readonly now: () => Date
  readonly blobGraceMs: number
}

const COLUMNS = 'workspace as "workspaceId", key, name'

/** An instance that is up, which is the home of the workspace of a row `h`. */
const HAS_HOME = `exists (select 1 from homes join instances i on i.instance = homes.instance
  where homes.workspace = h.workspace and i.expires > clock_timestamp())`

export function createHosted(
  database: Postgres,
  blobs: Blobs,
  { instance, now, blobGraceMs }: HostedOptions,
): Hosted {
  async function open(fence: Fence): Promise<HostedHold> {
    const lines = await openStateLines(database, fence)
    const { workspaceId, epoch } = fence
    return {
      epoch,
      lines,
      blobs: shelf => createStateBytes(database, blobs, fence, shelf),
      files: createHostedFiles(database, blobs, fence, now),
      async release() {
        await database.repeat('delete from homes where workspace = $1 and epoch = $2', [
          workspaceId,
          epoch,
        ])
      },
    }
  }

  return {
    async add({ workspaceId, key, name }) {
      await database.repeat(
        'insert into hosted (workspace, key, name) values ($1, $2, $3) on conflict do nothing',
        [workspaceId, key, name],
      )
    },
    async find(workspaceId) {
      const [row] = await database.repeat<HostedWorkspace>(
        `select ${COLUMNS} from hosted where workspace = $1`,
        [workspaceId],
      )
      return row
    },
    async rename(workspaceId, name) {
      await database.repeat('update hosted set name = $2 where workspace = $1', [workspaceId, name])
    },
    remove: workspaceId => removeHosted(database, blobs, workspaceId, blobGraceMs),
    async claim(workspaceId) {
      const [row] = await database.repeat<{ epoch: number }>(
        `insert into homes as now (workspace, instance, epoch)
         select workspace, $2, nextval('home_epochs') from hosted where workspace = $1
         on conflict (workspace) do update set instance = excluded.instance, epoch = excluded.epoch
         where now.instance = $2 or not exists (
           select 1 from instances i where i.instance = now.instance and i.expires > clock_timestamp())
         returning epoch`,
        [workspaceId, instance],
      )
      return row && open({ workspaceId, epoch: row.epoch })
    },
    async held() {
      const rows = await database.repeat<{ workspace: WorkspaceId; epoch: number }>(
        'select workspace, epoch from homes where instance = $1 and epoch > 0',
        [instance],
      )
      return new Map(rows.map(({ workspace, epoch }) => [workspace, epoch]))
    },
    async abandoned() {
      const rows = await database.repeat<{ workspace: WorkspaceId }>(
        `select workspace from hosted h where not ${HAS_HOME}
         and exists (select 1 from sessions s where s.workspace = h.workspace and s.state = 'running')`,
      )
      return rows.map(({ workspace }) => workspace)
    },
  }
}

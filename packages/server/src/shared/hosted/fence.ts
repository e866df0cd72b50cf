import type { WorkspaceId } from '@filewright/protocol'
import { HomeLost } from '../../store/hosted.ts'
import type { PgValue, Postgres, Queries } from '../database/postgres.ts'

/** The home of a workspace, as long as its epoch is the newest. */
export interface Fence {
  readonly workspaceId: WorkspaceId
  readonly epoch: number
}

/**
 * The row stays locked until the statement commits, so one who claims the workspace next sees what this wrote or shuts
 * it out.
 */
const HOME = 'home as (select workspace from homes where workspace = $1 and epoch = $2 for share)'

/**
 * Parts of one statement that all start from `home`: `$1` and `$2` are its workspace and epoch. The statement may run
 * twice, so its parts must come to the same when they do.
 */
export async function write(
  database: Pick<Postgres, 'repeat'>,
  { workspaceId, epoch }: Fence,
  parts: readonly string[],
  values: readonly PgValue[],
): Promise<void> {
  const [found] = await database.repeat<{ held: number }>(
    `with ${[HOME, ...parts].join(', ')} select (select count(*) from home) as held`,
    [workspaceId, epoch, ...values],
  )
  if (found!.held === 0) throw new HomeLost(workspaceId)
}

/** The same for a whole transaction. */
export async function holdHome(queries: Queries, { workspaceId, epoch }: Fence): Promise<void> {
  const found = await queries.query(
    'select 1 from homes where workspace = $1 and epoch = $2 for share',
    [workspaceId, epoch],
  )
  if (found.length === 0) throw new HomeLost(workspaceId)
}

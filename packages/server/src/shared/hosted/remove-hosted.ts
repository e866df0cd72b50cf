import type { Sha256, WorkspaceId } from '@filewright/protocol'
import type { Blobs } from '../../store/blobs.ts'
import type { Postgres, Queries } from '../database/postgres.ts'

/** In the order in which rows refer to others. Without its rows, every holder of a session and its home are shut out. */
const TABLES = [
  ...['homes', 'sessions', 'heads', 'state_lines', 'inbox', 'open_calls', 'log', 'fates'],
  ...['patch_ids', 'batches', 'search_chunks', 'search_files'],
]

/** All rows of the workspace go at once; its bytes go unless somebody else names them. */
export async function removeHosted(
  database: Postgres,
  blobs: Blobs,
  workspaceId: WorkspaceId,
  graceMs: number,
): Promise<void> {
  const candidates = await database.transaction(async queries => {
    const removed = await queries.run('delete from hosted where workspace = $1', [workspaceId])
    return removed === 0 ? [] : removeRows(queries, workspaceId)
  })
  await blobs.sweep({ candidates, isReferenced: () => false, graceMs }) // it asks the tables itself
}

async function removeRows(queries: Queries, workspaceId: WorkspaceId): Promise<Sha256[]> {
  for (const table of TABLES)
    await queries.run(`delete from ${table} where workspace = $1`, [workspaceId])
  const named = await queries.query<{ sha256: Sha256 | null }>(
    `with bytes as (delete from log_blobs where workspace = $1 returning sha256),
       files as (delete from versions where workspace = $1 returning sha256)
     select sha256 from bytes union select sha256 from files`,
    [workspaceId],
  )
  return named.flatMap(({ sha256 }) => sha256 ?? [])
}

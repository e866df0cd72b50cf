import { unwrapOrExit } from '../exit/exit.ts'
import type { WorkspaceCaller } from './work.ts'

/** What a person must say yes to before a home folder, a disk's root or a very large tree is scanned. */
export async function findScanQuestion({
  connection,
  params,
}: WorkspaceCaller): Promise<string | undefined> {
  const listed = await connection.call('listFiles', { params, query: { limit: 1 } })
  if (listed.ok || !listed.failure.details?.question) return undefined
  return listed.failure.message
}

/** The yes is kept as a rule of the folder: it is not asked again, and is seen and taken back with `filewright rules`. */
export async function allowScan({ connection, params }: WorkspaceCaller): Promise<void> {
  unwrapOrExit(await connection.call('addRule', { params, body: { effect: 'scan' } }))
}

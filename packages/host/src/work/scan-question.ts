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

/** Keeps the yes as a rule of the folder, so that it is not asked again; `filewright rules` lists and removes it. */
export async function allowScan({ connection, params }: WorkspaceCaller): Promise<void> {
  unwrapOrExit(await connection.call('addRule', { params, body: { effect: 'scan' } }))
}

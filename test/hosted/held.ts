import { randomBytes } from 'node:crypto'
import { openHostedWorkspace, type StoredFiles } from '@filewright/client'
import {
  type ChangeSetId,
  type DocPath,
  type RelativePath,
  type Sha256,
  toDocPath,
  unwrap,
  type WorkspaceId,
} from '@filewright/protocol'
import {
  type HostedHold,
  openSharedStores,
  parseBucketAddress,
  type Stores,
} from '@filewright/server'
import { S3_KEYS, type SharedStores } from '../shared/shared-stores.ts'

/** Where several instances keep what they share. */
export async function newPlace(shared: SharedStores) {
  const bucket = unwrap(parseBucketAddress(shared.bucket(), S3_KEYS))
  const database = await shared.database()
  return async (): Promise<Stores> => unwrap(await openSharedStores({ database, bucket }))
}

/** A new hosted workspace of these stores, whose home they are. */
export async function holdNew({ hosted }: Stores): Promise<{
  readonly workspaceId: WorkspaceId
  readonly hold: HostedHold
}> {
  const workspaceId = `ws_${randomBytes(4).toString('hex')}` as WorkspaceId
  await hosted!.add({ workspaceId, key: `hosted-${workspaceId}`, name: 'Papers' })
  return { workspaceId, hold: (await hosted!.claim(workspaceId))! }
}

/** A workspace on these files, and how another part of the program writes into it. */
export async function openFiles(files: StoredFiles) {
  const workspace = await openHostedWorkspace('Papers', files)
  const known = new Map<DocPath, Sha256>()
  let count = 0
  async function write(path: string, content: string | Uint8Array): Promise<void> {
    const { atOnce } = workspace
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    const { sha256, sizeBytes } = await atOnce.put([bytes])
    const docPath = toDocPath(path as RelativePath)
    const move = {
      docPath,
      path: path as RelativePath,
      expected: known.get(docPath) ?? null,
      sha256,
      sizeBytes,
    }
    const moved = await atOnce.move(`cs_write${++count}` as ChangeSetId, [move])
    unwrap(moved)
    known.set(docPath, sha256)
  }
  return { workspace, write }
}

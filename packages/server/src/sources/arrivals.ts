import type { Sha256, WorkspaceId } from '@filewright/protocol'
import type { Settings } from '../store/settings.ts'
import type { Sources } from '../store/sources.ts'

/**
 * The bytes that a workspace may name: those it has a version of, and those it put itself. Blobs are shared by hash;
 * without this check, anyone who knows a hash could read another workspace's bytes.
 */
export interface Arrivals {
  note(workspaceId: WorkspaceId, sha256: Sha256): void
  has(workspaceId: WorkspaceId, sha256: Sha256): Promise<boolean>
  /** A resumable upload belongs to the workspace that started it, across restarts too. */
  beginUpload(workspaceId: WorkspaceId, sha256: Sha256): Promise<void>
  isUploading(workspaceId: WorkspaceId, sha256: Sha256): Promise<boolean>
  endUpload(sha256: Sha256): Promise<void>
}

/** Put and not yet named by a head, which takes a moment. After a restart the client puts them again. */
const MAX_REMEMBERED = 20_000

export function createArrivals(settings: Settings, sources: Sources): Arrivals {
  const arrived = new Set<string>()
  const uploadKey = (sha256: Sha256) => `upload/${sha256}`
  return {
    note(workspaceId, sha256) {
      const key = `${workspaceId}/${sha256}`
      arrived.delete(key) // a Set keeps insertion order: the newest goes to the end
      arrived.add(key)
      if (arrived.size > MAX_REMEMBERED) arrived.delete(arrived.values().next().value!)
    },
    has: async (workspaceId, sha256) =>
      arrived.has(`${workspaceId}/${sha256}`) || sources.knows(workspaceId, sha256),
    beginUpload: (workspaceId, sha256) => settings.set(uploadKey(sha256), workspaceId),
    isUploading: async (workspaceId, sha256) =>
      (await settings.get<WorkspaceId>(uploadKey(sha256))) === workspaceId,
    endUpload: sha256 => settings.delete(uploadKey(sha256)),
  }
}

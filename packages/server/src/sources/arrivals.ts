import type { DocPath, Sha256, WorkspaceId } from '@filewright/protocol'
import type { Settings } from '../store/settings.ts'
import type { Sources } from '../store/sources.ts'

/**
 * The bytes that a workspace may name: those it has a version of, and those it put itself. Blobs are shared by hash;
 * without this check, anyone who knows a hash could read another workspace's bytes.
 */
export interface Arrivals {
  note(workspaceId: WorkspaceId, sha256: Sha256, docPath?: DocPath): void
  /** The file whose bytes they are, where that is known and it has no such version. */
  pathOf(workspaceId: WorkspaceId, sha256: Sha256): DocPath | undefined
  has(workspaceId: WorkspaceId, sha256: Sha256): Promise<boolean>
  /** A resumable upload belongs to the workspace that started it, across restarts too. */
  beginUpload(workspaceId: WorkspaceId, sha256: Sha256): Promise<void>
  isUploading(workspaceId: WorkspaceId, sha256: Sha256): Promise<boolean>
  endUpload(sha256: Sha256): Promise<void>
}

/** Put and not yet named by a head, which takes a moment. After a restart the client puts them again. */
const MAX_REMEMBERED = 20_000

export function createArrivals(settings: Settings, sources: Sources): Arrivals {
  const arrived = new Map<string, DocPath | undefined>()
  const uploadKey = (sha256: Sha256) => `upload/${sha256}`
  return {
    note(workspaceId, sha256, docPath) {
      const key = `${workspaceId}/${sha256}`
      const known = docPath ?? arrived.get(key)
      arrived.delete(key) // a Map keeps insertion order: the newest goes to the end
      arrived.set(key, known)
      if (arrived.size > MAX_REMEMBERED) arrived.delete(arrived.keys().next().value!)
    },
    pathOf: (workspaceId, sha256) => arrived.get(`${workspaceId}/${sha256}`),
    has: async (workspaceId, sha256) =>
      arrived.has(`${workspaceId}/${sha256}`) || sources.knows(workspaceId, sha256),
    beginUpload: (workspaceId, sha256) => settings.set(uploadKey(sha256), workspaceId),
    isUploading: async (workspaceId, sha256) =>
      (await settings.get<WorkspaceId>(uploadKey(sha256))) === workspaceId,
    endUpload: sha256 => settings.delete(uploadKey(sha256)),
  }
}

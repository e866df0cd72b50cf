import {
  type Applied,
  type AppliedFile,
  fail,
  ok,
  type RelativePath,
  toDocPath,
} from '@filewright/protocol'
import type { CheckpointStore } from '../apply/checkpoints.ts'
import type { Desk } from '../draft/draft-view.ts'
import { readWhole } from '../workspace/paths/folder.ts'
import type { AnyPath, Located, Workspace } from '../workspace/tree/workspace.ts'

/**
 * The desk as it was before a change set was applied: its checkpoint answers for the files that it wrote. A call that
 * was cut off after its files were written is planned on it once more, so that it is answered as it would have been.
 */
export function createDeskBefore(
  desk: Desk,
  checkpoints: CheckpointStore,
): (applied: Applied) => Desk {
  return ({ changeSetId, files }) => {
    const { workspace } = desk
    const indexOf = (path: AnyPath) => {
      const docPath = toDocPath(path as RelativePath)
      return files.findIndex(file => file.docPath === docPath)
    }

    async function bytesOf(index: number): Promise<Uint8Array | undefined> {
      const kept = await checkpoints.open(changeSetId, index)
      return kept ? readWhole(kept).finally(() => kept.close()) : undefined
    }

    const asLocated = ({ docPath, path, realPath = path }: AppliedFile): Located => ({
      docPath,
      path,
      realPath,
      sizeBytes: 0,
      mtimeMs: 0,
      mode: 0,
      isPrivate: workspace.isPrivate(path),
    })

    const before: Pick<Workspace, 'read' | 'hash'> = {
      async read(path, options) {
        const index = indexOf(path)
        const file = files[index]
        if (!file) return workspace.read(path, options)
        const bytes = file.before === null ? undefined : await bytesOf(index)
        if (!bytes) return missing(file.path)
        return ok({ ...asLocated(file), sizeBytes: bytes.length, bytes, sha256: file.before })
      },
      async hash(path) {
        const file = files[indexOf(path)]
        if (!file) return workspace.hash(path)
        if (file.before === null) return missing(file.path)
        return ok({ ...asLocated(file), sha256: file.before })
      },
    }
    return { ...desk, workspace: { ...workspace, ...before } }
  }
}

function missing(path: string) {
  return fail('NOT_FOUND', `There was no file "${path}" before.`)
}

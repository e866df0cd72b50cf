import type { DocPath } from '@filewright/protocol'
import { ok, unwrap } from '@filewright/protocol'
import { createChangeTeller } from '../tree/change-teller.ts'
import { createWorkspace } from '../tree/create-workspace.ts'
import type { Workspace, WritesAtOnce } from '../tree/workspace.ts'
import { fileStatus, HeadTree, openVersion } from './head-tree.ts'
import type { StoredFiles } from './hosted-files.ts'

export interface StoredWorkspace extends Workspace {
  readonly atOnce: WritesAtOnce
}

/**
 * A workspace whose files are versions in a store. It reads the heads once; afterwards nobody but its own writes moves
 * them, so what it knows stays true until another one takes the workspace over, and then its writes are refused.
 */
export async function openHostedWorkspace(
  name: string,
  files: StoredFiles,
): Promise<StoredWorkspace> {
  const tree = new HeadTree(await files.list(), files)
  const hearers = new Set<(docPaths: readonly DocPath[]) => void>()
  const workspace = createWorkspace({
    name,
    openRoot: async () => tree.openRoot(),
    ignoreCase: false,
    clock: { nowMs: Date.now, grainMs: 0 },
  })
  return {
    ...workspace,
    atOnce: {
      async open(sha256) {
        const sizeBytes = await files.sizeOf(sha256)
        return sizeBytes === undefined ? null : openVersion(sha256, fileStatus(sizeBytes), files)
      },
      sizeOf: files.sizeOf,
      put: async pieces => unwrap(await files.put(pieces)),
      async move(changeSetId, moves) {
        const moved = await files.move(changeSetId, moves)
        if (!moved.ok) return moved
        tree.move(moved.value)
        const docPaths = moves.map(({ docPath }) => docPath)
        for (const hear of hearers) hear(docPaths)
        return ok(undefined)
      },
      moved: files.moved,
    },
    async watch(options) {
      const teller = createChangeTeller(options)
      const hear = (docPaths: readonly DocPath[]) => {
        for (const docPath of docPaths) teller.note(docPath)
      }
      hearers.add(hear)
      return {
        async close() {
          hearers.delete(hear)
          await teller.close()
        },
      }
    },
  }
}

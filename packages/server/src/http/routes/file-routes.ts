import { ok, parseDocPath, refusePrivate } from '@filewright/protocol'
import type { PatchFates } from '../../patches/patch-fates.ts'
import type { Arrivals } from '../../sources/arrivals.ts'
import type { ReadableBytes } from '../../sources/readable-bytes.ts'
import type { Blobs } from '../../store/blobs.ts'
import type { Sources } from '../../store/sources.ts'
import type { Routes } from '../route.ts'
import { toHeadMoves } from './head-moves.ts'
import type { Within } from './within.ts'

export interface FileRouteParts {
  readonly arrivals: Arrivals
  readonly blobs: Blobs
  readonly sources: Sources
  readonly fates: PatchFates
  readonly readable: ReadableBytes
}

const PAGE = 500

/** The files of a workspace, and their versions. */
export function createFileRoutes(
  { arrivals, blobs, sources, fates, readable }: FileRouteParts,
  within: Within,
): Pick<Routes, 'listFiles' | 'grid' | 'listInstructions' | 'moveHeads' | 'history'> {
  return {
    listFiles: within.ask('files', ({ query }) => ({ limit: PAGE, ...query })),

    grid: within.ask('grid', ({ query }) => query),

    listInstructions: within.ask('instructions', ({ query }) =>
      query.nested === 'true' ? {} : { folders: [''] },
    ),

    moveHeads: within.folder(async ({ params: { workspaceId }, body }) => {
      const { changeSetId, heads } = body
      const moves = await toHeadMoves(heads, workspaceId, { arrivals, blobs })
      if (!moves.ok) return moves
      const moved = await sources.moveHeads(
        workspaceId,
        moves.value,
        changeSetId ? { kind: 'change-set', changeSetId } : { kind: 'upload' },
      )
      if (moved.ok && changeSetId) await fates.noteUploaded(workspaceId, changeSetId)
      return moved
    }),

    history: within.workspace(async ({ params: { workspaceId }, query: { path, before } }) => {
      const docPath = parseDocPath(path)
      if (!docPath.ok) return docPath
      if (!(await readable.mayRead(workspaceId, [docPath.value])))
        return refusePrivate(path, docPath.value)
      return ok(await sources.history(workspaceId, docPath.value, { before }))
    }),
  }
}

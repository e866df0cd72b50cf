import { type DocPath, type Failure, ok, type Result } from '@filewright/protocol'
import type { DraftStore } from '../draft/draft-store.ts'
import type { Desk } from '../draft/draft-view.ts'
import { draftStateOf, readDraftedSource } from '../draft/drafted-source.ts'
import { mayBeRead } from '../draft/refuse-key-file.ts'
import { similarFiles } from '../draft/similar-files.ts'
import type { FileLister } from '../files/file-lister.ts'
import type { MethodTable } from '../link/answerer.ts'
import type { StoreBlobs } from '../link/store-blobs.ts'

export interface SourceMethodsPorts {
  readonly desk: Desk
  readonly drafts: DraftStore
  readonly blobs: StoreBlobs
  readonly lister: FileLister
  /** Hands bytes over within this process instead of sending them. */
  readonly hand: boolean
}

/** The files of the workspace, for the server's store and its tools. */
export function createSourceMethods(
  ports: SourceMethodsPorts,
): Pick<MethodTable, 'source' | 'files' | 'may-read'> {
  const { desk, drafts, blobs, lister, hand } = ports

  async function withSimilar(failure: Failure, docPath: DocPath): Promise<Result<never>> {
    const similar = await similarFiles(desk.workspace, undefined, docPath)
    return { ok: false, failure: { ...failure, details: { ...failure.details, similar } } }
  }

  return {
    async source({ docPath, known, similar, draftOf }) {
      const drafted = draftOf && (await readDraftedSource(ports, docPath, { ...draftOf, hand }))
      if (drafted) return drafted
      const allowPrivate = desk.allowsReading(docPath)
      const sent = await blobs.send(docPath, { known, allowPrivate, hand })
      if (sent.ok) {
        const draftState = draftOf && draftStateOf(drafts, docPath, draftOf.sessionId)
        return ok({ ...sent.value, ...(draftState && { draftState }) })
      }
      const isMissing = sent.failure.code === 'NOT_FOUND'
      return isMissing && similar ? withSimilar(sent.failure, docPath as DocPath) : sent
    },
    async 'may-read'({ docPaths }) {
      for (const docPath of docPaths) if (await mayBeRead(desk, docPath)) return ok(true)
      return ok(false)
    },
    async files(params) {
      const listed = await lister.list(params)
      if (!listed.ok) return listed
      const { drafted: _, ...page } = listed.value // of a session's draft, for its tools
      return ok(page)
    },
  }
}

import { ok, type ServerHandler } from '@filewright/protocol'
import type { ServerContext } from '../server-context.ts'
import type { workspaceListActiveFiles } from './tool.ts'

export const workspaceListActiveFilesServer: ServerHandler<
  typeof workspaceListActiveFiles,
  ServerContext
> = async ({ after, limit = 500 }, { activeFiles }) => {
  const all = [...(await activeFiles.list())].sort((a, b) => (a.docPath < b.docPath ? -1 : 1))
  const left = after === undefined ? all : all.filter(({ docPath }) => docPath > after)
  const files = left
    .slice(0, limit)
    .map(({ docPath, displayPath, sizeBytes, isDirty, sha256 }) => ({
      docPath,
      displayPath,
      sizeBytes,
      isDirty,
      isActive: true,
      sha256,
    }))
  return ok({
    fields: {
      files,
      total: all.length,
      next: left.length > limit ? files.at(-1)!.docPath : null,
    },
    message: all.length === 0 ? 'No file is active' : `${all.length} active`,
  })
}

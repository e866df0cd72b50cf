import { ok, type ServerHandler } from '@filewright/protocol'
import type { ServerContext } from '../server-context.ts'
import type { workspaceListActiveFiles } from './tool.ts'

export const workspaceListActiveFilesServer: ServerHandler<
  typeof workspaceListActiveFiles,
  ServerContext
> = async (_input, { activeFiles }) => {
  const files = (await activeFiles.list()).map(
    ({ docPath, displayPath, sizeBytes, isDirty, sha256 }) => ({
      docPath,
      displayPath,
      sizeBytes,
      isDirty,
      isActive: true,
      sha256,
    }),
  )
  return ok({
    fields: { files },
    message: files.length === 0 ? 'No file is active' : `${files.length} active`,
  })
}

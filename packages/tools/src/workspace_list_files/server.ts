import { type CommonCode, type Failure, ok, type ServerHandler } from '@filewright/protocol'
import { describeLeftOut } from '../file-fields.ts'
import { askForMore, countListed, narrow } from '../listing.ts'
import type { ServerContext } from '../server-context.ts'
import type { workspaceListFiles } from './tool.ts'

export const workspaceListFilesServer: ServerHandler<
  typeof workspaceListFiles,
  ServerContext
> = async ({ path, pattern, after, limit = 500 }, { sources }) => {
  const narrowed = narrow(path, pattern)
  if (!narrowed.ok) return narrowed
  const page = await sources.list({ after, limit, named: narrowed.value.named })
  if (!page.ok) return { ok: false, failure: page.failure as Failure<CommonCode> }
  const { total, next, leftOut } = page.value
  const files = page.value.files.map(({ path, docPath, sizeBytes, version }) => ({
    path,
    docPath,
    sizeBytes,
    version,
  }))
  const lines = files.map(file => `${file.path}  ${file.sizeBytes}  ${file.version ?? '-'}`)
  const count = countListed(page.value, narrowed.value)
  return ok({
    fields: { files, total, next, ...(leftOut && { leftOut }) },
    message: count,
    text: [
      `${count} (path, bytes, version)`,
      ...lines,
      ...(next ? [`… ${askForMore(next, narrowed.value)} for more`] : []),
      ...(leftOut && after === undefined ? [describeLeftOut(leftOut)] : []),
    ].join('\n'),
  })
}

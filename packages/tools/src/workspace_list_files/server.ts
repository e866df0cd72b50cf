import {
  type CommonCode,
  counted,
  type Failure,
  ok,
  type ServerHandler,
} from '@filewright/protocol'
import { describeLeftOut } from '../file-fields.ts'
import type { ServerContext } from '../server-context.ts'
import type { workspaceListFiles } from './tool.ts'

export const workspaceListFilesServer: ServerHandler<
  typeof workspaceListFiles,
  ServerContext
> = async ({ after, limit = 500 }, { sources }) => {
  const page = await sources.list({ after, limit })
  if (!page.ok) return { ok: false, failure: page.failure as Failure<CommonCode> }
  const { total, next, leftOut } = page.value
  const files = page.value.files.map(({ path, docPath, sizeBytes, version }) => ({
    path,
    docPath,
    sizeBytes,
    version,
  }))
  const lines = files.map(file => `${file.path}  ${file.sizeBytes}  ${file.version ?? '-'}`)
  return ok({
    fields: { files, total, next, ...(leftOut && { leftOut }) },
    message: counted(total, 'file'),
    text: [
      `${counted(total, 'file')} (path, bytes, version)`,
      ...lines,
      ...(next ? [`… pass after: ${JSON.stringify(next)} for more`] : []),
      ...(leftOut && after === undefined ? [describeLeftOut(leftOut)] : []),
    ].join('\n'),
  })
}

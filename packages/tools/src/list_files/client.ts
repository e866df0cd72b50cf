import { type ClientHandler, counted, ok } from '@filewright/protocol'
import type { ClientContext, ListedFile } from '../client-context.ts'
import { describeLeftOut } from '../file-fields.ts'
import { askForMore, countListed, narrow } from '../listing.ts'
import type { listFiles } from './tool.ts'

export const listFilesClient: ClientHandler<typeof listFiles, ClientContext> = async (
  { path, pattern, after, limit = 500 },
  { files },
) => {
  const narrowed = narrow(path, pattern)
  if (!narrowed.ok) return narrowed
  const page = await files.list({ after, limit, named: narrowed.value.named })
  if (!page.ok) return page
  const { drafted, total, next, leftOut } = page.value
  const entries = page.value.files.map(file => ({
    ...file,
    kind: kindOf(file),
    draft: drafted.get(file.docPath) ?? 'none',
  }))
  const lines = entries.map(entry => toLine(entry))
  const more = next
    ? `\n… ${total - entries.length} more in all; ${askForMore(next, narrowed.value)}`
    : ''
  const count = countListed(page.value, narrowed.value)
  const unusable = leftOut && after === undefined ? `\n${describeLeftOut(leftOut)}` : ''
  return ok({
    fields: { files: entries, total, next, ...(leftOut && { leftOut }) },
    message: count,
    text: `${count} (path, kind, bytes, version, draft)\n${lines.join('\n')}${more}${unusable}`,
  })
}

function toLine(entry: ListedFile & { kind: string; draft: string }): string {
  if (entry.folded) return `${entry.path}/ (ignored, ${counted(entry.folded.files, 'file')})`
  const notes = [
    entry.draft === 'none' ? '' : `draft: ${entry.draft}`,
    entry.isPrivate ? 'private: not read' : '',
    entry.conflict ? 'conflict: another file has the same name in different case' : '',
  ].filter(Boolean)
  return [entry.path, entry.kind, entry.sizeBytes ?? '-', entry.version ?? '-', ...notes].join('  ')
}

function kindOf(file: ListedFile): string {
  if (file.folded) return 'folder'
  const dot = file.path.lastIndexOf('.')
  return dot > file.path.lastIndexOf('/') + 1 ? file.path.slice(dot + 1).toLowerCase() : 'file'
}

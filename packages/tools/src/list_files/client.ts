import { likelyFormat, otherByName } from '@filewright/documents'
import { type ClientHandler, counted, type DocPath, ok } from '@filewright/protocol'
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
  const entries = page.value.files.map(file => {
    const draft = drafted.get(file.docPath) ?? 'none'
    return { ...file, kind: kindOf(file), access: accessOf(file, draft), draft }
  })
  const lines = entries.map(entry => toLine(entry))
  const more = next
    ? `\n… ${total - entries.length} more in all; ${askForMore(next, narrowed.value)}`
    : ''
  const count = countListed(page.value, narrowed.value)
  const unusable = leftOut && after === undefined ? `\n${describeLeftOut(leftOut)}` : ''
  return ok({
    fields: { files: entries, total, next, ...(leftOut && { leftOut }) },
    message: count,
    text: `${count} (path, kind, bytes, version, draft; files without a note can be edited)\n${lines.join('\n')}${more}${unusable}`,
  })
}

type Access = 'edit' | 'read' | 'none' | 'unknown'

/** What a file without a note is: one that can be edited. */
const TOLD: Readonly<Record<Access, string>> = {
  edit: '',
  read: 'read-only',
  none: 'cannot be read',
  unknown: 'text or binary: known once it is read',
}

function toLine(
  entry: ListedFile & { kind: string; access: Access | null; draft: string },
): string {
  if (entry.folded) return `${entry.path}/ (ignored, ${counted(entry.folded.files, 'file')})`
  const notes = [
    entry.draft === 'none' ? '' : `draft: ${entry.draft}`,
    entry.access && !entry.isPrivate ? TOLD[entry.access] : '',
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

/** By the name, because nothing is opened; null for a folder. */
function accessOf(file: ListedFile, draft: string): Access | null {
  if (file.folded) return null
  if (file.isPrivate) return 'none'
  const docPath = file.docPath as DocPath
  const format = likelyFormat(docPath)
  if (format) return format.editing || format.isLines ? 'edit' : 'read'
  if (otherByName(docPath)) return 'none'
  return draft === 'created' ? 'edit' : 'unknown' // what the draft creates under such a name is text
}

import { LINE_TEXT } from '@filewright/documents'
import {
  counted,
  fail,
  folderIsFile,
  LIMITS,
  ok,
  type Proposer,
  parseDocPath,
  toVersion,
} from '@filewright/protocol'
import type { ClientContext, Files } from '../client-context.ts'
import { toOwnCode } from './own-code.ts'
import type { workspaceCreateFile } from './tool.ts'

export const workspaceCreateFileClient: Proposer<typeof workspaceCreateFile, ClientContext> = {
  async propose({ path, content, overwrite = false, eol }, { files }) {
    const place = await files.locate(path)
    if (!place.ok) return place
    const bytes = new TextEncoder().encode(content).length
    if (bytes > LIMITS.textFileBytes)
      return fail(
        'TooLarge',
        `Nothing was written: the content has ${bytes} bytes and a created file may have ${LIMITS.textFileBytes}. Split it into several files.`,
        { kind: 'limit' },
      )
    const existing = await files.onDisk(place.value.docPath)
    if (!existing.ok) return existing
    if (existing.value && !overwrite)
      return fail(
        'FileExists',
        `Nothing was written: "${existing.value.path}" exists (version ${toVersion(existing.value.sha256)}, ${counted(existing.value.sizeBytes, 'byte')}) and overwrite is false. To change part of it use workspace_write_patch; to replace it as a whole send the same call with overwrite: true.`,
        {
          kind: 'conflict',
          details: {
            path: existing.value.path,
            version: toVersion(existing.value.sha256),
            sha256: existing.value.sha256,
          },
        },
      )
    const above = existing.value ? undefined : await findFileAbove(place.value.path, files)
    if (above)
      return fail('DirectoryCreateFailed', folderIsFile(above), {
        kind: 'unavailable',
        details: { path: place.value.path },
      })
    return ok({
      label: existing.value ? `Replace ${existing.value.path}` : `Create ${place.value.path}`,
      edits: [
        {
          docPath: place.value.docPath,
          path: existing.value?.path ?? place.value.path,
          format: LINE_TEXT,
          base: existing.value?.sha256 ?? null,
          operation: { op: 'write_text', content, ...(eol && { eol }) },
        },
      ],
    })
  },

  finish(_input, { files, warnings }) {
    const file = files[0]!
    const created = file.before === null
    const isUnchanged = file.before === file.after
    return {
      fields: {
        path: file.path,
        docPath: file.docPath,
        sizeBytes: file.sizeBytes,
        hash: file.contentHash,
        sha256: file.after,
        version: file.after && toVersion(file.after),
        created,
        overwritten: !created,
      },
      message: created
        ? 'File created.'
        : isUnchanged
          ? 'File overwritten: it already had this content.'
          : 'File overwritten.',
      warnings: file.rebased ? [...warnings, mergedInto(file.path)] : warnings,
      effects: isUnchanged
        ? []
        : [
            {
              docPath: file.docPath,
              path: file.path,
              where: 'workspace',
              action: created ? 'created' : 'changed',
              count: 1,
              unit: 'files',
              before: file.before,
              after: file.after,
            },
          ],
    }
  },

  answersUnchanged: true,

  /** Written, but removed or changed again before its content could be hashed (TUL-004 §5.3). */
  findFault(files) {
    const file = files.find(({ contentHash }) => contentHash === null)
    if (!file) return undefined
    const { path, after: sha256 } = file
    return fail(
      'HashFailed',
      `"${path}" was written, but it could not be read again to compute its content hash: something else changed it meanwhile. Read it before you go on.`,
      { kind: 'internal', details: { path, sha256 } },
    )
  },

  toOwnCode,
}

/** The sender would assume that the file has exactly the sent content. */
function mergedInto(path: string): string {
  return `"${path}" had changed meanwhile: the changes were mapped onto it, so the file is not exactly the content that was sent. Read it before the next change.`
}

/** A person is not asked to approve the impossible, such as a folder where a file is. */
async function findFileAbove(path: string, files: Files): Promise<string | undefined> {
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    const above = path.slice(0, slash)
    const docPath = parseDocPath(above)
    const found = docPath.ok ? await files.onDisk(docPath.value) : undefined
    if (found?.ok && found.value) return found.value.path
  }
  return undefined
}

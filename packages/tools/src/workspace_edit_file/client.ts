import { LINE_TEXT } from '@filewright/documents'
import { counted, fail, ok, type Proposer, toVersion } from '@filewright/protocol'
import type { ClientContext } from '../client-context.ts'
import type { workspaceEditFile } from './tool.ts'

/** Planned on the file as it is, and from there on what a patch is: approved, mapped onto later changes, applied all or none. */
export const workspaceEditFileClient: Proposer<typeof workspaceEditFile, ClientContext> = {
  async propose({ path, edits }, { files }) {
    const place = await files.locate(path)
    if (!place.ok) return place
    const existing = await files.onDisk(place.value.docPath)
    if (!existing.ok) return existing
    if (!existing.value)
      return fail(
        'NOT_FOUND',
        `Nothing was written: there is no file "${place.value.path}". To create it use workspace_create_file.`,
      )
    const { path: spelling, sha256 } = existing.value
    return ok({
      label: `Edit ${spelling}: ${counted(edits.length, 'replacement')}`,
      edits: [
        {
          docPath: place.value.docPath,
          path: spelling,
          format: LINE_TEXT,
          base: sha256,
          operation: { op: 'edit_text', edits },
        },
      ],
    })
  },

  finish({ path }, { files, refused, warnings }) {
    const [file] = files
    if (!file)
      return {
        fields: { path, docPath: path, sha256: null, version: null, refusedChanges: [...refused] },
        message: 'Nothing was written: the person refused every change.',
        warnings,
      }
    const version = file.after && toVersion(file.after)
    const message = `File edited. It is at version ${version}.`
    return {
      fields: {
        path: file.path,
        docPath: file.docPath,
        sha256: file.after,
        version,
        ...(file.diff && { diff: file.diff }),
        refusedChanges: [...refused],
      },
      message,
      text: [message, file.diff].filter(Boolean).join('\n'),
      warnings,
      effects: [
        {
          docPath: file.docPath,
          path: file.path,
          where: 'workspace',
          action: 'changed',
          count: 1,
          unit: 'files',
        },
      ],
    }
  },
}

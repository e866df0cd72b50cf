import type { LinePatch } from '@filewright/documents/text'
import { ok, type ServerHandler } from '@filewright/protocol'
import type { FatedFilePatch, ServerContext } from '../server-context.ts'
import type { workspaceGetPatchChange } from './tool.ts'

export const workspaceGetPatchChangeServer: ServerHandler<
  typeof workspaceGetPatchChange,
  ServerContext
> = async ({ id }, context) => {
  const found = await context.patches.find(id)
  if (!found.ok) return found
  const { batch, filePatch, change } = found.value
  const files = filePatch ? [filePatch] : batch.files
  const shown = change && filePatch ? [{ ...filePatch, changes: [change] }] : files
  const diffs = await Promise.all(shown.map(file => diffOf(file, context)))
  const diff = diffs.every(text => text === null)
    ? null
    : diffs.filter(text => text !== null).join('')
  const fate = change?.fate ?? fateOf(filePatch ?? batch, files)
  return ok({
    fields: {
      ...(change ?? filePatch ?? batch),
      batchId: batch.batchId,
      ...(filePatch && { filePatchId: filePatch.filePatchId, docPath: filePatch.docPath }),
      fate,
      diff,
    },
    message: `${id}: ${fate}`,
  })
}

/** If a person accepted only some changes, the fate of the whole is that of the accepted ones. */
function fateOf({ fate }: { fate: string }, files: readonly FatedFilePatch[]): string {
  if (fate !== 'stored') return fate
  const accepted = files.flatMap(file => file.changes).find(each => each.fate !== 'refused')
  return accepted?.fate ?? 'refused'
}

/** Derived from the stored base; null when its bytes are gone, or when that takes too long. */
async function diffOf(
  file: FatedFilePatch,
  { sources, texts }: ServerContext,
): Promise<string | null> {
  const { path, sha256 } = file
  const bytes = await sources.bytes(sha256)
  if (!bytes) return null
  const patch = { ...(file as unknown as LinePatch), path }
  const diff = await texts.run('patchDiff', patch, [{ path, sha256, bytes }])
  return diff.ok ? diff.value : null
}

import { applyFilePatch, type LinePatch, unifiedDiff } from '@filewright/documents/text'
import { ok, type ServerHandler, toBytes } from '@filewright/protocol'
import type { FatedFilePatch, ServerContext } from '../server-context.ts'
import type { workspaceGetPatchChange } from './tool.ts'

export const workspaceGetPatchChangeServer: ServerHandler<
  typeof workspaceGetPatchChange,
  ServerContext
> = async ({ id }, { patches, sources }) => {
  const found = await patches.find(id)
  if (!found.ok) return found
  const { batch, filePatch, change } = found.value
  const files = filePatch ? [filePatch] : batch.files
  const shown = change && filePatch ? [{ ...filePatch, changes: [change] }] : files
  const diffs = await Promise.all(shown.map(file => diffOf(file, sources)))
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

/** Derived from the stored base; null when its bytes are gone. */
async function diffOf(
  file: FatedFilePatch,
  sources: ServerContext['sources'],
): Promise<string | null> {
  const base = await sources.bytes(file.sha256)
  if (!base) return null
  const applied = applyFilePatch(base, file as unknown as LinePatch)
  return applied.ok ? unifiedDiff(base, toBytes(applied.value.content, base), file.path) : null
}

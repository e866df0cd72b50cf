import { createHash } from 'node:crypto'
import { normaliseForContentHash, unifiedDiff } from '@filewright/documents/text'
import type { ChangeId, PublishedFile, PublishedProposal } from '@filewright/protocol'
import type { Draft } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import type { Publication } from './publisher.ts'

/** What was written, as its tool tells of it. Without a plan it was written before a restart. */
export async function describePublished(
  desk: Desk,
  { applied, refused, plan }: Publication,
): Promise<PublishedProposal> {
  const files: PublishedFile[] = []
  for (const file of applied.files) {
    const base =
      file.before === null
        ? null
        : (plan?.rebasedOn.get(file.docPath) ?? (await desk.state.getBlob(file.before)))
    const read =
      file.after === null
        ? undefined
        : await desk.workspace.read(file.docPath, { allowPrivate: true })
    const bytes = read?.ok && read.value.sha256 === file.after ? read.value.bytes : undefined
    files.push({
      ...file,
      rebased: plan?.rebasedOn.has(file.docPath) ?? false,
      contentHash: bytes ? contentHash(bytes) : null,
      ...(plan?.lineMaps.has(file.docPath) && { lineMap: plan.lineMaps.get(file.docPath) }),
      ...(bytes && base !== undefined && { diff: unifiedDiff(base, bytes, file.path) }),
    })
  }
  return {
    files,
    refused: refused.map(each => {
      const place = plan?.refused.get(each.changeId as ChangeId)
      return { ...each, ...(place && { place }) }
    }),
    dropped: plan?.dropped ?? [],
    warnings: applied.warnings,
  }
}

/** Files that had the very content asked for, so that nothing had to be written. */
export async function unchangedFiles(desk: Desk, { files }: Draft): Promise<PublishedFile[]> {
  const unchanged: PublishedFile[] = []
  for (const { docPath } of files.values()) {
    const read = await desk.workspace.read(docPath, { allowPrivate: true })
    if (!read.ok) continue
    const { path, bytes, sha256 } = read.value
    unchanged.push({
      docPath,
      path,
      before: sha256,
      after: sha256,
      sizeBytes: bytes.length,
      rebased: false,
      contentHash: contentHash(bytes),
    })
  }
  return unchanged
}

function contentHash(bytes: Uint8Array): string {
  return createHash('sha256').update(normaliseForContentHash(bytes)).digest('hex')
}

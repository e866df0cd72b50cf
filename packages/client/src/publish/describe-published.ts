import { hash } from 'node:crypto'
import { normaliseForContentHash } from '@filewright/documents/text'
import type { AppliedFile, ChangeId, PublishedFile, PublishedProposal } from '@filewright/protocol'
import type { Draft } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import { mayFollow } from '../draft/refuse-key-file.ts'
import { isWholeWrite } from '../draft/whole-write.ts'
import { diffLines } from '../review/diffs.ts'
import type { Publication } from './publisher.ts'

/** The written files in their tool's words. Without a plan they were written before a restart. */
export async function describePublished(
  desk: Desk,
  draft: Draft,
  publication: Publication,
): Promise<PublishedProposal> {
  const { applied, refused, plan } = publication
  const files: PublishedFile[] = []
  for (const file of applied.files) files.push(await describeFile(desk, draft, file, publication))
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

async function describeFile(
  desk: Desk,
  draft: Draft,
  file: AppliedFile,
  { plan }: Publication,
): Promise<PublishedFile> {
  const { docPath, path, before, after } = file
  const found = plan?.rebasedOn.get(docPath)
  const lineMap = plan?.lineMaps.get(docPath)
  const base = before === null ? null : (found ?? (await desk.blobs.get(before)))
  const bytes = after === null ? undefined : await readWritten(desk, file)
  const drafted = draft.files.get(docPath)
  const format = drafted?.format ?? ''
  const isWhole = isWholeWrite(format, drafted?.log.at(-1)?.operation.op)
  const diff =
    bytes && base !== undefined
      ? await diffLines(desk, { format, docPath, path }, { before: base, after: bytes })
      : undefined
  return {
    ...file,
    rebased: found !== undefined,
    contentHash: bytes && isWhole ? contentHash(bytes) : null,
    ...(lineMap !== undefined && { lineMap }),
    ...(diff !== undefined && { diff }),
  }
}

/** Undefined when something else has since changed it. */
async function readWritten({ workspace }: Desk, { docPath, after }: AppliedFile) {
  const read = await workspace.read(docPath, { allowPrivate: true })
  return read.ok && read.value.sha256 === after ? read.value.bytes : undefined
}

/** Files that already had the requested content, so that nothing was written. */
export async function unchangedFiles(desk: Desk, { files }: Draft): Promise<PublishedFile[]> {
  const unchanged: PublishedFile[] = []
  for (const { docPath } of files.values()) {
    const allowPrivate = mayFollow(desk, docPath)
    const read = await desk.workspace.read(docPath, { allowPrivate })
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
  return hash('sha256', normaliseForContentHash(bytes), 'hex')
}

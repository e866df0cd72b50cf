import { type DocumentName, findFormat } from '@filewright/documents'
import type { Draft, DraftFile } from '../draft/draft.ts'
import { type Desk, draftedBytes, engineFor } from '../draft/draft-view.ts'

/** Unified diffs of the files in a draft that are compared by lines. */
export async function diffsOf(
  desk: Desk,
  draft: Draft,
  /** The file as the draft itself wrote it: a part of the draft is published. */
  writtenBefore: (file: DraftFile) => Uint8Array | undefined = () => undefined,
): Promise<{ path: string; diff: string }[]> {
  const diffs: { path: string; diff: string }[] = []
  for (const file of draft.files.values()) {
    if (!hasLines(file.format) || (file.isDeleted && !file.deletion)) continue
    const source = file.origin?.source
    const base = source?.disk ?? file.disk
    const written = writtenBefore(file) ?? (source && writtenBefore(source))
    const before = written ?? (base === null ? undefined : await desk.blobs.get(base))
    const after = file.isDeleted ? undefined : await draftedBytes(desk, draft, file)
    if (after && !after.ok) continue
    const sides = { before: before ?? null, after: after?.value ?? null }
    const diff = await diffLines(desk, file, sides)
    const isPublished = written !== undefined && diff === ''
    if (diff !== undefined && !isPublished) diffs.push({ path: file.path, diff })
  }
  return diffs
}

/** A unified diff, null being no file; undefined where the format is not compared by lines. */
export async function diffLines(
  desk: Desk,
  { format, docPath, path }: DocumentName & { readonly format: string },
  { before, after }: { readonly before: Uint8Array | null; readonly after: Uint8Array | null },
): Promise<string | undefined> {
  const facts = findFormat(format)
  if (!facts || !hasLines(format)) return undefined
  const request = { format: facts.id, name: { docPath, path }, before, after }
  const difference = await engineFor(desk, format).diff(request)
  return difference.ok && difference.value.by === 'lines' ? difference.value.unified : undefined
}

function hasLines(format: string): boolean {
  return findFormat(format)?.has.diff === 'lines'
}

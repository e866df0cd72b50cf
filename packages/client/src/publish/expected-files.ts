import { ok, type RelativePath, type Result, type Sha256, toBytes } from '@filewright/protocol'
import type { Draft, DraftFile } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import { reviewAll } from '../review/review-files.ts'
import type { ChosenFile } from './choice.ts'
import { narrowFile } from './narrow-file.ts'
import { contentOf } from './new-content.ts'

/** What a draft expects at a place on disk; a null hash: no file. */
export interface ExpectedFile {
  readonly path: RelativePath
  readonly sha256: Sha256 | null
  /** Present where the draft itself wrote the file: changes left in the draft are mapped from here. */
  readonly written?: Uint8Array
}

export type Expected = (file: DraftFile) => ExpectedFile

/**
 * A draft published in parts stays on its original bases; these are the files as its published changes left them,
 * replayed. So the next part is the difference that its changes make, whatever order the parts come in.
 */
export async function expectedFiles(desk: Desk, draft: Draft): Promise<Result<Expected>> {
  const settled = await settledFiles(desk, draft)
  if (!settled.ok) return settled
  const known = new Map<string, ExpectedFile>()
  for (const { leaves } of settled.value)
    if (leaves) known.set(leaves.docPath, { path: leaves.path, sha256: null })
  for (const { file, refused } of settled.value) {
    const { docPath, path } = file
    if (file.isDeleted) {
      known.set(docPath, { path, sha256: null })
      continue
    }
    const content = await contentOf(desk, draft, file, refused)
    if (!content.ok) return content
    const { sha256, base } = content.value
    known.set(docPath, { path, sha256, written: toBytes(content.value.content, base) })
  }
  return ok(file => known.get(file.docPath) ?? asItWas(file))
}

/** Those with a published change, without the others. */
async function settledFiles(desk: Desk, draft: Draft): Promise<Result<readonly ChosenFile[]>> {
  const { published } = draft
  if (published.size === 0) return ok([])
  const reviewed = await reviewAll(desk, draft)
  if (!reviewed.ok) return reviewed
  const all = reviewed.value.flatMap(({ changes }) => changes.map(({ id }) => id))
  const rest = new Set(all.filter(id => !published.has(id)))
  const touched = reviewed.value.filter(({ changes }) => changes.some(({ id }) => !rest.has(id)))
  return ok(touched.flatMap(file => narrowFile(file, rest)))
}

/** Nothing of it is published. */
export function asItWas({ path, diskPath, disk }: DraftFile): ExpectedFile {
  return { path: diskPath ?? path, sha256: disk }
}

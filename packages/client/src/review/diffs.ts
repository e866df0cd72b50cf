import { unifiedDiff } from '@filewright/documents/text'
import type { Draft } from '../draft/draft.ts'
import { type Desk, draftedBytes } from '../draft/draft-view.ts'

/** Unified diffs of the text files in a draft. */
export async function diffsOf(desk: Desk, draft: Draft): Promise<{ path: string; diff: string }[]> {
  const diffs: { path: string; diff: string }[] = []
  for (const file of draft.files.values()) {
    if (file.format !== 'text' || (file.isDeleted && !file.deletion)) continue
    const base = file.origin?.source?.disk ?? file.disk
    const before = base === null ? undefined : await desk.state.getBlob(base)
    const after = file.isDeleted ? undefined : await draftedBytes(desk, draft, file)
    if (after && !after.ok) continue
    diffs.push({
      path: file.path,
      diff: unifiedDiff(before ?? null, after?.value ?? null, file.path),
    })
  }
  return diffs
}

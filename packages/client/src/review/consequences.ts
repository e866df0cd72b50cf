import type { Consequence } from '@filewright/protocol'
import type { Draft } from '../draft/draft.ts'
import { type Desk, draftedRef, engineFor } from '../draft/draft-view.ts'
import type { ReviewedFile } from './reviewed-file.ts'

/** What follows from a draft's changes in their own files. A file whose results cannot be found has none to show. */
export async function consequencesOf(
  desk: Desk,
  draft: Draft,
  files: readonly ReviewedFile[],
): Promise<readonly Consequence[]> {
  const found: Consequence[] = []
  for (const { file } of files) {
    if (file.isDeleted || file.log.length === 0) continue
    const told = await engineFor(desk, file.format).consequences(draftedRef(desk, draft, file))
    if (told.ok) found.push(...told.value)
  }
  return found
}

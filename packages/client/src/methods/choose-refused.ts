import { type ChangeId, fail, ok, type Result } from '@filewright/protocol'
import type { Draft } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import { closeOverDependants, neededBy } from '../review/refusals.ts'
import { reviewFiles } from '../review/review-files.ts'

/** The changes not to publish: the refused ones and, when only some are wanted, all others. */
export async function chooseRefused(
  desk: Desk,
  draft: Draft,
  { only, refused }: { readonly only?: readonly string[]; readonly refused: readonly string[] },
): Promise<Result<ChangeId[]>> {
  const reviewed = await reviewFiles(desk, draft)
  if (!reviewed.ok) return reviewed
  const all = reviewed.value.flatMap(file => file.changes)
  const known = new Set<string>(all.map(({ id }) => id))
  const unknown = [...(only ?? []), ...refused].filter(id => !known.has(id))
  if (unknown.length > 0)
    return fail(
      'NOT_FOUND',
      `Nothing was written: the draft has no change ${unknown.join(', ')}. "filewright review" lists its changes.`,
    )
  const wanted = only && new Set(only)
  const left = wanted ? all.map(({ id }) => id).filter(id => !wanted.has(id)) : []
  const gone = [...new Set([...left, ...(refused as ChangeId[])])]
  const { dropped } = closeOverDependants(all, gone)
  if (only && gone.length + dropped.length === all.length && dropped.length > 0)
    return fail(
      'INVALID_ARGUMENT',
      `Nothing was written, and the draft is unchanged: ${dropped.join(', ')} cannot be applied without changes that were left out. Name those too: ${neededBy(all, dropped).join(', ')}.`,
    )
  return ok(gone)
}

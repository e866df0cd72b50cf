import { type DraftId, fail, ok, type Result } from '@filewright/protocol'
import type { Draft } from '../draft/draft.ts'
import type { DraftStore } from '../draft/draft-store.ts'

/** The draft that a person names; without a name, the workshop draft touched last. */
export async function chooseDraft(
  drafts: DraftStore,
  draftId: string | undefined,
): Promise<Result<Draft>> {
  if (draftId !== undefined) return findNamed(drafts, draftId)
  const last = drafts.open().findLast(({ open }) => open.purpose === 'workshop')
  return last
    ? ok(last)
    : fail('NOT_FOUND', 'There is no open draft: nothing has been changed since the last publish.')
}

async function findNamed(drafts: DraftStore, draftId: string): Promise<Result<Draft>> {
  const draft = await drafts.find(draftId as DraftId)
  if (draft) return ok(draft)
  const damaged = (await drafts.damaged()).find(({ id }) => id === draftId)
  if (damaged) return fail('NOT_FOUND', `The draft "${draftId}" is damaged. ${damaged.trouble}`)
  const open = drafts.open().map(({ id }) => id)
  return fail(
    'NOT_FOUND',
    `There is no draft "${draftId}". Open drafts: ${open.join(', ') || 'none'}.`,
  )
}

import type { ChangeSetId, DraftId } from '@filewright/protocol'
import type { Draft } from '../draft/draft.ts'

/** Follows from the draft, so that it is applied once; a draft published in parts has one for each part. */
export function changeSetIdOf({ id, parts }: Pick<Draft, 'id' | 'parts'>): ChangeSetId {
  const first = `cs_${id.replace(/^drf_/, '')}`
  return (parts.length === 0 ? first : `${first}-${parts.length + 1}`) as ChangeSetId
}

/** The draft that may have written it: an undo belongs to no draft, and no draft has this id. */
export function draftIdsOf(changeSetId: ChangeSetId): DraftId[] {
  const whole = changeSetId.replace(/^cs_/, 'drf_')
  return [whole, whole.replace(/-\d+$/, '')] as DraftId[]
}

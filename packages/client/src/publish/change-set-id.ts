import type { ChangeSetId, DraftId } from '@filewright/protocol'

/** One draft is applied once: its change set's id follows from it. */
export function changeSetIdOf(draftId: DraftId): ChangeSetId {
  return `cs_${draftId.replace(/^drf_/, '')}` as ChangeSetId
}

/** An undo belongs to no draft, and no draft has this id. */
export function draftIdOf(changeSetId: ChangeSetId): DraftId {
  return `drf_${changeSetId.replace(/^cs_/, '')}` as DraftId
}

import {
  type ChangeId,
  counted,
  type DraftLine,
  ok,
  type Published,
  type Result,
  toVersion,
} from '@filewright/protocol'
import type { Draft } from '../draft/draft.ts'
import type { Answerer, Publication } from './publisher.ts'

/** Answers for a draft that a person published; if refused, the draft stays open unchanged. */
export function answerPublish(by: string, now: () => Date): Answerer<Result<Published>> {
  return async (draft, published) => {
    if (!published.ok) return { told: published }
    const changeIds = published.value.refused.map(({ changeId }) => changeId as ChangeId)
    const time = now().toISOString()
    const lines: DraftLine[] = changeIds.length > 0 ? [{ type: 'refuse', changeIds, by, time }] : []
    const how = published.value.undecided > 0 ? 'partly' : 'published'
    return { told: ok(toPublished(draft, published.value, changeIds)), end: { how, lines } }
  }
}

function toPublished(
  draft: Draft,
  { applied, plan, undecided }: Publication,
  refused: readonly ChangeId[],
): Published {
  const files = applied.files.map(file => ({
    path: file.path,
    docPath: file.docPath,
    action: file.before === null ? 'created' : file.after === null ? 'deleted' : 'changed',
    version: file.after && toVersion(file.after),
  }))
  const written =
    files.length === 0
      ? `Nothing was written: ${refused.length > 0 ? 'no change was accepted' : 'the files already match the draft'}.`
      : `Published: ${counted(files.length, 'file')} written (${files.map(file => `${file.path} ${file.action}`).join(', ')}).`
  return {
    draftId: draft.id,
    sessionId: draft.sessionId,
    changeSetId: applied.changeSetId,
    files,
    refused,
    dropped: plan?.dropped ?? [],
    refusedPlaces: [...(plan?.refused.values() ?? [])],
    undecided,
    rebased: [...(plan?.rebasedOn.keys() ?? [])],
    warnings: applied.warnings,
    message: undecided > 0 ? `${written} ${toRest(draft, undecided)}` : written,
  }
}

function toRest({ id }: Draft, undecided: number): string {
  return undecided === 1
    ? `1 other change stays in the draft ${id}.`
    : `${undecided} other changes stay in the draft ${id}.`
}

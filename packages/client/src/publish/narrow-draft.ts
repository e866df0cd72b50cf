import { type Change, type ChangeId, fail, ok, type Result } from '@filewright/protocol'
import { type Draft, isRespelled, unspelled } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import { operationKey, operationKeys } from '../review/operation-key.ts'
import { closeOverDependants } from '../review/refusals.ts'
import { reviewFiles } from '../review/review-files.ts'
import type { ReviewedFile } from '../review/reviewed-file.ts'
import type { Choice, ChosenFile } from './plan-file.ts'

/** The draft without the refused changes and those that depend on them. */
export async function narrowDraft(
  desk: Desk,
  draft: Draft,
  refusedIds: readonly ChangeId[],
): Promise<Result<Choice>> {
  const reviewed = await reviewFiles(desk, draft)
  if (!reviewed.ok) return reviewed
  const all = reviewed.value.flatMap(file => file.changes)
  const unknown = findUnknown(all, refusedIds)
  if (unknown) return unknown
  const { refused, dropped } = closeOverDependants(all, refusedIds)
  const places = all
    .filter(({ id }) => refused.has(id))
    .map(({ id, path, place }) => [id, `${path}, ${place}`] as const)
  const files = reviewed.value.flatMap(file => narrowFile(file, refused))
  return ok({ files, refused: new Map(places), dropped })
}

const MOST_IDS = 100 // named in a refusal

function findUnknown(
  all: readonly Change[],
  refusedIds: readonly ChangeId[],
): Result<never> | undefined {
  const known = new Set(all.map(({ id }) => id))
  const unknown = refusedIds.filter(id => !known.has(id))
  if (unknown.length === 0) return undefined
  const named = all.slice(0, MOST_IDS).map(({ id }) => id)
  const more = all.length > MOST_IDS ? ` and ${all.length - MOST_IDS} more` : ''
  return fail(
    'NOT_FOUND',
    `Nothing was written: the draft has no change ${unknown.join(', ')}. Its changes are ${named.join(', ')}${more}.`,
  )
}

function narrowFile(reviewed: ReviewedFile, refused: ReadonlySet<ChangeId>): ChosenFile[] {
  const isWhole = !reviewed.whole || !refused.has(reviewed.whole.id)
  const kept = isWhole ? reviewed : withoutWhole(reviewed)
  if (!kept) return []
  const { file, changes } = kept
  const own = changes.filter(({ id, kind }) => kind !== 'file' && refused.has(id))
  const isUntouched = file.log.length > 0 && file.disk !== null && own.length === changes.length
  if (isUntouched && !file.isDeleted) return []
  const leaves = isWhole ? file.origin?.source : undefined
  return [{ file, refused: new Set(own.map(({ id }) => id)), ...(leaves && { leaves }) }]
}

/** The move or deletion is refused: earlier edits of the file stay, at its original place. */
function withoutWhole(reviewed: ReviewedFile): ReviewedFile | undefined {
  const { file, whole, changes } = reviewed
  const inside = changes.filter(({ id }) => id !== whole?.id)
  if (isRespelled(file)) return { file: unspelled(file), changes: inside }
  if (file.deletion?.edited) return { file: file.deletion.edited, changes: inside }
  const source = file.origin?.source
  if (!source || source.log.length === 0) return undefined
  const before = operationKeys(source.log.slice())
  const own = changes.filter(({ operation }) => before.has(operationKey(operation)))
  return { file: source, changes: own }
}

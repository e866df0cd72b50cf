import { type Change, type ChangeId, fail, ok, type Result } from '@filewright/protocol'
import type { Draft } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import { operationKey, operationKeys } from '../review/operation-key.ts'
import { closeOverDependants } from '../review/refusals.ts'
import { reviewAll } from '../review/review-files.ts'
import type { ReviewedFile } from '../review/reviewed-file.ts'
import type { Choice, Left } from './choice.ts'
import { narrowFile } from './narrow-file.ts'

/** The draft without the changes left out, and without those that depend on refused ones. */
export async function narrowDraft(
  desk: Desk,
  draft: Draft,
  { refused, undecided }: Left,
): Promise<Result<Choice>> {
  const reviewed = await reviewAll(desk, draft)
  if (!reviewed.ok) return reviewed
  const all = reviewed.value.flatMap(file => file.changes)
  const unknown = findUnknown(all, refused)
  if (unknown) return unknown
  const gone = closeOverDependants(all, refused)
  const left = new Set([...gone.refused, ...undecided])
  const places = all
    .filter(({ id }) => gone.refused.has(id))
    .map(({ id, path, place }) => [id, `${path}, ${place}`] as const)
  const accepted = (file: ReviewedFile) =>
    file.changes.some(({ id }) => !left.has(id) && !draft.published.has(id))
  return ok({
    files: reviewed.value.filter(accepted).flatMap(file => narrowFile(file, left)),
    refused: new Map(places),
    dropped: gone.dropped,
    ...partOf(draft, reviewed.value, { left, gone: gone.refused }),
  })
}

/** What the draft has to remember when it stays open: what is written, and which files it no longer needs. */
function partOf(
  { published }: Draft,
  reviewed: readonly ReviewedFile[],
  { left, gone }: Record<'left' | 'gone', ReadonlySet<ChangeId>>,
): Pick<Choice, 'changeIds' | 'done' | 'withdrawn'> {
  const changeIds: ChangeId[] = []
  const done: Choice['done'][number][] = []
  const withdrawn: Choice['withdrawn'][number][] = []
  const taken = operationKeys(reviewed.flatMap(({ file }) => file.takes ?? []))
  for (const { file, changes } of reviewed) {
    const isIn = ({ id }: Change) => !left.has(id)
    const own = changes.filter(change => isIn(change) && !published.has(change.id))
    changeIds.push(...own.map(({ id }) => id))
    const isTaken = changes.some(({ operation }) => taken.has(operationKey(operation))) // by a copy
    const isPlain = !file.origin && !file.under && !isTaken
    const { docPath } = file
    const refused = changes.map(({ id }) => id).filter(id => gone.has(id))
    if (isPlain && changes.every(change => isIn(change) || gone.has(change.id))) done.push(docPath)
    else if (refused.length > 0) withdrawn.push({ docPath, changeIds: refused })
  }
  return { changeIds, done, withdrawn }
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

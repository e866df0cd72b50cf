import { type Change, ok, type Result } from '@filewright/protocol'
import { type Draft, type DraftFile, isAtIssue, isRespelled } from '../draft/draft.ts'
import { type Desk, draftedRef, engineFor } from '../draft/draft-view.ts'
import { addDependencies } from './dependencies.ts'
import { operationKey, operationKeys } from './operation-key.ts'
import { brokenFile, findStrayed } from './replay-file.ts'
import type { ReviewedFile } from './reviewed-file.ts'
import { isMaking, wholeChange } from './whole-change.ts'

/** What a person still decides on, in the order of the files. */
export async function reviewFiles(
  desk: Desk,
  draft: Draft,
): Promise<Result<readonly ReviewedFile[]>> {
  const all = await reviewAll(desk, draft)
  if (!all.ok || draft.published.size === 0) return all
  return ok(all.value.map(file => unpublishedOf(file, draft)).filter(hasChanges))
}

function unpublishedOf(reviewed: ReviewedFile, { published }: Draft): ReviewedFile {
  const { whole, changes, ...rest } = reviewed
  const left = changes.flatMap(change =>
    published.has(change.id)
      ? []
      : [{ ...change, dependsOn: change.dependsOn.filter(id => !published.has(id)) }],
  )
  return { ...rest, ...(whole && left[0]?.id === whole.id && { whole: left[0] }), changes: left }
}

function hasChanges({ changes }: ReviewedFile): boolean {
  return changes.length > 0
}

/** Every change of a draft, with those that are published already. */
export async function reviewAll(
  desk: Desk,
  draft: Draft,
): Promise<Result<readonly ReviewedFile[]>> {
  const reviewed: ReviewedFile[] = []
  const broken: ReviewedFile[] = []
  for (const file of draft.files.values()) {
    if (!isAtIssue(file)) continue
    const changes = await changesOf(desk, draft, file)
    if (changes.ok) reviewed.push(changes.value)
    else broken.push(brokenFile(file, changes.failure))
  }
  return ok([...addDependencies(reviewed), ...broken])
}

async function changesOf(desk: Desk, draft: Draft, file: DraftFile): Promise<Result<ReviewedFile>> {
  const whole = await wholeChange(desk, draft, file)
  const edited = file.deletion?.edited
  if (whole && edited) return deletionOf(desk, draft, { file, whole, edited })
  if (file.log.length === 0) return ok({ file, whole, changes: whole ? [whole] : [] })
  const listed = await engineFor(desk, file.format).changes(draftedRef(desk, draft, file))
  if (!listed.ok) return listed
  const found = await findStrayed(desk, draft, file)
  if (!found.ok) return found
  const strayed = found.value.length > 0 && { strayed: found.value }
  if (!whole) return ok({ file, changes: listed.value, ...strayed })
  const before = operationKeys(file.origin?.source?.log.slice() ?? [])
  const folded = new Set(
    listed.value.filter(change => isMaking(change, file)).map(change => change.id),
  )
  const inside = listed.value
    .filter(change => !folded.has(change.id))
    .map(change => {
      const needed = change.dependsOn.filter(id => !folded.has(id) && id !== whole.id)
      const isEarlier = isRespelled(file) || before.has(operationKey(change.operation))
      return { ...change, dependsOn: isEarlier ? needed : [whole.id, ...needed] }
    })
  return ok({ file, whole, changes: [whole, ...inside], ...strayed })
}

/** Edits before the deletion are shown for a decision too: they stay when the deletion is refused. */
async function deletionOf(
  desk: Desk,
  draft: Draft,
  { file, whole, edited }: Record<'file' | 'edited', DraftFile> & { whole: Change },
): Promise<Result<ReviewedFile>> {
  const before = await changesOf(desk, draft, edited)
  if (!before.ok) return ok({ file, whole, changes: [whole] })
  const changes = before.value.changes.map(change => ({
    ...change,
    place: `${change.place}, if the file is kept`,
  }))
  return ok({ file, whole, changes: [whole, ...changes] })
}

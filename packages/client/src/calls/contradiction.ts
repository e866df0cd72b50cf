import { type Decision, fail, type Result } from '@filewright/protocol'
import type { Draft } from '../draft/draft.ts'
import { changeSetIdOf } from '../publish/change-set-id.ts'
import type { Publisher } from '../publish/publisher.ts'

/** A decision is final: a late answer changes nothing, and its sender learns that. */
export async function contradiction(
  draft: Draft,
  made: Decision,
  given: Decision,
  { findWritten }: Pick<Publisher, 'findWritten'>,
): Promise<Result<never> | undefined> {
  const isSame = made.decision === given.decision
  if (isSame && (made.decision === 'denied' || refusedOf(made) === refusedOf(given)))
    return undefined
  const { approvalId } = draft
  const applied = await findWritten(draft)
  const found =
    made.by === 'cancel'
      ? `"${approvalId}" was withdrawn: its call was cancelled`
      : `"${approvalId}" was already ${made.decision} by ${made.by}`
  const back = applied
    ? `"filewright undo ${changeSetIdOf(draft)}" takes back what was written.`
    : 'Nothing was written for it.'
  if (isSame)
    return fail(
      'CONFLICT',
      `${found}, ${refusedOf(made) ? `without ${refusedOf(made)}` : 'with all its changes'}, so choosing again changes nothing. ${back}`,
    )
  return fail(
    'CONFLICT',
    made.decision === 'approved'
      ? `${found}, so it can no longer be denied. ${back}`
      : `${found}, so it can no longer be approved, and nothing was written. The model knows; let it ask again.`,
  )
}

function refusedOf({ refused = [] }: Decision): string {
  return [...new Set(refused.map(({ changeId }) => changeId))].sort().join(', ')
}

import {
  findRunDraft,
  inFolder,
  note,
  type RunEnd,
  showChanges,
  unwrapOrExit,
  type Work,
} from '@filewright/host'
import { askYesNo, canAsk } from '../../input/prompt.ts'
import { executedIn } from '../../output/executed.ts'

export type PublishPolicy = 'ask' | 'auto' | 'never'

export interface Publishing {
  readonly published?: string
  /** A person must be asked, and there is none here. */
  readonly waits?: true
}

export async function publishDraft(
  work: Work,
  sessionId: string,
  { publish }: { readonly publish?: PublishPolicy },
  { reason, written }: Pick<RunEnd, 'reason' | 'written'>,
): Promise<Publishing> {
  const { connection, params, config } = work
  const wished = publish ?? (canAsk() ? 'ask' : 'never')
  const how = written && wished === 'auto' ? 'ask' : wished
  if (how === 'never') return {}
  const draft = unwrapOrExit(await findRunDraft(work, sessionId))
  if (!draft) return {}
  const which = `--draft ${draft.id} ${inFolder(work)}`
  if (how === 'auto' && reason !== 'final') {
    note(
      `The draft was not published, because the run did not complete: look at it with "filewright review ${which}" and publish it with "filewright publish --yes ${which}".`,
    )
    return {}
  }
  let revision: number | undefined
  if (how === 'ask') {
    const review = unwrapOrExit(
      await connection.call('review', { params, query: { draftId: draft.id } }),
    )
    if (review.changes.length === 0) return {}
    if (!canAsk()) {
      note(waiting(which))
      return { waits: true }
    }
    note(showChanges(review.changes, review.diffs))
    if (!(await askYesNo('Publish these changes?'))) return {}
    revision = review.draft.revision
  }
  const result = await connection.call('publish', {
    params,
    body:
      how === 'auto'
        ? { draftId: draft.id, unasked: true, by: 'publish auto' }
        : { draftId: draft.id, revision, by: config.userName },
  })
  if (!result.ok && result.failure.details?.needsPerson) {
    note(`${result.failure.message} ${waiting(which)}`)
    return { waits: true }
  }
  if (!result.ok && executedIn(result.failure).length > 0) {
    note(result.failure.message)
    return { waits: true }
  }
  const published = unwrapOrExit(result)
  for (const warning of published.warnings) note(`Warning: ${warning}`)
  return { published: published.message, ...(published.executed && { waits: true }) }
}

function waiting(which: string): string {
  return `The draft waits for a person: look at it with "filewright review ${which}" and publish it with "filewright publish --yes ${which}".`
}

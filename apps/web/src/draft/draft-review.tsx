import type { Change, DraftSummary, Published, Review } from '@filewright/protocol'
import { useCallback, useState } from 'react'
import type { Api } from '../api.ts'
import { Changes } from '../change/changes.tsx'
import { Button } from '../parts/button.tsx'
import { FailureNote, Warnings } from '../parts/section.tsx'
import { useAsked } from '../use-polled.ts'
import { Conflicts } from './conflicts.tsx'
import { Consequences } from './consequences.tsx'
import { useClosing } from './use-closing.ts'

export function DraftReview({
  api,
  workspaceId,
  draft,
  onPublished,
  onDiscarded,
}: {
  api: Api
  workspaceId: string
  draft: DraftSummary
  onPublished: (published: Published) => void
  onDiscarded: () => void
}) {
  const ask = useCallback(
    () => api.call('review', { params: { workspaceId }, query: { draftId: draft.id } }),
    [api, workspaceId, draft.id],
  )
  const { value: review, failure: unread, reload } = useAsked(ask, JSON.stringify(draft))
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set())
  const { close, busy, failure, again } = useClosing(reload)

  if (!review)
    return unread ? <FailureNote failure={unread} /> : <p className="mt-3 text-muted">Loading …</p>
  const { changes, warnings } = review
  const publish = (choice: PublishChoice) =>
    // publishes exactly what was shown here, even if a run continues in the draft
    close(
      api.call('publish', {
        params: { workspaceId },
        body: {
          draftId: draft.id,
          ...nameExecuted(review, choice),
          revision: review.draft.revision,
        },
      }),
      onPublished,
    )
  const discard = () => {
    if (window.confirm('Discard this draft with all its changes?'))
      close(
        api.call('discard', { params: { workspaceId }, body: { draftId: draft.id } }),
        onDiscarded,
      )
  }
  return (
    <>
      <Warnings warnings={warnings} />
      <Conflicts {...{ api, workspaceId, review }} onDecided={again} />
      <Changes changes={changes} refused={refused} onRefused={setRefused} />
      <Consequences consequences={review.consequences ?? []} />
      {(failure ?? unread) && <FailureNote failure={(failure ?? unread)!} />}
      <div className="mt-4 flex flex-wrap gap-2">
        <PublishButtons changes={changes} refused={refused} busy={busy} onPublish={publish} />
        <Button kind="danger" disabled={busy} onClick={discard}>
          Discard
        </Button>
      </div>
    </>
  )
}

/** Asks about each file that other programs execute: it is published when its changes are named. */
function nameExecuted({ changes, executed = [] }: Review, choice: PublishChoice): PublishChoice {
  const { only, refused = [] } = choice
  const wanted = changes
    .map(({ id }): string => id)
    .filter(id => (only?.includes(id) ?? true) && !refused.includes(id))
  const asked = executed.filter(({ changeIds }) => changeIds.some(id => wanted.includes(id)))
  const declined = asked.filter(({ path, why }) => !window.confirm(`${why} Write ${path}?`))
  if (asked.length === 0) return choice
  const left = new Set(declined.flatMap(({ changeIds }) => changeIds))
  return { ...choice, only: wanted.filter(id => !left.has(id)) }
}

type PublishChoice = { readonly only?: string[]; readonly refused?: string[] }

/** Changes that are not ticked stay in the draft, or are refused. */
function PublishButtons({
  changes,
  refused,
  busy,
  onPublish,
}: {
  changes: readonly Change[]
  refused: ReadonlySet<string>
  busy: boolean
  onPublish: (choice: PublishChoice) => void
}) {
  const left = changes.filter(({ id }) => refused.has(id)).map(({ id }) => id)
  const ticked = changes.filter(({ id }) => !refused.has(id)).map(({ id }) => id)
  const some = `Publish ${ticked.length} of ${changes.length}`
  if (left.length === 0)
    return (
      <Button kind="primary" disabled={busy} onClick={() => onPublish({})}>
        Publish
      </Button>
    )
  return (
    <>
      {ticked.length > 0 && (
        <Button kind="primary" disabled={busy} onClick={() => onPublish({ only: ticked })}>
          {some}, keep the rest
        </Button>
      )}
      <Button disabled={busy} onClick={() => onPublish({ refused: left })}>
        {ticked.length > 0 ? `${some}, refuse the rest` : `Refuse all ${left.length}`}
      </Button>
    </>
  )
}

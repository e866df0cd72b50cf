import type { DraftSummary, Failure, Published, Result } from '@filewright/protocol'
import { useCallback, useState } from 'react'
import type { Api } from '../api.ts'
import { Changes } from '../change/changes.tsx'
import { Button } from '../parts/button.tsx'
import { FailureNote, Warnings } from '../parts/section.tsx'
import { useAsked } from '../use-polled.ts'

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
  const { close, busy, failure } = useClosing(reload)

  if (!review)
    return unread ? <FailureNote failure={unread} /> : <p className="mt-3 text-muted">Loading …</p>
  const { changes, warnings } = review
  const left = changes.filter(({ id }) => refused.has(id)).map(({ id }) => id)
  const accepted = changes.length - left.length
  const publish = () =>
    // what is published is what was shown here, though a run may go on in the draft
    close(
      api.call('publish', {
        params: { workspaceId },
        body: { draftId: draft.id, refused: left, revision: review.draft.revision },
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
      <Changes changes={changes} refused={refused} onRefused={setRefused} />
      {(failure ?? unread) && <FailureNote failure={(failure ?? unread)!} />}
      <div className="mt-4 flex gap-2">
        <Button kind="primary" disabled={busy || accepted === 0} onClick={publish}>
          {accepted === changes.length ? 'Publish' : `Publish ${accepted} of ${changes.length}`}
        </Button>
        <Button kind="danger" disabled={busy} onClick={discard}>
          Discard
        </Button>
      </div>
    </>
  )
}

/** Publishes or discards the draft; if that is refused, it is loaded again. */
function useClosing(reload: () => void) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  async function close<Value>(closing: Promise<Result<Value>>, onClosed: (value: Value) => void) {
    setBusy(true)
    const result = await closing
    setBusy(false)
    if (result.ok) return onClosed(result.value)
    setFailure(result.failure)
    reload()
  }
  return { close, busy, failure }
}

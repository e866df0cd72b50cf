import type { Failure, Result } from '@filewright/protocol'
import { useCallback, useState } from 'react'
import type { Api } from '../api.ts'
import { Changes } from '../change/changes.tsx'
import { Button } from '../parts/button.tsx'
import { FailureNote, Warnings } from '../parts/section.tsx'
import { usePolled } from '../use-polled.ts'

export function DraftReview({
  api,
  workspaceId,
  draftId,
  onClosed,
}: {
  api: Api
  workspaceId: string
  draftId: string
  onClosed: () => void
}) {
  const { value: review, failure: unread } = usePolled(
    useCallback(() => api.review(workspaceId, draftId), [api, workspaceId, draftId]),
  )
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()

  const close = async (closing: Promise<Result<unknown>>) => {
    setBusy(true)
    const result = await closing
    setBusy(false)
    if (result.ok) onClosed()
    else setFailure(result.failure)
  }

  if (!review)
    return unread ? <FailureNote failure={unread} /> : <p className="mt-3 text-muted">Loading …</p>
  const { changes, warnings } = review
  const accepted = changes.length - changes.filter(({ id }) => refused.has(id)).length
  return (
    <>
      <Warnings warnings={warnings} />
      <Changes changes={changes} refused={refused} onRefused={setRefused} />
      {(failure ?? unread) && <FailureNote failure={(failure ?? unread)!} />}
      <div className="mt-4 flex gap-2">
        <Button
          kind="primary"
          disabled={busy || accepted === 0}
          onClick={() => close(api.publish(workspaceId, draftId, [...refused]))}
        >
          {accepted === changes.length ? 'Publish' : `Publish ${accepted} of ${changes.length}`}
        </Button>
        <Button
          kind="danger"
          disabled={busy}
          onClick={() => close(api.discard(workspaceId, draftId))}
        >
          Discard
        </Button>
      </div>
    </>
  )
}

import type { Failure, Review } from '@filewright/protocol'
import { useCallback, useEffect, useState } from 'react'
import { Warnings } from '../parts/section.tsx'
import { Consequences } from '../review/consequences.tsx'
import { type Decisions, split, toChoice } from '../review/decisions.ts'
import { PublishBar } from '../review/publish-bar.tsx'
import { ReviewList } from '../review/review-list.tsx'
import { toComments } from '../review/to-comments.ts'
import type { HostFrame } from './host.ts'
import { decideOn, load, type Reviewed } from './reviewed.ts'

const HEIGHT = 560 // pixels, where the host lets us say

/** The draft in the frame of another product: accept, refuse, leave, publish. */
export function HostReview({ host }: { readonly host: HostFrame }) {
  const [reviewed, setReviewed] = useState<Reviewed>()
  const [said, setSaid] = useState<string>()
  const [failure, setFailure] = useState<Failure>()
  const show = useCallback(
    async (draftId: string | undefined) => {
      try {
        setReviewed(await load(host, draftId))
      } catch (error) {
        setReviewed(undefined)
        setSaid((error as Error).message)
      }
    },
    [host],
  )
  useEffect(() => {
    host.onCall(({ draft_id: id }) => void show(typeof id === 'string' ? id : undefined))
    host.resize(HEIGHT)
    host.open().catch((error: Error) => setSaid(error.message))
  }, [host, show])
  if (said !== undefined) return <p className="p-4 whitespace-pre-wrap">{said}</p>
  if (!reviewed) return <p className="p-4 text-muted">Loading …</p>
  const close = async (decision: Parameters<typeof decideOn>[2]) => {
    setFailure(undefined)
    try {
      const words = await decideOn(host, reviewed, decision)
      host.tellModel(`The person decided in the review of ${reviewed.review.draft.id}: ${words}`)
      setSaid(words)
    } catch (error) {
      setFailure(toFailure((error as Error).message))
      await show(reviewed.review.draft.id)
    }
  }
  return (
    <OpenReview
      key={reviewed.review.draft.revision}
      review={reviewed.review}
      failure={failure}
      onDecided={close}
    />
  )
}

function toFailure(message: string): Failure {
  return { code: 'CONFLICT', kind: 'conflict', message, errors: [message] }
}

function OpenReview({
  review,
  failure,
  onDecided,
}: {
  readonly review: Review
  readonly failure: Failure | undefined
  readonly onDecided: (decision: Parameters<typeof decideOn>[2]) => Promise<void>
}) {
  const [decisions, setDecisions] = useState<Decisions>(new Map())
  const [comments, setComments] = useState<ReadonlyMap<string, string>>(new Map())
  const [busy, setBusy] = useState(false)
  const parts = split(decisions, review.changes)
  const isBlocked = (review.conflicts ?? []).length > 0
  const publish = async () => {
    setBusy(true)
    await onDecided({ ...toChoice(parts), ...toComments(review, comments) })
    setBusy(false)
  }
  return (
    <div className="flex h-screen flex-col">
      <ReviewList
        {...{ review, decisions, comments }}
        onDecisions={setDecisions}
        onComment={(id, words) => setComments(before => new Map(before).set(id, words))}
        intro={<Warnings warnings={[...review.warnings, ...blocking(review)]} />}
        outro={<Consequences consequences={review.consequences ?? []} />}
      />
      <PublishBar {...parts} busy={busy || isBlocked} failure={failure} onPublish={publish} />
    </div>
  )
}

/** What is decided on our own page alone. */
function blocking({ conflicts = [], executed = [] }: Review): string[] {
  return [
    ...conflicts.map(({ message }) => `${message} Decide this on the page, before you publish.`),
    ...executed.map(({ why }) => `${why} It is published on the page, by name.`),
  ]
}

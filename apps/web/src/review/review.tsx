import {
  type DraftSummary,
  type Failure,
  type Published,
  type Review as ReviewOf,
  visible,
} from '@filewright/protocol'
import { useCallback, useState } from 'react'
import { Button } from '../parts/button.tsx'
import type { PaneProps } from '../parts/pane.ts'
import { FailureNote, Warnings } from '../parts/section.tsx'
import { type Written, WrittenNote, wayBack } from '../parts/written.tsx'
import type { StageView } from '../stage/shown.ts'
import { useAsked } from '../use-polled.ts'
import { Conflicts } from './conflicts.tsx'
import { Consequences } from './consequences.tsx'
import { type Decisions, split, toChoice } from './decisions.ts'
import { PublishBar } from './publish-bar.tsx'
import { ReviewList } from './review-list.tsx'
import { toComments } from './to-comments.ts'
import { useClosing } from './use-closing.ts'

interface ReviewProps extends PaneProps {
  readonly drafts: readonly DraftSummary[]
  readonly onChanged: () => void
  readonly onShow: (shown: StageView) => void
  readonly onSay: (words: string) => void
}

/** The open drafts: what each would change, and what becomes of it. */
export function Review({ drafts, ...props }: ReviewProps) {
  const [chosen, setChosen] = useState<string>()
  const [written, setWritten] = useState<Written>()
  const draft = drafts.find(({ id }) => id === chosen) ?? drafts.at(-1)
  const { api, workspaceId, onChanged } = props
  const tellPublished = ({ draftId, message, warnings }: Published) => {
    setWritten({ message, warnings, isUndone: false, ...wayBack(api, workspaceId, draftId) })
    onChanged()
  }
  const tellDiscarded = () => {
    setWritten({ message: 'Discarded. No file was changed.', warnings: [], isUndone: false })
    onChanged()
  }
  return (
    <section aria-label="Review" className="flex min-h-0 flex-1 flex-col">
      {written && (
        <div className="flex-none border-b border-line bg-card px-4 pb-3">
          <WrittenNote key={written.message} written={written} onChange={setWritten} />
        </div>
      )}
      {drafts.length > 1 && (
        <nav aria-label="Drafts" className="flex flex-none flex-wrap gap-2 px-4 py-2">
          {drafts.map(each => (
            <Button
              key={each.id}
              size="small"
              aria-pressed={each === draft}
              kind={each === draft ? 'plain' : 'quiet'}
              onClick={() => setChosen(each.id)}
            >
              {titleOf(each)}
            </Button>
          ))}
        </nav>
      )}
      {draft ? (
        <DraftReview
          key={draft.id}
          {...props}
          draft={draft}
          onPublished={tellPublished}
          onDiscarded={tellDiscarded}
        />
      ) : (
        <div className="m-auto max-w-measure px-6 text-center">
          <p className="text-lg font-medium">No draft is open.</p>
          <p className="mt-1 text-muted">
            What the model changes waits here, and no file is written before you say so.
          </p>
        </div>
      )}
    </section>
  )
}

export function titleOf({ label, files }: DraftSummary): string {
  const first = files[0]?.path ?? 'empty draft'
  return visible(label ?? (files.length > 1 ? `${first} and ${files.length - 1} more` : first))
}

function DraftReview({
  api,
  workspaceId,
  draft,
  onPublished,
  onDiscarded,
  onShow,
}: Omit<ReviewProps, 'drafts'> & {
  draft: DraftSummary
  onPublished: (published: Published) => void
  onDiscarded: () => void
}) {
  const { review, unread, closing, decisions, setDecisions, comments, say } = useReviewed(
    { api, workspaceId },
    draft,
  )
  const { close, busy, failure, again } = closing
  if (!review) return <Unread failure={unread} />
  const parts = split(decisions, review.changes)
  const publish = () =>
    // publishes exactly what was shown here, even if a run continues in the draft
    close(
      api.call('publish', {
        params: { workspaceId },
        body: toPublish(review, toChoice(parts), comments),
      }),
      onPublished,
    )
  const discard = () => {
    if (!window.confirm('Discard this draft with all its changes?')) return
    const body = { draftId: draft.id }
    close(api.call('discard', { params: { workspaceId }, body }), onDiscarded)
  }
  return (
    <>
      <ReviewList
        {...{ review, decisions, comments, onShow }}
        cells={{ api, workspaceId, draftId: draft.id }}
        onDecisions={setDecisions}
        onComment={say}
        intro={
          <>
            <Warnings warnings={review.warnings} />
            <Conflicts {...{ api, workspaceId, review }} onDecided={again} />
          </>
        }
        outro={<Consequences consequences={review.consequences ?? []} />}
      />
      <PublishBar
        {...parts}
        busy={busy}
        failure={failure ?? unread}
        onPublish={publish}
        onDiscard={discard}
      />
    </>
  )
}

function Unread({ failure }: { failure: Failure | undefined }) {
  if (!failure) return <p className="p-4 text-muted">Loading …</p>
  return (
    <div className="px-4">
      <FailureNote failure={failure} />
    </div>
  )
}

/** The draft as it is to be reviewed, and what was decided so far. */
function useReviewed(
  { api, workspaceId }: Pick<PaneProps, 'api' | 'workspaceId'>,
  draft: DraftSummary,
) {
  const ask = useCallback(
    () => api.call('review', { params: { workspaceId }, query: { draftId: draft.id } }),
    [api, workspaceId, draft.id],
  )
  const { value: review, failure: unread, reload } = useAsked(ask, JSON.stringify(draft))
  const [decisions, setDecisions] = useState<Decisions>(new Map())
  const [comments, setComments] = useState<ReadonlyMap<string, string>>(new Map())
  const closing = useClosing(reload)
  const say = (id: string, words: string) => setComments(before => new Map(before).set(id, words))
  return { review, unread, closing, decisions, setDecisions, comments, say }
}

function toPublish(review: ReviewOf, choice: PublishChoice, comments: ReadonlyMap<string, string>) {
  const { id: draftId, revision } = review.draft
  return { draftId, revision, ...nameExecuted(review, choice), ...toComments(review, comments) }
}

type PublishChoice = ReturnType<typeof toChoice>

/** Asks about each file that other programs execute: it is published when its changes are named. */
function nameExecuted({ changes, executed = [] }: ReviewOf, choice: PublishChoice): PublishChoice {
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

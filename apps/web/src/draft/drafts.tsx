import { counted, type DraftSummary, type Published, visible } from '@filewright/protocol'
import { useCallback, useState } from 'react'
import { Button } from '../parts/button.tsx'
import type { PaneProps } from '../parts/pane.ts'
import { Section } from '../parts/section.tsx'
import { When } from '../parts/when.tsx'
import { type Written, WrittenNote, wayBack } from '../parts/written.tsx'
import { usePolled } from '../use-polled.ts'
import { DraftReview } from './draft-review.tsx'

/** Open drafts; a one-call draft is reviewed as its approval. */
export function Drafts({ api, workspaceId, pulse }: PaneProps) {
  const ask = useCallback(
    () => api.call('listDrafts', { params: { workspaceId }, query: { state: 'open' } }),
    [api, workspaceId],
  )
  const polled = usePolled(ask, pulse)
  const [written, setWritten] = useState<Written>()

  const tellPublished = ({ draftId, message, warnings }: Published) => {
    setWritten({
      message,
      warnings,
      isUndone: false,
      ...wayBack(api, workspaceId, draftId),
    })
    polled.reload()
  }
  const tellDiscarded = () => {
    setWritten({ message: 'Discarded. No file was changed.', warnings: [], isUndone: false })
    polled.reload()
  }

  return (
    <Section
      title="Drafts"
      polled={polled}
      empty={drafts => (openOf(drafts).length === 0 ? 'No draft is open.' : undefined)}
      note={
        written && <WrittenNote key={written.message} written={written} onChange={setWritten} />
      }
    >
      {drafts =>
        openOf(drafts).map(draft => (
          <DraftCard
            key={draft.id}
            api={api}
            workspaceId={workspaceId}
            draft={draft}
            onPublished={tellPublished}
            onDiscarded={tellDiscarded}
          />
        ))
      }
    </Section>
  )
}

type DraftCardProps = Parameters<typeof DraftReview>[0]

function DraftCard(props: DraftCardProps) {
  const [isReviewing, setReviewing] = useState(false)
  const { draft } = props
  return (
    <article aria-label={titleOf(draft)} className="mb-6">
      <div className="flex items-baseline justify-between gap-4">
        <h3 className="min-w-0 font-medium break-words">{titleOf(draft)}</h3>
        <When time={draft.touched} />
      </div>
      <ul className="mt-1 text-sm">
        {draft.files.map(({ path, action, drifted }) => (
          <li key={path} className="break-words">
            <span className="font-mono">{visible(path)}</span>{' '}
            <span className="text-muted">
              {action}
              {drifted && '; the file on disk has changed since'}
            </span>
          </li>
        ))}
      </ul>
      <div className="mt-3">
        <Button aria-expanded={isReviewing} onClick={() => setReviewing(!isReviewing)}>
          {isReviewing ? 'Close the review' : 'Review'}
        </Button>
      </div>
      {isReviewing && <DraftReview {...props} />}
    </article>
  )
}

function openOf(drafts: readonly DraftSummary[]): DraftSummary[] {
  return drafts.filter(({ purpose, files }) => purpose === 'workshop' && files.length > 0)
}

function titleOf({ label, files }: DraftSummary): string {
  return visible(label ?? `Draft of ${counted(files.length, 'file')}`)
}

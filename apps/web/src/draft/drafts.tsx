import type { DraftSummary } from '@filewright/protocol'
import { useCallback, useState } from 'react'
import type { Api } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Section } from '../parts/section.tsx'
import { When } from '../parts/when.tsx'
import { usePolled } from '../use-polled.ts'
import { DraftReview } from './draft-review.tsx'

/** Open drafts; a one-call draft is reviewed as its approval. */
export function Drafts({ api, workspaceId }: { api: Api; workspaceId: string }) {
  const polled = usePolled(useCallback(() => api.drafts(workspaceId), [api, workspaceId]))
  return (
    <Section
      title="Drafts"
      polled={polled}
      empty={drafts =>
        openOf(drafts).length === 0 ? 'No draft is open: every file is as it was.' : undefined
      }
    >
      {drafts =>
        openOf(drafts).map(draft => (
          <DraftCard
            key={draft.id}
            api={api}
            workspaceId={workspaceId}
            draft={draft}
            onClosed={polled.reload}
          />
        ))
      }
    </Section>
  )
}

function DraftCard({
  api,
  workspaceId,
  draft,
  onClosed,
}: {
  api: Api
  workspaceId: string
  draft: DraftSummary
  onClosed: () => void
}) {
  const [reviewing, setReviewing] = useState(false)
  return (
    <article aria-label={titleOf(draft)} className="mb-6">
      <div className="flex items-baseline justify-between gap-4">
        <h3 className="font-medium">{titleOf(draft)}</h3>
        <When time={draft.touched} />
      </div>
      <ul className="mt-1 text-sm">
        {draft.files.map(({ path, action, drifted }) => (
          <li key={path}>
            <span className="font-mono">{path}</span>{' '}
            <span className="text-muted">
              {action}
              {drifted && '; the file on disk has changed since'}
            </span>
          </li>
        ))}
      </ul>
      {reviewing ? (
        <DraftReview api={api} workspaceId={workspaceId} draftId={draft.id} onClosed={onClosed} />
      ) : (
        <div className="mt-3">
          <Button onClick={() => setReviewing(true)}>Review</Button>
        </div>
      )}
    </article>
  )
}

function openOf(drafts: DraftSummary[]): DraftSummary[] {
  return drafts.filter(
    ({ state, purpose, files }) => state === 'open' && purpose === 'workshop' && files.length > 0,
  )
}

function titleOf({ label, files }: DraftSummary): string {
  return label ?? `Draft of ${files.length} ${files.length === 1 ? 'file' : 'files'}`
}

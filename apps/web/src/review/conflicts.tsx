import { type DraftConflict, type Review, visible } from '@filewright/protocol'
import { Fragment, useState } from 'react'
import type { Api } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { FailureNote } from '../parts/section.tsx'
import { type Written, WrittenNote } from '../parts/written.tsx'
import { useClosing } from './use-closing.ts'

type Side = 'ours' | 'theirs'

/** Changes of a draft that meet what somebody else saved, each to be decided. */
export function Conflicts({
  api,
  workspaceId,
  review: { draft, conflicts = [] },
  onDecided,
}: {
  api: Api
  workspaceId: string
  review: Review
  onDecided: () => void
}) {
  const { close, busy, failure } = useClosing(onDecided)
  const [decision, setDecision] = useState<Written>()
  const decide = (decided: readonly DraftConflict[], side: Side) => {
    const changeIds = decided.map(({ changeId }) => changeId)
    const body = { draftId: draft.id, changeIds, side }
    close(api.call('resolve', { params: { workspaceId }, body }), () => {
      const message = decided.map(({ path, choices }) => `${path}: ${choices[side]}.`).join(' ')
      setDecision({ message, warnings: [], isUndone: false })
      onDecided()
    })
  }
  const note = decision && (
    <WrittenNote key={decision.message} written={decision} onChange={setDecision} />
  )
  if (conflicts.length === 0) return note
  return (
    <>
      {note}
      <section
        aria-label="Conflicts"
        className="mt-3 rounded-md border border-field bg-card px-3 py-2 text-sm"
      >
        <p className="font-medium">
          Somebody else changed {conflicts.length === 1 ? 'this' : 'these'} meanwhile. Decide before
          you publish:
        </p>
        <ul>
          {conflicts.map(conflict => (
            <OneConflict
              key={conflict.changeId}
              {...{ conflict, busy }}
              onSide={side => decide([conflict], side)}
            />
          ))}
        </ul>
        {conflicts.length > 1 && (
          <AllConflicts {...{ conflicts, busy }} onSide={side => decide(conflicts, side)} />
        )}
        {failure && <FailureNote failure={failure} />}
      </section>
    </>
  )
}

function AllConflicts({
  conflicts,
  ...sides
}: {
  conflicts: readonly DraftConflict[]
  busy: boolean
  onSide: (side: Side) => void
}) {
  const all = `in all ${conflicts.length}`
  const canKeepAll = conflicts.every(({ choices }) => choices.ours !== undefined)
  return (
    <div className="mt-3 border-t border-line pt-3">
      <Sides choices={{ theirs: all, ...(canKeepAll && { ours: all }) }} {...sides} />
    </div>
  )
}

function OneConflict({
  conflict: { path, message, choices },
  ...sides
}: {
  conflict: DraftConflict
  busy: boolean
  onSide: (side: Side) => void
}) {
  return (
    <li className="mt-3 break-words">
      <span className="font-mono">{visible(path)}</span>: {visible(message)}
      <Sides choices={choices} {...sides} />
    </li>
  )
}

/** Each button next to what it does. */
function Sides({
  busy,
  choices,
  onSide,
}: {
  busy: boolean
  choices: DraftConflict['choices']
  onSide: (side: Side) => void
}) {
  return (
    <div className="sides mt-2 items-baseline gap-x-3 gap-y-2">
      {SIDES.map(({ side, words }) => {
        const what = choices[side]
        if (what === undefined) return null
        return (
          <Fragment key={side}>
            <Button disabled={busy} onClick={() => onSide(side)}>
              {words}
            </Button>
            <span className="text-muted">{visible(what)}</span>
          </Fragment>
        )
      })}
    </div>
  )
}

const SIDES = [
  { side: 'ours', words: 'Keep the draft’s' },
  { side: 'theirs', words: 'Keep the disk’s' },
] as const

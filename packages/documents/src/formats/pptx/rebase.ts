import type { Result } from '@filewright/protocol'
import { type CarriedOperation, carryLog, type DoneOperation } from '../../carry-log.ts'
import type { Rebased, RebaseRequest } from '../../format.ts'
import { deckDrafts } from './deck-drafts.ts'
import { DeckDocument } from './document.ts'
import { referencesIn } from './rebase/carry-found.ts'
import { SlideAlignment } from './rebase/slide-alignment.ts'

/**
 * Carries a log over to bytes that somebody else saved, shape by shape. Slides and shapes keep their ids, so a slide that
 * moved is found again.
 */
export function rebase(request: RebaseRequest): Result<Rebased> {
  return carryLog(
    {
      nouns: 'slides',
      open: DeckDocument.open,
      replay: deckDrafts.replay,
      align: (old, now) => {
        const alignment = new SlideAlignment(old.deck, now.deck)
        return operation => carried(alignment, operation)
      },
    },
    request,
  )
}

function carried(
  alignment: SlideAlignment,
  { found, changes, isForced, draft }: DoneOperation<DeckDocument>,
): CarriedOperation {
  const changed = isForced
    ? []
    : referencesIn(found).filter(
        ({ ref, isWhole }) => !alignment.isSame(ref, isWhole) || alignment.isTaken(ref, draft.deck),
      )
  if (changed.length === 0)
    return { found, kept: changes.map(({ place }) => alignment.placeOf(place)) }
  const places = new Set(changed.map(({ ref }) => draft.deck.placeOf(ref)))
  return { reason: 'it changed on disk', touches: ({ place }) => places.has(place) }
}

import type { Result } from '@filewright/protocol'
import { type CarriedOperation, carryLog, type DoneOperation } from '../../carry-log.ts'
import type { Rebased, RebaseRequest } from '../../format.ts'
import { DocxDocument } from './document.ts'
import { documentDrafts } from './document-drafts.ts'
import { carryFound, carryPlace } from './rebase/carry-found.ts'
import { ParagraphAlignment } from './rebase/paragraph-alignment.ts'
import { type BothSides, doubtOfColumns, doubtOfTouched } from './rebase/prove-touched.ts'
import { placeOf } from './story/places.ts'

/** Carries a log over to bytes that somebody else saved, paragraph by paragraph. */
export function rebase(request: RebaseRequest): Result<Rebased> {
  return carryLog(
    {
      nouns: 'paragraphs',
      open: DocxDocument.open,
      replay: documentDrafts.replay,
      align: (old, now) => {
        const sides = { old: old.manuscript, now: now.manuscript }
        const alignment = new ParagraphAlignment(sides.old, sides.now)
        return operation => carried({ ...sides, alignment }, operation)
      },
    },
    request,
  )
}

function carried(
  sides: BothSides,
  { found, touched, changes, isForced }: DoneOperation<DocxDocument>,
): CarriedOperation {
  const { alignment } = sides
  const missing = new Set<string>()
  const idOf = (id: string) =>
    alignment.idOf(id) ?? (isForced ? alignment.replacementOf(id) : undefined)
  const now = carryFound(found, idOf, id => missing.add(id))
  if (missing.size > 0)
    return {
      reason: 'the paragraph changed on disk',
      touches: ({ place }) => missing.has(idAt(place)),
    }
  const doubt =
    doubtOfColumns(sides, touched) ?? (isForced ? undefined : doubtOfTouched(sides, touched))
  if (doubt !== undefined) return { reason: doubt, touches: () => true }
  return { found: now, kept: changes.map(({ place }) => carryPlace(place, idOf, placeOf)) }
}

/** The id of the paragraph that a place names. */
function idAt(place: string): string {
  let found = ''
  carryPlace(
    place,
    id => {
      found = id
      return undefined
    },
    placeOf,
  )
  return found
}

import type {
  DraftDeed,
  DraftSummary,
  JournalLine,
  Published,
  SessionId,
  TakenBack,
} from '@filewright/protocol'

/** The notice that a draft's session gets when a person is done with the draft. */
export interface DraftNote {
  readonly sessionId: SessionId
  /** The same each time one action is reported. */
  readonly id: string
  readonly line: Extract<JournalLine, { type: 'draft' }>
}

const PATHS_TOLD = 200
const PLACES_TOLD = 20

export function notePublished(published: Published): DraftNote | undefined {
  const { draftId, sessionId, changeSetId, files, refused, dropped, undecided } = published
  const { refusedPlaces = [] } = published
  const left = refused.length + dropped.length
  return toNote('published', sessionId, draftId, files, {
    change_set_id: changeSetId,
    ...(left > 0 && { refused: left, refused_places: refusedPlaces.slice(0, PLACES_TOLD) }),
    ...(undecided > 0 && { undecided }),
  })
}

export function noteDiscarded({ id, sessionId, files }: DraftSummary): DraftNote | undefined {
  return toNote('discarded', sessionId, id, files)
}

export function noteTakenBack(
  action: 'undone' | 'redone',
): (taken: TakenBack) => DraftNote | undefined {
  return ({ changeSetId, files, of }) =>
    toNote(action, of?.sessionId, of?.draftId, files, { change_set_id: changeSetId })
}

/** The same notice for a deed that is reported later. */
export function noteDeed(deed: DraftDeed): DraftNote | undefined {
  const { action, sessionId, draftId, files, changeSetId, refused = 0, undecided = 0 } = deed
  return toNote(action, sessionId, draftId, files, {
    ...(changeSetId && { change_set_id: changeSetId }),
    ...(refused > 0 && { refused }),
    ...(undecided > 0 && { undecided }),
  })
}

/** Another make of client may not say whose draft it was. */
function toNote(
  action: DraftNote['line']['action'],
  sessionId: string | undefined,
  draftId: string | undefined,
  files: readonly { readonly path: string }[],
  more: Pick<DraftNote['line'], 'change_set_id' | 'refused' | 'refused_places' | 'undecided'> = {},
): DraftNote | undefined {
  if (!sessionId || !draftId) return undefined
  const paths = files.slice(0, PATHS_TOLD).map(({ path }) => path)
  return {
    sessionId: sessionId as SessionId,
    id: `${action} ${more.change_set_id ?? draftId}`,
    line: { type: 'draft', draft_id: draftId, action, files: files.length, paths, ...more },
  }
}

import { type Failure, ok, type Result } from '@filewright/protocol'
import type { Calls } from '../../record/calls.ts'
import {
  type DraftNote,
  noteDiscarded,
  notePublished,
  noteTakenBack,
} from '../../session/draft-note.ts'
import type { UnsavedOf } from '../../sources/active-files.ts'
import { decider, type OwnWork } from '../own-work.ts'
import type { Routes } from '../route.ts'
import type { InWorkspace, Within } from './within.ts'

export interface DraftRouteParts {
  readonly calls: Calls
  readonly ownWork: OwnWork
  readonly unsavedOf: UnsavedOf
}

type PublishRequest = Parameters<Routes['publish']>[0]

/** Drafts, and a person's actions on them. */
export function createDraftRoutes(
  { calls, ownWork, unsavedOf }: DraftRouteParts,
  within: Within,
): Pick<
  Routes,
  'listDrafts' | 'review' | 'publish' | 'resolve' | 'discard' | 'undo' | 'redo' | 'restore'
> {
  const closing =
    <Asked extends InWorkspace, Answer>(close: (request: Asked) => Promise<Answer>) =>
    (request: Asked) =>
      calls.whileClosing(request.params.workspaceId, () => close(request))

  /** Notifies the draft's session, so that its next request to the model reports it. */
  const telling =
    <Asked extends InWorkspace, Value>(
      handle: (request: Asked) => Promise<Result<Value>>,
      toNote: (value: Value, request: Asked) => DraftNote | undefined,
    ) =>
    async (request: Asked) => {
      const deed = await calls.deeds.begin(request.params.workspaceId)
      const answer = await handle(request)
      if (answer.ok) await deed.end(toNote(answer.value, request))
      else if (!isUnsure(answer.failure)) await deed.end(undefined)
      return answer
    }

  const reviewOf = within.ask('draft-review', ({ body }: PublishRequest) => ({
    draftId: body.draftId,
  }))

  /** Somebody else's work, and exactly as it is now: its author may go on working meanwhile. */
  async function asReviewed(request: PublishRequest): Promise<Result<PublishRequest>> {
    const { scope, body } = request
    if (scope.decidesOwn && !body.unasked) return ok(request)
    const review = await reviewOf(request)
    if (!review.ok) return review
    const { id: draftId, sessionId, revision } = review.value.draft
    const refused =
      (await ownWork.refuseDecision(scope, sessionId)) ??
      (body.unasked && (await ownWork.refusePolicy(scope, sessionId)))
    return refused || ok({ ...request, body: { revision, ...body, draftId } })
  }

  return {
    listDrafts: within.ask('draft-list', ({ query }) => query),
    review: within.ask('draft-review', ({ query }) => query),
    publish: telling(
      closing(async (asked: PublishRequest) => {
        const reviewed = await asReviewed(asked)
        if (!reviewed.ok) return reviewed
        const request = reviewed.value
        const unsaved = await unsavedOf(request.params.workspaceId)
        const ask = within.ask(
          'draft-publish',
          ({ scope, body: { comments: _, unasked: __, ...body } }: PublishRequest) => ({
            ...body,
            by: decider(scope, body.by),
            ...(unsaved.length > 0 && { unsaved }),
          }),
        )
        return ask(request)
      }),
      (published, { body }) => withComments(notePublished(published), body.comments),
    ),
    resolve: within.ask('draft-resolve', ({ scope, body }) => ({
      ...body,
      by: decider(scope, body.by),
    })),
    discard: telling(
      closing(
        within.ask('draft-discard', ({ scope, body }) => ({
          ...body,
          by: decider(scope, body.by),
        })),
      ),
      noteDiscarded,
    ),
    undo: telling(
      within.ask('undo', ({ body }) => body),
      noteTakenBack('undone'),
    ),
    redo: telling(
      within.ask('redo', ({ body }) => body),
      noteTakenBack('redone'),
    ),
    restore: within.ask('restore', ({ body }) => body),
  }
}

function withComments(
  note: DraftNote | undefined,
  comments: readonly string[] | undefined,
): DraftNote | undefined {
  return note && comments?.length ? { ...note, line: { ...note.line, comments } } : note
}

/** The client may have done it all the same: it is asked when it is back. */
function isUnsure({ code, kind }: Failure): boolean {
  return code === 'TIMEOUT' || kind === 'unavailable'
}

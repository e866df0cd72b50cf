import type { Failure, Result } from '@filewright/protocol'
import type { Calls } from '../../record/calls.ts'
import {
  type DraftNote,
  noteDiscarded,
  notePublished,
  noteTakenBack,
} from '../../session/draft-note.ts'
import type { UnsavedOf } from '../../sources/active-files.ts'
import type { Routes } from '../route.ts'
import type { InWorkspace, Within } from './within.ts'

export interface DraftRouteParts {
  readonly calls: Calls
  readonly unsavedOf: UnsavedOf
}

type PublishRequest = Parameters<Routes['publish']>[0]

/** Drafts, and a person's actions on them. */
export function createDraftRoutes(
  { calls, unsavedOf }: DraftRouteParts,
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

  return {
    listDrafts: within.ask('draft-list', ({ query }) => query),
    review: within.ask('draft-review', ({ query }) => query),
    publish: telling(
      closing(async (request: PublishRequest) => {
        const unsaved = await unsavedOf(request.params.workspaceId)
        const ask = within.ask(
          'draft-publish',
          ({ body: { comments: _, ...body } }: PublishRequest) => ({
            by: 'a person',
            ...body,
            ...(unsaved.length > 0 && { unsaved }),
          }),
        )
        return ask(request)
      }),
      (published, { body }) => withComments(notePublished(published), body.comments),
    ),
    resolve: within.ask('draft-resolve', ({ body }) => ({ by: 'a person', ...body })),
    discard: telling(
      closing(within.ask('draft-discard', ({ body }) => ({ by: 'a person', ...body }))),
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

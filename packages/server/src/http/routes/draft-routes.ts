import type { Result } from '@filewright/protocol'
import type { Calls } from '../../record/calls.ts'
import {
  type DraftNote,
  noteDiscarded,
  notePublished,
  noteTakenBack,
} from '../../session/draft-note.ts'
import type { Inboxes } from '../../session/inboxes.ts'
import type { Routes } from '../route.ts'
import type { InWorkspace, Within } from './within.ts'

export interface DraftRouteParts {
  readonly calls: Calls
  readonly inboxes: Inboxes
}

/** Drafts, and a person's actions on them. */
export function createDraftRoutes(
  { calls, inboxes }: DraftRouteParts,
  within: Within,
): Pick<Routes, 'listDrafts' | 'review' | 'publish' | 'discard' | 'undo' | 'redo'> {
  const closing =
    <Asked extends InWorkspace, Answer>(close: (request: Asked) => Promise<Answer>) =>
    (request: Asked) =>
      calls.whileClosing(request.params.workspaceId, () => close(request))

  /** Notifies the draft's session, so that its next request to the model reports it. */
  const telling =
    <Asked extends InWorkspace, Value>(
      handle: (request: Asked) => Promise<Result<Value>>,
      toNote: (value: Value) => DraftNote | undefined,
    ) =>
    async (request: Asked) => {
      const answer = await handle(request)
      const note = answer.ok ? toNote(answer.value) : undefined
      if (note) await inboxes.tell(request.params.workspaceId, note)
      return answer
    }

  return {
    listDrafts: within.ask('draft-list', ({ query }) => query),
    review: within.ask('draft-review', ({ query }) => query),
    publish: telling(
      closing(within.ask('draft-publish', ({ body }) => ({ by: 'a person', ...body }))),
      notePublished,
    ),
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
  }
}

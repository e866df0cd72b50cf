import type { ClientMethods, Decision, IdSource, Result, WorkspaceId } from '@filewright/protocol'
import type { ToolRouter } from '../calls/tool-router.ts'
import type { ClientLink } from '../link/client-link.ts'
import type { SessionLog } from '../log/log.ts'
import type { PatchFates } from '../patches/patch-fates.ts'
import type { Actors } from '../session/actors.ts'
import type { Inboxes } from '../session/inboxes.ts'
import type { UnsavedOf } from '../sources/active-files.ts'
import type { Blobs } from '../store/blobs.ts'
import type { Settings } from '../store/settings.ts'
import type { Logger } from '../words/logger.ts'
import { type AskForYes, type AskForYesOptions, createAskForYes } from './asked-yes.ts'
import { type CallRecorder, createCallRecorder } from './call-recorder.ts'
import { createCallsUnderWay } from './calls-under-way.ts'
import { type ClosingDrafts, createClosingDrafts } from './closing-drafts.ts'
import { decide } from './decide.ts'
import { createDraftDeeds, type DraftDeeds } from './draft-deeds.ts'
import { createOwnCalls, type OwnCalls } from './own-calls.ts'
import { createQuestions, type Questions } from './questions.ts'
import { createReconcile } from './reconcile.ts'

/** Calls of every session: each call that starts ends in one result. */
export interface Calls extends OwnCalls {
  /** For calls of a run. */
  readonly recorder: CallRecorder
  decide(
    workspaceId: WorkspaceId,
    approvalId: string,
    decision: Decision,
  ): Promise<Result<ClientMethods['approval-decide']['value']>>
  /** Gives calls that a crash or a lost client left open their one result. */
  reconcile(workspaceId: WorkspaceId): Promise<void>
  readonly whileClosing: ClosingDrafts['while']
  readonly deeds: DraftDeeds
  readonly questions: Questions
  readonly askForYes: AskForYes
}

export interface CallsOptions extends Pick<AskForYesOptions, 'questionKey'> {
  readonly log: SessionLog
  readonly actors: Actors
  readonly inboxes: Inboxes
  readonly router: ToolRouter
  readonly link: ClientLink
  readonly fates: PatchFates
  readonly ids: IdSource
  readonly logger: Logger
  readonly settings: Settings
  readonly unsavedOf: UnsavedOf
  readonly blobs: Blobs
}

export function createCalls(options: CallsOptions): Calls {
  const closing = createClosingDrafts(options.actors)
  const recorder = createCallRecorder({ ...options, closing: closing.workspaces })
  const deeds = createDraftDeeds(options)
  const parts = { ...options, recorder, deeds, underWay: createCallsUnderWay() }
  return {
    ...createOwnCalls(parts),
    recorder,
    decide: (...given) => decide(parts, ...given),
    reconcile: createReconcile(parts),
    whileClosing: closing.while,
    deeds,
    questions: createQuestions(options),
    askForYes: createAskForYes(options),
  }
}

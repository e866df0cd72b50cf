import {
  type CallState,
  type IdSource,
  ok,
  type Result,
  type ToolCallId,
  type TurnId,
  type WorkspaceId,
} from '@filewright/protocol'
import { toEnded } from '../calls/call-end.ts'
import { restoreStarted } from '../calls/call-start.ts'
import type { ClientLink } from '../link/client-link.ts'
import type { OpenCall, SessionLog } from '../log/log.ts'
import type { Actors } from '../session/actors.ts'
import type { Inboxes } from '../session/inboxes.ts'
import type { SessionActor } from '../session/session-actor.ts'
import type { CallRecorder } from './call-recorder.ts'
import type { CallsUnderWay } from './calls-under-way.ts'
import { askForCall, findLostCalls } from './lost-calls.ts'
import { noSuchCall } from './own-calls.ts'

export interface ReconcileOptions {
  readonly log: SessionLog
  readonly actors: Actors
  readonly inboxes: Inboxes
  readonly link: ClientLink
  readonly recorder: CallRecorder
  readonly underWay: CallsUnderWay
  readonly ids: IdSource
}

/** Gives each call that a crash or a lost client left open its one result. */
export function createReconcile(
  options: ReconcileOptions,
): (workspaceId: WorkspaceId) => Promise<void> {
  const { log, actors, inboxes, link, recorder, underWay, ids } = options

  async function reconcile(workspaceId: WorkspaceId): Promise<void> {
    await actors.each(workspaceId, own => own.flush())
    const open = await log.openCalls({ workspaceId })
    for (const sessionId of await sessionsToLookAt(workspaceId, open)) {
      const session = await log.getSession(sessionId)
      const opened = await actors.open(sessionId)
      if (!opened.ok || session?.state === 'running') continue // a run reconciles its own calls
      await inboxes.drain(sessionId)
      for (const call of open) if (call.sessionId === sessionId) await settle(opened.value, call)
    }
    if (link.keepsCalls(workspaceId)) await restoreCalls(workspaceId)
  }

  /** Those with an open call, mail or a waiting run. */
  async function sessionsToLookAt(workspaceId: WorkspaceId, open: readonly OpenCall[]) {
    const waiting = await log.listSessions({ workspaceId, state: 'waiting' })
    const found = new Set([...waiting, ...open].map(({ sessionId }) => sessionId))
    for (const sessionId of await log.sessionsWithMail())
      if ((await log.getSession(sessionId))?.workspaceId === workspaceId) found.add(sessionId)
    return found
  }

  async function settle(own: SessionActor, call: OpenCall): Promise<void> {
    const state = await recorder.find(own.workspaceId, call.toolCallId)
    if (!state.ok) return
    if (state.value) await recorder.recordFound(own, call, state.value)
    else await recorder.recordNeverRan(own, call)
  }

  async function restoreCalls(workspaceId: WorkspaceId): Promise<void> {
    for (const { sessionId, toolCallId } of await findLostCalls(link, log, workspaceId)) {
      const session = await log.getSession(sessionId)
      const opened = await actors.open(sessionId)
      if (!opened.ok || session?.state === 'running' || underWay.get(toolCallId)) continue
      await underWay.run(toolCallId, () => restoreCall(opened.value, toolCallId))
    }
  }

  /** Restores a call that the client's draft keeps and the log has lost. Sent again meanwhile, it answers as before. */
  async function restoreCall(
    own: SessionActor,
    toolCallId: ToolCallId,
  ): Promise<Result<CallState>> {
    const kept = await askForCall(link, own.workspaceId, toolCallId)
    await own.flush()
    const isKnown = (await log.findResult(own.sessionId, toolCallId)) !== undefined
    if (!kept || !('outcome' in kept.state)) return noSuchCall(toolCallId)
    if (!isKnown) {
      const { outcome } = kept.state
      const started = restoreStarted(toolCallId, outcome.envelope.turnId as TurnId, kept)
      await own.append([started, toEnded(toolCallId, outcome, ids)])
    }
    return ok(kept.state)
  }

  return reconcile
}

import {
  type CallState,
  type IdSource,
  ok,
  type Result,
  type ToolCallId,
  type TurnId,
  type WorkspaceId,
} from '@filewright/protocol'
import { toEnded, toNeverRan } from '../calls/call-end.ts'
import { restoreStarted } from '../calls/call-start.ts'
import type { ClientLink } from '../link/client-link.ts'
import type { OpenCall, SessionLog } from '../log/log.ts'
import type { Actors } from '../session/actors.ts'
import type { Inboxes } from '../session/inboxes.ts'
import type { SessionActor } from '../session/session-actor.ts'
import type { CallRecorder } from './call-recorder.ts'
import type { CallsUnderWay } from './calls-under-way.ts'
import type { DraftDeeds } from './draft-deeds.ts'
import { askForCall, findLostCalls } from './lost-calls.ts'
import { noSuchCall } from './own-calls.ts'
import { waitsForAnswer } from './questions.ts'

export interface ReconcileOptions {
  readonly log: SessionLog
  readonly actors: Actors
  readonly inboxes: Inboxes
  readonly link: ClientLink
  readonly recorder: CallRecorder
  readonly underWay: CallsUnderWay
  readonly deeds: Pick<DraftDeeds, 'restore'>
  readonly ids: IdSource
}

/** Gives each call that a crash or a lost client left open its one result, and each deed with a draft its row. */
export function createReconcile(
  options: ReconcileOptions,
): (workspaceId: WorkspaceId) => Promise<void> {
  const { log, actors, inboxes, link, recorder, underWay, deeds, ids } = options

  async function reconcile(workspaceId: WorkspaceId): Promise<void> {
    await actors.each(workspaceId, own => own.flush())
    const open = await log.openCalls({ workspaceId })
    for (const sessionId of await sessionsToLookAt(workspaceId, open)) {
      const session = await log.getSession(sessionId)
      if (session?.state === 'running') continue // a run reconciles its own calls
      const opened = await actors.open(sessionId)
      if (!opened.ok) continue
      await inboxes.drain(sessionId)
      const isAwaited = session?.state === 'waiting'
      const own = open.filter(call => call.sessionId === sessionId)
      for (const call of own)
        await (isAwaited ? pass(workspaceId, call) : settle(opened.value, call))
      if (isAwaited) await inboxes.drain(sessionId)
    }
    if (link.keepsCalls(workspaceId)) await restoreCalls(workspaceId)
    await deeds.restore(workspaceId)
  }

  /** Those with an open call or mail: a run that waits has an open call, and nothing else to settle. */
  async function sessionsToLookAt(workspaceId: WorkspaceId, open: readonly OpenCall[]) {
    const found = new Set(open.map(({ sessionId }) => sessionId))
    for (const sessionId of await log.sessionsWithMail())
      if ((await log.getSession(sessionId))?.workspaceId === workspaceId) found.add(sessionId)
    return found
  }

  async function settle(own: SessionActor, call: OpenCall): Promise<void> {
    if (waitsForAnswer(call.name)) return // the person has it, or a server outside: no client does
    const state = await recorder.find(own.workspaceId, call.toolCallId)
    if (!state.ok) return
    if (state.value) await recorder.recordFound(own, call, state.value)
    else await recorder.recordNeverRan(own, call)
  }

  /** A run waits for the call: it takes the outcome as one that arrives, and goes on. */
  async function pass(workspaceId: WorkspaceId, call: OpenCall): Promise<void> {
    const { sessionId, toolCallId, name } = call
    if (waitsForAnswer(name)) return
    const state = await recorder.find(workspaceId, toolCallId)
    if (!state.ok || (state.value && 'pending' in state.value)) return
    if (state.value) await recorder.noteEnd(workspaceId, { toolCallId, name }, state.value)
    const body = state.value
      ? { outcome: { toolCallId, outcome: state.value.outcome } }
      : { line: toNeverRan(toolCallId, ids) }
    await inboxes.put(sessionId, [{ id: `outcome ${toolCallId}`, type: 'outcome', body }])
  }

  async function restoreCalls(workspaceId: WorkspaceId): Promise<void> {
    for (const { sessionId, toolCallId } of await findLostCalls(link, log, workspaceId)) {
      const session = await log.getSession(sessionId)
      if (session?.state === 'running' || underWay.get(toolCallId)) continue
      const opened = await actors.open(sessionId)
      if (!opened.ok) continue
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

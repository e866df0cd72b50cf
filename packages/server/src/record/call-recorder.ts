import {
  type CallIds,
  type CallPolicy,
  type CallState,
  type IdSource,
  type Result,
  type ToolCallId,
  type ToolOutcome,
  toWaitingLine,
  type WorkspaceId,
} from '@filewright/protocol'
import { findTool, type Tool } from '@filewright/tools'
import { toEnded, toNeverRan } from '../calls/call-end.ts'
import { toStarted } from '../calls/call-start.ts'
import { logReceived } from '../calls/forward-call.ts'
import type { RoutedCall } from '../calls/routed-call.ts'
import type { ToolRouter } from '../calls/tool-router.ts'
import type { ClientLink } from '../link/client-link.ts'
import type { PatchFates } from '../patches/patch-fates.ts'
import type { SessionActor } from '../session/session-actor.ts'
import type { Blobs } from '../store/blobs.ts'
import type { Logger } from '../words/logger.ts'
import { durabilityOf } from './call-durability.ts'
import { keepLongResult } from './long-result.ts'

export interface ToolCallRequest {
  readonly tool: string
  readonly arguments: unknown
  /** The caller's own id for the call: the same id is the same call. */
  readonly toolCallId?: string
  readonly policy: CallPolicy
  readonly author: string
  /** A model reads the answer, which is within its bound then. */
  readonly forModel?: true
}

/** A started call, as its row names it. */
export interface BegunCall {
  readonly toolCallId: ToolCallId
  readonly name: string
}

/**
 * The one path of a call, in a run or outside: running it, asking about a lost answer, giving it up. It writes the rows
 * at the right time and records the fate of the call's batch. A run writes its own rows, by the same rules.
 */
export interface CallRecorder {
  /** Runs a call outside a run, and writes its rows. */
  call(own: SessionActor, ids: CallIds, request: ToolCallRequest): Promise<CallState>
  /** Runs a call of a run. */
  run(call: RoutedCall): Promise<CallState>
  /** The state of a call that began: null if the client does not know it, a failure if the client cannot be asked. */
  find(workspaceId: WorkspaceId, toolCallId: ToolCallId): Promise<Result<CallState | null>>
  /** Gives a call up, so that it has no later effect. Answers with the outcome if it took effect already. */
  abandon(workspaceId: WorkspaceId, call: BegunCall): Promise<ToolOutcome | undefined>
  /** Writes the row of a call that is open in the log and turned out to have ended. */
  recordFound(own: SessionActor, call: BegunCall, state: CallState): Promise<void>
  /** Ends a call that is open in the log and never began. */
  recordNeverRan(own: SessionActor, call: BegunCall): Promise<void>
  /** An outcome came in some other way than as the answer of its call; its row comes that way too. */
  noteEnd(workspaceId: WorkspaceId, call: BegunCall, state: CallState): Promise<void>
}

export interface CallRecorderOptions {
  readonly router: ToolRouter
  readonly fates: PatchFates
  readonly ids: IdSource
  readonly logger: Logger
  readonly link: Pick<ClientLink, 'keepsCalls'>
  readonly blobs: Blobs
  /** Workspaces with a draft that is being closed: it keeps no more calls. */
  readonly closing: ReadonlyMap<WorkspaceId, unknown>
}

const DURABLE_SOON = { acknowledge: 'durable-soon' } as const

export function createCallRecorder(options: CallRecorderOptions): CallRecorder {
  const { router, fates, ids, logger, link, closing, blobs } = options

  const draftsKeepCalls = (workspaceId: WorkspaceId) =>
    link.keepsCalls(workspaceId) && !closing.has(workspaceId)

  function route({ request }: OwnCall, routed: RoutedCall): Promise<CallState> {
    const routing = router.call(routed)
    return request.forModel ? routing.then(state => keepLongResult(state, blobs)) : routing
  }

  async function callAndRead(own: SessionActor, call: OwnCall): Promise<CallState> {
    const state = await route(call, call.routed)
    if ('pending' in state)
      await own.append([startOf(call), toWaitingLine(call.toolCallId, state.pending)])
    else
      own.appendSoon(() => [
        startOf(call),
        ...(state.outcome.rows ?? []),
        toEnded(call.toolCallId, state.outcome, ids),
      ])
    return state
  }

  async function callBesideDraft(own: SessionActor, call: OwnCall): Promise<CallState> {
    const started = startOf(call)
    own.appendSoon(() => [started], DURABLE_SOON)
    const state = await route(call, { ...call.routed, loggedArguments: started.arguments })
    if ('outcome' in state)
      own.appendSoon(() => [toEnded(call.toolCallId, state.outcome, ids)], DURABLE_SOON)
    return state
  }

  async function callBehindRow(own: SessionActor, call: OwnCall): Promise<CallState> {
    const { kept } = await own.begin([startOf(call)])
    const state = await route(call, { ...call.routed, begun: kept })
    await kept
    // the row of the call is durable, so a result that is lost can be asked for again
    if (call.tool?.declaration.writes === 'draft' && 'outcome' in state)
      own.appendSoon(() => [toEnded(call.toolCallId, state.outcome, ids)])
    else await record(own, { toolCallId: call.toolCallId, name: call.routed.tool }, state)
    return state
  }

  function callOwn(own: SessionActor, call: OwnCall): Promise<CallState> {
    switch (durabilityOf(call.tool, () => draftsKeepCalls(own.workspaceId))) {
      case 'after':
        return callAndRead(own, call)
      case 'beside':
        return callBesideDraft(own, call)
      case 'ahead':
        return callBehindRow(own, call)
    }
  }

  /** The batch's fate comes before the result's row: a crash between the two leaves an open call to ask about. */
  async function record(own: SessionActor, call: BegunCall, state: CallState): Promise<void> {
    const { toolCallId } = call
    if ('pending' in state) return own.append([toWaitingLine(toolCallId, state.pending)])
    await noteFate(own.workspaceId, call, state)
    await own.append([toEnded(toolCallId, state.outcome, ids)])
  }

  async function noteFate(workspaceId: WorkspaceId, call: BegunCall, state: CallState) {
    if ('outcome' in state && mayHaveBatch(call.name))
      await fates.note(workspaceId, call.toolCallId, state.outcome)
  }

  async function noteEnd(workspaceId: WorkspaceId, call: BegunCall, state: CallState) {
    logReceived(logger, call.name, state)
    await noteFate(workspaceId, call, state)
  }

  return {
    call(own, callIds, request) {
      const calling = callOwn(own, toOwnCall(own, callIds, request))
      return request.forModel ? calling.then(state => recallable(own, state)) : calling
    },
    async run(call) {
      const state = await router.call(call)
      await noteFate(call.workspaceId, { toolCallId: call.ids.toolCallId, name: call.tool }, state)
      return state
    },
    find: (workspaceId, toolCallId) => router.state(workspaceId, toolCallId),
    async abandon(workspaceId, call) {
      await router.abandon(workspaceId, call.toolCallId)
      const state = await router.state(workspaceId, call.toolCallId)
      if (!state.ok || !state.value || !('outcome' in state.value)) return undefined
      await noteFate(workspaceId, call, state.value)
      return state.value.outcome
    },
    async recordFound(own, call, state) {
      if (!('outcome' in state)) return
      logReceived(logger, call.name, state)
      await record(own, call, state)
    },
    recordNeverRan: (own, { toolCallId }) => own.append([toNeverRan(toolCallId, ids)]),
    noteEnd,
  }
}

/** The next call may ask for the rest of a result, by its row. */
async function recallable(own: SessionActor, state: CallState): Promise<CallState> {
  if ('outcome' in state && state.outcome.full) await own.flush()
  return state
}

/** A call outside a run. */
interface OwnCall {
  readonly toolCallId: ToolCallId
  readonly tool: Tool | undefined
  readonly request: ToolCallRequest
  readonly routed: RoutedCall
}

function toOwnCall({ workspaceId }: SessionActor, ids: CallIds, request: ToolCallRequest): OwnCall {
  const { tool, arguments: given, policy, author } = request
  return {
    toolCallId: ids.toolCallId,
    tool: findTool(tool),
    request,
    routed: { ids, workspaceId, tool, arguments: given, policy, author },
  }
}

function startOf({ routed, request, tool }: OwnCall) {
  return toStarted(routed.ids, request, tool)
}

/** Only preflights store batches. */
function mayHaveBatch(tool: string): boolean {
  return findTool(tool)?.handlers.preflight !== undefined
}

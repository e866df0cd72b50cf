import { createHash } from 'node:crypto'
import {
  type ApprovalPolicy,
  type CallIds,
  type CallState,
  type ClientMethods,
  type Decision,
  fail,
  type IdSource,
  type JournalLine,
  ok,
  type Result,
  type SessionId,
  type ToolCallId,
  unwrap,
  type WorkspaceId,
} from '@filewright/protocol'
import { findTool } from '@filewright/tools'
import type { ClientLink } from '../calls/client-link.ts'
import { logReceived, type RoutedCall, type ToolRouter } from '../calls/tool-router.ts'
import type { NewSession, OpenCall, Session, SessionLog } from '../log/log.ts'
import type { PatchFates } from '../patches/patch-fates.ts'
import type { SessionActiveFiles } from '../sources/active-files.ts'
import type { Logger } from '../words/logger.ts'
import { isSameCall, isSameRequest, restoreStarted, toStarted } from './call-start.ts'
import type { DraftNote } from './draft-note.ts'
import { createInboxDrain } from './inbox-drain.ts'
import { askForCall, findLostCalls } from './lost-calls.ts'
import { endDrafts } from './remove-session.ts'
import { openActor, type SessionActor, toInboxItems } from './session-actor.ts'

export interface ToolCallRequest {
  readonly tool: string
  readonly arguments: unknown
  /** The caller's own name for the call: the same one is the same call. */
  readonly toolCallId?: string
  readonly policy: ApprovalPolicy
  readonly author: string
}

/** Sessions of every workspace: each has one writer here, and ends every call it began. */
export interface Sessions {
  create(
    workspaceId: WorkspaceId,
    options: { title?: string; standing?: boolean },
  ): Promise<Session>
  find(workspaceId: WorkspaceId, sessionId: SessionId): Promise<Result<Session, 'NOT_FOUND'>>
  /** Whether it is a session of this workspace, known without asking the database again. */
  belongs(workspaceId: WorkspaceId, sessionId: SessionId): Promise<Result<null, 'NOT_FOUND'>>
  list(workspaceId: WorkspaceId): Promise<readonly Session[]>
  /** With its open draft only where that is said. */
  remove(
    workspaceId: WorkspaceId,
    sessionId: SessionId,
    options?: { readonly discard?: boolean },
  ): Promise<Result<{ rows: number; blobs: number }>>
  call(sessionId: SessionId, request: ToolCallRequest): Promise<Result<CallState>>
  callState(sessionId: SessionId, toolCallId: string): Promise<Result<CallState>>
  decide(
    workspaceId: WorkspaceId,
    approvalId: string,
    decision: Decision,
  ): Promise<Result<ClientMethods['approval-decide']['value']>>
  actor(sessionId: SessionId): Promise<Result<SessionActor, 'NOT_FOUND'>>
  activeFiles(workspaceId: WorkspaceId, sessionId: SessionId): SessionActiveFiles
  /** Calls that a crash or a lost client left open get their one result. */
  reconcile(workspaceId: WorkspaceId): Promise<void>
  /**
   * Closes a draft: what it kept for calls whose rows might be lost is kept by the log first, and those that begin
   * meanwhile have their rows on the disk before their effects.
   */
  whileClosing<Value>(workspaceId: WorkspaceId, close: () => Promise<Value>): Promise<Value>
  /** What a person did with a draft, to the session it is of. It is done, whether it can be told or not. */
  tell(workspaceId: WorkspaceId, note: DraftNote): Promise<void>
  /** Who takes what arrives in a session's inbox: a run under way. Without one it is written down at once. */
  setInboxReader(read: (sessionId: SessionId) => Promise<boolean>): void
  close(): Promise<void>
}

export interface SessionsOptions {
  readonly log: SessionLog
  readonly router: ToolRouter
  readonly link: ClientLink
  readonly ids: IdSource
  readonly logger: Logger
  readonly fates: PatchFates
  readonly holder: string
  readonly activeFilesOf: (workspaceId: WorkspaceId, sessionId: SessionId) => SessionActiveFiles
}

interface UnderWay {
  readonly running: Promise<Result<CallState>>
  /** Absent where nobody sent it: it is being looked up. */
  readonly request?: ToolCallRequest
}

const STANDING = 'Standing session of the command line'

export function createSessions(options: SessionsOptions): Sessions {
  const { log, router, link, ids, logger, fates, holder } = options
  const actors = new Map<SessionId, Promise<Result<SessionActor, 'NOT_FOUND'>>>()
  const standing = new Map<WorkspaceId, Promise<Session>>()
  const closing = new Map<WorkspaceId, number>()
  const underWay = new Map<ToolCallId, UnderWay>()
  let readInbox: (sessionId: SessionId) => Promise<boolean> = async () => false

  function actor(sessionId: SessionId) {
    let opened = actors.get(sessionId)
    if (!opened) {
      opened = openActor(sessionId, {
        log,
        holder,
        ids: { messageId: () => ids('message') },
        onLost: cause => logger.error('Log.AppendFailed', cause, { sessionId }),
      })
      actors.set(sessionId, opened)
      opened.then(result => !result.ok && actors.delete(sessionId))
    }
    return opened
  }

  const toNew = (workspaceId: WorkspaceId, title: string): NewSession => ({
    sessionId: ids('session'),
    workspaceId,
    conversationId: ids('conversation'),
    title,
  })

  /** Held, for every call of the command line asks for it. */
  function standingOf(workspaceId: WorkspaceId): Promise<Session> {
    let session = standing.get(workspaceId)
    if (!session) {
      session = log.standingSession(toNew(workspaceId, STANDING))
      standing.set(workspaceId, session)
      session.catch(() => standing.delete(workspaceId)) // told to who asked
    }
    return session
  }

  /** Sent twice at once under one id it is one call, and both hear how it ended; another call under it is none. */
  async function call(sessionId: SessionId, request: ToolCallRequest): Promise<Result<CallState>> {
    if (request.toolCallId === undefined) return callOnce(sessionId, request)
    const key = toToolCallId(sessionId, request.toolCallId)
    const first = underWay.get(key)
    if (!first) return under(key, () => callOnce(sessionId, request), request)
    const ended = await first.running
    const isSame = first.request && isSameRequest(first.request, request)
    return isSame ? ended : call(sessionId, request)
  }

  function under(
    key: ToolCallId,
    run: () => Promise<Result<CallState>>,
    request?: ToolCallRequest,
  ): Promise<Result<CallState>> {
    const running = run().finally(() => underWay.delete(key))
    underWay.set(key, { running, request })
    return running
  }

  async function callOnce(
    sessionId: SessionId,
    request: ToolCallRequest,
  ): Promise<Result<CallState>> {
    const opened = await actor(sessionId)
    if (!opened.ok) return opened
    const own = opened.value
    const callIds: CallIds = {
      sessionId,
      conversationId: await own.conversationId(),
      turnId: ids('turn'),
      toolCallId:
        request.toolCallId === undefined
          ? ids('toolCall')
          : toToolCallId(sessionId, request.toolCallId),
    }
    const tool = findTool(request.tool)
    const writes = tool?.declaration.writes ?? 'nothing'
    if (request.toolCallId !== undefined) {
      const earlier = await earlierState(own, callIds.toolCallId)
      if (!earlier.ok && writes !== 'nothing') return earlier // done or not: only its client can tell
      if (earlier.ok && earlier.value) {
        const first = await log.findStart(sessionId, callIds.toolCallId)
        const again = toStarted(callIds, request, tool)
        return first && !isSameCall(first.body, again)
          ? usedBefore(request.toolCallId)
          : ok(earlier.value)
      }
    }
    const { toolCallId } = callIds
    const { tool: name, arguments: given, policy, author } = request
    const run = (more?: Pick<RoutedCall, 'begun' | 'loggedArguments'>) =>
      router.call({
        ids: callIds,
        workspaceId: own.workspaceId,
        tool: name,
        arguments: given,
        policy,
        author,
        ...more,
      })
    if (writes === 'nothing') {
      const state = await run()
      // what only reads is written down when it is over, in one go
      if ('outcome' in state)
        own.appendSoon(() => [
          toStarted(callIds, request, tool),
          own.resultLine(toolCallId, state.outcome),
        ])
      return ok(state)
    }
    if (writes === 'draft' && keepsCalls(own)) {
      // the draft keeps the call and its outcome durably itself: rows that a crash takes are made again from it
      const started = toStarted(callIds, request, tool)
      own.appendSoon(() => [started], DURABLE_SOON)
      const state = await run({ loggedArguments: started.arguments })
      if ('outcome' in state)
        own.appendSoon(() => [own.resultLine(toolCallId, state.outcome)], DURABLE_SOON)
      return ok(state)
    }
    const { kept } = await own.begin([toStarted(callIds, request, tool)])
    const state = await run({ begun: kept })
    await kept
    // with the row that names the call, the result on a draft that was lost is asked for again
    if (writes === 'draft' && 'outcome' in state)
      own.appendSoon(() => [own.resultLine(toolCallId, state.outcome)])
    else await record(own, toolCallId, state)
    return ok(state)
  }

  /** While one of its drafts is being closed, the rows of calls are ahead of their effects. */
  function keepsCalls({ workspaceId }: SessionActor): boolean {
    return link.keepsCalls(workspaceId) && !closing.has(workspaceId)
  }

  /** A call that the client's draft keeps and the log lost, or is about to: sent again meanwhile, it answers as before. */
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
      const started = restoreStarted(toolCallId, outcome.envelope.turnId as CallIds['turnId'], kept)
      await own.append([started, own.resultLine(toolCallId, outcome)])
    }
    return ok(kept.state)
  }

  async function restoreCalls(workspaceId: WorkspaceId): Promise<void> {
    for (const { sessionId, toolCallId } of await findLostCalls(link, log, workspaceId)) {
      const session = await log.getSession(sessionId)
      const opened = await actor(sessionId)
      if (!opened.ok || session?.state === 'running' || underWay.has(toolCallId)) continue
      await under(toolCallId, () => restoreCall(opened.value, toolCallId))
    }
  }

  async function record(own: SessionActor, toolCallId: ToolCallId, state: CallState) {
    if ('pending' in state) {
      const { pending } = state
      await own.append([
        {
          type: 'approval',
          tool_call_id: toolCallId,
          approval_id: pending.approvalId as never,
          pending,
        },
      ])
      return
    }
    await own.append([own.resultLine(toolCallId, state.outcome)])
    await fates.note(own.workspaceId, toolCallId, state.outcome)
  }

  /** Asked again under its own id, a call answers as before; what only read is read again. A client away cannot say. */
  async function earlierState(
    own: SessionActor,
    toolCallId: ToolCallId,
  ): Promise<Result<CallState | undefined>> {
    await own.flush()
    const ended = await log.findResult(own.sessionId, toolCallId)
    const open = ended ? undefined : await log.findStart(own.sessionId, toolCallId)
    if (!ended && !open) return ok(undefined)
    const state = await router.state(own.workspaceId, toolCallId)
    if (!state.ok) return state.failure.code === 'UNKNOWN_TOOL' ? ok(undefined) : state
    if (open && state.value && 'outcome' in state.value) {
      logReceived(logger, open.body.name, state.value)
      await record(own, toolCallId, state.value)
    }
    return ok(state.value ?? undefined)
  }

  async function eachActor(workspaceId: WorkspaceId, work: (own: SessionActor) => Promise<void>) {
    for (const opening of actors.values()) {
      const opened = await opening
      if (opened.ok && opened.value.workspaceId === workspaceId) await work(opened.value)
    }
  }

  /** Those with a call that is open, with mail, or with a run that waits. */
  async function sessionsToLookAt(workspaceId: WorkspaceId, open: readonly OpenCall[]) {
    const waiting = await log.listSessions({ workspaceId, state: 'waiting' })
    const ids = new Set([...waiting, ...open].map(({ sessionId }) => sessionId))
    for (const sessionId of await log.sessionsWithMail())
      if ((await log.getSession(sessionId))?.workspaceId === workspaceId) ids.add(sessionId)
    return ids
  }

  async function reconcileCall(own: SessionActor, { toolCallId, name }: OpenCall) {
    const state = await router.state(own.workspaceId, toolCallId)
    if (!state.ok) return
    if (!state.value) return own.append([neverRan(toolCallId, ids)])
    if (!('outcome' in state.value)) return
    logReceived(logger, name, state.value)
    await record(own, toolCallId, state.value)
  }

  const drain = createInboxDrain({ log, actor, isTaken: sessionId => readInbox(sessionId) })

  return {
    create: async (workspaceId, { title = '', standing: isStanding }) =>
      isStanding
        ? standingOf(workspaceId)
        : unwrap(await log.createSession(toNew(workspaceId, title))),
    actor,
    call,
    list: workspaceId => log.listSessions({ workspaceId }),
    activeFiles: options.activeFilesOf,
    setInboxReader(read) {
      readInbox = read
    },

    async find(workspaceId, sessionId) {
      const session = await log.getSession(sessionId)
      return session?.workspaceId === workspaceId ? ok(session) : noSuchSession(sessionId)
    },

    async belongs(workspaceId, sessionId) {
      const opened = await actor(sessionId)
      return opened.ok && opened.value.workspaceId === workspaceId
        ? ok(null)
        : noSuchSession(sessionId)
    },

    async remove(workspaceId, sessionId, { discard = false } = {}) {
      const session = await log.getSession(sessionId)
      if (!session || session.workspaceId !== workspaceId)
        return fail('NOT_FOUND', `There is no session "${sessionId}" in this workspace.`)
      const drafts = await endDrafts(link, workspaceId, sessionId, discard)
      if (!drafts.ok) return drafts
      const opened = await actors.get(sessionId)
      if (opened?.ok) await opened.value.release()
      actors.delete(sessionId)
      standing.delete(workspaceId)
      await options.activeFilesOf(workspaceId, sessionId).forget()
      return log.deleteSession(sessionId)
    },

    async callState(sessionId, given) {
      const opened = await actor(sessionId)
      if (!opened.ok) return opened
      for (const toolCallId of [given as ToolCallId, toToolCallId(sessionId, given)]) {
        const state = await earlierState(opened.value, toolCallId)
        if (!state.ok) return state
        if (state.value) return ok(state.value)
      }
      return noSuchCall(given)
    },

    async decide(workspaceId, approvalId, decision) {
      const asked = { approvalId, decision }
      const decided = await link.ask(workspaceId, 'approval-decide', asked, DECIDED_WITHIN)
      if (!decided.ok) return decided
      const { approval, outcome } = decided.value
      const line: JournalLine = {
        type: 'decision',
        approval_id: approvalId as never,
        decision: decision.decision,
        by: decision.by,
        ...(decision.refused && {
          refused: decision.refused.map(({ changeId, reason }) => ({
            change_id: changeId,
            ...(reason && { reason }),
          })),
        }),
        ...(decision.reason && { reason: decision.reason }),
      }
      const sessionId = approval.sessionId as SessionId
      for (const item of toInboxItems(approvalId, line, approval.toolCallId, outcome))
        await log.putInbox(sessionId, item)
      if ('outcome' in outcome)
        await fates.note(workspaceId, approval.toolCallId as ToolCallId, outcome.outcome)
      logReceived(logger, approval.tool, outcome)
      await drain(sessionId)
      return decided
    },

    async reconcile(workspaceId) {
      await eachActor(workspaceId, own => own.flush())
      const open = await log.openCalls({ workspaceId })
      for (const sessionId of await sessionsToLookAt(workspaceId, open)) {
        const session = await log.getSession(sessionId)
        const opened = await actor(sessionId)
        if (!opened.ok || session?.state === 'running') continue // a run reconciles its own calls
        await drain(sessionId)
        for (const call of open)
          if (call.sessionId === sessionId) await reconcileCall(opened.value, call)
      }
      if (link.keepsCalls(workspaceId)) await restoreCalls(workspaceId)
    },

    async tell(workspaceId, { sessionId, id, line }) {
      try {
        const session = await log.getSession(sessionId)
        if (session?.workspaceId !== workspaceId) return
        await log.putInbox(sessionId, { id, type: 'line', body: { line } })
        await drain(sessionId)
      } catch (cause) {
        logger.error('Log.AppendFailed', cause, { sessionId })
      }
    },

    async whileClosing(workspaceId, close) {
      closing.set(workspaceId, (closing.get(workspaceId) ?? 0) + 1)
      try {
        await eachActor(workspaceId, own => own.settle())
        return await close()
      } finally {
        const left = closing.get(workspaceId)! - 1
        if (left > 0) closing.set(workspaceId, left)
        else closing.delete(workspaceId)
      }
    },

    async close() {
      for (const opening of actors.values()) {
        const opened = await opening
        if (opened.ok) await opened.value.release()
      }
    },
  }
}

function usedBefore(toolCallId: string) {
  return fail(
    'CONFLICT',
    `Nothing was done: the id "${toolCallId}" was used before for another call in this session. An id names one call; send this one under an id of its own.`,
  )
}

const DECIDED_WITHIN = { timeoutMs: 10 * 60_000 } // what was approved is written before it answers

const DURABLE_SOON = { acknowledge: 'durable-soon' } as const

function noSuchCall(toolCallId: string) {
  return fail(
    'NOT_FOUND',
    `No call "${toolCallId}" that could still be asked about was made in this session.`,
  )
}

function noSuchSession(sessionId: SessionId) {
  return fail('NOT_FOUND', `There is no session "${sessionId}" in this workspace.`)
}

function neverRan(toolCallId: ToolCallId, ids: IdSource): JournalLine {
  return {
    type: 'tool_result',
    message_id: ids('message'),
    tool_call_id: toolCallId,
    content:
      'CANCELLED: Nothing was changed: the call was cut off before it began. Send it again if it is still wanted.',
    success: false,
    error_code: 'CANCELLED',
    synthetic: true,
  }
}

/** Short, safe as a file's name, and the same for the same words of the caller. */
function toToolCallId(sessionId: SessionId, given: string): ToolCallId {
  return `tc_${createHash('sha256').update(`${sessionId}\n${given}`).digest('hex').slice(0, 16)}` as ToolCallId
}

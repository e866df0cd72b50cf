import { createHash } from 'node:crypto'
import {
  type CallIds,
  type CallState,
  fail,
  type IdSource,
  ok,
  type Result,
  type SessionId,
  type ToolCallId,
  toCallState,
} from '@filewright/protocol'
import { findTool } from '@filewright/tools'
import { isSameCall, isSameRequest, toStarted } from '../calls/call-start.ts'
import { abandonCall } from '../calls/forward-call.ts'
import { toQuestion } from '../calls/question-id.ts'
import type { ClientLink } from '../link/client-link.ts'
import type { RowOf, SessionLog } from '../log/log.ts'
import type { Actors } from '../session/actors.ts'
import type { SessionActor } from '../session/session-actor.ts'
import type { CallRecorder, ToolCallRequest } from './call-recorder.ts'
import type { CallsUnderWay } from './calls-under-way.ts'
import { findQuestion, waitsForAnswer } from './questions.ts'

/** Calls outside runs: from the command line, HTTP or rpc. */
export interface OwnCalls {
  call(sessionId: SessionId, request: ToolCallRequest): Promise<Result<CallState>>
  /** The state of a call, by our id or by its caller's. */
  state(sessionId: SessionId, toolCallId: string): Promise<Result<CallState>>
  /** Gives up a call by its caller's id: unless its effect is there already, it has none. */
  cancel(sessionId: SessionId, toolCallId: string): Promise<Result<null>>
}

export interface OwnCallsOptions {
  readonly log: SessionLog
  readonly actors: Actors
  readonly recorder: CallRecorder
  readonly underWay: CallsUnderWay
  readonly link: ClientLink
  readonly ids: IdSource
}

export function createOwnCalls(options: OwnCallsOptions): OwnCalls {
  const { log, actors, recorder, underWay, link, ids } = options

  /** A call sent twice at once under one id runs once, and both get its outcome. Another call under it is refused. */
  async function call(sessionId: SessionId, request: ToolCallRequest): Promise<Result<CallState>> {
    if (request.toolCallId === undefined) return callOnce(sessionId, request, ids('toolCall'))
    const toolCallId = toToolCallId(sessionId, request.toolCallId)
    const first = underWay.get(toolCallId)
    if (!first)
      return underWay.run(toolCallId, () => callOnce(sessionId, request, toolCallId), request)
    const ended = await first.running
    const isSame = first.request && isSameRequest(first.request, request)
    return isSame ? ended : call(sessionId, request)
  }

  async function callOnce(
    sessionId: SessionId,
    request: ToolCallRequest,
    toolCallId: ToolCallId,
  ): Promise<Result<CallState>> {
    const opened = await actors.open(sessionId)
    if (!opened.ok) return opened
    const own = opened.value
    const conversationId = own.conversationId()
    const callIds: CallIds = { sessionId, conversationId, turnId: ids('turn'), toolCallId }
    const known =
      request.toolCallId === undefined ? undefined : await answerAsBefore(own, callIds, request)
    return known ?? ok(await recorder.call(own, callIds, request))
  }

  /** Undefined if the call must run. */
  async function answerAsBefore(
    own: SessionActor,
    callIds: CallIds,
    request: ToolCallRequest,
  ): Promise<Result<CallState> | undefined> {
    const tool = findTool(request.tool)
    const earlier = await earlierState(own, callIds.toolCallId)
    const isRead = (tool?.declaration.writes ?? 'nothing') === 'nothing'
    if (!earlier.ok) return isRead ? undefined : earlier // only its client knows whether it was done
    if (!earlier.value) return undefined
    const first = await log.findStart(own.sessionId, callIds.toolCallId)
    const isAnother = first && !isSameCall(first.body, toStarted(callIds, request, tool))
    return isAnother ? usedBefore(request.toolCallId!) : ok(earlier.value)
  }

  /** A call repeated under its own id answers as before; a read is repeated. A failure if the client is away. */
  async function earlierState(
    own: SessionActor,
    toolCallId: ToolCallId,
  ): Promise<Result<CallState | undefined>> {
    await own.flush()
    const ended = await log.findResult(own.sessionId, toolCallId)
    const open = ended ? undefined : await log.findStart(own.sessionId, toolCallId)
    if (!ended && !open) return ok(undefined)
    const question = await questionState(own, toolCallId, ended)
    if (question) return ok(question)
    const state = await recorder.find(own.workspaceId, toolCallId)
    if (!state.ok) return state.failure.code === 'UNKNOWN_TOOL' ? ok(undefined) : state
    if (open && state.value)
      await recorder.recordFound(own, { toolCallId, name: open.body.name }, state.value)
    return ok(state.value ?? undefined)
  }

  /** Only the log knows the state of a question: its client was never asked. */
  async function questionState(
    { sessionId }: SessionActor,
    toolCallId: ToolCallId,
    ended: RowOf<'tool_result'> | undefined,
  ): Promise<CallState | undefined> {
    const row = await log.findStart(sessionId, toolCallId)
    if (!row || !waitsForAnswer(row.body.name)) return undefined
    const callIds: CallIds = { ...row, turnId: row.body.turn_id, toolCallId }
    const asked = ended ? undefined : await findQuestion(log, row)
    if (!ended) return asked && { pending: toQuestion(toolCallId, asked) }
    const { content: text, success, error_code: code } = ended.body
    if (!success) return toCallState(fail(code ?? 'INTERNAL_ERROR', text, FAILED), callIds)
    return toCallState(ok({ fields: { answer: text }, message: text, text }), callIds)
  }

  return {
    call,
    async state(sessionId, given) {
      const opened = await actors.open(sessionId)
      if (!opened.ok) return opened
      for (const toolCallId of [given as ToolCallId, toToolCallId(sessionId, given)]) {
        const state = await earlierState(opened.value, toolCallId)
        if (!state.ok) return state
        if (state.value) return ok(state.value)
      }
      return noSuchCall(given)
    },
    async cancel(sessionId, given) {
      const toolCallId = toToolCallId(sessionId, given)
      if (!underWay.get(toolCallId)) return noSuchCall(given)
      const opened = await actors.open(sessionId)
      if (!opened.ok) return opened
      await abandonCall(link, opened.value.workspaceId, toolCallId)
      return ok(null)
    },
  }
}

const FAILED = { kind: 'unavailable' } as const

/** Short, safe as a file name, and the same for the same id of the caller. */
function toToolCallId(sessionId: SessionId, given: string): ToolCallId {
  return `tc_${createHash('sha256').update(`${sessionId}\n${given}`).digest('hex').slice(0, 16)}` as ToolCallId
}

function usedBefore(toolCallId: string) {
  return fail(
    'CONFLICT',
    `Nothing was done: the id "${toolCallId}" already names another call in this session. Send this call under a new id.`,
  )
}

export function noSuchCall(toolCallId: string) {
  return fail('NOT_FOUND', `This session has no call "${toolCallId}" whose state is still known.`)
}

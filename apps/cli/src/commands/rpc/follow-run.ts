import {
  findRunDraft,
  lastCursor,
  type RunEnd,
  type RunListener,
  type Work,
  watchRun,
} from '@filewright/host'
import type { ApprovalPolicy } from '@filewright/protocol'
import type { Asked, Params } from './method.ts'
import { unwrap } from './rpc-error.ts'
import { send } from './send.ts'

/** What a run is started or continued with, as its route takes it. */
export type RunSettings = Readonly<Record<string, unknown>>

/** Until the run that `start` begins has ended. */
export async function follow(
  sessionId: string,
  given: Params,
  { work, onCancel }: Asked,
  start: (settings: RunSettings) => Promise<void>,
): Promise<unknown> {
  const { plan, effort, light, toolset, maxTurns, budget } = given
  const { model, approve = 'rules' } = given as { model?: string; approve?: ApprovalPolicy }
  const stop = new AbortController()
  onCancel(() => void cancelRun(work, sessionId))
  const chosen = await work.connection.useModel(model)
  const listener = createListener(sessionId)
  const events = watchRun(work, sessionId, unwrap(await lastCursor(work, sessionId)), listener, {
    signal: stop.signal,
    settings: { model, approve, ...(plan !== undefined && { plan: plan === true }) },
  })
  try {
    const first = events.next()
    first.catch(() => {}) // `start` may fail first, and its failure is the answer
    await start({ model: chosen, approve, plan, effort, light, toolset, maxTurns, budget })
    return await describeEnd(work, sessionId, (await first).value as RunEnd, listener.said())
  } finally {
    stop.abort()
  }
}

async function cancelRun({ connection, params }: Work, sessionId: string): Promise<void> {
  await connection.call('cancel', { params: { ...params, sessionId }, body: {} })
}

async function describeEnd(work: Work, sessionId: string, end: RunEnd, text: string) {
  const draft = unwrap(await findRunDraft(work, sessionId))
  const draftId = draft?.id ?? null
  return {
    sessionId,
    runId: end.run_id,
    reason: end.reason,
    text,
    closing: end.closing,
    ...(end.message && { message: end.message }),
    ...(end.usage && { usage: end.usage }),
    draftId,
    ...(end.reason === 'waiting' && (await findOpen(work, sessionId))),
    session_id: sessionId, // the older names of three fields
    run_id: end.run_id,
    draft_id: draftId,
  }
}

/** What the run waits for, by the ids that answer it. */
async function findOpen({ connection, params }: Work, sessionId: string) {
  const approvals = unwrap(await connection.call('listApprovals', { params, query: {} }))
  const questions = unwrap(await connection.call('listQuestions', { params }))
  const isOwn = (each: { readonly sessionId: string }) => each.sessionId === sessionId
  return {
    approvals: approvals.filter(isOwn).map(({ id, toolCallId, tool, label, draftId }) => ({
      approvalId: id,
      toolCallId,
      tool,
      label,
      draftId,
    })),
    questions: questions.filter(isOwn).map(({ id, toolCallId, question, choices }) => ({
      questionId: id,
      toolCallId,
      question,
      choices,
    })),
  }
}

/** Forwards notifications, and keeps the model's last answer. */
function createListener(sessionId: string): RunListener & { said(): string } {
  let said = ''
  let isCut = false
  return {
    said: () => said,
    onEvent(event, notification) {
      if (notification)
        send({
          method: notification.method,
          params: { ...notification.params, sessionId, session_id: sessionId },
        })
      if (event.type !== 'row' || event.row.body.type !== 'assistant_message') return
      const { text, finish_reason } = event.row.body
      said = isCut ? said + text : text // text cut at the output limit continues in the next answer
      isCut = finish_reason === 'length'
    },
  }
}

import {
  type AskedQuestion,
  type CallState,
  type Decides,
  fail,
  type IdSource,
  isOutsideName,
  type JournalLine,
  LIMITS,
  type OpenQuestion,
  ok,
  type Result,
  type SessionId,
  type ToolCallId,
  toCallState,
  type WorkspaceId,
} from '@filewright/protocol'
import { findTool } from '@filewright/tools'
import { toEnded } from '../calls/call-end.ts'
import { callOfQuestion, questionIdOf } from '../calls/question-id.ts'
import type { ClientLink } from '../link/client-link.ts'
import type { OpenCall, RowOf, SessionLog } from '../log/log.ts'
import { findAsked, readYes } from '../outside/asked-call.ts'
import { toCallRule, toDecisionLine } from '../outside/outside-calls.ts'
import type { Inboxes } from '../session/inboxes.ts'
import { toAskedYes } from './asked-yes.ts'

export interface Questions {
  /** Those without an answer, oldest first. */
  list(workspaceId: WorkspaceId): Promise<readonly OpenQuestion[]>
  /** The answer is the result of the call: a choice, its number, or other words. */
  answer(
    workspaceId: WorkspaceId,
    questionId: string,
    given: { readonly answer: string; readonly by: string },
  ): Promise<Result<{ readonly question: OpenQuestion; readonly answer: string }>>
  /** What this answer would do. */
  weigh(workspaceId: WorkspaceId, questionId: string, answer: string): Promise<Result<Weighed>>
}

export interface Weighed {
  readonly sessionId: SessionId
  /** What is decided; absent: the answer is words for whoever asked. */
  readonly decides?: Decides | undefined
  readonly subject?: string | undefined
  /** The token that asks for the yes. */
  readonly asker?: string | undefined
  readonly isYes: boolean
  /** A yes to every later call too. */
  readonly makesRule: boolean
}

export interface QuestionsOptions {
  readonly log: SessionLog
  readonly inboxes: Inboxes
  readonly link: Pick<ClientLink, 'ask'>
  readonly ids: IdSource
}

/** A question is an open call in the log, and nothing else: so it survives whatever the log survives. */
export function createQuestions({ log, inboxes, link, ids }: QuestionsOptions): Questions {
  async function list(workspaceId: WorkspaceId): Promise<readonly OpenQuestion[]> {
    const open = (await log.openCalls({ workspaceId })).filter(isQuestion)
    const asked = await Promise.all(
      open.map(async call => ((await isAnswered(call)) ? undefined : find(call))),
    )
    return asked.flatMap(each => (each ? [toOpen(each)] : []))
  }

  /** The answer is here, and the run that takes it is not under way. */
  async function isAnswered({ sessionId, toolCallId }: OpenCall): Promise<boolean> {
    const waiting = await log.peekInbox(sessionId)
    return waiting.some(({ id }) => id === answerIdOf(toolCallId))
  }

  /** Undefined for a call to a tool from outside that nobody is asked about. */
  async function find({ sessionId, toolCallId }: OpenCall): Promise<Asked | undefined> {
    const row = await log.findStart(sessionId, toolCallId)
    const question = row && (await findQuestion(log, row))
    return question && { row, question }
  }

  /** One item for each question, so that a second answer is known as such. */
  async function keep({ row }: Asked, body: object): Promise<Result<null>> {
    const { sessionId } = row
    const { tool_call_id: toolCallId } = row.body
    const type = 'line' in body ? 'line' : 'outcome'
    const put = await log.putInbox(sessionId, { id: answerIdOf(toolCallId), type, body })
    if (!put.ok) return put
    if (put.value.duplicate) return answeredBefore(questionIdOf(toolCallId))
    return ok(null)
  }

  /** An answer about a call to a tool from outside is a decision, and perhaps a rule; the run then makes the call. */
  async function decideCall(asked: Asked, given: string, by: string) {
    const { row, question } = asked
    const said = readYes(question, given)
    const { name, tool_call_id: toolCallId } = row.body
    const line = toDecisionLine(questionIdOf(toolCallId), said, by)
    const kept = await keep(asked, { line })
    if (!kept.ok) return kept
    if (said.isAlways && question.definition) {
      const session = await log.getSession(row.sessionId)
      const rule = toCallRule(name, question.definition)
      if (session) await link.ask(session.workspaceId, 'rule-add', { rule }, WITHIN)
    }
    return ok(said.isAllowed ? 'yes' : 'no')
  }

  /** A yes to what an agent asked for, or an answer to what a model outside a run did: no loop waits for it. */
  function endOwn(asked: Asked, state: Outcome, decision?: JournalLine) {
    const ended = toEnded(asked.row.body.tool_call_id, state.outcome, ids)
    return keep(asked, { lines: [...(decision ? [decision] : []), ended] })
  }

  async function tell(asked: Asked, given: string, by: string): Promise<Result<string>> {
    const { row, question } = asked
    const { answer, choice } = read(given, question.choices)
    const state = toCallState(
      ok({ fields: { answer, choice, by }, message: answer, text: told(answer, choice) }),
      { ...row, turnId: row.body.turn_id, toolCallId: row.body.tool_call_id },
    ) as Outcome
    const isOfRun = (await log.findAnswer(row.sessionId, row.body.turn_id)) !== undefined
    const kept = isOfRun
      ? await keep(asked, outcomeOf(row, state))
      : await endOwn(asked, state, row.body.asks && decisionOf(asked, given, by))
    return kept.ok ? ok(answer) : kept
  }

  async function notOpen(workspaceId: WorkspaceId, questionId: string): Promise<Result<never>> {
    const open = (await list(workspaceId)).map(({ id }) => id)
    return fail(
      'NOT_FOUND',
      `No question "${questionId}" waits for an answer. Open questions: ${open.join(', ') || 'none'}.`,
    )
  }

  async function findOpen(workspaceId: WorkspaceId, questionId: string): Promise<Result<Asked>> {
    const toolCallId = callOfQuestion(questionId)
    const open = (await log.openCalls({ workspaceId })).find(
      call => call.toolCallId === toolCallId && isQuestion(call),
    )
    const asked = open && (await find(open))
    return asked ? ok(asked) : notOpen(workspaceId, questionId)
  }

  return {
    list,
    async weigh(workspaceId, questionId, answer) {
      const found = await findOpen(workspaceId, questionId)
      if (!found.ok) return found
      const { row, question } = found.value
      const { decides } = question
      const { subject, token_id: asker } = row.body.asks ?? {}
      const { isAllowed, isAlways } = readYes(question, answer)
      const isYes = decides === 'call' ? isAllowed : isFirst(question, answer)
      const makesRule = decides === 'call' && isAlways
      return ok({ sessionId: row.sessionId, decides, subject, asker, isYes, makesRule })
    },
    async answer(workspaceId, questionId, { answer: given, by }) {
      const found = await findOpen(workspaceId, questionId)
      if (!found.ok) return found
      const { row } = found.value
      const question = toOpen(found.value)
      const answered = isOutsideName(row.body.name)
        ? await decideCall(found.value, given, by)
        : await tell(found.value, given, by)
      if (!answered.ok) return answered
      await inboxes.drain(row.sessionId)
      return ok({ question, answer: answered.value })
    },
  }
}

function answerIdOf(toolCallId: ToolCallId): string {
  return `answer ${toolCallId}`
}

function answeredBefore(questionId: string): Result<never> {
  return fail('CONFLICT', `"${questionId}" was answered before; the first answer stands.`)
}

interface Asked {
  readonly row: RowOf<'call-start'>
  readonly question: AskedQuestion
}

const WITHIN = { timeoutMs: LIMITS.toolTimeoutMs }

function isQuestion({ name }: OpenCall): boolean {
  return waitsForAnswer(name)
}

/** A call that no client knows of: the model's question to the person, or a call to a tool from outside. */
export function waitsForAnswer(tool: string): boolean {
  return isOutsideName(tool) || findTool(tool)?.declaration.asksPerson === true
}

/** What the call asks the person; undefined for a call to a tool from outside that is allowed. */
export async function findQuestion(
  log: SessionLog,
  row: RowOf<'call-start'>,
): Promise<AskedQuestion | undefined> {
  return isOutsideName(row.body.name) ? findAsked(log, row) : askedIn(row)
}

type Outcome = Extract<CallState, { outcome: unknown }>

function outcomeOf({ body }: RowOf<'call-start'>, { outcome }: Outcome) {
  const { envelope, text } = outcome
  return { outcome: { toolCallId: body.tool_call_id, outcome: { envelope, text } } }
}

function isFirst({ choices }: AskedQuestion, given: string): boolean {
  return read(given, choices).choice === 1
}

function decisionOf({ row, question }: Asked, given: string, by: string): JournalLine {
  const { answer, choice } = read(given, question.choices)
  return toDecisionLine(
    questionIdOf(row.body.tool_call_id),
    { isAllowed: choice === 1, ...(choice === null && { reason: answer }) },
    by,
  )
}

function toOpen({ row, question: { text: question, ...asked } }: Asked): OpenQuestion {
  const { body, sessionId, time } = row
  const toolCallId = body.tool_call_id
  return {
    ...{ id: questionIdOf(toolCallId), sessionId, toolCallId, question, ...asked, time },
    ...(body.asks && { subject: body.asks.subject }),
  }
}

/** What a question's row asks; its arguments were checked before it was asked. */
function askedIn({ body }: RowOf<'call-start'>): AskedQuestion {
  if (body.asks) return toAskedYes({ arguments: body.arguments, asks: body.asks })
  const { question, choices } = JSON.parse(body.arguments) as { question: string; choices: unknown }
  const list = typeof choices === 'string' ? JSON.parse(choices) : choices
  return { text: question, choices: list as readonly string[] }
}

function read(given: string, choices: readonly string[]) {
  const said = given.trim()
  const byWord = choices.findIndex(choice => choice.toLowerCase() === said.toLowerCase())
  const byNumber = /^[1-9]$/.test(said) ? Number(said) - 1 : -1
  const at = byWord >= 0 ? byWord : byNumber
  const chosen = choices[at]
  return { answer: chosen ?? said, choice: chosen === undefined ? null : at + 1 }
}

function told(answer: string, choice: number | null): string {
  return choice === null
    ? `The person answered in other words: ${answer}`
    : `The person chose: ${answer}`
}

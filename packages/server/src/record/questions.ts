import {
  type AskedQuestion,
  fail,
  isOutsideName,
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
import { callOfQuestion, questionIdOf } from '../calls/question-id.ts'
import type { ClientLink } from '../link/client-link.ts'
import type { OpenCall, RowOf, SessionLog } from '../log/log.ts'
import { findAsked, readYes } from '../outside/asked-call.ts'
import { toCallRule, toDecisionLine } from '../outside/outside-calls.ts'
import type { Inboxes } from '../session/inboxes.ts'

export interface Questions {
  /** Those without an answer, oldest first. */
  list(workspaceId: WorkspaceId): Promise<readonly OpenQuestion[]>
  /** The answer is the result of the call: a choice, its number, or other words. */
  answer(
    workspaceId: WorkspaceId,
    questionId: string,
    given: { readonly answer: string; readonly by: string },
  ): Promise<Result<{ readonly question: OpenQuestion; readonly answer: string }>>
}

export interface QuestionsOptions {
  readonly log: SessionLog
  readonly inboxes: Inboxes
  readonly link: Pick<ClientLink, 'ask'>
}

/** A question is an open call in the log, and nothing else: so it survives whatever the log survives. */
export function createQuestions({ log, inboxes, link }: QuestionsOptions): Questions {
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

  /** An answer about a call to a tool from outside is a decision, and perhaps a rule; the run then makes the call. */
  async function decideCall({ row, question }: Asked, given: string, by: string) {
    const said = readYes(question, given)
    const { name, tool_call_id: toolCallId } = row.body
    const line = toDecisionLine(questionIdOf(toolCallId), said, by)
    const put = await log.putInbox(row.sessionId, {
      id: answerIdOf(toolCallId),
      type: 'line',
      body: { line },
    })
    if (!put.ok) return put
    if (put.value.duplicate) return answeredBefore(questionIdOf(toolCallId))
    if (said.isAlways && question.definition) {
      const session = await log.getSession(row.sessionId)
      const rule = toCallRule(name, question.definition)
      if (session) await link.ask(session.workspaceId, 'rule-add', { rule }, WITHIN)
    }
    await inboxes.drain(row.sessionId)
    return ok({ question: toOpen({ row, question }), answer: said.isAllowed ? 'yes' : 'no' })
  }

  async function notOpen(workspaceId: WorkspaceId, questionId: string): Promise<Result<never>> {
    const ids = (await list(workspaceId)).map(({ id }) => id)
    return fail(
      'NOT_FOUND',
      `No question "${questionId}" waits for an answer. Open questions: ${ids.join(', ') || 'none'}.`,
    )
  }

  return {
    list,
    async answer(workspaceId, questionId, { answer: given, by }) {
      const toolCallId = callOfQuestion(questionId)
      const open = (await log.openCalls({ workspaceId })).find(
        call => call.toolCallId === toolCallId && isQuestion(call),
      )
      const asked = open && (await find(open))
      if (!asked) return notOpen(workspaceId, questionId)
      if (isOutsideName(open.name)) return decideCall(asked, given, by)
      const { row } = asked
      const question = toOpen(asked)
      const { answer, choice } = read(given, question.choices)
      const state = toCallState(
        ok({ fields: { answer, choice, by }, message: answer, text: told(answer, choice) }),
        { ...row, turnId: row.body.turn_id, toolCallId },
      )
      const item = { id: answerIdOf(toolCallId), type: 'outcome', body: outcomeOf(row, state) }
      const put = await log.putInbox(open!.sessionId as SessionId, item)
      if (!put.ok) return put
      if (put.value.duplicate) return answeredBefore(questionId)
      await inboxes.drain(open!.sessionId)
      return ok({ question, answer })
    },
  }
}

/** One for each question, so that a second answer is known as such. */
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

function outcomeOf({ body }: RowOf<'call-start'>, state: ReturnType<typeof toCallState>) {
  const { outcome } = state as Extract<typeof state, { outcome: unknown }>
  const { envelope, text } = outcome
  return { outcome: { toolCallId: body.tool_call_id, outcome: { envelope, text } } }
}

function toOpen({ row, question: { text: question, choices, definition } }: Asked): OpenQuestion {
  const { body, sessionId, time } = row
  const toolCallId = body.tool_call_id
  return {
    ...{ id: questionIdOf(toolCallId), sessionId, toolCallId, question, choices, time },
    ...(definition && { definition }),
  }
}

/** What a question's row asks; its arguments were checked before it was asked. */
function askedIn({ body }: RowOf<'call-start'>): AskedQuestion {
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

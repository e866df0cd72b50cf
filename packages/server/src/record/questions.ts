import {
  type AskedQuestion,
  fail,
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
import type { OpenCall, RowOf, SessionLog } from '../log/log.ts'
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
}

/** A question is an open call in the log, and nothing else: so it survives whatever the log survives. */
export function createQuestions({ log, inboxes }: QuestionsOptions): Questions {
  async function list(workspaceId: WorkspaceId): Promise<readonly OpenQuestion[]> {
    const open = (await log.openCalls({ workspaceId })).filter(isQuestion)
    const started = await Promise.all(
      open.map(async call =>
        (await isAnswered(call)) ? undefined : log.findStart(call.sessionId, call.toolCallId),
      ),
    )
    return started.flatMap(row => (row ? [toQuestion(row)] : []))
  }

  /** The answer is here, and the run that takes it is not under way. */
  async function isAnswered({ sessionId, toolCallId }: OpenCall): Promise<boolean> {
    const waiting = await log.peekInbox(sessionId)
    return waiting.some(({ id }) => id === answerIdOf(toolCallId))
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
      const row = open && (await log.findStart(open.sessionId, toolCallId))
      if (!row) return notOpen(workspaceId, questionId)
      const question = toQuestion(row)
      const { answer, choice } = read(given, question.choices)
      const state = toCallState(
        ok({ fields: { answer, choice, by }, message: answer, text: told(answer, choice) }),
        { ...row, turnId: row.body.turn_id, toolCallId },
      )
      const item = { id: answerIdOf(toolCallId), type: 'outcome', body: outcomeOf(row, state) }
      const put = await log.putInbox(open!.sessionId as SessionId, item)
      if (!put.ok) return put
      if (put.value.duplicate)
        return fail('CONFLICT', `"${questionId}" was answered before; the first answer stands.`)
      await inboxes.drain(open!.sessionId)
      return ok({ question, answer })
    },
  }
}

/** One for each question, so that a second answer is known as such. */
function answerIdOf(toolCallId: ToolCallId): string {
  return `answer ${toolCallId}`
}

function isQuestion({ name }: OpenCall): boolean {
  return findTool(name)?.declaration.asksPerson === true
}

function outcomeOf({ body }: RowOf<'call-start'>, state: ReturnType<typeof toCallState>) {
  const { outcome } = state as Extract<typeof state, { outcome: unknown }>
  const { envelope, text } = outcome
  return { outcome: { toolCallId: body.tool_call_id, outcome: { envelope, text } } }
}

function toQuestion(row: RowOf<'call-start'>): OpenQuestion {
  const { body, sessionId, time } = row
  const { text: question, choices } = askedIn(row)
  const toolCallId = body.tool_call_id
  return { id: questionIdOf(toolCallId), sessionId, toolCallId, question, choices, time }
}

/** What a question's row asks; its arguments were checked before it was asked. */
export function askedIn({ body }: RowOf<'call-start'>): AskedQuestion {
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

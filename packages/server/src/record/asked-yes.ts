import { createHmac } from 'node:crypto'
import {
  type AskedForYes,
  type AskedQuestion,
  type GivenBody,
  type IdSource,
  type JournalLine,
  ok,
  type Result,
  type SessionId,
  serialise,
  type TokenId,
  type ToolCallId,
  toWaitingLine,
} from '@filewright/protocol'
import { findTool } from '@filewright/tools'
import { questionIdOf, toQuestion } from '../calls/question-id.ts'
import type { RowOf, SessionLog } from '../log/log.ts'
import type { Actors } from '../session/actors.ts'
import type { SessionActor } from '../session/session-actor.ts'

export type AskForYes = (
  sessionId: SessionId,
  asked: GivenBody<'askForYes'>,
  asker: TokenId,
) => Promise<Result<AskedForYes>>

export interface AskForYesOptions {
  readonly log: SessionLog
  readonly actors: Actors
  readonly ids: IdSource
  /** Known to this server alone: nobody else computes the id of a question that was not asked yet. */
  readonly questionKey: Uint8Array
}

/** The tool whose calls wait for an answer in words. */
const ASKING_TOOL = 'ask_person'

/**
 * An agent of another product asks for a yes to what it does itself then. The question is an open call in the log. Its id
 * stands for the asker and for every word that is asked, so an answer counts for exactly that, after a restart too.
 */
export function createAskForYes({ log, actors, ids, questionKey }: AskForYesOptions): AskForYes {
  const oneAtATime = serialise()

  async function ask(own: SessionActor, toolCallId: ToolCallId, started: StartedAsk) {
    const start: JournalLine = {
      type: 'call-start',
      tool_call_id: toolCallId,
      turn_id: ids('turn'),
      name: ASKING_TOOL,
      label: findTool(ASKING_TOOL)!.declaration.label,
      ...started,
    }
    const waiting = toWaitingLine(toolCallId, toQuestion(toolCallId, toAskedYes(started)))
    await own.append([start, waiting])
  }

  return async (sessionId, asked, asker) => {
    const id = createHmac('sha256', questionKey)
    const toolCallId = `tc_${id
      .update(JSON.stringify([asker, sessionId, asked]))
      .digest('hex')
      .slice(0, 32)}` as ToolCallId
    return oneAtATime(toolCallId, async () => {
      const opened = await actors.open(sessionId)
      if (!opened.ok) return opened
      await opened.value.flush()
      const questionId = questionIdOf(toolCallId)
      const row = await log.findStart(sessionId, toolCallId)
      if (row) return ok({ questionId, answer: await findAnswer(log, row) })
      const { deed, subject, question, choices } = asked
      await ask(opened.value, toolCallId, {
        arguments: JSON.stringify({ question, choices }),
        asks: { deed, subject, token_id: asker },
      })
      return ok({ questionId, answer: null })
    })
  }
}

type StartedAsk = Required<Pick<RowOf<'call-start'>['body'], 'asks' | 'arguments'>>

/** The question of a row that asks for a yes. */
export function toAskedYes({ arguments: json, asks }: StartedAsk): AskedQuestion {
  const { question, choices } = JSON.parse(json) as { question: string; choices: string[] }
  return { text: question, choices, decides: asks.deed }
}

/** A question that ended without a decision was given up: nobody said yes. */
async function findAnswer(
  log: SessionLog,
  { sessionId, seq, body }: RowOf<'call-start'>,
): Promise<AskedForYes['answer']> {
  const { tool_call_id: toolCallId } = body
  const ended = await log.findResult(sessionId, toolCallId)
  if (!ended) return null
  const rows = await log.read(sessionId, { after: seq })
  const about: string = questionIdOf(toolCallId)
  const decided = rows
    .map(row => row.body)
    .find(line => line.type === 'decision' && line.approval_id === about)
  if (decided?.type !== 'decision') return { isYes: false, by: 'nobody', words: ended.body.content }
  const { decision, by, reason: words } = decided
  return { isYes: decision === 'approved', by, ...(words !== undefined && { words }) }
}

import { dropUnlessBegun, type Work } from '@filewright/host'
import type { JsonRoute, RouteArguments } from '@filewright/protocol'
import { follow } from './follow-run.ts'
import type { Asked, Method, Params } from './method.ts'
import { CODES, RpcError, unwrap } from './rpc-error.ts'

const BOUNDS = ['maxTurns', 'budget']
const HOW = ['model', 'approve', 'effort', 'light', 'toolset', 'plan']

/** Methods that run the agent, and answer when its run has ended. */
export const runMethods: Readonly<Record<string, Method>> = {
  WorkshopRunAgent: {
    takes: ['text', 'message', 'sessionId', ...HOW, ...BOUNDS],
    needs: [],
    run: runAgent,
  },
  WorkshopResume: {
    takes: ['sessionId', ...HOW, ...BOUNDS],
    needs: ['sessionId'],
    run: resumeAgent,
  },
  WorkshopAnswer: {
    takes: ['questionId', 'answer', 'by', ...HOW, ...BOUNDS],
    needs: ['questionId', 'answer'],
    run: answerQuestion,
  },
  WorkshopApprove: {
    takes: ['approvalId', 'by', 'reason', 'refused', 'remember', ...HOW, ...BOUNDS],
    needs: ['approvalId'],
    run: (given, asked) => decide('approved', given, asked),
  },
  WorkshopDeny: {
    takes: ['approvalId', 'by', 'reason', 'remember', ...HOW, ...BOUNDS],
    needs: ['approvalId'],
    run: (given, asked) => decide('denied', given, asked),
  },
}

/** ADR-0010's endpoint: runs until the model stops, and answers with the final state. */
async function runAgent(given: Params, asked: Asked): Promise<unknown> {
  const { message, text = message, sessionId } = given
  if (typeof text !== 'string' || text === '')
    throw new RpcError(CODES.params, 'WorkshopRunAgent needs "text": the task, in plain words')
  if (sessionId !== undefined) return runIn(String(sessionId), text, given, asked, () => {})
  const { work } = asked
  const made = await newSession(work)
  return dropUnlessBegun(work, made, begun => runIn(made, text, given, asked, begun))
}

function runIn(
  sessionId: string,
  text: string,
  given: Params,
  asked: Asked,
  begun: () => void,
): Promise<unknown> {
  return follow(sessionId, given, asked, async settings => {
    await ask(asked.work, 'sendMessage', { sessionId }, { text, ...settings })
    begun()
  })
}

/** Goes on with a run that stopped. */
async function resumeAgent(given: Params, asked: Asked): Promise<unknown> {
  const sessionId = String(given.sessionId)
  return follow(sessionId, given, asked, async settings => {
    const body = { ...settings, goOn: true }
    const resumed = await ask(asked.work, 'resume', { sessionId }, body)
    if (!(resumed as { resumed: boolean }).resumed)
      throw new RpcError(CODES.failure, 'No run of this session is stopped: nothing to resume.')
  })
}

/** Answers a question, and follows the run that asked it to its end. */
async function answerQuestion(given: Params, asked: Asked): Promise<unknown> {
  const { questionId, answer, by } = given
  const { connection, params } = asked.work
  const open = unwrap(await connection.call('listQuestions', { params }))
  const sessionId = open.find(({ id }) => id === questionId)?.sessionId
  const tell = () =>
    ask(asked.work, 'answerQuestion', { questionId: String(questionId) }, { answer, by })
  return tellAndFollow(sessionId, given, asked, tell)
}

/** Answers an approval, and follows the run that waits for it to its end. */
async function decide(
  decision: 'approved' | 'denied',
  given: Params,
  asked: Asked,
): Promise<unknown> {
  const { approvalId, by, reason, refused, remember } = given
  const { connection, params } = asked.work
  const open = unwrap(await connection.call('listApprovals', { params, query: {} }))
  const sessionId = open.find(({ id }) => id === approvalId)?.sessionId
  const body = { decision, by, reason, refused, remember }
  const tell = () => ask(asked.work, 'decide', { approvalId: String(approvalId) }, body)
  return tellAndFollow(sessionId, given, asked, tell)
}

/** Where no run waits for it, the answer is that of the route. */
async function tellAndFollow(
  sessionId: string | undefined,
  given: Params,
  asked: Asked,
  tell: () => Promise<unknown>,
): Promise<unknown> {
  if (!sessionId) return tell()
  const { connection, params } = asked.work
  const session = await connection.call('getSession', { params: { ...params, sessionId } })
  if (unwrap(session).state === 'idle') return tell()
  return follow(sessionId, given, asked, async settings => {
    await tell()
    await ask(asked.work, 'resume', { sessionId }, settings)
  })
}

export async function newSession({ connection, params }: Work): Promise<string> {
  return unwrap(await connection.call('createSession', { params, body: {} })).sessionId
}

/** Passes the parameters on unchecked: the route checks them, and its failure says what is wrong. */
export async function ask<Name extends JsonRoute>(
  { connection, params }: Work,
  name: Name,
  inPath: Record<string, string>,
  body: unknown,
): Promise<unknown> {
  const asked = [{ params: { ...params, ...inPath }, body }] as unknown as RouteArguments<Name>
  return unwrap(await connection.call(name, ...asked))
}

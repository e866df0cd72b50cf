import { randomBytes } from 'node:crypto'
import {
  fail,
  ok,
  type Pending,
  type Result,
  type ShownResult,
  type ToolDeclaration,
} from '@filewright/protocol'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Agent, WaitingCall } from '../agent/agent.ts'
import { type AgentAsking, askPerson, type Waiting } from '../gate/gate.ts'
import { digestOf } from '../gate/request-state.ts'
import type { Answered } from './answered.ts'
import { checkArguments } from './check-arguments.ts'
import { ownHandlers } from './draft-tools.ts'
import { sessionOfDraft } from './find-draft.ts'
import { toFailed, toResult, toShownResult } from './to-result.ts'

export interface AgentCall {
  readonly tool: ToolDeclaration
  readonly arguments: Readonly<Record<string, unknown>>
}

/** Runs one call of an offered tool. It ends in what the model reads, or in the form that asks a person. */
export async function callTool(
  agent: Agent,
  call: AgentCall,
  asking: AgentAsking,
): Promise<Answered> {
  const own = ownHandlers[call.tool.name]
  if (!own) return callCatalogTool(agent, call, asking)
  const given = checkArguments(call.tool, call.arguments)
  return given.ok ? own(agent, given.value, asking) : failed(given)
}

async function callCatalogTool(
  agent: Agent,
  call: AgentCall,
  asking: AgentAsking,
): Promise<Answered> {
  const { tool } = call
  const takeTurn = tool.writes === 'nothing' ? agent.turns.read : agent.turns.write
  // taken at once: what comes later must not overtake it
  const first = await takeTurn(() => begin(agent, call, asking))
  if (!first.ok) return failed(first)
  const { key, waiting, shown } = first.value
  if (!('pending' in shown)) return show(agent, shown, waiting.sessionId)
  agent.waiting.set(key, waiting)
  const undecided = await decide(agent, tool, shown, waiting, asking)
  if (undecided) return undecided
  agent.waiting.delete(key)
  const ended = await runCall(agent, call, waiting, asking)
  if (!ended.ok) return failed(ended)
  if ('pending' in ended.value) return toResult(ended.value.message)
  return show(agent, ended.value, waiting.sessionId)
}

interface Begun {
  /** The same for the same call in the same session. */
  readonly key: string
  readonly waiting: WaitingCall
  readonly shown: ShownResult | Pending
}

async function begin(agent: Agent, call: AgentCall, asking: AgentAsking): Promise<Result<Begun>> {
  const session = await sessionOf(agent, call.arguments)
  if (!session.ok) return session
  const sessionId = session.value
  if (call.tool.writes === 'nothing') {
    const read = await runCall(agent, call, { sessionId, toolCallId: '' }, asking)
    return read.ok
      ? ok({ key: '', waiting: { sessionId, toolCallId: '' }, shown: read.value })
      : read
  }
  const key = digestOf({ name: `${sessionId} ${call.tool.name}`, arguments: call.arguments })
  const toolCallId = agent.waiting.get(key)?.toolCallId ?? randomBytes(8).toString('hex')
  const waiting = { sessionId, toolCallId }
  const shown = await runCall(agent, call, waiting, asking)
  return shown.ok ? ok({ key, waiting, shown: shown.value }) : shown
}

/** A call that writes has an id of its own, so that it can be given up, and asked about later. */
async function runCall(
  { connection, params, toolset }: Agent,
  { tool, arguments: sent }: AgentCall,
  { sessionId, toolCallId }: WaitingCall,
  { host: author, signal }: AgentAsking,
): Promise<Result<ShownResult | Pending>> {
  const { draft_id: _, ...rest } = sent
  const given = toolset === 'workshop' ? rest : sent
  const inSession = { ...params, sessionId }
  const ask = (id: { readonly toolCallId?: string }) =>
    connection.call('callAsModel', {
      params: inSession,
      body: { tool: tool.name, arguments: given, author, ...id },
    })
  if (tool.writes === 'nothing') return ask({})
  if (signal.aborted)
    return fail('CANCELLED', 'Nothing was changed: the call was cancelled before it began.')
  const abandon = () =>
    void connection.call('cancelCall', { params: { ...inSession, toolCallId } }).catch(() => {}) // it ended meanwhile
  signal.addEventListener('abort', abandon, { once: true })
  try {
    return await ask({ toolCallId })
  } finally {
    signal.removeEventListener('abort', abandon)
  }
}

/** Undefined once the approval is decided: the call has its result then. */
async function decide(
  agent: Agent,
  tool: ToolDeclaration,
  { approvalId, message }: Pending,
  { sessionId, toolCallId }: WaitingCall,
  asking: AgentAsking,
): Promise<Answered | undefined> {
  const { connection, params } = agent
  const approve = (by: string) =>
    connection.call('decide', {
      params: { ...params, approvalId },
      body: { decision: 'approved', by },
    })
  if (agent.policy === 'auto') {
    await approve('the setting agent-publish')
    return undefined
  }
  const waiting: Waiting = {
    id: approvalId,
    command: `filewright approvals approve ${approvalId}`,
    async look() {
      const call = { params: { ...params, sessionId, toolCallId } }
      const state = await connection.call('getCall', call)
      const isDecided = state.ok && !('pending' in state.value)
      return isDecided ? { isYes: true, by: 'a person' } : undefined
    },
    answer: async by => (await approve(by)).ok,
  }
  const deed = {
    tool: tool.name,
    subject: approvalId,
    title: `Write what ${tool.name} proposes (${approvalId})`,
    details: message.replace(/ *(It waits|Approve it).*$/s, ''),
    yes: 'Write it',
  }
  const asked = agent.policy === 'never' ? { ...asking, form: {} } : asking
  const answer = await askPerson(agent, deed, waiting, asked)
  if (answer.kind === 'form') return answer.answer
  return answer.kind === 'pending' ? toResult(answer.text) : undefined
}

async function show(agent: Agent, shown: ShownResult, sessionId: string): Promise<CallToolResult> {
  if (sessionId !== (await agent.session())) remember(agent.shortened, shown.toolCallId, sessionId)
  return toShownResult(shown, agent)
}

const MOST_REMEMBERED = 200

function remember(known: Map<string, string>, key: string, value: string): void {
  known.set(key, value)
  if (known.size > MOST_REMEMBERED) known.delete(known.keys().next().value!)
}

/** Of the draft that the call names, of the result it recalls, or the standing one. */
async function sessionOf(
  agent: Agent,
  { id, draft_id: draftId }: Readonly<Record<string, unknown>>,
): Promise<Result<string>> {
  if (draftId !== undefined && agent.toolset === 'workshop')
    return sessionOfDraft(agent, String(draftId))
  const elsewhere = typeof id === 'string' ? agent.shortened.get(id) : undefined
  return ok(elsewhere ?? (await agent.session()))
}

function failed(result: Result<unknown>): CallToolResult {
  return result.ok ? toResult('') : toFailed(result.failure)
}

import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { createTurnText } from '@filewright/host'
import type { LineOf, LogRow, SessionEvent } from '@filewright/protocol'
import type { SessionFolder } from '../editor/folder.ts'
import { effectContents, textContent } from './change-contents.ts'
import { kindOf, locationsOf, parseArguments } from './tool-call.ts'

export interface ProjectionOptions {
  readonly folder: SessionFolder
  /** An old conversation: its messages are shown too, and no draft is looked up. */
  readonly isReplay: boolean
  readonly shows: { readonly notices: boolean; readonly compaction: boolean }
}

/** What an editor shows of the events of a session, in their order. */
export interface Projection {
  take(event: SessionEvent): Promise<readonly SessionUpdate[]>
}

const UNKNOWN_WINDOW = 32_000 // CONTRACT §7

export function createProjection(options: ProjectionOptions): Projection {
  const answer = createTurnText()
  const thoughts = createTurnText()
  let window = UNKNOWN_WINDOW

  const said = (turnId: string, text: string) =>
    answer
      .take({ type: 'text-so-far', turnId, text })
      .map(piece => messageChunk(piece.isAnew ? `\n${piece.text}` : piece.text, turnId))
  const thought = (turnId: string, text: string) =>
    thoughts
      .take({ type: 'text-so-far', turnId, text })
      .map(piece => thoughtChunk(piece.text, turnId))

  return {
    async take(event) {
      if (event.type === 'text-delta' || event.type === 'text-so-far')
        return answer
          .take(event)
          .map(({ text, isAnew }) => messageChunk(isAnew ? `\n${text}` : text, event.turnId))
      if (event.type === 'thought-delta')
        return thoughts
          .take({ ...event, type: 'text-delta' })
          .map(({ text }) => thoughtChunk(text, event.turnId))
      if (event.type === 'call-progress') return [progress(event.toolCallId, event.text)]
      if (event.type === 'run-lost') return notice(options, 'error', event.message)
      if (event.type !== 'row') return []
      const { body } = event.row
      if (body.type === 'model' && body.context_tokens !== undefined) window = body.context_tokens
      if (body.type === 'retry') for (const text of [answer, thoughts]) text.restart()
      if (body.type === 'usage') return [usageUpdate(body, window)]
      if (body.type === 'assistant_message')
        return [
          ...(body.reasoning ? thought(body.turn_id, body.reasoning) : []),
          ...(body.text ? said(body.turn_id, body.text) : []),
        ]
      return rowUpdates(options, event.row)
    },
  }
}

async function rowUpdates(options: ProjectionOptions, row: LogRow): Promise<SessionUpdate[]> {
  const { body } = row
  switch (body.type) {
    case 'user_message':
      return options.isReplay ? [personChunk(body.text, body.message_id)] : []
    case 'steer':
      return options.isReplay ? [personChunk(body.text, body.message_id)] : []
    case 'call-start':
      return [callStart(options.folder, body)]
    case 'approval':
      return [
        { sessionUpdate: 'tool_call_update', toolCallId: body.tool_call_id, status: 'pending' },
      ]
    case 'tool_result':
      return [await callEnd(options, body)]
    case 'helper':
      return helperUpdates(body)
    case 'plan':
      return [planUpdate(body)]
    case 'compaction':
      return compactionUpdates(options, row, body)
    case 'retry':
      return notice(options, 'warning', retryText(body))
    case 'notice':
      return options.shows.notices || options.isReplay
        ? notice(options, 'warning', body.message)
        : [messageChunk(`\n\n${body.message}\n`, `notice-${row.seq}`)]
    case 'limit':
      return notice(options, 'warning', body.message)
    case 'run-end':
      return runEnd(body)
    default:
      return []
  }
}

function callStart(folder: SessionFolder, body: LineOf<'call-start'>): SessionUpdate {
  const rawInput = parseArguments(body.arguments)
  return {
    sessionUpdate: 'tool_call',
    toolCallId: body.tool_call_id,
    title: body.label,
    name: body.name,
    kind: kindOf(body.name),
    status: 'in_progress',
    locations: locationsOf(folder, rawInput),
    ...(rawInput && { rawInput }),
  }
}

async function callEnd(
  { folder, isReplay }: ProjectionOptions,
  body: LineOf<'tool_result'>,
): Promise<SessionUpdate> {
  const { tool_call_id: toolCallId, effects = [] } = body
  const shown = isReplay ? effects.filter(({ where }) => where === 'workspace') : effects
  const changed = body.success ? await effectContents(folder, toolCallId, shown) : []
  return {
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: body.success ? 'completed' : 'failed',
    content: changed.length > 0 ? changed : [textContent(body.content)],
  }
}

function progress(toolCallId: string, text: string): SessionUpdate {
  return { sessionUpdate: 'tool_call_update', toolCallId, content: [textContent(text)] }
}

function helperUpdates({ tool_call_id, line }: LineOf<'helper'>): SessionUpdate[] {
  return line.type === 'call-start' ? [progress(tool_call_id, line.label)] : []
}

/** The protocol knows no failed entry: its text says so. */
const STEP = {
  open: 'pending',
  doing: 'in_progress',
  done: 'completed',
  failed: 'completed',
} as const

function planUpdate({ steps }: LineOf<'plan'>): SessionUpdate {
  const entries = steps.map(({ text, status, reason }) => ({
    content: status === 'failed' ? `${text} (failed: ${reason ?? 'no reason given'})` : text,
    priority: 'medium' as const,
    status: STEP[status],
  }))
  return { sessionUpdate: 'plan', entries }
}

function usageUpdate({ usage }: LineOf<'usage'>, size: number): SessionUpdate {
  const used = usage.inputTokens + usage.outputTokens
  const { cost } = usage
  return {
    sessionUpdate: 'usage_update',
    used,
    size,
    ...(cost !== undefined && { cost: { amount: cost, currency: 'USD' } }),
  }
}

function compactionUpdates(
  { shows }: ProjectionOptions,
  { sessionId, seq }: LogRow,
  { summary }: LineOf<'compaction'>,
): SessionUpdate[] {
  if (!shows.compaction || summary === undefined) return []
  const content = { type: 'text' as const, text: summary }
  return [
    {
      sessionUpdate: 'compaction_update',
      compactionId: `${sessionId}-${seq}`,
      status: 'completed',
      summary: [content],
    },
  ]
}

/** What the run did is computed by us: it stands apart from what the model says. */
function runEnd({ run_id, closing, message, reason }: LineOf<'run-end'>): SessionUpdate[] {
  if (reason === 'waiting') return []
  const failed = reason === 'failed' && message ? `${message}\n` : ''
  return [messageChunk(`\n\n${failed}${closing}\n`, run_id)]
}

function retryText({ reason, wait_ms }: LineOf<'retry'>): string {
  return `${reason.replace(/\.$/, '')}; trying again in ${Math.ceil(wait_ms / 1000)} s`
}

/** Where an editor shows no notices, a limit is the end of the answer, which says so. */
function notice(
  { shows }: ProjectionOptions,
  severity: 'warning' | 'error',
  title: string,
): SessionUpdate[] {
  return shows.notices ? [{ sessionUpdate: 'notice', severity, title }] : []
}

function messageChunk(text: string, messageId: string): SessionUpdate {
  return { sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text } }
}

function thoughtChunk(text: string, messageId: string): SessionUpdate {
  return { sessionUpdate: 'agent_thought_chunk', messageId, content: { type: 'text', text } }
}

function personChunk(text: string, messageId: string | undefined): SessionUpdate {
  return {
    sessionUpdate: 'user_message_chunk',
    ...(messageId && { messageId }),
    content: { type: 'text', text },
  }
}

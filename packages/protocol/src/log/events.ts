import type { Kind } from '../words/result.ts'
import type { LogRow } from './journal.ts'

/** Events for a client: rows of the log by cursor, and text deltas that are not kept. */
export type SessionEvent =
  | { readonly type: 'row'; readonly cursor: number; readonly row: LogRow }
  | { readonly type: 'text-delta'; readonly turnId: string; readonly text: string }
  /** After a reconnect: the text of the turn so far, in one piece. */
  | { readonly type: 'text-so-far'; readonly turnId: string; readonly text: string }
  /** What the model thinks on its way to the answer; the message's row has all of it. */
  | { readonly type: 'thought-delta'; readonly turnId: string; readonly text: string }
  /** How far a call has come, in words. */
  | { readonly type: 'call-progress'; readonly toolCallId: string; readonly text: string }
  /** Messages that wait for the run in progress, after each change of that list. */
  | { readonly type: 'queue'; readonly messages: readonly QueuedMessage[] }
  /** How many follow the session now; told while they are several, and when one is left. */
  | { readonly type: 'listeners'; readonly count: number }
  /**
   * The run stopped where it is, and no row can say so: its log cannot be written, or an internal error is in the way.
   */
  | {
      readonly type: 'run-lost'
      readonly kind: Extract<Kind, 'unavailable' | 'internal'>
      readonly message: string
    }

/** A message of the person that the model has not been given yet. */
export interface QueuedMessage {
  readonly messageId: string
  readonly text: string
  /** ISO 8601. */
  readonly time: string
}

export interface Notification {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

/**
 * Translates to ADR-0010's wire names at the edge. It remembers which tool a call was for, because a result's row
 * carries only the call's id; a late listener gets completions only of calls it saw begin.
 */
export function createNotifier(): (event: SessionEvent) => Notification | undefined {
  const tools = new Map<string, string>()
  return event => {
    if (event.type === 'run-lost' || event.type === 'listeners') return undefined
    if (event.type === 'thought-delta') return undefined
    if (event.type === 'queue')
      return { method: 'WorkshopQueueChanged', params: { messages: event.messages } }
    if (event.type === 'call-progress') return toProgress(event, tools.get(event.toolCallId))
    if (event.type !== 'row')
      return {
        method: 'WorkshopAssistantStreamDelta',
        params: { text: event.text, turn_id: event.turnId },
      }
    const { body } = event.row
    if (body.type === 'call-start') {
      tools.set(body.tool_call_id, body.name)
      return {
        method: 'WorkshopToolExecuting',
        params: {
          tool_name: body.name,
          path: pathArgument(body.arguments),
          tool_call_id: body.tool_call_id,
        },
      }
    }
    if (body.type === 'plan') return { method: 'WorkshopPlan', params: { steps: body.steps } }
    if (body.type === 'question') {
      const { question_id, question, choices } = body
      return { method: 'WorkshopQuestion', params: { question_id, question, choices } }
    }
    if (body.type !== 'tool_result') return undefined
    const tool = tools.get(body.tool_call_id)
    if (tool === undefined) return undefined
    tools.delete(body.tool_call_id)
    return {
      method: 'WorkshopToolComplete',
      params: { tool_name: tool, success: body.success, tool_call_id: body.tool_call_id },
    }
  }
}

function toProgress(
  { toolCallId, text }: Extract<SessionEvent, { type: 'call-progress' }>,
  tool: string | undefined,
): Notification | undefined {
  if (tool === undefined) return undefined
  return {
    method: 'WorkshopToolProgress',
    params: { tool_name: tool, tool_call_id: toolCallId, text },
  }
}

function pathArgument(argumentsJson: string): string | null {
  try {
    const path = (JSON.parse(argumentsJson) as { path?: unknown }).path
    return typeof path === 'string' ? path : null
  } catch {
    return null
  }
}

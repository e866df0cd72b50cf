import type { LogRow } from './journal.ts'

/** What a client hears: rows of the log by cursor, and text deltas that are not kept. */
export type SessionEvent =
  | { readonly type: 'row'; readonly cursor: number; readonly row: LogRow }
  | { readonly type: 'text-delta'; readonly turnId: string; readonly text: string }
  /** After a reconnect: the text of the turn so far, in one piece. */
  | { readonly type: 'text-so-far'; readonly turnId: string; readonly text: string }

export interface Notification {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

/** ADR-0010's wire names, given at the edge. */
export function toNotifications(event: SessionEvent): Notification[] {
  if (event.type === 'text-delta' || event.type === 'text-so-far')
    return [
      {
        method: 'WorkshopAssistantStreamDelta',
        params: { text: event.text, turn_id: event.turnId },
      },
    ]
  const { body } = event.row
  if (body.type === 'call-start')
    return [
      {
        method: 'WorkshopToolExecuting',
        params: {
          tool_name: body.name,
          path: pathArgument(body.arguments),
          tool_call_id: body.tool_call_id,
        },
      },
    ]
  return []
}

/** `tool_result` rows carry no name, so the caller says which tool the call was for. */
export function toolComplete(toolName: string, success: boolean, toolCallId: string): Notification {
  return {
    method: 'WorkshopToolComplete',
    params: { tool_name: toolName, success, tool_call_id: toolCallId },
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

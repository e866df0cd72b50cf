import type { IdSource, JournalLine, ToolCallId, ToolOutcome } from '@filewright/protocol'

const KEPT_CHARACTERS = 300

/** The row of a call outside a run that has ended. The caller has the whole result; the log keeps its beginning. */
export function toEnded(toolCallId: ToolCallId, outcome: ToolOutcome, ids: IdSource): JournalLine {
  const { envelope, effects, full } = outcome
  return {
    type: 'tool_result',
    message_id: ids('message'),
    tool_call_id: toolCallId,
    content: outcome.brief?.(KEPT_CHARACTERS) ?? shorten(outcome.text),
    success: envelope.success,
    ...(envelope.errorCode && { error_code: envelope.errorCode }),
    ...(full && { full }),
    ...(effects && { effects }),
  }
}

function shorten(text: string): string {
  if (text.length <= KEPT_CHARACTERS) return text
  return `${text.slice(0, KEPT_CHARACTERS)}\n… ${text.length} characters in all; the caller has them`
}

/** The row of a call that never began. */
export function toNeverRan(toolCallId: ToolCallId, ids: IdSource): JournalLine {
  return {
    type: 'tool_result',
    message_id: ids('message'),
    tool_call_id: toolCallId,
    content:
      'CANCELLED: Nothing was changed: the call was cut off before it started. Send it again if you still need it.',
    success: false,
    error_code: 'CANCELLED',
    synthetic: true,
  }
}

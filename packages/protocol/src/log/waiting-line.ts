import type { ApprovalId, ToolCallId } from '../words/ids.ts'
import type { Pending } from '../words/pending.ts'
import type { JournalLine } from './journal.ts'

/** The row of a call that waits for a person: for a yes, or for an answer. */
export function toWaitingLine(toolCallId: ToolCallId, pending: Pending): JournalLine {
  const { approvalId, question } = pending
  if (!question)
    return {
      type: 'approval',
      tool_call_id: toolCallId,
      approval_id: approvalId as ApprovalId,
      pending,
    }
  return {
    type: 'question',
    tool_call_id: toolCallId,
    question_id: approvalId,
    question: question.text,
    choices: question.choices,
    ...(question.definition && { definition: question.definition }),
    ...(question.decides && { decides: question.decides }),
  }
}

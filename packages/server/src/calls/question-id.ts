import {
  type AskedQuestion,
  type Pending,
  type ToolCallId,
  visibleName,
} from '@filewright/protocol'

/** The same for the same call, so that a call repeated after a crash asks the same question. */
export function toQuestion(toolCallId: ToolCallId, question: AskedQuestion): Pending {
  const id = questionIdOf(toolCallId)
  const how = `filewright approvals answer ${id} "ANSWER"`
  const message = `${visibleName(question.text)} It waits for a person. Answer it with: ${how}`
  return { pending: true, approvalId: id, toolCallId, message, question }
}

export function questionIdOf(toolCallId: ToolCallId): string {
  return toolCallId.replace(/^tc_/, 'qst_')
}

export function callOfQuestion(questionId: string): ToolCallId {
  return questionId.replace(/^qst_/, 'tc_') as ToolCallId
}

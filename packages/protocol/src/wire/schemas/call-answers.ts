import { z } from 'zod'
import type { ConversationId, SessionId, ToolCallId, TurnId } from '../../words/ids.ts'
import type { Kind } from '../../words/result.ts'
import { typed } from '../typed-text.ts'
import { changeSchema, diffSchema } from './change.ts'
import { words } from './words.ts'

/** Calls, the questions to a person about them, and the rules that answer instead. */
export function callAnswers() {
  const { text, optional, count } = words()
  const envelope = envelopeSchema()
  const pending = pendingSchema()
  const approval = approvalSchema()
  const outcome = z.looseObject({ envelope, text, effects: z.array(effectSchema()).optional() })
  const rule = z.looseObject({
    id: text,
    effect: z.enum(['allow', 'deny', 'ask', 'scan']),
    tool: optional,
    path: optional,
    maxBytes: count.optional(),
    sessionId: optional,
    time: text,
  })
  return {
    callTool: z.union([envelope, pending]),
    getCall: z.union([envelope, pending]),
    listApprovals: z.array(approval),
    decide: z.looseObject({
      approval,
      outcome: z.union([z.looseObject({ outcome }), z.looseObject({ pending })]),
    }),
    listRules: z.array(rule),
    addRule: rule,
    removeRule: z.null(),
  }
}

function envelopeSchema() {
  const { text, texts } = words()
  return z.looseObject({
    success: z.boolean(),
    errorCode: text.nullable(),
    kind: typed<Kind>(text).optional(), // a failure has one of the eight; a result may have its own
    message: text,
    errors: texts,
    warnings: texts,
    sessionId: typed<SessionId>(text),
    conversationId: typed<ConversationId>(text),
    turnId: typed<TurnId>(text),
    toolCallId: typed<ToolCallId>(text),
  })
}

function pendingSchema() {
  const { text } = words()
  return z.looseObject({
    pending: z.literal(true),
    approvalId: text,
    toolCallId: typed<ToolCallId>(text),
    message: text,
  })
}

function approvalSchema() {
  const { text, optional, texts } = words()
  return z.looseObject({
    id: text,
    toolCallId: text,
    sessionId: text,
    draftId: text,
    tool: text,
    label: text,
    description: optional,
    time: text,
    state: z.enum(['open', 'approved', 'denied', 'stale']),
    changes: z.array(changeSchema()),
    warnings: texts,
    diffs: z.array(diffSchema()),
  })
}

function effectSchema() {
  const { text, optional, count, place } = words()
  return z.looseObject({
    ...place,
    where: z.enum(['draft', 'workspace']),
    action: z.enum(['created', 'changed', 'deleted', 'moved']),
    count,
    unit: text,
    from: optional,
    draftId: optional,
  })
}

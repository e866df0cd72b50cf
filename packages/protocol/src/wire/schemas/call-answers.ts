import { z } from 'zod'
import { RULE_EFFECTS } from '../../call/outcome.ts'
import type { ConversationId, SessionId, ToolCallId, TurnId } from '../../words/ids.ts'
import { DEEDS } from '../../words/pending.ts'
import type { Kind } from '../../words/result.ts'
import { typed } from '../typed-text.ts'
import { changeSchema, diffSchema } from './change.ts'
import { executedSchema } from './draft-answers.ts'
import { effectSchema } from './effect.ts'
import { words } from './words.ts'

/** Calls, the questions to a person about them, and the rules that answer instead. */
export function callAnswers() {
  const { text } = words()
  const envelope = envelopeSchema()
  const pending = pendingSchema()
  const approval = approvalSchema()
  const shown = z.looseObject({
    toolCallId: text,
    success: z.boolean(),
    errorCode: text.nullable(),
    text,
    images: z.array(z.looseObject({ sha256: text, mediaType: text })).optional(),
  })
  const outcome = z.looseObject({ envelope, text, effects: z.array(effectSchema()).optional() })
  return {
    callTool: z.union([envelope, pending]),
    callAsModel: z.union([shown, pending]),
    getCall: z.union([envelope, pending]),
    cancelCall: z.null(),
    listApprovals: z.array(approval),
    decide: z.looseObject({
      approval,
      outcome: z.union([z.looseObject({ outcome }), z.looseObject({ pending })]),
    }),
    listQuestions: z.array(questionSchema()),
    answerQuestion: z.looseObject({ question: questionSchema(), answer: text }),
    askForYes: z.looseObject({
      questionId: text,
      answer: z.looseObject({ isYes: z.boolean(), by: text, words: text.optional() }).nullable(),
    }),
    listRules: z.array(ruleSchema()),
    addRule: ruleSchema(),
    removeRule: z.null(),
  }
}

export function questionSchema() {
  const { text, texts, optional } = words()
  return z.looseObject({
    id: text,
    sessionId: text,
    toolCallId: text,
    question: text,
    choices: texts,
    definition: optional,
    decides: decidesSchema(),
    subject: optional,
    time: text,
  })
}

export function decidesSchema() {
  return z.enum([...DEEDS, 'call']).optional()
}

export function ruleSchema() {
  const { text, optional, count } = words()
  return z.looseObject({
    id: text,
    effect: z.enum(RULE_EFFECTS),
    tool: optional,
    path: optional,
    maxBytes: count.optional(),
    sessionId: optional,
    sha256: optional,
    time: text,
  })
}

export function envelopeSchema() {
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

export function pendingSchema() {
  const { text, texts, optional } = words()
  return z.looseObject({
    pending: z.literal(true),
    approvalId: text,
    toolCallId: typed<ToolCallId>(text),
    message: text,
    question: z
      .looseObject({ text, choices: texts, definition: optional, decides: decidesSchema() })
      .optional(),
  })
}

export function approvalSchema() {
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
    needsPerson: z.literal(true).optional(),
    executed: executedSchema(),
    changes: z.array(changeSchema()),
    warnings: texts,
    diffs: z.array(diffSchema()),
  })
}

import { z } from 'zod'
import type { JournalLine } from '../../log/journal.ts'
import { DEEDS } from '../../words/pending.ts'
import { decidesSchema } from './call-answers.ts'
import { effectSchema } from './effect.ts'
import { words } from './words.ts'

/** The body of a row of each type, in ADR-0010's spelling; a type without its schema does not compile. */
export function rowBodySchemas() {
  return {
    ...messageBodies(),
    ...runBodies(),
    ...callBodies(),
    ...keptBodies(),
  } satisfies BodySchemas
}

type BodySchemas = {
  readonly [Type in JournalLine['type']]: z.ZodObject<{ type: z.ZodLiteral<Type> }>
}

function messageBodies() {
  const { text, texts, optional, count } = words()
  const images = z.array(z.looseObject({ sha256: text, mediaType: text })).optional()
  const call = z.looseObject({
    id: text,
    function: z.looseObject({ name: text, arguments: text }),
  })
  return {
    user_message: body('user_message', {
      message_id: text,
      role: z.literal('user'),
      text,
      run_id: text,
      images,
    }),
    assistant_message: body('assistant_message', {
      message_id: text,
      role: z.literal('assistant'),
      text,
      turn_id: text,
      reasoning: optional,
      tool_calls: z.array(call).optional(),
      written: z.literal(true).optional(),
      repair: optional,
      finish_reason: optional,
      provider: z.unknown().optional(),
    }),
    tool_result: body('tool_result', {
      message_id: text,
      tool_call_id: text,
      content: text,
      success: z.boolean(),
      error_code: text.nullable().optional(),
      full: z.looseObject({ sha256: text, sizeBytes: count }).optional(),
      synthetic: z.boolean().optional(),
      effects: z.array(effectSchema()).optional(),
      images,
      resumes: optional,
    }),
    steer: body('steer', { text, message_id: optional, images, resumes: optional }),
    rewind: body('rewind', { to_seq: count, by: text, withdrawn: texts, written: texts }),
  }
}

function runBodies() {
  const { text, texts, optional, count } = words()
  const flag = z.boolean().optional()
  return {
    'conversation-start': body('conversation-start', { reason: z.enum(['new', 'cleared']) }),
    'run-start': body('run-start', {
      run_id: text,
      model: text,
      toolset: text,
      limits: z.record(text, z.number()).optional(),
      reads: texts.optional(),
      plan: flag,
      effort: optional,
      goes_on: optional,
      token_id: optional,
    }),
    model: body('model', {
      model: text,
      context_tokens: count.optional(),
      sees_images: flag,
      calls_tools: flag,
    }),
    cancel: body('cancel', { by: text, resumes: optional }),
    limit: body('limit', { what: text, message: text }),
    notice: body('notice', { message: text }),
    retry: body('retry', { turn_id: text, attempt: count, reason: text, wait_ms: z.number() }),
    'run-end': body('run-end', {
      run_id: text,
      reason: z.enum(['final', 'cancelled', 'limit', 'failed', 'waiting']),
      closing: text,
      message: optional,
      written: z.literal(true).optional(),
      usage: usageSchema().optional(),
    }),
  }
}

function callBodies() {
  const { text, texts, optional } = words()
  const step = z.looseObject({
    text,
    status: z.enum(['open', 'doing', 'done', 'failed']),
    reason: optional,
  })
  return {
    'call-start': body('call-start', {
      tool_call_id: text,
      turn_id: text,
      name: text,
      arguments: text,
      label: text,
      asks: z.looseObject({ deed: z.enum(DEEDS), subject: text, token_id: text }).optional(),
    }),
    approval: body('approval', {
      tool_call_id: text,
      approval_id: text,
      pending: z.looseObject({
        pending: z.literal(true),
        approvalId: text,
        toolCallId: text,
        message: text,
        question: z.looseObject({ text, choices: texts }).optional(),
      }),
    }),
    decision: body('decision', {
      approval_id: text,
      decision: z.enum(['approved', 'denied']),
      by: text,
      refused: z.array(z.looseObject({ change_id: text, reason: optional })).optional(),
      reason: optional,
      resumes: optional,
    }),
    plan: body('plan', { tool_call_id: text, steps: z.array(step) }),
    question: body('question', {
      tool_call_id: text,
      question_id: text,
      question: text,
      choices: texts,
      definition: optional,
      decides: decidesSchema(),
    }),
    /** A body of the helper's own run: one of these. */
    helper: body('helper', { tool_call_id: text, line: z.looseObject({ type: text }) }),
  }
}

function keptBodies() {
  const { text, texts, optional, count } = words()
  const sent = z.looseObject({
    model: text,
    endpoint: text.nullable(),
    messages: count,
    size_bytes: count,
  })
  const layer = z.looseObject({
    name: text,
    sha256: text,
    tokens: z.number(),
    version: optional,
    files: texts.optional(),
    text: optional,
  })
  return {
    context: body('context', {
      turn_id: text,
      layers: z.array(layer),
      tools: z.array(z.looseObject({ name: text, aliases: texts.optional() })).optional(),
      sent: sent.optional(),
    }),
    compaction: body('compaction', {
      summary: optional,
      up_to_seq: count,
      words_tokens: z.number().optional(),
      tokens_before: z.number(),
      tokens_after: z.number().optional(),
      sent: sent.optional(),
    }),
    usage: body('usage', { turn_id: text, usage: usageSchema() }),
    draft: body('draft', {
      draft_id: text,
      action: z.enum(['published', 'discarded', 'undone', 'redone']),
      change_set_id: optional,
      files: count,
      paths: texts,
      refused: count.optional(),
      refused_places: texts.optional(),
      undecided: count.optional(),
      comments: texts.optional(),
    }),
  }
}

function usageSchema() {
  return z.looseObject({
    inputTokens: z.number(),
    outputTokens: z.number(),
    cachedTokens: z.number().optional(),
    cost: z.number().optional(),
    unknown: z.boolean().optional(),
  })
}

function body<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.looseObject({ type: z.literal(type), ...shape })
}

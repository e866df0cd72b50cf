import { z } from 'zod'

/**
 * A line of `filewright run --output json`, as a script reads it. More fields may come, and rows of other types: a reader
 * ignores what it does not know.
 */
export function runOutputSchema() {
  return z
    .union([rowSchema(), ...passingSchemas(), ...endSchemas()])
    .describe('One line of "filewright run --output json"')
}

const notification = {
  method: z.string().optional().describe('The name of the event in ADR-0010, where it has one'),
  params: z.record(z.string(), z.unknown()).optional(),
}

function rowSchema() {
  return z.looseObject({
    type: z.literal('row'),
    cursor: z.number().int(),
    row: z.looseObject({
      sessionId: z.string(),
      seq: z.number().int().describe('From 1, without a gap'),
      conversationId: z.string(),
      type: z.string(),
      time: z.string().describe('ISO 8601'),
      body: z.union([
        ...messageSchemas(),
        ...callSchemas(),
        ...runSchemas(),
        z
          .looseObject({ type: z.enum(OTHER_ROWS) })
          .describe('Rows that a script seldom needs: docs/client-protocol.md has their fields'),
      ]),
    }),
    ...notification,
  })
}

function bodyOf<Type extends string, Shape extends z.core.$ZodLooseShape>(
  type: Type,
  shape: Shape,
) {
  return z.looseObject({ type: z.literal(type), ...shape })
}

function messageSchemas() {
  return [
    bodyOf('user_message', { text: z.string(), run_id: z.string() }),
    bodyOf('assistant_message', { text: z.string(), turn_id: z.string() }),
    bodyOf('tool_result', {
      tool_call_id: z.string(),
      content: z.string().describe('What the model sees'),
      success: z.boolean(),
      error_code: z.string().nullish(),
    }),
  ] as const
}

function callSchemas() {
  return [
    bodyOf('run-start', { run_id: z.string(), model: z.string(), toolset: z.string() }),
    bodyOf('call-start', {
      tool_call_id: z.string(),
      name: z.string(),
      arguments: z.string().describe('JSON'),
      label: z.string(),
    }),
    bodyOf('approval', { tool_call_id: z.string(), approval_id: z.string() }),
    bodyOf('plan', {
      steps: z.array(
        z.looseObject({
          text: z.string(),
          status: z.enum(['open', 'doing', 'done', 'failed']),
          reason: z.string().optional(),
        }),
      ),
    }),
    bodyOf('question', {
      question_id: z.string(),
      question: z.string(),
      choices: z.array(z.string()),
    }),
  ] as const
}

function runSchemas() {
  const usage = z.looseObject({
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    cost: z.number().optional().describe('US dollars, where the price is known'),
  })
  return [
    bodyOf('usage', { usage }),
    bodyOf('limit', { what: z.string(), message: z.string() }),
    bodyOf('notice', { message: z.string().describe('About the run, for the person') }),
    bodyOf('retry', { attempt: z.number().int(), reason: z.string(), wait_ms: z.number() }),
    bodyOf('run-end', {
      run_id: z.string(),
      reason: z.enum(['final', 'cancelled', 'limit', 'failed', 'waiting']),
      closing: z.string().describe('What was changed, as we count it'),
      message: z.string().optional(),
      usage: usage.optional(),
    }),
  ] as const
}

/** What is not kept in the log. */
function passingSchemas() {
  return [
    z.looseObject({
      type: z.enum(['text-delta', 'text-so-far', 'thought-delta']),
      turnId: z.string(),
      text: z.string(),
      ...notification,
    }),
    z.looseObject({
      type: z.literal('call-progress'),
      toolCallId: z.string(),
      text: z.string(),
      ...notification,
    }),
    z.looseObject({
      type: z.literal('queue'),
      messages: z.array(
        z.looseObject({ messageId: z.string(), text: z.string(), time: z.string() }),
      ),
      ...notification,
    }),
    z.looseObject({ type: z.literal('listeners'), count: z.number().int(), ...notification }),
  ] as const
}

function endSchemas() {
  return [
    z.looseObject({
      type: z.literal('run-lost'),
      kind: z.enum(['unavailable', 'internal']),
      message: z.string(),
    }),
    z.looseObject({
      type: z.literal('published').describe('The last line, where the draft was published'),
      message: z.string(),
    }),
  ] as const
}

/** The same for other languages. */
export function runOutputJsonSchema() {
  return z.toJSONSchema(runOutputSchema())
}

const OTHER_ROWS = [
  'cancel',
  'compaction',
  'context',
  'conversation-start',
  'decision',
  'draft',
  'helper',
  'model',
  'rewind',
  'steer',
] as const

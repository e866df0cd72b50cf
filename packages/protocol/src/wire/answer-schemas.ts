import { z } from 'zod'
import { KINDS } from '../words/result.ts'
import type { EventRoute, JsonRoute, RouteAnswers } from './answers.ts'
import { callAnswers } from './schemas/call-answers.ts'
import { draftAnswers } from './schemas/draft-answers.ts'
import { queuedMessageSchema, rowSchema, sessionAnswers } from './schemas/session-answers.ts'
import { words } from './schemas/words.ts'
import { workspaceAnswers } from './schemas/workspace-answers.ts'

/** Ties each schema to the type that the handlers answer with. */
type AnswerSchemas = { readonly [Name in JsonRoute]: z.ZodType<RouteAnswers[Name]> }

/**
 * The answers of the routes, for the OpenAPI document and for checking a foreign client's answers; fields may be added.
 * Built on demand: a starting command needs none of it.
 */
export function answerSchemas(): AnswerSchemas {
  return { ...workspaceAnswers(), ...sessionAnswers(), ...draftAnswers(), ...callAnswers() }
}

/** Every route's answer when it could not do what was asked. */
export function failureSchema(): z.ZodType {
  const { text, texts } = words()
  return z.looseObject({
    success: z.literal(false),
    errorCode: text,
    kind: z.enum(KINDS),
    message: text,
    errors: texts,
  })
}

/** The JSON in the data of each event. */
export function eventSchemas(): Readonly<Record<EventRoute, z.ZodType>> {
  const { text, texts } = words()
  const params = z.record(text, z.unknown())
  const wireName = { method: text.optional(), params: params.optional() }
  return {
    link: z.looseObject({ id: text, method: text, params }),
    workspaceEvents: z.looseObject({
      type: z.literal('files-changed'),
      docPaths: texts,
      all: z.boolean().optional(),
    }),
    events: z.union([
      z.looseObject({ type: z.literal('row'), cursor: z.int(), row: rowSchema(), ...wireName }),
      z.looseObject({
        type: z.enum(['text-delta', 'text-so-far']),
        turnId: text,
        text,
        ...wireName,
      }),
      z.looseObject({ type: z.literal('thought-delta'), turnId: text, text }),
      z.looseObject({ type: z.literal('call-progress'), toolCallId: text, text, ...wireName }),
      z.looseObject({
        type: z.literal('queue'),
        messages: z.array(queuedMessageSchema()),
        ...wireName,
      }),
      z.looseObject({
        type: z.literal('run-lost'),
        kind: z.enum(['unavailable', 'internal']),
        message: text,
      }),
    ]),
  }
}

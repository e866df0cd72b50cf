import { z } from 'zod'
import { KINDS } from '../words/result.ts'
import type { EventRoute, JsonRoute, RouteAnswers } from './answers.ts'
import {
  approvalSchema,
  callAnswers,
  envelopeSchema,
  pendingSchema,
  questionSchema,
  ruleSchema,
} from './schemas/call-answers.ts'
import { changeSchema } from './schemas/change.ts'
import {
  changeSetSchema,
  conflictSchema,
  draftAnswers,
  draftSchema,
  publishedSchema,
  takenBackSchema,
} from './schemas/draft-answers.ts'
import { effectSchema } from './schemas/effect.ts'
import { rowBodySchemas } from './schemas/row-bodies.ts'
import {
  queuedMessageSchema,
  rowSchema,
  sessionAnswers,
  sessionSchema,
} from './schemas/session-answers.ts'
import { words } from './schemas/words.ts'
import {
  modelSettingsSchema,
  tokenSchema,
  toolSchema,
  versionSchema,
  workspaceAnswers,
} from './schemas/workspace-answers.ts'

/** Ties each schema to the type that the handlers answer with. */
type AnswerSchemas = { readonly [Name in JsonRoute]: z.ZodType<RouteAnswers[Name]> }

/**
 * The answers of the routes, for the OpenAPI document and for checking a foreign client's answers; fields may be added.
 * Built on demand: a starting command needs none of it.
 */
export function answerSchemas(): AnswerSchemas {
  return { ...workspaceAnswers(), ...sessionAnswers(), ...draftAnswers(), ...callAnswers() }
}

/** What several routes answer, or an answer holds, under the name that the OpenAPI document gives it. */
export function namedSchemas(): Readonly<Record<string, z.ZodType>> {
  const { events, workspaceEvents } = eventSchemas()
  return {
    Failure: failureSchema(),
    SessionEvent: events,
    WorkspaceEvent: workspaceEvents,
    LogRow: rowSchema(),
    ...nameBodies(),
    Session: sessionSchema(),
    QueuedMessage: queuedMessageSchema(),
    Envelope: envelopeSchema(),
    Pending: pendingSchema(),
    Effect: effectSchema(),
    Approval: approvalSchema(),
    Question: questionSchema(),
    Rule: ruleSchema(),
    Draft: draftSchema(),
    Change: changeSchema(),
    Conflict: conflictSchema(),
    Published: publishedSchema(),
    Applied: takenBackSchema(),
    ChangeSet: changeSetSchema(),
    FileVersion: versionSchema(),
    Tool: toolSchema(),
    ModelSettings: modelSettingsSchema(),
    AccessToken: tokenSchema(),
  }
}

/** `run-end` → `RunEndBody` */
function nameBodies(): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(rowBodySchemas()).map(([type, schema]) => {
      const words = type.split(/[-_]/).map(word => word[0]!.toUpperCase() + word.slice(1))
      return [`${words.join('')}Body`, schema]
    }),
  )
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
      z.looseObject({ type: z.literal('listeners'), count: z.int() }),
      z.looseObject({
        type: z.literal('run-lost'),
        kind: z.enum(['unavailable', 'internal']),
        message: text,
      }),
    ]),
  }
}

import { z } from 'zod'
import { turnEnvelopeSchema } from '../../call/turn.ts'
import type { LogRow } from '../../log/journal.ts'
import { rowBodySchemas } from './row-bodies.ts'
import { words } from './words.ts'

/** Sessions, their runs and their logs. */
export function sessionAnswers() {
  const { text, texts, optional, count } = words()
  const session = sessionSchema()
  const activeFile = activeFileSchema()
  return {
    listSessions: z.looseObject({ sessions: z.array(session) }),
    createSession: session,
    getSession: session.extend({ stopped: z.enum(['limit', 'cancelled', 'failed']).optional() }),
    updateSession: session,
    deleteSession: z.looseObject({ rows: count, blobs: count }),
    sendMessage: z.looseObject({
      sessionId: text,
      runId: text.nullable(),
      model: text,
      steered: z.boolean(),
      messageId: optional,
      notice: optional,
    }),
    cancel: z.null(),
    resume: z.looseObject({ sessionId: text, resumed: z.boolean() }),
    rewind: z.looseObject({ seq: count, withdrawn: texts, written: texts }),
    listQueue: z.looseObject({ messages: z.array(queuedMessageSchema()) }),
    takeBack: queuedMessageSchema(),
    clear: z.looseObject({ conversationId: text }),
    log: z.looseObject({ rows: z.array(rowSchema()), last: z.int() }),
    getTurn: turnEnvelopeSchema,
    listActiveFiles: z.looseObject({ files: z.array(activeFile) }),
    addActiveFile: activeFile,
    removeActiveFile: z.null(),
  }
}

export function sessionSchema() {
  const { text } = words()
  return z.looseObject({
    sessionId: text,
    workspaceId: text,
    kind: z.enum(['work', 'standing']),
    title: text,
    conversationId: text,
    state: z.enum(['idle', 'running', 'waiting']),
    created: text,
    updated: text,
    isPinned: z.boolean().optional(),
    isArchived: z.boolean().optional(),
  })
}

export function queuedMessageSchema() {
  const { text } = words()
  return z.looseObject({ messageId: text, text, time: text })
}

function activeFileSchema() {
  const { text, count, sha256 } = words()
  return z.looseObject({
    docPath: text,
    displayPath: text,
    sizeBytes: count,
    isDirty: z.boolean(),
    isActive: z.literal(true),
    sha256,
    isInContext: z.boolean(),
  })
}

/** A row of a session's log; `docs/http.md` says what its bodies mean. */
export function rowSchema(): z.ZodType<LogRow> {
  const { text } = words()
  const bodies = Object.values(rowBodySchemas())
  const [first, ...others] = bodies
  const row = z.looseObject({
    sessionId: text,
    seq: z.int().min(1),
    conversationId: text,
    type: text,
    time: text,
    body: z.discriminatedUnion('type', [first!, ...others]),
  })
  return row as z.ZodType<unknown> as z.ZodType<LogRow>
}

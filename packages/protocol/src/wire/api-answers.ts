import { z } from 'zod'
import { turnEnvelopeSchema } from '../call/turn.ts'
import { KINDS } from '../words/result.ts'
import type { ROUTES, RouteName } from './api.ts'

/** The routes that answer with JSON. */
export type JsonRoute = {
  [Name in RouteName]: (typeof ROUTES)[Name]['answers'] extends 'json' ? Name : never
}[RouteName]

/**
 * What the routes answer, for the OpenAPI document; fields may be added. Made when it is asked for: a command that
 * starts needs none of it.
 */
export function answerSchemas(): Readonly<Record<JsonRoute, z.ZodType>> {
  const text = z.string()
  const count = z.int().min(0)
  const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
  const texts = z.array(text)
  const nothing = z.null()
  const jsonSchema = z.record(text, z.unknown())
  const place = { docPath: text, path: text }
  const optional = text.optional()
  const side = z.looseObject({
    text: optional,
    lines: texts.optional(),
    firstLine: count.optional(),
    lineCount: count.optional(),
    value: z.union([text, z.number(), z.boolean(), z.null()]).optional(),
    formula: optional,
    format: optional,
    path: optional,
    sizeBytes: count.optional(),
  })
  const change = z.looseObject({
    ...place,
    id: text,
    kind: z.enum(['lines', 'cell', 'format', 'sheet', 'structure', 'file']),
    place: text,
    before: side.nullable(),
    after: side.nullable(),
    operation: z.looseObject({ toolCallId: text, index: count, op: text }),
    dependsOn: texts,
    description: optional,
    labels: z
      .looseObject({
        batchKey: optional,
        fileKey: optional,
        fileLabel: optional,
        changeKey: optional,
      })
      .optional(),
    atomic: z.boolean().optional(),
  })
  const diffs = z.array(z.looseObject({ path: text, diff: text }))

  const workspace = z.looseObject({
    workspaceId: text,
    name: text,
    place: text.optional(),
    created: text,
  })
  const session = z.looseObject({
    sessionId: text,
    workspaceId: text,
    kind: z.enum(['work', 'standing']),
    title: text,
    conversationId: text,
    state: z.enum(['idle', 'running', 'waiting']),
    created: text,
    updated: text,
  })
  const draft = z.looseObject({
    id: text,
    sessionId: text,
    state: z.enum(['open', 'published', 'discarded', 'damaged']),
    purpose: z.enum(['workshop', 'one-call']),
    trouble: optional,
    label: optional,
    opened: text,
    touched: text,
    revision: count,
    files: z.array(
      z.looseObject({
        ...place,
        action: z.enum(['created', 'changed', 'deleted', 'moved']),
        from: optional,
        changes: count,
        base: sha256.nullable(),
        drifted: z.boolean().optional(),
      }),
    ),
  })
  const applied = z.looseObject({
    changeSetId: text,
    files: z.array(
      z.looseObject({
        ...place,
        realPath: optional,
        before: sha256.nullable(),
        after: sha256.nullable(),
        sizeBytes: count,
        mode: count.optional(),
        uid: count.optional(),
        gid: count.optional(),
      }),
    ),
    warnings: texts,
  })
  const takenBack = applied.extend({
    of: z.looseObject({ draftId: text, sessionId: text }).optional(),
  })
  const approval = z.looseObject({
    id: text,
    toolCallId: text,
    sessionId: text,
    draftId: text,
    tool: text,
    label: text,
    description: optional,
    time: text,
    state: z.enum(['open', 'approved', 'denied', 'stale']),
    changes: z.array(change),
    warnings: texts,
    diffs,
  })
  const rule = z.looseObject({
    id: text,
    effect: z.enum(['allow', 'deny', 'ask', 'scan']),
    tool: optional,
    path: optional,
    maxBytes: count.optional(),
    sessionId: optional,
    time: text,
  })
  const envelope = z.looseObject({
    success: z.boolean(),
    errorCode: text.nullable(),
    kind: text.optional(), // of a failure one of the eight; a result may have one of its own
    message: text,
    errors: texts,
    warnings: texts,
    sessionId: text,
    conversationId: text,
    turnId: text,
    toolCallId: text,
  })
  const pending = z.looseObject({
    pending: z.literal(true),
    approvalId: text,
    toolCallId: text,
    message: text,
  })
  const callState = z.union([envelope, pending])
  const effect = z.looseObject({
    ...place,
    where: z.enum(['draft', 'workspace']),
    action: z.enum(['created', 'changed', 'deleted', 'moved']),
    count,
    unit: z.enum(['lines', 'cells', 'changes', 'files']),
    from: optional,
    draftId: optional,
  })
  const outcome = z.looseObject({ envelope, text, effects: z.array(effect).optional() })
  const activeFile = z.looseObject({
    docPath: text,
    displayPath: text,
    sizeBytes: count,
    isDirty: z.boolean(),
    isActive: z.literal(true),
    sha256,
    isInContext: z.boolean(),
  })
  const version = z.looseObject({
    ...place,
    sha256: sha256.nullable(),
    sizeBytes: count,
    time: text,
    origin: z.looseObject({
      kind: z.enum(['read-through', 'upload', 'buffer', 'change-set']),
      changeSetId: optional,
    }),
  })
  const row = rowSchema()

  return {
    health: z.looseObject({ status: z.literal('ok'), version: text }),
    openapi: z.looseObject({
      openapi: text,
      info: z.record(text, text),
      security: z.array(z.unknown()),
      components: z.record(text, z.unknown()),
      paths: z.record(text, z.unknown()),
    }),
    tools: z.array(
      z.looseObject({
        name: text,
        aliases: texts,
        label: text,
        summary: text,
        guidance: text,
        executionLocation: z.enum(['server', 'client']),
        toolsets: z.array(z.enum(['workspace', 'workshop'])),
        writes: z.enum(['nothing', 'draft', 'workspace']),
        failures: z.record(text, z.enum(KINDS)),
        input: jsonSchema,
        output: jsonSchema,
      }),
    ),
    listWorkspaces: z.looseObject({
      workspaces: z.array(workspace.extend({ isAttached: z.boolean() })),
    }),
    attachWorkspace: workspace,
    getWorkspace: workspace.extend({ isAttached: z.boolean() }),
    listFiles: z.looseObject({
      files: z.array(
        z.looseObject({
          ...place,
          sizeBytes: count,
          modified: text,
          version: text.nullable(),
          folded: z.looseObject({ files: count }).optional(),
          isPrivate: z.boolean().optional(),
          conflict: z.boolean().optional(),
        }),
      ),
      total: count,
      next: text.nullable(),
      leftOut: z
        .looseObject({ total: count, first: z.array(z.looseObject({ path: text, reason: text })) })
        .optional(),
    }),
    linkAnswers: nothing,
    linkEvents: nothing,
    putBlob: z.union([
      z.looseObject({ sha256, sizeBytes: count }),
      z.looseObject({ offset: count }),
    ]),
    moveHeads: z.array(version),
    history: z.looseObject({ items: z.array(version), next: optional }),
    listSessions: z.looseObject({ sessions: z.array(session) }),
    createSession: session,
    getSession: session,
    deleteSession: z.looseObject({ rows: count, blobs: count }),
    listDrafts: z.array(draft),
    review: z.looseObject({ draft, changes: z.array(change), diffs, warnings: texts }),
    publish: z.looseObject({
      draftId: text,
      sessionId: optional,
      changeSetId: text,
      files: z.array(z.looseObject({ ...place, action: text, version: text.nullable() })),
      refused: texts,
      dropped: texts,
      rebased: texts,
      warnings: texts,
      message: text,
    }),
    discard: draft,
    undo: takenBack,
    redo: takenBack,
    listApprovals: z.array(approval),
    decide: z.looseObject({
      approval,
      outcome: z.union([z.looseObject({ outcome }), z.looseObject({ pending })]),
    }),
    listRules: z.array(rule),
    addRule: rule,
    removeRule: nothing,
    callTool: callState,
    getCall: callState,
    sendMessage: z.looseObject({
      sessionId: text,
      runId: text.nullable(),
      model: text,
      steered: z.boolean(),
    }),
    cancel: nothing,
    resume: z.looseObject({ sessionId: text, resumed: z.boolean() }),
    clear: z.looseObject({ conversationId: text }),
    log: z.looseObject({ rows: z.array(row) }),
    getTurn: turnEnvelopeSchema,
    listActiveFiles: z.looseObject({ files: z.array(activeFile) }),
    addActiveFile: activeFile,
    removeActiveFile: nothing,
  }
}

/** What every route answers that could not do what was asked. */
export function failureSchema(): z.ZodType {
  return z.looseObject({
    success: z.literal(false),
    errorCode: z.string(),
    kind: z.enum(KINDS),
    message: z.string(),
    errors: z.array(z.string()),
  })
}

function rowSchema() {
  const text = z.string()
  return z.looseObject({
    sessionId: text,
    seq: z.int().min(1),
    conversationId: text,
    type: text,
    time: text,
    body: z.looseObject({ type: text }),
  })
}

/** The routes that answer with a stream of events. */
export type EventRoute = {
  [Name in RouteName]: (typeof ROUTES)[Name]['answers'] extends 'events' ? Name : never
}[RouteName]

/** The JSON in the data of each event. */
export function eventSchemas(): Readonly<Record<EventRoute, z.ZodType>> {
  const text = z.string()
  const params = z.record(text, z.unknown())
  const wireName = { method: text.optional(), params: params.optional() }
  return {
    link: z.looseObject({ id: text, method: text, params }),
    workspaceEvents: z.looseObject({
      type: z.literal('files-changed'),
      docPaths: z.array(text),
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
      z.looseObject({
        type: z.literal('run-lost'),
        kind: z.enum(['unavailable', 'internal']),
        message: text,
      }),
    ]),
  }
}

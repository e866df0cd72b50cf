import { z } from 'zod'

/** Every route stands here once: the server mounts it, the OpenAPI document and the route tests are made from it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'
  /** Under `/api`; `:name` is a parameter. */
  readonly path: string
  readonly summary: string
  readonly query?: z.ZodObject
  /** Strict, so that a misspelt field is not taken for a wider wish; what a client sends unasked may be newer than we are. */
  readonly body?: z.ZodObject
  /** What the JSON holds is in `answerSchemas`; the others are streams. */
  readonly answers: 'json' | 'events' | 'bytes'
  /** Carries the text of a file: bound by that, not by the request body's limit. */
  readonly largeBody?: true
  /** Bytes come up raw, and are not bound by the request body's limit. */
  readonly rawBody?: true
}

const anything = z.unknown()
const by = z.string().max(200).optional()
const draftChoice = z.strictObject({ draftId: z.string().optional() })

export const toolCallBody = z.strictObject({
  tool: z.string(),
  arguments: z.unknown(),
  /** The caller's own id makes the call idempotent. */
  toolCallId: z.string().max(100).optional(),
  approve: z.enum(['ask', 'rules', 'all']).optional(),
})
export const messageBody = z.strictObject({
  text: z.string().min(1),
  model: z.string().optional(),
  toolset: z.enum(['workshop', 'workspace']).optional(),
  approve: z.enum(['ask', 'rules', 'all']).optional(),
  /** Plan first: the model may read, not write. */
  plan: z.boolean().optional(),
  budget: z
    .strictObject({
      tokens: z.number().positive().optional(),
      dollars: z.number().positive().optional(),
    })
    .optional(),
})
export const decisionBody = z.strictObject({
  decision: z.enum(['approved', 'denied']),
  by,
  reason: z.string().max(2000).optional(),
  refused: z
    .array(z.strictObject({ changeId: z.string(), reason: z.string().optional() }))
    .optional(),
  remember: z.enum(['session', 'always']).optional(),
})
export const ruleBody = z.strictObject({
  effect: z.enum(['allow', 'deny', 'ask', 'scan']),
  tool: z.string().optional(),
  path: z.string().optional(),
  maxBytes: z.number().int().min(0).optional(),
  sessionId: z.string().optional(),
})
export const headsBody = z.strictObject({
  changeSetId: z.string().optional(),
  heads: z.array(
    z.strictObject({
      docPath: z.string(),
      path: z.string(),
      expected: z.string().nullable().optional(),
      sha256: z.string().nullable(),
      sizeBytes: z.number().int().min(0),
    }),
  ),
})
export const activeFileBody = z.strictObject({
  path: z.string(),
  /** The text of an unsaved buffer; without it the file as it is on disk. */
  buffer: z.string().optional(),
})

export const ROUTES = {
  health: {
    method: 'GET',
    path: '/health',
    summary: 'Whether the server is up, and its version',
    answers: 'json',
  },
  openapi: { method: 'GET', path: '/openapi.json', summary: 'This description', answers: 'json' },
  tools: { method: 'GET', path: '/tools', summary: 'The tool catalog', answers: 'json' },
  listWorkspaces: {
    method: 'GET',
    path: '/workspaces',
    summary: 'The workspaces of this server',
    answers: 'json',
  },
  attachWorkspace: {
    method: 'POST',
    path: '/workspaces',
    summary: 'Announce a workspace; the same key is the same workspace',
    body: z.object({
      key: z.string().min(1).max(200),
      name: z.string().max(500),
      /** Where it lies, for a person; no model is told. */
      place: z.string().max(5000).optional(),
    }),
    answers: 'json',
  },
  getWorkspace: {
    method: 'GET',
    path: '/workspaces/:workspaceId',
    summary: 'One workspace',
    answers: 'json',
  },
  listFiles: {
    method: 'GET',
    path: '/workspaces/:workspaceId/files',
    summary: 'Files of the workspace, paged',
    query: z.object({
      after: z.string().optional(),
      limit: z.coerce.number().int().min(1).max(2000).optional(),
      named: z.string().max(1000).optional(),
    }),
    answers: 'json',
  },
  link: {
    method: 'GET',
    path: '/workspaces/:workspaceId/link',
    summary: "The client's stream of requests",
    answers: 'events',
  },
  linkAnswers: {
    method: 'POST',
    path: '/workspaces/:workspaceId/link/answers',
    summary: "The client's answers",
    largeBody: true,
    body: z.object({ answers: z.array(z.object({ id: z.string(), result: anything })) }),
    answers: 'json',
  },
  linkEvents: {
    method: 'POST',
    path: '/workspaces/:workspaceId/link/events',
    summary: 'What the client tells unasked',
    body: z.object({ events: z.array(z.looseObject({ type: z.string() })) }),
    answers: 'json',
  },
  workspaceEvents: {
    method: 'GET',
    path: '/workspaces/:workspaceId/events',
    summary: 'What changes in the workspace: files, as the client tells of them',
    answers: 'events',
  },
  hasBlob: {
    method: 'HEAD',
    path: '/workspaces/:workspaceId/blobs/:sha256',
    summary: 'Whether these bytes are stored; Upload-Offset tells how many arrived',
    answers: 'bytes',
  },
  getBlob: {
    method: 'GET',
    path: '/workspaces/:workspaceId/blobs/:sha256',
    summary: 'Bytes by hash',
    answers: 'bytes',
  },
  putBlob: {
    method: 'PUT',
    path: '/workspaces/:workspaceId/blobs/:sha256',
    summary: 'Store bytes by hash; with Upload-Offset goes on where it broke off',
    answers: 'json',
    rawBody: true,
  },
  moveHeads: {
    method: 'POST',
    path: '/workspaces/:workspaceId/heads',
    summary: 'Move the heads of a whole change set by one compare-and-swap',
    body: headsBody,
    answers: 'json',
  },
  history: {
    method: 'GET',
    path: '/workspaces/:workspaceId/history',
    summary: 'The versions of a file, newest first',
    query: z.object({
      path: z.string(),
      /** Where the last page ended (its `next`). */
      before: z
        .string()
        .regex(/^\d{1,15}$/)
        .optional(),
    }),
    answers: 'json',
  },
  listSessions: {
    method: 'GET',
    path: '/workspaces/:workspaceId/sessions',
    summary: 'Sessions of the workspace',
    answers: 'json',
  },
  createSession: {
    method: 'POST',
    path: '/workspaces/:workspaceId/sessions',
    summary: 'A new session, or the standing one',
    body: z.strictObject({
      title: z.string().max(200).optional(),
      standing: z.boolean().optional(),
    }),
    answers: 'json',
  },
  listDrafts: {
    method: 'GET',
    path: '/workspaces/:workspaceId/drafts',
    summary: 'Drafts, open and closed',
    query: z.object({ state: z.literal('open').optional() }),
    answers: 'json',
  },
  review: {
    method: 'GET',
    path: '/workspaces/:workspaceId/review',
    summary: 'The changes of a draft',
    query: draftChoice.strip(),
    answers: 'json',
  },
  publish: {
    method: 'POST',
    path: '/workspaces/:workspaceId/publish',
    summary: 'Apply the accepted changes of a draft, all or none',
    body: draftChoice.extend({
      only: z.array(z.string()).optional(),
      refused: z.array(z.string()).optional(),
      /** Of the review that the person saw; a draft that went on since is not published. */
      revision: z.number().int().optional(),
      by,
    }),
    answers: 'json',
  },
  discard: {
    method: 'POST',
    path: '/workspaces/:workspaceId/discard',
    summary: 'Discard a draft',
    body: draftChoice.extend({ by }),
    answers: 'json',
  },
  undo: {
    method: 'POST',
    path: '/workspaces/:workspaceId/undo',
    summary: 'Undo an applied change set',
    body: z.strictObject({ changeSetId: z.string().optional(), draftId: z.string().optional() }),
    answers: 'json',
  },
  redo: {
    method: 'POST',
    path: '/workspaces/:workspaceId/redo',
    summary: 'Undo the undo',
    body: z.strictObject({ changeSetId: z.string().optional(), draftId: z.string().optional() }),
    answers: 'json',
  },
  listApprovals: {
    method: 'GET',
    path: '/workspaces/:workspaceId/approvals',
    summary: 'What waits for a person',
    query: z.object({ all: z.enum(['true', 'false']).optional() }),
    answers: 'json',
  },
  decide: {
    method: 'POST',
    path: '/workspaces/:workspaceId/approvals/:approvalId',
    summary: 'Answer an approval',
    body: decisionBody,
    answers: 'json',
  },
  listRules: {
    method: 'GET',
    path: '/workspaces/:workspaceId/rules',
    summary: 'The rules of the gate',
    answers: 'json',
  },
  addRule: {
    method: 'POST',
    path: '/workspaces/:workspaceId/rules',
    summary: 'A new rule',
    body: ruleBody,
    answers: 'json',
  },
  removeRule: {
    method: 'DELETE',
    path: '/workspaces/:workspaceId/rules/:ruleId',
    summary: 'Revoke a rule',
    answers: 'json',
  },
  getSession: {
    method: 'GET',
    path: '/workspaces/:workspaceId/sessions/:sessionId',
    summary: 'One session',
    answers: 'json',
  },
  deleteSession: {
    method: 'DELETE',
    path: '/workspaces/:workspaceId/sessions/:sessionId',
    summary:
      'Delete a session and its log; with `discard` also its open draft, without it such a session stays',
    query: z.object({ discard: z.enum(['true', 'false']).optional() }),
    answers: 'json',
  },
  callTool: {
    method: 'POST',
    path: '/workspaces/:workspaceId/sessions/:sessionId/calls',
    summary: 'One tool call: its envelope, or pending',
    largeBody: true,
    body: toolCallBody,
    answers: 'json',
  },
  getCall: {
    method: 'GET',
    path: '/workspaces/:workspaceId/sessions/:sessionId/calls/:toolCallId',
    summary: 'How a call stands',
    answers: 'json',
  },
  sendMessage: {
    method: 'POST',
    path: '/workspaces/:workspaceId/sessions/:sessionId/messages',
    summary: 'A message of the person: starts a run, or steers the one that goes',
    body: messageBody,
    answers: 'json',
  },
  cancel: {
    method: 'POST',
    path: '/workspaces/:workspaceId/sessions/:sessionId/cancel',
    summary: 'Stop the run at the next border',
    body: z.strictObject({ by }),
    answers: 'json',
  },
  resume: {
    method: 'POST',
    path: '/workspaces/:workspaceId/sessions/:sessionId/resume',
    summary: 'The next step of a stopped run',
    body: messageBody.omit({ text: true }),
    answers: 'json',
  },
  clear: {
    method: 'POST',
    path: '/workspaces/:workspaceId/sessions/:sessionId/clear',
    summary: 'A new conversation in the same session',
    body: z.strictObject({}),
    answers: 'json',
  },
  events: {
    method: 'GET',
    path: '/workspaces/:workspaceId/sessions/:sessionId/events',
    summary: 'Rows from a cursor on, and text as it streams',
    query: z.object({ after: z.coerce.number().int().min(0).optional() }),
    answers: 'events',
  },
  log: {
    method: 'GET',
    path: '/workspaces/:workspaceId/sessions/:sessionId/log',
    summary: 'Rows of the log, paged',
    query: z.object({
      after: z.coerce.number().int().min(0).optional(),
      limit: z.coerce.number().int().min(1).max(5000).optional(),
    }),
    answers: 'json',
  },
  getTurn: {
    method: 'GET',
    path: '/workspaces/:workspaceId/sessions/:sessionId/turns/:turnId',
    summary:
      'The envelope of a turn: its text and calls, final when it has none; isCut when the output limit of the model ended it; "last" is the newest',
    answers: 'json',
  },
  listActiveFiles: {
    method: 'GET',
    path: '/workspaces/:workspaceId/sessions/:sessionId/active-files',
    summary: 'Files active in the session',
    answers: 'json',
  },
  addActiveFile: {
    method: 'POST',
    path: '/workspaces/:workspaceId/sessions/:sessionId/active-files',
    summary:
      'Make a file active, with its unsaved text where there is one; the log names it when it is sent to a model',
    largeBody: true,
    body: activeFileBody,
    answers: 'json',
  },
  removeActiveFile: {
    method: 'DELETE',
    path: '/workspaces/:workspaceId/sessions/:sessionId/active-files',
    summary: 'A file is no longer active',
    query: z.object({ path: z.string() }),
    answers: 'json',
  },
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof ROUTES

/** `/workspaces/:workspaceId/files` with its parameters filled in, under `/api`. */
export function routePath(name: RouteName, params: Readonly<Record<string, string>> = {}): string {
  return `/api${ROUTES[name].path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))}`
}

/** One request to a route, before it is put into HTTP. */
export interface RouteCall {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

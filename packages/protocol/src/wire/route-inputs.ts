import { z } from 'zod'
import { OLDER_WRITE, RULE_EFFECTS } from '../call/outcome.ts'
import type { Sha256 } from '../words/hash.ts'
import type { ChangeSetId } from '../words/ids.ts'
import { LIMITS } from '../words/limits.ts'
import { DEEDS } from '../words/pending.ts'
import { PICTURE_TYPES } from '../words/picture-types.ts'
import { RIGHTS } from '../words/rights.ts'
import type { RouteName } from './routes.ts'
import { typed } from './typed-text.ts'

const by = z.string().max(200).optional()
/** No person looked: a yes that was given beforehand answers. It covers no words of another token. */
const unasked = z.literal(true).optional()
/** Files that other programs execute unasked, each named by a person. */
const named = z.array(z.string()).optional()
const draftChoice = z.strictObject({ draftId: z.string().optional() })
const appliedChoice = z.strictObject({
  changeSetId: z.string().optional(),
  draftId: z.string().optional(),
  named,
})

const toolCallBody = z.strictObject({
  tool: z.string(),
  arguments: z.unknown(),
  /** The caller's own id makes the call idempotent. */
  toolCallId: z.string().max(100).optional(),
  approve: z.enum(['ask', 'rules', 'all']).optional(),
})
const messageBody = z.strictObject({
  text: z.string().min(1),
  /** Pictures for a model that sees, by the hash under which their bytes were put. */
  images: z
    .array(z.strictObject({ sha256: typed<Sha256>(z.string()), mediaType: z.enum(PICTURE_TYPES) }))
    .max(LIMITS.messagePictures)
    .optional(),
  model: z.string().optional(),
  toolset: z.enum(['workshop', 'workspace']).optional(),
  approve: z.enum(['ask', 'rules', 'all']).optional(),
  /** Plan first: the model may read, not write. */
  plan: z.boolean().optional(),
  /** Offers the tools for small windows. */
  light: z.boolean().optional(),
  /** One of the model's own levels. */
  effort: z.string().max(40).optional(),
  budget: z
    .strictObject({
      tokens: z.number().positive().optional(),
      dollars: z.number().positive().optional(),
      /** Without the time in which a person is waited for. */
      seconds: z.number().positive().optional(),
    })
    .optional(),
  maxTurns: z.number().int().min(1).max(100_000).optional(),
})
const decisionBody = z.strictObject({
  decision: z.enum(['approved', 'denied']),
  by,
  reason: z.string().max(2000).optional(),
  refused: z
    .array(z.strictObject({ changeId: z.string(), reason: z.string().optional() }))
    .optional(),
  remember: z.enum(['session', 'always']).optional(),
  unasked,
})
const ruleBody = z.strictObject({
  effect: z.enum([...RULE_EFFECTS, OLDER_WRITE]),
  tool: z.string().optional(),
  path: z.string().optional(),
  maxBytes: z.number().int().min(0).optional(),
  sessionId: z.string().optional(),
  /** Of `instructions`; absent: the content that the file has now. Of `call`: the hash of the definition. */
  sha256: z.string().length(64).optional(),
})
const headsBody = z.strictObject({
  changeSetId: typed<ChangeSetId>(z.string()).optional(),
  heads: z.array(
    z.strictObject({
      docPath: z.string(),
      path: z.string(),
      expected: typed<Sha256>(z.string()).nullable().optional(),
      sha256: typed<Sha256>(z.string()).nullable(),
      sizeBytes: z.number().int().min(0),
    }),
  ),
})
/** An absent field stays as it is; an empty text removes it. */
const modelBody = z.strictObject({
  model: z.string().max(500).optional(),
  /** Whose settings are meant; absent: those of the base URL. */
  provider: z.string().max(100).optional(),
  baseUrl: z.string().max(2000).optional(),
  /** Kept on this machine, and in no answer. */
  apiKey: z.string().max(4000).optional(),
})
const most = z.number().positive().optional()
const tokenBody = z.strictObject({
  name: z.string().trim().min(1).max(100),
  rights: z.array(z.enum(RIGHTS)).min(1),
  /** Ids of workspaces, or every one that there is and will be. */
  workspaces: z.union([z.literal('all'), z.array(z.string()).min(1).max(1000)]),
  isAgent: z.boolean().optional(),
  /** ISO 8601; absent: it does not expire. */
  expires: z.iso.datetime({ offset: true }).optional(),
  limits: z
    .strictObject({
      requestsPerMinute: most,
      runs: most,
      modelTokens: most,
      dollars: most,
      storageBytes: most,
    })
    .optional(),
})
const activeFileBody = z.strictObject({
  path: z.string(),
  /** The text of an unsaved buffer; absent: the file on disk. */
  buffer: z.string().optional(),
})

const workspaceName = z.string().trim().min(1).max(200)

/**
 * The query and body of each route. Both are strict, so that a misspelt field does not widen a request, and a route
 * without a query takes none; events from a client may be newer than this server.
 */
export const ROUTE_INPUTS = {
  attachWorkspace: {
    body: z.object({
      key: z.string().min(1).max(200),
      name: z.string().max(500),
      /** Its folder, for a person; no model sees it. */
      place: z.string().max(5000).optional(),
    }),
  },
  createWorkspace: { body: z.strictObject({ name: workspaceName.optional() }) },
  renameWorkspace: { body: z.strictObject({ name: workspaceName }) },
  listFiles: {
    query: z.strictObject({
      after: z.string().optional(),
      limit: z.coerce.number().int().min(1).max(2000).optional(),
      named: z.string().max(1000).optional(),
    }),
  },
  setModel: { body: modelBody },
  tryModel: { body: z.strictObject({ model: z.string().max(500).optional() }) },
  listTokens: { query: z.strictObject({ all: z.enum(['true', 'false']).optional() }) },
  createToken: { body: tokenBody },
  listDecisions: {
    query: z.strictObject({
      before: z.coerce.number().int().min(1).optional(),
      limit: z.coerce.number().int().min(1).max(1000).optional(),
      workspace: z.string().optional(),
    }),
  },
  openFolder: { body: z.strictObject({ path: z.string().max(4096).optional() }) },
  getContent: { query: z.strictObject({ path: z.string(), draftId: z.string().optional() }) },
  putContent: {
    query: z.strictObject({ path: z.string(), replace: z.enum(['true', 'false']).optional() }),
  },
  updateSession: {
    body: z.strictObject({
      title: z.string().max(200).optional(),
      isPinned: z.boolean().optional(),
      isArchived: z.boolean().optional(),
    }),
  },
  grid: {
    query: z.strictObject({
      path: z.string(),
      sheet: z.string().max(200).optional(),
      /** Such as A1:Z100; without it, the part with content. */
      range: z.string().max(200).optional(),
      /** As that draft has the file; without it, as it is on disk. */
      draftId: z.string().optional(),
    }),
  },
  linkAnswers: {
    body: z.object({ answers: z.array(z.object({ id: z.string(), result: z.unknown() })) }),
  },
  linkEvents: { body: z.object({ events: z.array(z.looseObject({ type: z.string() })) }) },
  moveHeads: { body: headsBody },
  history: {
    query: z.strictObject({
      path: z.string(),
      /** Where the last page ended (its `next`). */
      before: z
        .string()
        .regex(/^\d{1,15}$/)
        .optional(),
    }),
  },
  listInstructions: { query: z.strictObject({ nested: z.enum(['true', 'false']).optional() }) },
  createSession: {
    body: z.strictObject({
      title: z.string().max(200).optional(),
      standing: z.boolean().optional(),
    }),
  },
  listDrafts: { query: z.strictObject({ state: z.literal('open').optional() }) },
  review: { query: draftChoice },
  publish: {
    body: draftChoice.extend({
      only: z.array(z.string()).optional(),
      refused: z.array(z.string()).optional(),
      /** What the person says about single changes: the model reads it. */
      comments: z.array(z.string().max(2000)).max(50).optional(),
      /** The revision that the person reviewed; a draft that changed since is not published. */
      revision: z.number().int().optional(),
      unasked,
      by,
    }),
  },
  resolve: {
    body: draftChoice.extend({
      changeIds: z.array(z.string()).min(1),
      /** Ours is the draft's change, theirs what is on disk. */
      side: z.enum(['ours', 'theirs']),
      by,
    }),
  },
  discard: { body: draftChoice.extend({ by }) },
  undo: { body: appliedChoice },
  redo: { body: appliedChoice },
  restore: { body: z.strictObject({ id: z.string(), named }) },
  listApprovals: { query: z.strictObject({ all: z.enum(['true', 'false']).optional() }) },
  decide: { body: decisionBody },
  answerQuestion: { body: z.strictObject({ answer: z.string().min(1).max(10_000), by }) },
  askForYes: {
    /** The first choice is the yes. The same words about the same are the same question. */
    body: z.strictObject({
      deed: z.enum(DEEDS),
      subject: z.string().min(1).max(500),
      question: z.string().min(1).max(2000),
      choices: z.array(z.string().min(1).max(300)).length(2),
    }),
  },
  addRule: { body: ruleBody },
  deleteSession: { query: z.strictObject({ discard: z.enum(['true', 'false']).optional() }) },
  callTool: { body: toolCallBody },
  callAsModel: {
    /** `author`: the product, as tracked changes name it. */
    body: toolCallBody.omit({ approve: true }).extend({ author: z.string().max(100).optional() }),
  },
  sendMessage: { body: messageBody },
  cancel: { body: z.strictObject({ by }) },
  resume: {
    /** `goOn`: also with a run that ended at a limit, by a cancel or with a failure. */
    body: messageBody.omit({ text: true, images: true }).extend({ goOn: z.boolean().optional() }),
  },
  rewind: { body: z.strictObject({ seq: z.number().int().min(1), by }) },
  clear: { body: z.strictObject({}) },
  events: { query: z.strictObject({ after: z.coerce.number().int().min(0).optional() }) },
  log: {
    query: z.strictObject({
      after: z.coerce.number().int().min(0).optional(),
      limit: z.coerce.number().int().min(1).max(5000).optional(),
    }),
  },
  addActiveFile: { body: activeFileBody },
  removeActiveFile: { query: z.strictObject({ path: z.string() }) },
} as const satisfies Readonly<Partial<Record<RouteName, RouteInputs>>>

/** The input of any route. */
export function routeInputs(name: RouteName): RouteInputs {
  const all: Readonly<Partial<Record<RouteName, RouteInputs>>> = ROUTE_INPUTS
  return all[name] ?? {}
}

interface RouteInputs {
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
}

type InputSchema<
  Name extends RouteName,
  Part extends keyof RouteInputs,
> = Name extends keyof typeof ROUTE_INPUTS
  ? (typeof ROUTE_INPUTS)[Name] extends Readonly<Record<Part, infer Schema extends z.ZodObject>>
    ? Schema
    : never
  : never

/** The query of a route as its handler gets it, and as a caller gives it. */
export type QueryOf<Name extends RouteName> = [InputSchema<Name, 'query'>] extends [never]
  ? undefined
  : Readonly<z.output<InputSchema<Name, 'query'>>>

/** The body of a route as its handler gets it. */
export type BodyOf<Name extends RouteName> = [InputSchema<Name, 'body'>] extends [never]
  ? undefined
  : Readonly<z.output<InputSchema<Name, 'body'>>>

/** The body of a route as a caller gives it. */
export type GivenBody<Name extends RouteName> = [InputSchema<Name, 'body'>] extends [never]
  ? undefined
  : Unchanged<z.input<InputSchema<Name, 'body'>>>

/** A caller's lists are only read. */
type Unchanged<Value> = Value extends object
  ? { readonly [Key in keyof Value]: Unchanged<Value[Key]> }
  : Value

import type { Sha256 } from '../words/hash.ts'
import type { ApprovalId, RuleId, SessionId, TokenId, WorkspaceId } from '../words/ids.ts'

/**
 * Every route, with its method and its path under `/api`; `:name` is a parameter. Server, clients and page derive from
 * this table. It is plain text, so that the page can use it without the schemas: `ROUTE_INPUTS` has a route's input,
 * `RouteAnswers` its answer, `ROUTE_DETAILS` the rest.
 */
export const ROUTES = {
  health: 'GET /health',
  openapi: 'GET /openapi.json',
  tools: 'GET /tools',
  models: 'GET /models',
  setModel: 'POST /models',
  tryModel: 'POST /models/try',
  openFolder: 'POST /folders',
  listTokens: 'GET /tokens',
  createToken: 'POST /tokens',
  revokeToken: 'DELETE /tokens/:tokenId',
  listDecisions: 'GET /decisions',
  listWorkspaces: 'GET /workspaces',
  attachWorkspace: 'POST /workspaces',
  createWorkspace: 'POST /workspaces/new',
  getWorkspace: 'GET /workspaces/:workspaceId',
  renameWorkspace: 'PUT /workspaces/:workspaceId',
  deleteWorkspace: 'DELETE /workspaces/:workspaceId',
  listFiles: 'GET /workspaces/:workspaceId/files',
  getContent: 'GET /workspaces/:workspaceId/content',
  putContent: 'PUT /workspaces/:workspaceId/content',
  grid: 'GET /workspaces/:workspaceId/grid',
  link: 'GET /workspaces/:workspaceId/link',
  linkAnswers: 'POST /workspaces/:workspaceId/link/answers',
  linkEvents: 'POST /workspaces/:workspaceId/link/events',
  workspaceEvents: 'GET /workspaces/:workspaceId/events',
  hasBlob: 'HEAD /workspaces/:workspaceId/blobs/:sha256',
  getBlob: 'GET /workspaces/:workspaceId/blobs/:sha256',
  linkBlob: 'GET /workspaces/:workspaceId/link/blobs/:sha256',
  putBlob: 'PUT /workspaces/:workspaceId/blobs/:sha256',
  moveHeads: 'POST /workspaces/:workspaceId/heads',
  history: 'GET /workspaces/:workspaceId/history',
  listInstructions: 'GET /workspaces/:workspaceId/instructions',
  listSessions: 'GET /workspaces/:workspaceId/sessions',
  createSession: 'POST /workspaces/:workspaceId/sessions',
  listDrafts: 'GET /workspaces/:workspaceId/drafts',
  review: 'GET /workspaces/:workspaceId/review',
  publish: 'POST /workspaces/:workspaceId/publish',
  resolve: 'POST /workspaces/:workspaceId/resolve',
  discard: 'POST /workspaces/:workspaceId/discard',
  undo: 'POST /workspaces/:workspaceId/undo',
  redo: 'POST /workspaces/:workspaceId/redo',
  restore: 'POST /workspaces/:workspaceId/restore',
  listChangeSets: 'GET /workspaces/:workspaceId/change-sets',
  listApprovals: 'GET /workspaces/:workspaceId/approvals',
  decide: 'POST /workspaces/:workspaceId/approvals/:approvalId',
  listQuestions: 'GET /workspaces/:workspaceId/questions',
  answerQuestion: 'POST /workspaces/:workspaceId/questions/:questionId',
  askForYes: 'POST /workspaces/:workspaceId/sessions/:sessionId/asks',
  listRules: 'GET /workspaces/:workspaceId/rules',
  addRule: 'POST /workspaces/:workspaceId/rules',
  removeRule: 'DELETE /workspaces/:workspaceId/rules/:ruleId',
  getSession: 'GET /workspaces/:workspaceId/sessions/:sessionId',
  updateSession: 'POST /workspaces/:workspaceId/sessions/:sessionId',
  deleteSession: 'DELETE /workspaces/:workspaceId/sessions/:sessionId',
  callTool: 'POST /workspaces/:workspaceId/sessions/:sessionId/calls',
  callAsModel: 'POST /workspaces/:workspaceId/sessions/:sessionId/model-calls',
  getCall: 'GET /workspaces/:workspaceId/sessions/:sessionId/calls/:toolCallId',
  cancelCall: 'DELETE /workspaces/:workspaceId/sessions/:sessionId/calls/:toolCallId',
  sendMessage: 'POST /workspaces/:workspaceId/sessions/:sessionId/messages',
  cancel: 'POST /workspaces/:workspaceId/sessions/:sessionId/cancel',
  resume: 'POST /workspaces/:workspaceId/sessions/:sessionId/resume',
  rewind: 'POST /workspaces/:workspaceId/sessions/:sessionId/rewind',
  listQueue: 'GET /workspaces/:workspaceId/sessions/:sessionId/queue',
  takeBack: 'DELETE /workspaces/:workspaceId/sessions/:sessionId/queue/:messageId',
  clear: 'POST /workspaces/:workspaceId/sessions/:sessionId/clear',
  events: 'GET /workspaces/:workspaceId/sessions/:sessionId/events',
  log: 'GET /workspaces/:workspaceId/sessions/:sessionId/log',
  getTurn: 'GET /workspaces/:workspaceId/sessions/:sessionId/turns/:turnId',
  listActiveFiles: 'GET /workspaces/:workspaceId/sessions/:sessionId/active-files',
  addActiveFile: 'POST /workspaces/:workspaceId/sessions/:sessionId/active-files',
  removeActiveFile: 'DELETE /workspaces/:workspaceId/sessions/:sessionId/active-files',
} as const satisfies Readonly<Record<string, `${Method} /${string}`>>

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'

export type RouteName = keyof typeof ROUTES

/** The type of a parsed parameter; one that is not named here stays a string. */
interface ParamTypes {
  readonly workspaceId: WorkspaceId
  readonly sessionId: SessionId
  readonly sha256: Sha256
  readonly approvalId: ApprovalId
  readonly ruleId: RuleId
  readonly tokenId: TokenId
}

type ParamIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Param}/${infer More}`
    ? Param | ParamIn<More>
    : Rest
  : never

type ParamName<Name extends RouteName> = ParamIn<(typeof ROUTES)[Name]>

/** The parameters of a route as its handler gets them. */
export type ParamsOf<Name extends RouteName> = {
  readonly [Param in ParamName<Name>]: Param extends keyof ParamTypes ? ParamTypes[Param] : string
}

/** The parameters of a route as a caller gives them. */
export type GivenParams<Name extends RouteName> = { readonly [Param in ParamName<Name>]: string }

export function routeMethod(name: RouteName): Method {
  return splitRoute(name).method
}

/** `/workspaces/:workspaceId/files` */
export function routeTemplate(name: RouteName): string {
  return splitRoute(name).path
}

/** `/api/workspaces/ws_1/files`: the template with its parameters filled in. */
export function routePath(name: RouteName, params: Readonly<Record<string, string>> = {}): string {
  return `/api${routeTemplate(name).replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(params[param] ?? ''))}`
}

function splitRoute(name: RouteName) {
  const [method, path] = ROUTES[name].split(' ') as [Method, string]
  return { method, path }
}

import type { CatalogEntry } from '../call/catalog-entry.ts'
import type { Envelope } from '../call/envelope.ts'
import type {
  Approval,
  CallState,
  DraftSummary,
  OpenQuestion,
  Published,
  Resolved,
  Review,
  Rule,
  ShownResult,
} from '../call/outcome.ts'
import type { TurnEnvelope } from '../call/turn.ts'
import type { Applied, ChangeSetSummary, TakenBack } from '../change/change-set.ts'
import type { Notification, QueuedMessage, SessionEvent } from '../log/events.ts'
import type { LogRow } from '../log/journal.ts'
import type { SheetGrid } from '../words/grid.ts'
import type { Pending } from '../words/pending.ts'
import type { Right, TokenLimits, TokenUse } from '../words/rights.ts'
import type { FilePage, InstructionFile, LinkEvent, LinkRequest } from './link.ts'

/** The JSON that each route answers; handlers, clients and page take their types from here. Fields may be added. */
export interface RouteAnswers {
  health: { readonly status: 'ok'; readonly version: string }
  openapi: OpenApiDocument
  tools: readonly CatalogEntry[]
  models: ModelSettings
  setModel: ModelSettings
  tryModel: TriedModel
  openFolder: { readonly workspaceId: string; readonly name: string }
  listTokens: { readonly tokens: readonly TokenSummary[] }
  createToken: TokenSummary & { readonly token: string }
  revokeToken: TokenSummary
  /** `next`: the `before` of the next page. */
  listDecisions: { readonly decisions: readonly DecisionSummary[]; readonly next?: number }
  listWorkspaces: {
    readonly workspaces: readonly WorkspaceSummary[]
    /** A folder can be opened by its path. */
    readonly opensFolders: boolean
  }
  attachWorkspace: Omit<WorkspaceSummary, 'isAttached'>
  createWorkspace: { readonly workspaceId: string; readonly name: string }
  getWorkspace: WorkspaceSummary
  renameWorkspace: WorkspaceSummary
  deleteWorkspace: null
  listFiles: FilePage
  putContent: Applied
  grid: SheetGrid
  linkAnswers: null
  linkEvents: null
  putBlob: StoredBlob | { readonly offset: number }
  moveHeads: readonly FileVersion[]
  history: { readonly items: readonly FileVersion[]; readonly next?: string }
  listInstructions: { readonly files: readonly InstructionFile[] }
  listSessions: { readonly sessions: readonly SessionSummary[] }
  createSession: SessionSummary
  getSession: SessionSummary & { readonly stopped?: StoppedBy }
  updateSession: SessionSummary
  deleteSession: { readonly rows: number; readonly blobs: number }
  listDrafts: readonly DraftSummary[]
  review: Review
  publish: Published
  resolve: Resolved
  discard: DraftSummary
  undo: TakenBack
  redo: TakenBack
  restore: Applied
  listChangeSets: { readonly changeSets: readonly ChangeSetSummary[] }
  listApprovals: readonly Approval[]
  decide: { readonly approval: Approval; readonly outcome: CallState }
  listQuestions: readonly OpenQuestion[]
  answerQuestion: { readonly question: OpenQuestion; readonly answer: string }
  askForYes: AskedForYes
  listRules: readonly Rule[]
  addRule: Rule
  removeRule: null
  callTool: Envelope | Pending
  callAsModel: ShownResult | Pending
  getCall: Envelope | Pending
  cancelCall: null
  sendMessage: SentMessage
  cancel: null
  resume: { readonly sessionId: string; readonly resumed: boolean }
  rewind: Rewound
  listQueue: { readonly messages: readonly QueuedMessage[] }
  takeBack: QueuedMessage
  clear: { readonly conversationId: string }
  /** `last`: the number of the log's last row, 0 for none; `rows` may end before it. */
  log: { readonly rows: readonly LogRow[]; readonly last: number }
  getTurn: TurnEnvelope
  listActiveFiles: { readonly files: readonly ActiveFileSummary[] }
  addActiveFile: ActiveFileSummary
  removeActiveFile: null
}

/** The JSON in the data of each event of a stream. */
export interface RouteEvents {
  link: LinkRequest
  workspaceEvents: Extract<LinkEvent, { type: 'files-changed' }>
  events: SessionEvent & Partial<Notification>
}

export type JsonRoute = keyof RouteAnswers
export type EventRoute = keyof RouteEvents
export type AnswerOf<Name extends JsonRoute> = RouteAnswers[Name]

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: Readonly<Record<string, unknown>>
  readonly servers: readonly unknown[]
  readonly security: readonly unknown[]
  readonly components: Readonly<Record<string, unknown>>
  readonly paths: Readonly<Record<string, unknown>>
}

export interface WorkspaceSummary {
  readonly workspaceId: string
  readonly name: string
  /** Its folder, as its client reports it. */
  readonly place?: string
  /** ISO 8601. */
  readonly created: string
  /** A client is connected that can read its files; one that is hosted is opened when it is asked for. */
  readonly isAttached: boolean
  /** Its files are in the store of this server, not in a folder of a machine. */
  readonly isHosted?: true
}

/** A question for a yes, as it stands; null: nobody has answered. */
export interface AskedForYes {
  readonly questionId: string
  readonly answer: {
    readonly isYes: boolean
    readonly by: string
    /** Instead of one of the choices. */
    readonly words?: string
  } | null
}

/** What a token decided. */
export interface DecisionSummary {
  readonly position: number
  /** ISO 8601. */
  readonly time: string
  readonly tokenId: string
  /** The token's. */
  readonly name: string
  /** Absent: it concerns the server. */
  readonly workspaceId?: string
  /** The route that was asked. */
  readonly action: string
  readonly target?: string
  readonly details: Readonly<Record<string, unknown>>
  /** `done`, or the code of the failure. Absent: the server ended meanwhile, and it may have been done. */
  readonly outcome?: string
  /** The id of what it made: a change set, a rule, a token. */
  readonly result?: string
}

/** A token as it is listed: the server itself knows no more than its hash. */
export interface TokenSummary {
  readonly tokenId: string
  readonly name: string
  readonly rights: readonly Right[]
  readonly workspaces: 'all' | readonly string[]
  /** It is a program's: it never decides. */
  readonly isAgent: boolean
  /** ISO 8601, as all times here. */
  readonly created: string
  /** The name of the token that made it. */
  readonly createdBy: string
  readonly expires?: string
  readonly revoked?: string
  /** To the minute. */
  readonly lastUsed?: string
  readonly limits?: TokenLimits
  /** Set where the token has limits. */
  readonly used?: TokenUse
}

export interface SessionSummary {
  readonly sessionId: string
  readonly workspaceId: string
  /** `standing`: the session for calls that name none. */
  readonly kind: 'work' | 'standing'
  readonly title: string
  readonly conversationId: string
  readonly state: 'idle' | 'running' | 'waiting'
  /** ISO 8601. */
  readonly created: string
  readonly updated: string
  readonly isPinned?: boolean
  readonly isArchived?: boolean
}

/** Where models are and what opens them: what is set, never a key itself. */
export interface ModelSettings {
  /** False where several instances serve: whoever runs them sets all of this. */
  readonly canSet: boolean
  /** Of a message that names none. */
  readonly current: CurrentModel
  readonly providers: readonly ModelProvider[]
  /** An endpoint of the person's own, which has no provider's name. */
  readonly endpoint: { readonly baseUrl?: string; readonly hasKey: boolean }
  /** What runs on this machine or is offered at the endpoint. */
  readonly found: readonly { readonly name: string; readonly where: string }[]
}

export interface CurrentModel {
  /** Undefined: no run can start, and `problem` says why. */
  readonly name?: string
  readonly problem?: string
  /** Where requests go; null: nothing leaves this machine's process. */
  readonly address?: string | null
  /** It shows what the product does, and thinks nothing. */
  readonly isDemonstration: boolean
  readonly contextTokens?: number
}

export interface ModelProvider {
  readonly id: string
  readonly title: string
  readonly needsKey: boolean
  readonly hasKey: boolean
  /** A name to begin with. */
  readonly models: readonly string[]
}

export interface TriedModel {
  readonly model: string
  readonly answers: boolean
  /** For the person: what it said, or what is in the way. */
  readonly message: string
  readonly milliseconds: number
}

export interface StoredBlob {
  readonly sha256: string
  readonly sizeBytes: number
}

/** One entry of a file's history. */
export interface FileVersion {
  readonly path: string
  readonly docPath: string
  /** Null: the file was deleted. */
  readonly sha256: string | null
  readonly sizeBytes: number
  /** ISO 8601. */
  readonly time: string
  readonly origin: {
    readonly kind: 'read-through' | 'upload' | 'buffer' | 'change-set'
    readonly changeSetId?: string
  }
}

export interface SentMessage {
  readonly sessionId: string
  /** Null when the message steers a run in progress. */
  readonly runId: string | null
  readonly model: string
  readonly steered: boolean
  /** Of a message that waits for the run in progress: by it the message is taken back. */
  readonly messageId?: string
  /** Set at the first use of a remote model: what is sent where. */
  readonly notice?: string
}

/** How the last run ended, where it can go on. */
export type StoppedBy = 'limit' | 'cancelled' | 'failed'

/** What going back to an earlier message did. */
export interface Rewound {
  readonly seq: number
  /** Files whose unpublished changes left the draft. */
  readonly withdrawn: readonly string[]
  /** Files that were written meanwhile: they stay as they are. */
  readonly written: readonly string[]
}

/** A file whose content is sent with each request of the session. */
export interface ActiveFileSummary {
  readonly docPath: string
  readonly displayPath: string
  readonly sizeBytes: number
  /** An unsaved buffer takes precedence over the file on disk. */
  readonly isDirty: boolean
  readonly isActive: true
  readonly sha256: string
  readonly isInContext: boolean
}

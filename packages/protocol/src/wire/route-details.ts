import { LIMITS } from '../words/limits.ts'
import type { Right } from '../words/rights.ts'
import type { EventRoute, JsonRoute } from './answers.ts'
import type { RouteName } from './routes.ts'

export interface RouteDetails {
  readonly summary: string
  /** What the token must allow, in the workspace of the path if it names one; `owner`: the server's own token alone. */
  readonly right: Right | 'owner'
  /** Lets in as well: what it is about says which of the two it takes. */
  readonly orRight?: Right
  /** Concerns the whole server: only for tokens that reach every workspace. */
  readonly isEverywhere?: true
  /** Absent: JSON, as `answerSchemas` describes it. */
  readonly answers?: 'events' | 'bytes'
  /** Carries the text of a file for whoever has this right: then limited by the file limit, not by that of a request body. */
  readonly largeBody?: Right
  /** The most values in its body; by default as many as the arguments of a call. */
  readonly mostValues?: number
  /** Takes raw bytes, not limited by the limit of a request body. */
  readonly rawBody?: true
  /** Asked by a client that offers a folder, and by nobody else. */
  readonly isForClients?: true
}

type Answering<Name extends RouteName> = Name extends JsonRoute
  ? { readonly answers?: undefined }
  : { readonly answers: Name extends EventRoute ? 'events' : 'bytes' }

type AllDetails = { readonly [Name in RouteName]: RouteDetails & Answering<Name> }

/** The OpenAPI description of each route, and how its body is read. */
export const ROUTE_DETAILS: AllDetails = {
  health: { right: 'read', summary: 'Whether the server is up, and its version' },
  openapi: { right: 'read', summary: 'This description' },
  tools: { right: 'read', summary: 'The tool catalog' },
  models: {
    right: 'admin',
    isEverywhere: true,
    summary:
      'The models that can be used, and which settings they lack; a key is never in the answer',
  },
  setModel: {
    right: 'admin',
    isEverywhere: true,
    summary:
      'Set the model for runs, or the address and the key of a provider; a new host loses the key of the old one',
  },
  tryModel: {
    right: 'admin',
    isEverywhere: true,
    summary: 'Ask a model for one word, to see whether it answers',
  },
  openFolder: {
    right: 'owner',
    summary:
      'Open a folder of this machine by its path, or a new one in the state folder; only on loopback, and not with a shared store',
  },
  listTokens: {
    right: 'admin',
    summary: 'The tokens within the reach of this one, with their last use; never a token itself',
  },
  createToken: {
    right: 'admin',
    summary: 'A new token, for some workspaces and rights: the answer alone ever has it',
  },
  revokeToken: { right: 'admin', summary: 'End a token at once, on every instance' },
  listDecisions: {
    right: 'admin',
    summary:
      'Who approved, published, took back, made a rule or a token: newest first, within the reach of this token',
  },
  listWorkspaces: { right: 'read', summary: 'The workspaces of this server' },
  attachWorkspace: {
    right: 'admin',
    isForClients: true,
    summary: 'Announce a workspace; the same key is the same workspace',
  },
  createWorkspace: {
    right: 'admin',
    isEverywhere: true,
    summary:
      'A new, empty workspace: in the shared store where there is one, else a new folder in the state folder',
  },
  getWorkspace: { right: 'read', summary: 'One workspace' },
  renameWorkspace: { right: 'admin', summary: 'Rename a workspace whose files are in the store' },
  deleteWorkspace: {
    right: 'admin',
    summary:
      'Delete a workspace whose files are in the store, with its files, their history and its sessions',
  },
  listFiles: { right: 'read', summary: 'Files of the workspace, paged' },
  getContent: {
    right: 'read',
    summary: "A file's bytes as they are on disk, or with `draftId` as that draft has them",
    answers: 'bytes',
  },
  putContent: {
    right: 'approve',
    summary:
      'Write a file of the person into the workspace, as a change set that can be undone; one that exists only with `replace`',
    rawBody: true,
  },
  grid: {
    right: 'read',
    summary: 'What a page needs to draw a region of a spreadsheet, as it is on disk or in a draft',
  },
  link: {
    right: 'admin',
    isForClients: true,
    summary: "The client's stream of requests",
    answers: 'events',
  },
  linkAnswers: {
    right: 'admin',
    isForClients: true,
    summary: "The client's answers",
    largeBody: 'admin',
    mostValues: LIMITS.answeredValues,
  },
  linkEvents: { right: 'admin', isForClients: true, summary: 'Events that the client reports' },
  workspaceEvents: {
    right: 'read',
    summary: 'Changes to files of the workspace, as the client reports them',
    answers: 'events',
  },
  hasBlob: {
    right: 'admin',
    isForClients: true,
    summary: 'Whether these bytes are stored; Upload-Offset says how many arrived',
    answers: 'bytes',
  },
  getBlob: {
    right: 'read',
    summary: 'Bytes by hash: those that a file has or had which may be read now, and pictures',
    answers: 'bytes',
  },
  linkBlob: {
    right: 'admin',
    isForClients: true,
    summary: 'Bytes by hash, for the client that writes them',
    answers: 'bytes',
  },
  putBlob: {
    right: 'admin',
    isForClients: true,
    summary: 'Store bytes by hash; Upload-Offset resumes where it broke off',
    rawBody: true,
  },
  moveHeads: {
    right: 'admin',
    isForClients: true,
    summary: 'Move the heads of a whole change set by one compare-and-swap',
  },
  history: { right: 'read', summary: 'The versions of a file, newest first' },
  listInstructions: {
    right: 'read',
    summary:
      'What the folder tells agents (AGENTS.md and the like), and whether a person allowed it; with `nested` the folders below too',
  },
  listSessions: { right: 'read', summary: 'Sessions of the workspace' },
  createSession: { right: 'read', summary: 'A new session, or the existing one' },
  listDrafts: { right: 'read', summary: 'Drafts, open and closed' },
  review: { right: 'read', summary: 'The changes of a draft' },
  publish: { right: 'approve', summary: 'Apply the accepted changes of a draft, all or none' },
  resolve: {
    right: 'edit',
    summary: 'Decide changes of a draft that meet what somebody else saved',
  },
  discard: { right: 'edit', summary: 'Discard a draft' },
  undo: { right: 'approve', summary: 'Undo an applied change set' },
  redo: { right: 'approve', summary: 'Undo the undo' },
  restore: {
    right: 'approve',
    summary: 'Bring back bytes that another program wrote into a replaced file',
  },
  listChangeSets: {
    right: 'read',
    summary: 'What was written, newest first, and whether it can be undone or redone',
  },
  listApprovals: { right: 'read', summary: 'Changes that wait for a person' },
  decide: { right: 'approve', summary: 'Answer an approval' },
  listQuestions: { right: 'read', summary: 'Questions of models that wait for a person' },
  answerQuestion: {
    right: 'edit',
    orRight: 'approve',
    summary:
      'Answer a question: one of its choices, its number, or other words; one that decides something takes the right to approve, and is not answered by who asked it or worked in its session',
  },
  askForYes: {
    right: 'edit',
    orRight: 'approve',
    summary:
      'Ask a person for a yes to what an agent wants to do, or hear what they answered; the same token with the same words asks the same question',
  },
  listRules: { right: 'read', summary: 'The rules of the gate' },
  addRule: { right: 'approve', summary: 'A new rule' },
  removeRule: { right: 'approve', summary: 'Revoke a rule' },
  getSession: { right: 'read', summary: 'One session' },
  updateSession: { right: 'edit', summary: 'Rename a session, pin it or put it away' },
  deleteSession: {
    right: 'edit',
    orRight: 'admin',
    summary:
      'Delete a session and its log, of those that the token made, or with the right to admin of any; one with an open draft only with `discard`, which discards the draft too',
  },
  callTool: {
    right: 'read',
    summary: 'One tool call: its envelope, or pending; a tool that writes needs the right to edit',
    largeBody: 'edit',
  },
  callAsModel: {
    right: 'read',
    summary:
      "One tool call of another product's model: its result as our models see it, or pending; a tool that writes needs the right to edit",
    largeBody: 'edit',
  },
  getCall: { right: 'read', summary: 'The state of a call' },
  cancelCall: {
    right: 'edit',
    summary: 'Give up a call under way: unless its effect is there already, it has none',
  },
  sendMessage: {
    right: 'edit',
    summary: 'A message from the person: starts a run, or steers the current one',
  },
  cancel: { right: 'edit', summary: 'Stop the run at the next tool border' },
  resume: {
    right: 'edit',
    summary:
      'The next step of a stopped run; with `goOn` also of one that ended at a limit, by a cancel or with a failure',
  },
  rewind: {
    right: 'edit',
    summary:
      'Go back to before a message (the row of a `user_message`): later rows leave the conversation, their unpublished changes leave the draft, and files that were written stay',
  },
  listQueue: { right: 'read', summary: 'Messages that wait for the run in progress' },
  takeBack: { right: 'edit', summary: 'Take back a message that waits' },
  clear: { right: 'edit', summary: 'A new conversation in the same session' },
  events: {
    right: 'read',
    summary: 'Rows from a cursor on, and text as it streams',
    answers: 'events',
  },
  log: { right: 'read', summary: 'Rows of the log, paged' },
  getTurn: {
    right: 'read',
    summary:
      'The envelope of a turn: its text and calls, final when it has none; isCut when the output limit of the model ended it; "last" is the newest',
  },
  listActiveFiles: { right: 'read', summary: 'Files active in the session' },
  addActiveFile: {
    right: 'edit',
    summary:
      'Make a file active, with its unsaved text if any; the log names it when it is sent to a model',
    largeBody: 'edit',
  },
  removeActiveFile: { right: 'edit', summary: 'A file is no longer active' },
}

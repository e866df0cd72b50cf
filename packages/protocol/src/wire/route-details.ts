import { LIMITS } from '../words/limits.ts'
import type { EventRoute, JsonRoute } from './answers.ts'
import type { RouteName } from './routes.ts'

export interface RouteDetails {
  readonly summary: string
  /** Absent: JSON, as `answerSchemas` describes it. */
  readonly answers?: 'events' | 'bytes'
  /** Carries the text of a file: limited by the file limit, not by that of a request body. */
  readonly largeBody?: true
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
  health: { summary: 'Whether the server is up, and its version' },
  openapi: { summary: 'This description' },
  tools: { summary: 'The tool catalog' },
  models: {
    summary:
      'The models that can be used, and which settings they lack; a key is never in the answer',
  },
  setModel: {
    summary:
      'Set the model for runs, or the address and the key of a provider; a new host loses the key of the old one',
  },
  tryModel: { summary: 'Ask a model for one word, to see whether it answers' },
  openFolder: {
    summary:
      'Open a folder of this machine by its path, or a new one in the state folder; only on loopback, and not with a shared store',
  },
  listWorkspaces: { summary: 'The workspaces of this server' },
  attachWorkspace: {
    isForClients: true,
    summary: 'Announce a workspace; the same key is the same workspace',
  },
  createWorkspace: {
    summary:
      'A new, empty workspace: in the shared store where there is one, else a new folder in the state folder',
  },
  getWorkspace: { summary: 'One workspace' },
  renameWorkspace: { summary: 'Rename a workspace whose files are in the store' },
  deleteWorkspace: {
    summary:
      'Delete a workspace whose files are in the store, with its files, their history and its sessions',
  },
  listFiles: { summary: 'Files of the workspace, paged' },
  getContent: {
    summary: "A file's bytes as they are on disk, or with `draftId` as that draft has them",
    answers: 'bytes',
  },
  putContent: {
    summary:
      'Write a file of the person into the workspace, as a change set that can be undone; one that exists only with `replace`',
    rawBody: true,
  },
  grid: {
    summary: 'What a page needs to draw a region of a spreadsheet, as it is on disk or in a draft',
  },
  link: { isForClients: true, summary: "The client's stream of requests", answers: 'events' },
  linkAnswers: {
    isForClients: true,
    summary: "The client's answers",
    largeBody: true,
    mostValues: LIMITS.answeredValues,
  },
  linkEvents: { isForClients: true, summary: 'Events that the client reports' },
  workspaceEvents: {
    summary: 'Changes to files of the workspace, as the client reports them',
    answers: 'events',
  },
  hasBlob: {
    isForClients: true,
    summary: 'Whether these bytes are stored; Upload-Offset says how many arrived',
    answers: 'bytes',
  },
  getBlob: { summary: 'Bytes by hash', answers: 'bytes' },
  putBlob: {
    isForClients: true,
    summary: 'Store bytes by hash; Upload-Offset resumes where it broke off',
    rawBody: true,
  },
  moveHeads: {
    isForClients: true,
    summary: 'Move the heads of a whole change set by one compare-and-swap',
  },
  history: { summary: 'The versions of a file, newest first' },
  listInstructions: {
    summary:
      'What the folder tells agents (AGENTS.md and the like), and whether a person allowed it; with `nested` the folders below too',
  },
  listSessions: { summary: 'Sessions of the workspace' },
  createSession: { summary: 'A new session, or the existing one' },
  listDrafts: { summary: 'Drafts, open and closed' },
  review: { summary: 'The changes of a draft' },
  publish: { summary: 'Apply the accepted changes of a draft, all or none' },
  resolve: { summary: 'Decide changes of a draft that meet what somebody else saved' },
  discard: { summary: 'Discard a draft' },
  undo: { summary: 'Undo an applied change set' },
  redo: { summary: 'Undo the undo' },
  restore: { summary: 'Bring back bytes that another program wrote into a replaced file' },
  listChangeSets: {
    summary: 'What was written, newest first, and whether it can be undone or redone',
  },
  listApprovals: { summary: 'Changes that wait for a person' },
  decide: { summary: 'Answer an approval' },
  listQuestions: { summary: 'Questions of models that wait for a person' },
  answerQuestion: {
    summary: 'Answer a question: one of its choices, its number, or other words',
  },
  listRules: { summary: 'The rules of the gate' },
  addRule: { summary: 'A new rule' },
  removeRule: { summary: 'Revoke a rule' },
  getSession: { summary: 'One session' },
  updateSession: { summary: 'Rename a session, pin it or put it away' },
  deleteSession: {
    summary:
      'Delete a session and its log; one with an open draft only with `discard`, which discards the draft too',
  },
  callTool: {
    summary: 'One tool call: its envelope, or pending',
    largeBody: true,
  },
  callAsModel: {
    summary:
      "One tool call of another product's model: its result as our models see it, or pending",
    largeBody: true,
  },
  getCall: { summary: 'The state of a call' },
  cancelCall: {
    summary: 'Give up a call under way: unless its effect is there already, it has none',
  },
  sendMessage: {
    summary: 'A message from the person: starts a run, or steers the current one',
  },
  cancel: { summary: 'Stop the run at the next tool border' },
  resume: {
    summary:
      'The next step of a stopped run; with `goOn` also of one that ended at a limit, by a cancel or with a failure',
  },
  rewind: {
    summary:
      'Go back to before a message (the row of a `user_message`): later rows leave the conversation, their unpublished changes leave the draft, and files that were written stay',
  },
  listQueue: { summary: 'Messages that wait for the run in progress' },
  takeBack: { summary: 'Take back a message that waits' },
  clear: { summary: 'A new conversation in the same session' },
  events: { summary: 'Rows from a cursor on, and text as it streams', answers: 'events' },
  log: { summary: 'Rows of the log, paged' },
  getTurn: {
    summary:
      'The envelope of a turn: its text and calls, final when it has none; isCut when the output limit of the model ended it; "last" is the newest',
  },
  listActiveFiles: { summary: 'Files active in the session' },
  addActiveFile: {
    summary:
      'Make a file active, with its unsaved text if any; the log names it when it is sent to a model',
    largeBody: true,
  },
  removeActiveFile: { summary: 'A file is no longer active' },
}

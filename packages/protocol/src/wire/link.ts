import type {
  Approval,
  CallPolicy,
  CallState,
  Decision,
  DraftSummary,
  GivenRule,
  Published,
  Resolved,
  Review,
  Rule,
} from '../call/outcome.ts'
import type { TurnEnvelope } from '../call/turn.ts'
import type { Applied, ChangeSetSummary, TakenBack } from '../change/change-set.ts'
import type { Effect } from '../log/journal.ts'
import type { DocPath } from '../words/doc-path.ts'
import type { SheetGrid } from '../words/grid.ts'
import type { Sha256 } from '../words/hash.ts'
import type { Result } from '../words/result.ts'

/** The server's requests to an attached client; each answer is a `Result`. Both sides derive from this one table. */
export interface ClientMethods {
  /**
   * Runs the one call of the turn that waits for a client. Idempotent by tool call id: a repeated request gets the same
   * answer.
   */
  'tool-call': {
    params: {
      turn: TurnEnvelope
      policy: Exclude<CallPolicy, 'named'>
      /** With `all`: a person's own call, which names its files, those that other programs execute included. */
      named?: true
      author: string
      /** Warnings of the preflight, carried into the envelope. */
      warnings?: readonly string[]
      /** For a tool that writes the workspace. */
      unsaved?: readonly UnsavedText[]
      /**
       * Only between two ends in one process: the call's effect waits for it, planning does not. Over HTTP the call
       * itself is sent once it has resolved.
       */
      begun?: Promise<void>
      /**
       * Only between two ends in one process: the checked arguments; over HTTP they are in the turn. `logged`: as the
       * server's log has them, for the draft to keep.
       */
      input?: { readonly checked: unknown; readonly logged?: string }
    }
    value: CallState
  }
  /** The state of a call after a disconnect: null when it never arrived. */
  'tool-state': { params: { toolCallId: string }; value: CallState | null }
  'tool-cancel': { params: { toolCallId: string }; value: null }
  /**
   * For each open workshop draft, the ids of its last calls that wrote, newest first. Asked only of a client in the
   * same process: a crash may lose the server's rows of such calls, and they are rebuilt from the draft.
   */
  'kept-calls': {
    params: { limit: number }
    value: readonly { readonly sessionId: string; readonly toolCallIds: readonly string[] }[]
  }
  /** One such call, whole; null when no open draft has it. */
  'kept-call': { params: { toolCallId: string }; value: KeptCall | null }
  /** The hash of the current file; its bytes are uploaded first unless they are `known`. */
  source: {
    params: {
      docPath: string
      known: string | null
      /** When the file is missing, search the whole tree for similar names. */
      similar?: boolean
      /** As this session's draft has it, if it is text there. */
      draftOf?: { readonly sessionId: string; readonly known: string | null }
    }
    value: SourceFacts
  }
  /** A file's bytes for a person to look at: on disk, or as a draft has them, of any format. */
  content: {
    params: { path: string; draftId?: string }
    value: SourceFacts
  }
  /** Writes bytes of the person, which the store has, as a file. */
  upload: {
    params: { path: string; sha256: string; replace?: boolean }
    value: Applied
  }
  'change-sets': {
    params: { limit: number }
    value: { readonly changeSets: readonly ChangeSetSummary[] }
  }
  files: {
    params: PageOfFiles
    value: FilePage
  }
  /** A region of a sheet for a page to draw, on disk or in a draft. */
  grid: {
    params: { path: string; sheet?: string; range?: string; draftId?: string }
    value: SheetGrid
  }
  /** With `state`, only the open ones: closed ones may be many. */
  'draft-list': { params: { state?: 'open' }; value: readonly DraftSummary[] }
  'draft-review': { params: { draftId?: string }; value: Review }
  /** What the session's open draft would change if it were published now. */
  'draft-net': { params: { sessionId: string }; value: readonly Effect[] }
  'draft-publish': {
    params: {
      draftId?: string
      only?: readonly string[]
      refused?: readonly string[]
      revision?: number
      unsaved?: readonly UnsavedText[]
      by: string
    }
    value: Published
  }
  'draft-resolve': {
    params: {
      draftId?: string
      changeIds: readonly string[]
      side: 'ours' | 'theirs'
      by: string
    }
    value: Resolved
  }
  /** The unpublished changes of these calls leave the session's drafts. Repeated, it changes nothing more. */
  'draft-rewind': {
    params: { sessionId: string; toolCallIds: readonly string[]; by: string }
    /** The files they were in. */
    value: { readonly withdrawn: readonly string[] }
  }
  'draft-discard': { params: { draftId?: string; by: string }; value: DraftSummary }
  /**
   * What people did with drafts lately, oldest first. Asked after a server died before the draft's session had
   * its row of it.
   */
  'draft-deeds': { params: { limit: number }; value: readonly DraftDeed[] }
  undo: { params: TakeBackParams; value: TakenBack }
  redo: { params: TakeBackParams; value: TakenBack }
  restore: { params: { id: string; named?: readonly string[] }; value: Applied }
  'approval-list': { params: { all?: boolean }; value: readonly Approval[] }
  'approval-decide': {
    params: { approvalId: string; decision: Decision; unsaved?: readonly UnsavedText[] }
    value: { approval: Approval; outcome: CallState }
  }
  /** What these folders tell agents; without folders, every folder of the workspace, of which the first are looked at. */
  instructions: {
    params: { folders?: readonly string[] }
    value: { readonly files: readonly InstructionFile[] }
  }
  /** Whether one of these files may be read: it is no key file, or a rule allows it. */
  'may-read': { params: { docPaths: readonly string[] }; value: boolean }
  'rule-list': { params: Record<string, never>; value: readonly Rule[] }
  'rule-add': { params: { rule: GivenRule }; value: Rule }
  /** What the person's rules say about a tool of an MCP server outside, defined like this. */
  'call-allowed': {
    params: { tool: string; sha256: string; sessionId: string }
    value: 'allow' | 'deny' | 'ask'
  }
  'rule-remove': { params: { ruleId: string }; value: null }
}
export type ClientMethod = keyof ClientMethods

export interface TakeBackParams {
  changeSetId?: string
  draftId?: string
  /** Files that other programs execute unasked, each named by a person. */
  named?: readonly string[]
}

/**
 * A file whose text in an editor is not on disk. It is written only where a change provably means the same in that text
 * and in the file; else the answer is CONFLICT.
 */
export interface UnsavedText {
  readonly docPath: DocPath
  /** Of the text, which the store has as a version. */
  readonly sha256: Sha256
  /** Where the file is active. */
  readonly sessionId: string
}

/** A file in which a folder tells agents how to work there. */
export interface InstructionFile {
  readonly path: string
  readonly docPath: string
  readonly sha256: string
  readonly sizeBytes: number
  /** Its beginning, if it is long. */
  readonly text: string
  /** A person said yes to this content in this place: only then a model gets it as instructions. */
  readonly isAllowed: boolean
}

/** A call on a draft as its log has it. */
export interface KeptCall {
  readonly tool: string
  /** As the server's log had them. */
  readonly arguments: string
  readonly state: CallState
}

/** A draft was published, in whole or in part, or discarded; or what was written from it was undone or redone. */
export interface DraftDeed {
  readonly action: 'published' | 'discarded' | 'undone' | 'redone'
  readonly draftId: string
  readonly sessionId: string
  readonly changeSetId?: string
  readonly files: readonly { readonly path: string }[]
  /** How many changes were dropped, and how many stay in the draft. */
  readonly refused?: number
  readonly undecided?: number
}

export interface SourceFacts {
  readonly path: string
  readonly docPath: string
  readonly sha256: string
  readonly sizeBytes: number
  /** Not the file on disk, but the session's draft of it. */
  readonly isDrafted?: boolean
  /**
   * For a drafted file that is not text, where the other fields describe the file on disk: differs for each content of
   * the draft.
   */
  readonly draftState?: string
  /** The bytes themselves, only between two ends in one process; over HTTP they are uploaded as a blob. */
  readonly bytes?: Uint8Array
}

export interface FileEntry {
  readonly path: string
  readonly docPath: string
  readonly sizeBytes: number
  readonly modified: string
  readonly version: string | null
  /** An ignored folder, folded into one line. */
  readonly folded?: { readonly files: number }
  readonly isPrivate?: boolean
  /** Its folder has more ignore rules than are matched: it is not searched or indexed. */
  readonly isWithheld?: boolean
  readonly conflict?: boolean
}

export interface PageOfFiles {
  readonly after?: string
  readonly limit: number
  readonly folded?: boolean
  /** Only paths that contain this text, ignoring case, or that match it as a pattern when it contains a `*`. */
  readonly named?: string
}

export interface FilePage {
  readonly files: readonly FileEntry[]
  readonly total: number
  readonly next: string | null
  /** Absent when there is none. */
  readonly leftOut?: LeftOut
}

/** Entries that no tool can use: names that no path can spell, links that lead out, unreadable folders. */
export interface LeftOut {
  total: number
  /** In displayable characters. */
  readonly first: { path: string; reason: string }[]
}

export type LinkRequest = {
  [Method in ClientMethod]: {
    readonly id: string
    readonly method: Method
    readonly params: ClientMethods[Method]['params']
  }
}[ClientMethod]

export interface LinkAnswer {
  readonly id: string
  readonly result: Result<unknown>
}

/**
 * A client's end of a link without a stream: the server calls `take` with each request, and may first try `readAtOnce`
 * for a file.
 */
export type AttachDirectly = (
  workspaceId: string,
  take: (request: LinkRequest) => void,
  options?: { readonly readAtOnce?: ReadSourceAtOnce },
) => Promise<Result<DirectAttachment>>

/**
 * The answer of `source`, bytes included, without waiting; undefined when the client has to be asked. `holding` returns
 * bytes of a hash that the caller already has.
 */
export type ReadSourceAtOnce = (
  docPath: DocPath,
  holding: (sha256: Sha256) => Uint8Array | undefined,
) => (Pick<SourceFacts, 'path'> & { sha256: Sha256; bytes: Uint8Array }) | undefined

export interface DirectAttachment {
  answer(answer: LinkAnswer): void
  detach(): void
}

/** Events that a client reports to the server. */
export type LinkEvent =
  | {
      readonly type: 'log'
      readonly event: string
      readonly fields: Readonly<Record<string, unknown>>
    }
  /** Created, changed or deleted, by any program; `all`: too many to name. */
  | {
      readonly type: 'files-changed'
      readonly docPaths: readonly string[]
      readonly all?: boolean
    }
  /** How far a call has come, for the person who waits for it; nobody keeps it. */
  | {
      readonly type: 'progress'
      readonly sessionId: string
      readonly toolCallId: string
      readonly text: string
    }

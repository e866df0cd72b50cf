import type {
  Approval,
  ApprovalPolicy,
  CallState,
  Decision,
  DraftSummary,
  Published,
  Review,
  Rule,
} from '../call/outcome.ts'
import type { TurnEnvelope } from '../call/turn.ts'
import type { TakenBack } from '../change/change-set.ts'
import type { DocPath } from '../words/doc-path.ts'
import type { Sha256 } from '../words/hash.ts'
import type { Result } from '../words/result.ts'

/** What the server asks of an attached client; the answer is a `Result`. One table, both sides derive from it. */
export interface ClientMethods {
  /**
   * Runs the one call of the turn that waits for a client. Idempotent by tool call id: asked again it answers as
   * before.
   */
  'tool-call': {
    params: {
      turn: TurnEnvelope
      policy: ApprovalPolicy
      author: string
      /** Warnings of the preflight, carried into the envelope. */
      warnings?: readonly string[]
      /**
       * Only ever between two who share a process: the call's effect waits for it, planning it does not. Over HTTP the
       * call itself is sent when it has resolved.
       */
      begun?: Promise<void>
      /**
       * Only ever between two who share a process: the arguments, checked; over HTTP they are in the turn. `logged`: as
       * the server's log has them, for the draft to keep.
       */
      input?: { readonly checked: unknown; readonly logged?: string }
    }
    value: CallState
  }
  /** The state of a call after somebody went away: null when it never arrived. */
  'tool-state': { params: { toolCallId: string }; value: CallState | null }
  'tool-cancel': { params: { toolCallId: string }; value: null }
  /**
   * Of each open workshop draft the ids of its last calls that wrote, newest first. Asked only of a client that shares
   * the process: the server's rows of such calls may be lost in a crash, and are made again from the draft.
   */
  'kept-calls': {
    params: { limit: number }
    value: readonly { readonly sessionId: string; readonly toolCallIds: readonly string[] }[]
  }
  /** One of them, whole; null when it is not in an open draft. */
  'kept-call': { params: { toolCallId: string }; value: KeptCall | null }
  /** The file as it is now: its hash; the bytes are uploaded first when they are not `known`. */
  source: {
    params: {
      docPath: string
      known: string | null
      /** Should it be missing, look for names like it: a look at the whole tree. */
      similar?: boolean
      /** As this session's draft has it, where the draft has it as a text. */
      draftOf?: { readonly sessionId: string; readonly known: string | null }
    }
    value: SourceFacts
  }
  files: {
    params: PageOfFiles
    value: FilePage
  }
  /** With `state` only those that are open: closed ones may be many. */
  'draft-list': { params: { state?: 'open' }; value: readonly DraftSummary[] }
  'draft-review': { params: { draftId?: string }; value: Review }
  'draft-publish': {
    params: {
      draftId?: string
      only?: readonly string[]
      refused?: readonly string[]
      revision?: number
      by: string
    }
    value: Published
  }
  'draft-discard': { params: { draftId?: string; by: string }; value: DraftSummary }
  undo: { params: { changeSetId?: string; draftId?: string }; value: TakenBack }
  redo: { params: { changeSetId?: string; draftId?: string }; value: TakenBack }
  'approval-list': { params: { all?: boolean }; value: readonly Approval[] }
  'approval-decide': {
    params: { approvalId: string; decision: Decision }
    value: { approval: Approval; outcome: CallState }
  }
  'rule-list': { params: Record<string, never>; value: readonly Rule[] }
  'rule-add': { params: { rule: Omit<Rule, 'id' | 'time'> }; value: Rule }
  'rule-remove': { params: { ruleId: string }; value: null }
}
export type ClientMethod = keyof ClientMethods

/** A call on a draft as its log has it. */
export interface KeptCall {
  readonly tool: string
  /** As the server's log had them. */
  readonly arguments: string
  readonly state: CallState
}

export interface SourceFacts {
  readonly path: string
  readonly docPath: string
  readonly sha256: string
  readonly sizeBytes: number
  /** This is not the file on disk but what the session's draft makes of it. */
  readonly isDrafted?: boolean
  /** The file on disk, which the draft has changed and is no text: tells one content of the draft from the next. */
  readonly draftState?: string
  /** The bytes themselves, only ever between two who share a process; over HTTP they go up as a blob. */
  readonly bytes?: Uint8Array
}

export interface FileEntry {
  readonly path: string
  readonly docPath: string
  readonly sizeBytes: number
  readonly modified: string
  readonly version: string | null
  /** A folder that is ignored, folded into one line. */
  readonly folded?: { readonly files: number }
  readonly isPrivate?: boolean
  readonly conflict?: boolean
}

export interface PageOfFiles {
  readonly after?: string
  readonly limit: number
  readonly folded?: boolean
  /** Only those whose path holds that text, in whatever capitals, or is of its form where it holds a `*`. */
  readonly named?: string
}

export interface FilePage {
  readonly files: readonly FileEntry[]
  readonly total: number
  readonly next: string | null
  /** Absent when there is none. */
  readonly leftOut?: LeftOut
}

/** What is there and no tool can use: names that no path can spell, links that lead out, folders that may not be read. */
export interface LeftOut {
  total: number
  /** In letters that can be shown. */
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
 * A client's end of a link without a stream between: the server calls `take` with what it asks, and may first try
 * `readAtOnce` for a file.
 */
export type AttachDirectly = (
  workspaceId: string,
  take: (request: LinkRequest) => void,
  options?: { readonly readAtOnce?: ReadSourceAtOnce },
) => Promise<Result<DirectAttachment>>

/**
 * What `source` answers, bytes included, without waiting; undefined where it has to be asked. `holding` has bytes of a
 * hash already, or not.
 */
export type ReadSourceAtOnce = (
  docPath: DocPath,
  holding: (sha256: Sha256) => Uint8Array | undefined,
) => (Pick<SourceFacts, 'path'> & { sha256: Sha256; bytes: Uint8Array }) | undefined

export interface DirectAttachment {
  answer(answer: LinkAnswer): void
  detach(): void
}

/** What a client tells the server without being asked. */
export type LinkEvent =
  | {
      readonly type: 'log'
      readonly event: string
      readonly fields: Readonly<Record<string, unknown>>
    }
  /** Made, changed or deleted, by whomever; `all`: too many to name. */
  | {
      readonly type: 'files-changed'
      readonly docPaths: readonly string[]
      readonly all?: boolean
    }

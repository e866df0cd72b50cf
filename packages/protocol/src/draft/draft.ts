import type { CallIds } from '../call/envelope.ts'
import type { CallPolicy, CallState, Decision } from '../call/outcome.ts'
import type { LoggedOperation } from '../change/operation.ts'
import type { DocPath, RelativePath } from '../words/doc-path.ts'
import type { Sha256 } from '../words/hash.ts'
import type {
  ApprovalId,
  ChangeId,
  ChangeSetId,
  DraftId,
  SessionId,
  ToolCallId,
} from '../words/ids.ts'

/** A draft is its log; its bytes are a cache. One line of that log. */
export type DraftLine = DraftStep & {
  /**
   * Set when the time does not show that this draft was touched last, because the clock was set back. Milliseconds,
   * like the time.
   */
  readonly order?: number
}

type DraftStep =
  | {
      readonly type: 'open'
      readonly draftId: DraftId
      readonly sessionId: SessionId
      readonly time: string
      /** A one-call draft is reviewed at once, as an approval. */
      readonly purpose: 'workshop' | 'one-call'
      readonly label?: string
      readonly description?: string
      /** The call a one-call draft answers, so that a restart can finish it. */
      readonly call?: {
        readonly ids: CallIds
        readonly tool: string
        readonly input: unknown
        readonly policy: CallPolicy
        readonly warnings: readonly string[]
      }
    }
  | {
      readonly type: 'edit'
      readonly toolCallId: ToolCallId
      readonly docPath: DocPath
      readonly path: RelativePath
      /** The real path of its bytes, when the path is a link. */
      readonly linkTo?: DocPath
      readonly format: string
      /** The bytes the file had on disk when it entered the draft; null for a new file. */
      readonly base: Sha256 | null
      /** The content the operations start from, where that is not the base: a new file's template, a copied file. */
      readonly begin?: Sha256
      readonly from?: DocPath
      readonly operations: readonly LoggedOperation[]
      /** Number of places that the operations changed, to count without a replay. */
      readonly changeCount?: number
      readonly allowProtected?: boolean
      readonly allowBreakSignature?: boolean
      readonly time: string
    }
  | {
      /** `export`: its content was made of the source, as pages. */
      readonly type: 'move' | 'copy' | 'export'
      readonly toolCallId: ToolCallId
      readonly index: number
      readonly docPath: DocPath
      readonly path: RelativePath
      readonly from: DocPath
      readonly fromPath: RelativePath
      /** The content at its new place, pinned. */
      readonly begin: Sha256
      /** The source's content on disk; null when it exists only in the draft. */
      readonly fromBase: Sha256 | null
      readonly format: string
      readonly time: string
    }
  | {
      readonly type: 'delete'
      readonly toolCallId: ToolCallId
      readonly index: number
      readonly docPath: DocPath
      readonly path: RelativePath
      readonly base: Sha256 | null
      readonly sizeBytes: number
      readonly time: string
    }
  | { readonly type: 'ask'; readonly approvalId: ApprovalId; readonly time: string }
  | { readonly type: 'decide'; readonly decision: Decision; readonly time: string }
  | {
      readonly type: 'refuse'
      readonly changeIds: readonly ChangeId[]
      readonly by: string
      readonly time: string
    }
  /** A part of the changes is about to be written: recorded before the files are. */
  | {
      readonly type: 'publish'
      readonly changeSetId: ChangeSetId
      readonly changeIds: readonly ChangeId[]
      /** Files with no change left: they leave the draft. */
      readonly settled: readonly DocPath[]
      /** How many changes stay in the draft. */
      readonly undecided: number
      /** Refused beside them. */
      readonly withdrawn?: readonly WithdrawnChanges[]
      readonly by: string
      readonly time: string
    }
  /** The files of that line are written. */
  | { readonly type: 'published'; readonly changeSetId: ChangeSetId; readonly time: string }
  /** A part that was published is undone, or redone. */
  | {
      readonly type: 'taken-back'
      readonly way: 'undo' | 'redo'
      readonly changeSetId: ChangeSetId
      /** Changes that leave the draft with an undo; the others of the part are undecided again. */
      readonly withdrawn: readonly WithdrawnChanges[]
      readonly time: string
    }
  /** A person went back in the conversation: the unpublished changes of these calls are gone. */
  | {
      readonly type: 'rewind'
      readonly toolCallIds: readonly ToolCallId[]
      /** Files with published changes: they keep their operations, without the changes named in `withdrawn`. */
      readonly partly: readonly DocPath[]
      readonly withdrawn: readonly WithdrawnChanges[]
      /** Files with no change left: they leave the draft. */
      readonly settled: readonly DocPath[]
      readonly by: string
      readonly time: string
    }
  /** The file now stands on these bytes, with these operations: a person decided its conflicts. */
  | {
      readonly type: 'rebase'
      readonly docPath: DocPath
      readonly base: Sha256
      readonly operations: readonly LoggedOperation[]
      readonly changeCount: number
      /** Changes of the file that were published before: the base has them, and their ids are free. */
      readonly published?: readonly ChangeId[]
      readonly by: string
      readonly time: string
    }
  /** A person decided for a whole file: it was changed, created, deleted or moved on disk meanwhile. */
  | {
      readonly type: 'settle'
      readonly docPath: DocPath
      readonly side: 'ours' | 'theirs'
      /** The content that is on disk under this docPath now; null: none. */
      readonly disk: Sha256 | null
      /** Of a moved file: what is at its original place now, and its edits on that. */
      readonly source?: {
        readonly disk: Sha256 | null
        readonly operations?: readonly LoggedOperation[]
      }
      readonly by: string
      readonly time: string
    }
  /** How a call on this draft ended: a repeated call gets the same answer. */
  | {
      readonly type: 'outcome'
      readonly toolCallId: ToolCallId
      /** The call for the server's log, which may lose it in a crash. */
      readonly call?: { readonly tool: string; readonly arguments: string }
      readonly state: CallState
    }
  | {
      readonly type: 'close'
      readonly how: 'published' | 'discarded'
      readonly changeSetId?: ChangeSetId
      readonly by: string
      readonly time: string
    }

/** Changes that are no longer in a drafted file. */
export interface WithdrawnChanges {
  readonly docPath: DocPath
  readonly changeIds: readonly ChangeId[]
}

export type DraftState = 'open' | 'published' | 'discarded'

import type { CallIds } from '../call/envelope.ts'
import type { ApprovalPolicy, CallState, Decision } from '../call/outcome.ts'
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
        readonly policy: ApprovalPolicy
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
      readonly type: 'move' | 'copy'
      readonly toolCallId: ToolCallId
      readonly index: number
      readonly docPath: DocPath
      readonly path: RelativePath
      readonly from: DocPath
      readonly fromPath: RelativePath
      /** The moved or copied content, pinned. */
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

export type DraftState = 'open' | 'published' | 'discarded'

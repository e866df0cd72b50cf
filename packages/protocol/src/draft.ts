import type { DocPath, RelativePath } from './doc-path.ts'
import type { Sha256 } from './hash.ts'
import type { ChangeId, ChangeSetId, DraftId, SessionId, ToolCallId } from './ids.ts'
import type { LoggedOperation } from './operation.ts'

/** A draft is its log; its bytes are a cache. One line of that log. */
export type DraftLine =
  | {
      readonly type: 'open'
      readonly draftId: DraftId
      readonly sessionId: SessionId
      readonly time: string
      /** A one-call draft is reviewed at once, as an approval. */
      readonly purpose: 'workshop' | 'one-call'
      readonly label?: string
    }
  | {
      readonly type: 'edit'
      readonly toolCallId: ToolCallId
      readonly docPath: DocPath
      readonly path: RelativePath
      readonly format: string
      /** The bytes the operations were planned on when this file entered the draft; null for a file that is new. */
      readonly base: Sha256 | null
      readonly operations: readonly LoggedOperation[]
    }
  | {
      readonly type: 'move' | 'copy'
      readonly toolCallId: ToolCallId
      readonly docPath: DocPath
      readonly path: RelativePath
      /** What is moved or copied, pinned. */
      readonly from: DocPath
      readonly base: Sha256
      readonly time: string
    }
  | {
      readonly type: 'delete'
      readonly toolCallId: ToolCallId
      readonly docPath: DocPath
      readonly path: RelativePath
      readonly base: Sha256
      readonly time: string
    }
  | {
      readonly type: 'refuse'
      readonly changeIds: readonly ChangeId[]
      readonly by: string
      readonly reason?: string
      readonly time: string
    }
  | {
      readonly type: 'close'
      readonly how: 'published' | 'discarded'
      readonly changeSetId?: ChangeSetId
      readonly time: string
    }

export type DraftState = 'open' | 'published' | 'discarded'

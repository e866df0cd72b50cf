import type {
  BatchId,
  ChangeId,
  FilePatchId,
  Result,
  SessionId,
  ToolCallId,
  WorkspaceId,
} from '@filewright/protocol'
import type { CheckedFilePatch } from '@filewright/tools'

/** stored → approved → applied → uploaded; or refused by a person, or conflict. */
export const FATES = ['stored', 'approved', 'applied', 'uploaded', 'refused', 'conflict'] as const
export type Fate = (typeof FATES)[number]

export interface FateStep {
  readonly fate: Fate
  /** ISO 8601. */
  readonly time: string
  readonly reason?: string
}

/** A change as sent (TUL-002 §5) and checked: `operation` and its own fields. */
export interface NewChange {
  readonly changeKey?: string
  readonly description?: string
  readonly operation: string
  readonly [field: string]: unknown
}

/** As the tool checked it; the store does not inspect changes. */
export interface NewFilePatch extends Omit<CheckedFilePatch, 'changes'> {
  readonly changes: readonly NewChange[]
}

export interface NewBatch {
  readonly workspaceId: WorkspaceId
  readonly sessionId: SessionId
  /** Our own id: storing the same call again gives the same batch. */
  readonly toolCallId: ToolCallId
  readonly batchKey?: string
  readonly batchLabel?: string
  readonly files: readonly NewFilePatch[]
}

export interface WithFate {
  readonly fate: Fate
  /** Every step with its time, oldest first; a change has those of its file patch and batch too. */
  readonly steps: readonly FateStep[]
}

export type StoredChange = NewChange & WithFate & { readonly changeId: ChangeId }

export interface StoredFilePatch extends Omit<NewFilePatch, 'changes'>, WithFate {
  readonly filePatchId: FilePatchId
  readonly changes: readonly StoredChange[]
}

export interface StoredBatch extends Omit<NewBatch, 'files'>, WithFate {
  readonly batchId: BatchId
  readonly files: readonly StoredFilePatch[]
}

/** The target of an id, with its parents. */
export interface Found {
  readonly batch: StoredBatch
  readonly filePatch?: StoredFilePatch
  readonly change?: StoredChange
}

export type PatchId = BatchId | FilePatchId | ChangeId

/** The durable patch store. Ids resolve from any session of their workspace and from no other workspace. */
export interface Patches {
  /** Durable before it resolves. `existed`: this tool call was stored before, and its batch is returned. */
  store(batch: NewBatch): Promise<{ readonly batch: StoredBatch; readonly existed: boolean }>
  find(workspaceId: WorkspaceId, id: PatchId): Promise<Result<Found, 'NOT_FOUND'>>
  findByToolCall(workspaceId: WorkspaceId, toolCallId: ToolCallId): Promise<StoredBatch | undefined>
  /** Newest first. */
  list(
    workspaceId: WorkspaceId,
    page?: { readonly before?: BatchId; readonly limit?: number },
  ): Promise<readonly StoredBatch[]>
  /**
   * Advances a batch, a file patch or a change. A step already taken or passed changes nothing. CONFLICT for an
   * impossible step: any step after a refusal or a conflict, or a refusal of an applied change.
   */
  setFate(
    workspaceId: WorkspaceId,
    ids: readonly PatchId[],
    fate: Fate,
    reason?: string,
  ): Promise<Result<void, 'NOT_FOUND' | 'CONFLICT'>>
}

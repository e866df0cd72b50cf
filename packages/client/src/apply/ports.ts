import type { Applied, ChangeSetId, Result, Sha256 } from '@filewright/protocol'
import type { Workspace } from '../workspace/tree/workspace.ts'
import type { CheckpointStore, Displaced } from './checkpoints.ts'
import type { ApplyJournal } from './journal.ts'

/** Everything that an apply may touch. */
export interface ApplyPorts {
  readonly workspace: Workspace
  readonly journal: ApplyJournal
  readonly checkpoints: CheckpointStore
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Unguessable hex digits, for temporary names. */
  readonly randomHex: (digits: number) => string
}

/**
 * CONFLICT: a base is not the one the change set was made on, or another program got in between. InvalidPath: a path
 * leads out or through a link. LOCKED: another program holds the file. WRITE_FAILED: the disk said no (full,
 * read-only). WORKSPACE_GONE: the folder itself is missing. In each case the workspace is as it was, and no temporary
 * file is left.
 */
export type ApplyCode =
  | 'CONFLICT'
  | 'DUPLICATE_PATH'
  | 'InvalidPath'
  | 'LOCKED'
  | 'WRITE_FAILED'
  | 'INVALID_ARGUMENT'
  | 'WORKSPACE_GONE'

export type ApplyResult = Promise<Result<Applied, ApplyCode>>

/** `details.files` of a CONFLICT. */
export interface ConflictingFile {
  readonly docPath: string
  readonly path: string
  /** Null: it should not exist. */
  readonly expected: Sha256 | null
  /** Null: it does not exist. */
  readonly found: Sha256 | null
}

export interface Recovery {
  /** All files were written before the crash; their checkpoint is complete now. */
  readonly finished: readonly Applied[]
  /** The checkpoint was complete too: only the journal did not know. */
  readonly complete: readonly Applied[]
  /** Not decided before the crash: the workspace is as it was before. */
  readonly undone: readonly ChangeSetId[]
  /** Bytes that other programs wrote in between, kept separately. */
  readonly displaced: readonly Displaced[]
  readonly warnings: readonly string[]
}

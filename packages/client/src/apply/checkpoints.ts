import {
  type AppliedFile,
  type ChangeSetId,
  LIMITS,
  type RelativePath,
  type Sha256,
} from '@filewright/protocol'
import type { Folder, NewFile, NodeStatus, OpenFile } from '../workspace/paths/folder.ts'

/** The state before an apply: which files it wrote, and their old bytes. */
export interface Checkpoint {
  readonly changeSetId: ChangeSetId
  readonly label?: string
  /** Milliseconds since 1970. */
  readonly time: number
  /** Greater for later applies, even when the clock was set back; an older version wrote none and used the time. */
  readonly order?: number
  /** In the order of the change set; file n's old bytes are kept under (changeSetId, n). */
  readonly files: readonly AppliedFile[]
  /** Folders that the apply created, outermost first: undo removes them if they are empty. */
  readonly madeFolders: readonly RelativePath[]
  /** Total of the bytes kept for it. */
  readonly keptBytes: number
  /** The change set that this one took back. */
  readonly undoes?: ChangeSetId
}

/**
 * Bytes that another program put in the way of an apply and that could not stay in place: kept here, reported, never
 * discarded.
 */
export interface Displaced {
  readonly changeSetId: ChangeSetId
  /** Index of the file in its change set. */
  readonly index: number
  /**
   * Bytes that were in place before us, or that were written over our new file; a copy of the base, or of what a program
   * saved over it, that a program which saw our new bytes may overwrite.
   */
  readonly was: 'before' | 'after' | 'base' | 'saved'
  readonly path: RelativePath
  /** Null: it is a link or a folder. */
  readonly sha256: Sha256 | null
  readonly sizeBytes: number
  readonly time: number
  readonly reason: string
  /**
   * False for bytes that are only the base or our own new ones: kept because a program that has them open may still
   * write to them, but not reported.
   */
  readonly isReported: boolean
  /** False until what a later look found was reported. */
  readonly isTold?: boolean
  /** How many of its bytes `restore` has brought back. */
  readonly restoredBytes?: number
}

export interface KeptPlace {
  readonly folder: Folder
  readonly name: string
}

export type OldFile = (
  | { readonly isHeld: false; readonly place: KeptPlace; readonly status: NodeStatus }
  /** On another disk: it has no name any more, and is open for a moment. */
  | { readonly isHeld: true; readonly file: OpenFile }
) & {
  /** What was reported about it. */
  readonly known: Displaced | null
}

export interface HeldBase {
  /** Of the file in its change set. */
  readonly index: number
  readonly bytes: Uint8Array
}

/** Kept bytes live on the state folder's disk: taken over by a rename where that is the same disk, else copied. */
export interface CheckpointStore {
  /**
   * Copies the bases: a program that still has an old file open may write to it, but not to these. The bytes are
   * durable on return, their name after `sync`.
   */
  keepBases(changeSetId: ChangeSetId, bases: readonly HeldBase[]): Promise<void>
  /** A place for the copy of a large base, and the copy while it is written. The caller syncs and closes it. */
  basePlaceOf(changeSetId: ChangeSetId, index: number): KeptPlace
  createBase(changeSetId: ChangeSetId, index: number): Promise<NewFile>
  /** Nothing came of the change set. */
  dropBases(changeSetId: ChangeSetId, indices: Iterable<number>): Promise<void>
  /** Where `keep` puts the old file n. */
  placeOf(changeSetId: ChangeSetId, index: number): KeptPlace
  /**
   * Moves the old file in: afterwards `name` is gone from `folder`. On another disk, or if it has other names, it is
   * copied unless its base was. Safe to repeat.
   */
  keep(changeSetId: ChangeSetId, index: number, folder: Folder, name: string): Promise<void>
  /** Takes over bytes that no longer have a place. */
  keepDisplaced(displaced: Displaced, folder: Folder, name: string): Promise<void>
  /** Replaces its record alone. */
  noteDisplaced(displaced: Displaced): Promise<void>
  keepCopy(
    displaced: Displaced,
    bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<void>
  /** Durable on return, with everything kept for it. */
  record(checkpoint: Checkpoint): Promise<void>
  /** Makes everything kept so far durable. */
  sync(): Promise<void>
  get(changeSetId: ChangeSetId): Promise<Checkpoint | null>
  /** Newest first. */
  list(): Promise<readonly Checkpoint[]>
  displaced(): Promise<readonly Displaced[]>
  /** The old file n itself, which other programs may still have open; null: it is not kept. */
  findOld(changeSetId: ChangeSetId, index: number): Promise<OldFile | null>
  /** The moment is over: closes those of them that are open. */
  releaseOld(changeSetId: ChangeSetId): void
  /** The bytes of file n before the change set; null: none were kept. The caller closes it. */
  open(changeSetId: ChangeSetId, index: number): Promise<OpenFile | null>
  openDisplaced(displaced: Displaced): Promise<OpenFile | null>
  remove(changeSetId: ChangeSetId): Promise<void>
  removeDisplaced(displaced: Displaced): Promise<void>
}

export interface Retention {
  readonly now: number
  readonly maxAgeMs?: number
  readonly maxBytes?: number
  /** Still needed by an open draft or a person. */
  readonly keep?: ReadonlySet<ChangeSetId>
}

/** Removes checkpoints older than 30 days, then the oldest beyond 2 GB (CONTRACT §7). Returns those removed. */
export async function removeOldCheckpoints(
  store: CheckpointStore,
  { now, maxAgeMs = LIMITS.retentionMs, maxBytes = LIMITS.retentionBytes, keep }: Retention,
): Promise<readonly ChangeSetId[]> {
  const removed: ChangeSetId[] = []
  let bytes = 0
  for (const { changeSetId, time, keptBytes } of await store.list()) {
    bytes += keptBytes
    if (keep?.has(changeSetId)) continue
    if (now - time <= maxAgeMs && bytes <= maxBytes) continue
    await store.remove(changeSetId)
    removed.push(changeSetId)
  }
  for (const displaced of await store.displaced())
    if (now - displaced.time > maxAgeMs) await store.removeDisplaced(displaced)
  return removed
}

import {
  type AppliedFile,
  type ChangeSetId,
  LIMITS,
  type RelativePath,
  type Sha256,
} from '@filewright/protocol'
import type { Folder, OpenFile } from '../workspace/paths/folder.ts'

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
  /** Bytes that were in place before us, or that were written over our new file. */
  readonly was: 'before' | 'after'
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
}

export interface KeptPlace {
  readonly folder: Folder
  readonly name: string
}

/** Kept bytes live on the state folder's disk: taken over by a rename where that is the same disk, else copied. */
export interface CheckpointStore {
  /** Where `keep` puts the old bytes of file n. */
  placeOf(changeSetId: ChangeSetId, index: number): KeptPlace
  /** Moves the file in: afterwards `name` is gone from `folder`. Safe to repeat. */
  keep(changeSetId: ChangeSetId, index: number, folder: Folder, name: string): Promise<void>
  /** Takes over bytes that no longer have a place. */
  keepDisplaced(displaced: Displaced, folder: Folder, name: string): Promise<void>
  keepCopy(displaced: Displaced, bytes: Uint8Array): Promise<void>
  /** Durable on return, with everything kept for it. */
  record(checkpoint: Checkpoint): Promise<void>
  /** Makes everything kept so far durable. */
  sync(): Promise<void>
  get(changeSetId: ChangeSetId): Promise<Checkpoint | null>
  /** Newest first. */
  list(): Promise<readonly Checkpoint[]>
  displaced(): Promise<readonly Displaced[]>
  /** The kept bytes of file n; null: none were kept. The caller closes it. */
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

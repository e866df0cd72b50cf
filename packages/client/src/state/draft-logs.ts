import type { DraftId, DraftLine } from '@filewright/protocol'

/** An open draft is read at each start, a closed one on demand; a damaged one is kept for a person. */
export type Shelf = 'open' | 'closed' | 'damaged'

/**
 * The logs of a workspace's drafts: workshop drafts, and one-call drafts that wait for a person (approvals) or keep
 * their outcome. A log grows on the open shelf. A durable line makes everything requested before it durable: lines,
 * moves, and stored bytes.
 */
export interface DraftLogs {
  /** In order of their ids. */
  list(shelf: Shelf): Promise<readonly DraftId[]>
  /** Undefined: it cannot be read. Empty: it does not exist, or a crash cut off its first line. */
  read(shelf: Shelf, id: DraftId): Promise<readonly DraftLine[] | undefined>
  /** Resolves when the lines would survive a power loss. They are stored completely or not at all. */
  append(id: DraftId, lines: readonly DraftLine[]): Promise<void>
  /**
   * The same without waiting for the disk: resolves when the lines are written, in the order asked; `kept` when they
   * are durable.
   */
  begin(id: DraftId, lines: readonly DraftLine[]): Promise<{ readonly kept: Promise<void> }>
  move(id: DraftId, from: Shelf, to: Shelf): Promise<void>
  remove(shelf: Shelf, id: DraftId): Promise<void>
  /** Hashes of all bytes that its lines name, even in unreadable lines. */
  namedBlobs(shelf: Shelf, id: DraftId): Promise<ReadonlySet<string>>
  /** Where a person finds it. */
  placeOf(shelf: Shelf, id: DraftId): string
}

import type { DraftId, DraftLine } from '@filewright/protocol'

/** An open draft is read at each start, a closed one on request; a damaged one is kept for a person. */
export type Shelf = 'open' | 'closed' | 'damaged'

/**
 * The logs of a workspace's drafts: workshop drafts with the outcomes of their calls, and drafts of one call that waits
 * for an approval. A log grows on the open shelf. A durable line makes everything before it durable: lines, moves, and
 * the blobs that were put.
 */
export interface DraftLogs {
  /** Sorted by id. */
  list(shelf: Shelf): Promise<readonly DraftId[]>
  /** Undefined: it cannot be read. Empty: it does not exist, or has no byte. */
  read(shelf: Shelf, id: DraftId): Promise<readonly DraftLine[] | undefined>
  /** Resolves when the lines survive a loss of power. All or none of them are kept. */
  append(id: DraftId, lines: readonly DraftLine[]): Promise<void>
  /** The same for a caller that goes on meanwhile: resolves when the lines are written in order; `kept` when durable. */
  begin(id: DraftId, lines: readonly DraftLine[]): Promise<{ readonly kept: Promise<void> }>
  move(id: DraftId, from: Shelf, to: Shelf): Promise<void>
  remove(shelf: Shelf, id: DraftId): Promise<void>
  /** The hashes of all blobs that its lines name, even if the lines cannot be parsed. */
  namedBlobs(shelf: Shelf, id: DraftId): Promise<ReadonlySet<string>>
  /** The place shown to a person. */
  placeOf(shelf: Shelf, id: DraftId): string
}

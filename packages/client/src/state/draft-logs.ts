import type { DraftId, DraftLine } from '@filewright/protocol'

/** An open draft is looked at with each start, a closed one when it is asked for, a damaged one is kept for a person. */
export type Shelf = 'open' | 'closed' | 'damaged'

/**
 * The logs of a workspace's drafts: those of a workshop, and those of one call that waits for a person (approvals) or
 * kept its outcome. A log grows on the open shelf. A durable line makes all that was asked for before it durable: lines,
 * moves, and the bytes that were put.
 */
export interface DraftLogs {
  /** In order of their ids. */
  list(shelf: Shelf): Promise<readonly DraftId[]>
  /** Undefined: it cannot be read. None: it is not there, or a crash cut its first line off. */
  read(shelf: Shelf, id: DraftId): Promise<readonly DraftLine[] | undefined>
  /** Resolves when the lines would survive a loss of power. They are there whole or not at all. */
  append(id: DraftId, lines: readonly DraftLine[]): Promise<void>
  /** The same for who goes on meanwhile: resolves when they are written, in the order asked; `kept` when they last. */
  begin(id: DraftId, lines: readonly DraftLine[]): Promise<{ readonly kept: Promise<void> }>
  move(id: DraftId, from: Shelf, to: Shelf): Promise<void>
  remove(shelf: Shelf, id: DraftId): Promise<void>
  /** Hashes of all bytes that its lines name, also where they cannot be read. */
  namedBlobs(shelf: Shelf, id: DraftId): Promise<ReadonlySet<string>>
  /** Where a person finds it. */
  placeOf(shelf: Shelf, id: DraftId): string
}

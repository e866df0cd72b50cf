import type { AppliedFile, ChangeSetId, DocPath, RelativePath, Sha256 } from '@filewright/protocol'

/**
 * The plan of an apply, durable before the first byte is written. `intent` names every temporary file and folder, so
 * that leftovers of a crash can be found; after `commit` a crash is finished, before it undone.
 */
export interface Intent {
  readonly changeSetId: ChangeSetId
  readonly label?: string
  readonly time: number
  /** Greater than that of every apply before it; see `nextOrder`. An older version wrote none. */
  readonly order?: number
  /** Makes the temporary names of this apply; see `temp-names.ts`. */
  readonly token: string
  readonly files: readonly IntendedFile[]
  /** To be created, outermost first. */
  readonly folders: readonly RelativePath[]
  /** To be removed when the deletions leave them empty; innermost first. */
  readonly emptied: readonly RelativePath[]
  readonly undoes?: ChangeSetId
}

export interface IntendedFile {
  readonly docPath: DocPath
  /** Its present or future path: existing folders in their own spelling. */
  readonly path: RelativePath
  /** The folder that holds its temporary names: the nearest one that exists before and after. */
  readonly tempIn: RelativePath | ''
  readonly base: Sha256 | null
  readonly sha256: Sha256 | null
}

/** Both files of an exchange, by their numbers on the disk, for a file that gets new bytes. */
export interface Pair {
  /** Of the file in its change set. */
  readonly index: number
  readonly staged: string
  readonly base: string
}

export interface Commit {
  readonly changeSetId: ChangeSetId
  readonly files: readonly AppliedFile[]
  readonly warnings: readonly string[]
}

/** An apply that a crash interrupted. */
export interface Unfinished {
  readonly intent: Intent
  /** Null: not decided yet, so it is undone. */
  readonly commit: Commit | null
  /** The disk has no hard links: new files were renamed into place, so only their hash identifies them. */
  readonly renames: boolean
  /** Empty: no two files were exchanged yet. */
  readonly pairs: readonly Pair[]
}

export interface ApplyJournal {
  /**
   * Greater than that of every apply before it. Usually the time; after the clock was set back it is larger, so that
   * undo still takes the last change set.
   */
  nextOrder(now: number): Promise<number>
  /** Durable on return. */
  intend(intent: Intent): Promise<void>
  /** Durable on return: the point after which an apply is finished, never undone. */
  commit(commit: Commit): Promise<void>
  /** Durable on return, and before the first exchange: by them a recovery knows which file is which. */
  notePairs(changeSetId: ChangeSetId, pairs: readonly Pair[]): Promise<void>
  /** Durable on return. */
  noteRenames(changeSetId: ChangeSetId): Promise<void>
  /**
   * Nothing is left to do for it. The end of an undone apply is durable, or a later recovery would mistake new files
   * for its own.
   */
  end(changeSetId: ChangeSetId, options: { readonly durable: boolean }): Promise<void>
  /** In the order they began. */
  unfinished(): Promise<readonly Unfinished[]>
  close(): void
}

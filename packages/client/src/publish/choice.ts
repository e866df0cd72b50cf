import type { ChangeId, DocPath, WithdrawnChanges } from '@filewright/protocol'
import type { DraftFile } from '../draft/draft.ts'

/** The changes of a draft not to publish. */
export interface Left {
  /** Dropped for good. */
  readonly refused: readonly ChangeId[]
  /** They stay in the draft. */
  readonly undecided: readonly ChangeId[]
}

/** The part of a draft to publish. */
export interface Choice {
  readonly files: readonly ChosenFile[]
  /** With its file and place. */
  readonly refused: ReadonlyMap<ChangeId, string>
  /** Dropped with a refused change. */
  readonly dropped: readonly ChangeId[]
  /** The accepted changes. */
  readonly changeIds: readonly ChangeId[]
  /** Files without another change. */
  readonly done: readonly DocPath[]
  /** Refused and dropped changes of files that stay in the draft. */
  readonly withdrawn: readonly WithdrawnChanges[]
}

/** A file of the draft to publish, without its refused changes. */
export interface ChosenFile {
  readonly file: DraftFile
  readonly refused: ReadonlySet<ChangeId>
  /** It came from there, and leaves nothing behind. */
  readonly leaves?: DraftFile
}

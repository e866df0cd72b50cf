import type { StrayedOperation } from '@filewright/documents'
import type { Change, Failure } from '@filewright/protocol'
import type { DraftFile } from '../draft/draft.ts'

/** A drafted file with everything a person decides on. */
export interface ReviewedFile {
  readonly file: DraftFile
  /**
   * The change that is the file itself: created, copied, moved or deleted. Refusing it drops everything in the file.
   */
  readonly whole?: Change
  /** `whole` first. */
  readonly changes: readonly Change[]
  /** It cannot be replayed: its one change is the operation that is refused. */
  readonly broken?: Failure
  /** Operations of which nobody knows whether they still make what they made when they were accepted. */
  readonly strayed?: readonly StrayedOperation[]
}

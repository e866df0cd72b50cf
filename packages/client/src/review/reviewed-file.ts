import type { Change } from '@filewright/protocol'
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
}

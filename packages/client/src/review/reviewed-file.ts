import type { Change } from '@filewright/protocol'
import type { DraftFile } from '../draft/draft.ts'

/** A drafted file with everything a person decides on. */
export interface ReviewedFile {
  readonly file: DraftFile
  /** The change that is the file itself: made, copied, moved or deleted. Refused, everything in the file goes. */
  readonly whole?: Change
  /** `whole` first. */
  readonly changes: readonly Change[]
}

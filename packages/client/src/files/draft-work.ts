import type { CallIds, DraftLine } from '@filewright/protocol'
import type { Files } from '@filewright/tools'
import type { Draft } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import type { FileLister } from './file-lister.ts'

/** Tools of one call for working on a draft. */
export interface DraftWork {
  readonly desk: Desk
  readonly lister: FileLister
  /** The draft including this call's lines so far. */
  readonly scratch: Draft
  readonly files: Files
  readonly ids: CallIds
  readonly time: string
  readonly record: (line: DraftLine) => void
}

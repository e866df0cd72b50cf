import type { CallIds, DraftLine } from '@filewright/protocol'
import type { Files } from '@filewright/tools'
import type { Draft } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import type { FileLister } from './file-lister.ts'

/** What one call works on a draft with. */
export interface DraftWork {
  readonly desk: Desk
  readonly lister: FileLister
  /** The draft with what the call did so far. */
  readonly scratch: Draft
  readonly files: Files
  readonly ids: CallIds
  readonly time: string
  readonly record: (line: DraftLine) => void
}

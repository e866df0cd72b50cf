import type { CallIds, DraftLine } from '@filewright/protocol'
import type { Files } from '@filewright/tools'
import type { FileLister } from '../file-lister.ts'
import type { Draft } from './draft.ts'
import type { Desk } from './draft-view.ts'

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

import type { ChangeId, LoggedOperation } from '@filewright/protocol'
import { type Change, type Operation, toChangeId } from '@filewright/protocol'
import type { WorkbookConflict } from './conflict.ts'
import type { Frame, FramedSheet } from './frame.ts'

/** One logged operation on its way, and the changes that it made in the draft. */
export interface Task {
  readonly logged: LoggedOperation
  readonly changes: readonly Change[]
  readonly frame: Frame
  /** The sheet that the operation names, found before it ran, and its name in the draft then. */
  readonly on?: { readonly sheet: FramedSheet; readonly name: string }
  /** As both files were before the log. */
  readonly origin: Frame
  /** None of the log's changes is refused, so an operation that stays in place is the same. */
  readonly isWhole: boolean
  /** A person decided for the draft's side. */
  readonly isForced: (change: Change) => boolean
  /** The draft wrote the cell before, so its earlier content is the draft's own. */
  readonly isOwn: (place: string) => boolean
}

/** The same operation as it reads on the new bytes. */
export interface Carried {
  readonly operations: readonly Operation[]
  /** The changes it must make there, by their ids there; absent: as many as it made in the draft. */
  readonly expected?: ReadonlyMap<ChangeId, Change>
  readonly conflicts: readonly WorkbookConflict[]
}

export type Carrier = (task: Task) => Carried

export function idAt({ toolCallId, index }: LoggedOperation, place: string): ChangeId {
  return toChangeId(toolCallId, index, place)
}

import type { ChangeSetId } from '@filewright/protocol'
import type { Folder, NewFile } from '../workspace/paths/folder.ts'
import type { CheckpointStore, HeldBase, KeptPlace } from './checkpoints.ts'
import type { Plan, PlannedFile } from './plan.ts'

/** A base that is too large to hold, while it is read. */
export interface LargeBase {
  /** Where to read it: the copy, if it is already whole. */
  readonly place: KeptPlace
  /** Takes the bytes as they are read, and must be synced. Null: no copy is made. */
  readonly copy: NewFile | null
  readonly isWhole: boolean
}

export type BaseCopies = (file: PlannedFile, folder: Folder) => Promise<LargeBase>

/**
 * Undo must not depend on the old file: whoever has it open may still write to it. So each base that is replaced is
 * copied before it is swapped out, while it is read to be compared. A disk that lets two files share their bytes makes
 * that free; elsewhere a large file that is deleted is only moved away.
 */
export function createBaseCopies(
  checkpoints: CheckpointStore,
  changeSetId: ChangeSetId,
): BaseCopies {
  return async ({ index, name, wanted }, folder) => {
    const place = checkpoints.basePlaceOf(changeSetId, index)
    if (await folder.clone(name, place.folder, place.name))
      return { place, copy: await place.folder.appendFile(place.name), isWhole: true }
    const copy = wanted.content && (await checkpoints.createBase(changeSetId, index))
    return { place: { folder, name }, copy, isWhole: false }
  }
}

export function heldBases({ files }: Plan): HeldBase[] {
  return files.flatMap(({ index, base }) => (base ? [{ index, bytes: base }] : []))
}

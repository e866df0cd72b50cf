import type { ChangeSetId } from '@filewright/protocol'
import { type Folder, isErrno } from '../workspace/paths/folder.ts'
import type { TempNames } from '../workspace/paths/temp-names.ts'
import type { CheckpointStore, KeptPlace } from './checkpoints.ts'
import type { PlannedFile } from './plan.ts'

export interface Away {
  readonly changeSetId: ChangeSetId
  readonly index: number
  readonly tempIn: Folder | null
  readonly temp: TempNames
}

/**
 * Where the file that was moved away is: already in its checkpoint, or next to its old place. Null: it was not moved,
 * or is back.
 */
export async function findKept(
  { changeSetId, index, tempIn, temp }: Away,
  checkpoints: CheckpointStore,
): Promise<KeptPlace | null> {
  const places = [checkpoints.placeOf(changeSetId, index)]
  if (tempIn) places.unshift({ folder: tempIn, name: temp.kept })
  for (const place of places) if ((await place.folder.statusOf(place.name)) !== null) return place
  return null
}

/** Moves the file of that name away. */
export type Keeper = (file: PlannedFile, from: Folder, tempIn: Folder) => Promise<KeptPlace>

/**
 * Moves the file straight into its checkpoint, which saves a second move after the decision. It stays next to its place
 * when the checkpoint is on another disk, when the file has other names (hard links), so that the checkpoint takes a
 * copy, and when it is deleted: its temporary name is then the only way to find a renamed folder again.
 */
export function createKeeper(checkpoints: CheckpointStore, changeSetId: ChangeSetId): Keeper {
  let isOneDisk = true
  return async ({ index, name, temp, wanted, status }, from, tempIn) => {
    if (isOneDisk && wanted.content !== null && status?.links === 1)
      try {
        const place = checkpoints.placeOf(changeSetId, index)
        await from.rename(name, place.folder, place.name)
        return place
      } catch (error) {
        if (!isErrno(error, 'EXDEV')) throw error
        isOneDisk = false
      }
    await from.rename(name, tempIn, temp.kept)
    return { folder: tempIn, name: temp.kept }
  }
}

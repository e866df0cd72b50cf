import { createHash } from 'node:crypto'
import type { ChangeSetId, Sha256 } from '@filewright/protocol'
import {
  type Folder,
  inodeOf,
  isErrno,
  type OpenFile,
  readPieces,
} from '../workspace/paths/folder.ts'
import type { TempNames } from '../workspace/paths/temp-names.ts'
import type { CheckpointStore, KeptPlace } from './checkpoints.ts'
import type { IntendedFile, Pair } from './journal.ts'
import type { PlannedFile } from './plan.ts'

export interface Away {
  readonly changeSetId: ChangeSetId
  readonly index: number
  readonly file: IntendedFile
  readonly temp: TempNames
  readonly tempIn: Folder | null
  /** The folder of its own name; null when it does not exist. */
  readonly folder: Folder | null
  readonly name: string
  /** Noted before it could be exchanged. */
  readonly pair: Pair | undefined
}

/**
 * Where the file that was moved away is: next to its old place, under the name of the new file that took its place, or
 * already in its checkpoint. Null: it was not moved, or is back.
 */
export async function findKept(
  away: Away,
  checkpoints: CheckpointStore,
): Promise<KeptPlace | null> {
  const { changeSetId, index, tempIn, temp } = away
  const kept = tempIn && { folder: tempIn, name: temp.kept }
  if (kept && (await kept.folder.statusOf(kept.name)) !== null) return kept
  if (tempIn && (await isExchangedOut(away))) return { folder: tempIn, name: temp.staged }
  const place = checkpoints.placeOf(changeSetId, index)
  return (await place.folder.statusOf(place.name)) === null ? null : place
}

/**
 * Whether the staged name holds what an exchange swapped out. Decided by the file's number, unless its bytes say
 * otherwise: some disks number their files anew when they are mounted.
 */
export async function isExchangedOut(away: Away): Promise<boolean> {
  const { tempIn, temp, folder, name, file, pair } = away
  const staged = (await tempIn?.statusOf(temp.staged)) ?? null
  if (!pair || !staged) return false
  if (staged.kind !== 'file') return true
  if ((await folder?.statusOf(name))?.identity === staged.identity) return false
  const found = await hashIfThere(tempIn, temp.staged)
  if (file.base !== file.sha256 && found === file.base) return true
  if (file.base !== file.sha256 && found === file.sha256) return false
  if (inodeOf(staged) === pair.staged) return false
  return inodeOf(staged) === pair.base || (await hashIfThere(folder, name)) !== file.base
}

export async function hashIfThere(folder: Folder | null, name: string): Promise<Sha256 | null> {
  try {
    return (await folder?.digest(name))?.sha256 ?? null
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ELOOP', 'EISDIR', 'EINVAL')) return null
    throw error
  }
}

export async function hashOpen(file: OpenFile): Promise<Sha256> {
  const hash = createHash('sha256')
  for await (const piece of readPieces(file)) hash.update(piece)
  return hash.digest('hex') as Sha256
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

import { createHash } from 'node:crypto'
import type { AppliedFile, Sha256 } from '@filewright/protocol'
import { type Digest, readPieces } from '../workspace/paths/folder.ts'
import type { Checkpoint, CheckpointStore, Displaced, OldFile } from './checkpoints.ts'

/** Older than the tick of the coarsest disk clock in use (FAT): a later write shows in the time. */
export const SETTLED_MS = 2000

export interface LatePorts {
  readonly checkpoints: CheckpointStore
  readonly now: () => number
}

/**
 * Finds what other programs wrote into the old files of a change set after these were replaced: they had them open. It
 * is kept separately. Returns all of it, and whether it is new since the last look. `isTold`: the caller reports it now.
 */
export async function findLate(
  checkpoint: Pick<Checkpoint, 'changeSetId' | 'time' | 'files'>,
  { checkpoints, now }: LatePorts,
  { isTold }: { readonly isTold: boolean },
): Promise<Late[]> {
  const { changeSetId, time, files } = checkpoint
  const found: Late[] = []
  for (const [index, file] of files.entries()) {
    if (file.before === null) continue
    const old = await checkpoints.findOld(changeSetId, index)
    if (!old || isSettled(old, time)) continue
    const digest = await digestOf(old)
    if (digest.sha256 === file.before) continue
    const { known } = old
    const late = { ...known, ...toLate({ changeSetId, index }, file, digest, now()), isTold }
    const isNew = known?.sha256 !== digest.sha256
    if (isNew) await keepLate(late, old, checkpoints)
    found.push({ late, isNew })
  }
  return found
}

/** Nobody wrote to it since the change set was begun. */
function isSettled(old: OldFile, time: number): boolean {
  return !old.known && !old.isHeld && old.status.mtimeMs < time - SETTLED_MS
}

async function digestOf(old: OldFile): Promise<Pick<Digest, 'sha256' | 'sizeBytes'>> {
  if (!old.isHeld) return old.place.folder.digest(old.place.name)
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const piece of readPieces(old.file)) {
    hash.update(piece)
    sizeBytes += piece.length
  }
  return { sha256: hash.digest('hex') as Sha256, sizeBytes }
}

function keepLate(late: Displaced, old: OldFile, checkpoints: CheckpointStore): Promise<void> {
  if (old.isHeld) return checkpoints.keepCopy(late, readPieces(old.file))
  return checkpoints.keepDisplaced(late, old.place.folder, old.place.name)
}

export interface Late {
  readonly late: Displaced
  readonly isNew: boolean
}

export function toLate(
  of: Pick<Displaced, 'changeSetId' | 'index'>,
  { path }: Pick<AppliedFile, 'path'>,
  { sha256, sizeBytes }: { readonly sha256: Sha256; readonly sizeBytes: number },
  time: number,
): Displaced {
  const reason =
    'our copy of the old file has other bytes than that file had: a program that had it open wrote into it after it was replaced, or our copy in the state folder was damaged'
  return { ...of, was: 'before', path, sha256, sizeBytes, time, reason, isReported: true }
}

/** By which a person names it. */
export function idOf({ changeSetId, index, was }: Displaced): string {
  return `${changeSetId}.${index}${was === 'before' ? '' : `.${was}`}`
}

export function toWarning(displaced: Displaced): string {
  const { path, reason, sha256 } = displaced
  const version = sha256 ? ` (version ${sha256.slice(0, 8)})` : ''
  return `"${path}": ${reason}. Those bytes${version} are kept; "filewright restore ${idOf(displaced)}" brings them back.`
}

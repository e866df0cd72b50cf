import { createHash } from 'node:crypto'
import {
  type Applied,
  type AppliedFile,
  type ChangeSetId,
  type Failure,
  fail,
  type Result,
  toDocPath,
  toVersion,
} from '@filewright/protocol'
import { errno, type OpenFile, readPieces } from '../workspace/paths/folder.ts'
import { applyWanted } from './apply.ts'
import type { WantedFile } from './change-set.ts'
import type { Checkpoint, CheckpointStore } from './checkpoints.ts'
import type { ApplyCode, ApplyPorts, ConflictingFile } from './ports.ts'

export interface UndoOptions {
  /** The id of the change set that takes the other back. */
  readonly as: ChangeSetId
  readonly label?: string
}

export type UndoResult = Promise<Result<Applied, ApplyCode | 'NOT_FOUND'>>

/**
 * Restores the bytes before a change set, as a change set of its own, so an undo can be undone. If a file changed
 * since, it is a CONFLICT and nothing is written.
 */
export async function undo(
  changeSetId: ChangeSetId,
  ports: ApplyPorts,
  { as, label }: UndoOptions,
): UndoResult {
  const checkpoint = await ports.checkpoints.get(changeSetId)
  if (checkpoint === null)
    return fail(
      'NOT_FOUND',
      `Nothing was written: the checkpoint of ${changeSetId} is no longer kept, so it cannot be undone.`,
    )
  if (!findStanding(await ports.checkpoints.list()).has(changeSetId))
    return fail(
      'CONFLICT',
      `Nothing was written: ${changeSetId} is already undone. A redo brings it back.`,
    )
  const spoilt = await findSpoilt(checkpoint, ports.checkpoints)
  if (spoilt)
    return fail(
      'CONFLICT',
      `Nothing was written: the checkpoint no longer has the old bytes of "${spoilt.path}". Another program wrote to the old file after it was replaced; its bytes are kept separately.`,
      { details: { files: [spoilt] } },
    )
  const applied = await applyWanted(
    {
      id: as,
      label: label ?? `Undo ${checkpoint.label ?? changeSetId}`,
      files: checkpoint.files.map((file, index) =>
        toReversed(file, () => openKept(ports.checkpoints, changeSetId, index)),
      ),
      emptied: [...checkpoint.madeFolders].reverse(),
      undoes: changeSetId,
    },
    ports,
  )
  return applied.ok ? applied : { ok: false, failure: asMovedOn(applied.failure) }
}

/** Nobody read these files: they were written, and then changed further. */
function asMovedOn(failure: Failure<ApplyCode>): Failure<ApplyCode> {
  const files = failure.details?.files as readonly ConflictingFile[] | undefined
  if (failure.code !== 'CONFLICT' || !files) return failure
  const errors = files.map(toMoved)
  const message = `Nothing was written: since then ${errors.join(', ')}, so the change set cannot be taken back as a whole. Restore that, or make the change by hand.`
  return { ...failure, message, errors }
}

function toMoved({ path, expected, found }: ConflictingFile): string {
  if (expected === null)
    return found === null ? `a folder took the name "${path}"` : `a file "${path}" was created`
  if (found === null) return `"${path}" was removed`
  return `"${path}" was changed (now version ${toVersion(found)}, was ${toVersion(expected)})`
}

/** Takes back the last undo of a change set. */
export async function redo(
  changeSetId: ChangeSetId,
  ports: ApplyPorts,
  options: UndoOptions,
): UndoResult {
  const checkpoints = await ports.checkpoints.list()
  const standing = findStanding(checkpoints)
  const undone = checkpoints.find(
    each => each.undoes === changeSetId && standing.has(each.changeSetId),
  )
  if (undone) return undo(undone.changeSetId, ports, options)
  return fail('NOT_FOUND', `Nothing was written: ${changeSetId} is not undone.`)
}

/** The newest change set in effect, undos aside; `checkpoints` newest first. */
export function findUndoable(checkpoints: readonly Checkpoint[]): Checkpoint | undefined {
  const standing = findStanding(checkpoints)
  return checkpoints.find(each => each.undoes === undefined && standing.has(each.changeSetId))
}

/** The change set that was undone last and is not redone: the target of `redo`. */
export function findRedoable(checkpoints: readonly Checkpoint[]): Checkpoint | undefined {
  const standing = findStanding(checkpoints)
  const byId = new Map(checkpoints.map(each => [each.changeSetId, each]))
  for (const each of checkpoints) {
    const undone = each.undoes === undefined ? undefined : byId.get(each.undoes)
    if (undone && undone.undoes === undefined && standing.has(each.changeSetId)) return undone
    if (each.undoes === undefined) return undefined // something new was written since
  }
  return undefined
}

/** Those that no change set in effect took back. */
function findStanding(newestFirst: readonly Checkpoint[]): Set<ChangeSetId> {
  const standing = new Set<ChangeSetId>()
  const takenBack = new Set<ChangeSetId>()
  for (const { changeSetId, undoes } of newestFirst) {
    if (takenBack.has(changeSetId)) continue
    standing.add(changeSetId)
    if (undoes !== undefined) takenBack.add(undoes)
  }
  return standing
}

function toReversed(file: AppliedFile, open: () => Promise<OpenFile>): WantedFile {
  const { path, realPath, before, after, mode, uid, gid } = file
  const content = before === null ? null : { open }
  const place = realPath ?? path // a link may lead elsewhere by now
  return {
    docPath: toDocPath(place),
    path: place,
    base: after,
    sha256: before,
    content,
    ...(mode !== undefined && { attributes: { mode, uid, gid } }),
  }
}

async function openKept(
  checkpoints: CheckpointStore,
  changeSetId: ChangeSetId,
  index: number,
): Promise<OpenFile> {
  const kept = await checkpoints.open(changeSetId, index)
  if (kept === null) throw errno('ENOENT', `kept bytes ${index} of ${changeSetId}`)
  return kept
}

async function findSpoilt(
  { changeSetId, files }: Checkpoint,
  checkpoints: CheckpointStore,
): Promise<AppliedFile | undefined> {
  for (const [index, file] of files.entries()) {
    if (file.before === null) continue
    const kept = await checkpoints.open(changeSetId, index)
    if (kept === null) return file
    const hash = createHash('sha256')
    try {
      for await (const piece of readPieces(kept)) hash.update(piece)
    } finally {
      kept.close()
    }
    if (hash.digest('hex') !== file.before) return file
  }
  return undefined
}

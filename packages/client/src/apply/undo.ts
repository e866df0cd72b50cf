import {
  type Applied,
  type AppliedFile,
  type ChangeSetId,
  type Failure,
  fail,
  inline,
  ok,
  type RelativePath,
  type Result,
  type Sha256,
  toDocPath,
  toVersion,
} from '@filewright/protocol'
import { errno, type OpenFile, readWhole } from '../workspace/paths/folder.ts'
import { sha256Of } from '../workspace/tree/hash-content.ts'
import { applyWanted } from './apply.ts'
import { isKept, type WantedFile, type WantedSet } from './change-set.ts'
import type { Checkpoint, CheckpointStore } from './checkpoints.ts'
import { hashOpen } from './kept.ts'
import { findLate, toWarning } from './late.ts'
import type { ApplyCode, ApplyPorts, ConflictingFile } from './ports.ts'

/** A file that was changed since a change set wrote it, and is to be as before the change set. */
export interface FileSince {
  readonly path: RelativePath
  /** As the change set found it. */
  readonly before: Uint8Array
  /** As the change set left it. */
  readonly after: Sha256
  readonly current: Uint8Array
}

/** The current bytes with the change set taken back, where that is proven; else a CONFLICT that says what is in the way. */
export type Follow = (moved: FileSince) => Promise<Result<Uint8Array>>

export interface UndoOptions {
  /** The id of the change set that takes the other back. */
  readonly as: ChangeSetId
  readonly label?: string
  /** How a file is taken back that somebody changed since; absent: it is a conflict. */
  readonly follow?: Follow
}

export type UndoResult = Promise<Result<Applied, ApplyCode | 'NOT_FOUND'>>

/**
 * Restores the bytes before a change set, as a change set of its own, so an undo can be undone. If a file changed
 * since, only what the change set did is taken back, where that is proven; else it is a CONFLICT and nothing is written.
 */
export async function undo(
  changeSetId: ChangeSetId,
  ports: ApplyPorts,
  { as, label, follow }: UndoOptions,
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
      `Nothing was written: the checkpoint no longer has the old bytes of "${spoilt.path}". Restore that file by hand, or from a copy of your own.`,
      { details: { files: [spoilt] } },
    )
  const set: WantedSet = {
    id: as,
    label: label ?? `Undo ${checkpoint.label ?? changeSetId}`,
    files: checkpoint.files.map((file, index) =>
      toReversed(file, () => openKept(ports.checkpoints, changeSetId, index)),
    ),
    emptied: [...checkpoint.madeFolders].reverse(),
    undoes: changeSetId,
  }
  const applied = await applyFollowed(set, ports, follow)
  if (!applied.ok) return applied
  const late = await findLate(checkpoint, ports, { isTold: true })
  const warnings = [...applied.value.warnings, ...late.map(each => toWarning(each.late))]
  return ok({ ...applied.value, warnings })
}

async function applyFollowed(
  set: WantedSet,
  ports: ApplyPorts,
  follow: Follow | undefined,
): Promise<Result<Applied, ApplyCode>> {
  const applied = await applyWanted(set, ports)
  if (applied.ok) return applied
  const followed = follow && (await followMoved(set, applied.failure, follow, ports))
  if (!followed) return { ok: false, failure: asMovedOn(applied.failure) }
  return followed.ok ? applyWanted(followed.value, ports) : followed
}

/** The set with every moved file followed; undefined where one of them cannot be: created, deleted, or not a file. */
async function followMoved(
  set: WantedSet,
  { details }: Failure<ApplyCode>,
  follow: Follow,
  ports: ApplyPorts,
): Promise<Result<WantedSet, 'CONFLICT'> | undefined> {
  const moved = (details?.files ?? []) as readonly ConflictingFile[]
  if (moved.length === 0) return undefined
  const files: WantedFile[] = []
  for (const file of set.files) {
    const found = moved.find(({ docPath }) => docPath === file.docPath)
    const followed = found ? await followOne(file, found, follow, ports) : ok(file)
    if (!followed?.ok) return followed
    files.push(followed.value)
  }
  return ok({ ...set, files })
}

async function followOne(
  file: WantedFile,
  { found }: ConflictingFile,
  follow: Follow,
  { workspace }: ApplyPorts,
): Promise<Result<WantedFile, 'CONFLICT'> | undefined> {
  const { path, base, content } = file
  if (found === null || base === null || content === null || !isKept(content)) return undefined
  // a key file that came to stand at the place of another is not read
  const read = await workspace.read(path, { allowPrivate: workspace.isPrivate(path) })
  if (!read.ok) return fail('CONFLICT', `Nothing was written: ${read.failure.message}`)
  const kept = await content.open()
  const before = await readWhole(kept).finally(() => kept.close())
  const current = read.value.bytes
  const followed = await follow({ path, before, after: base, current })
  if (!followed.ok) {
    const { message, errors } = followed.failure
    return fail('CONFLICT', message, { errors, details: followed.failure.details })
  }
  const bytes = followed.value
  return ok({ ...file, base: sha256Of(current), sha256: sha256Of(bytes), content: inline(bytes) })
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

/** Those that a change set in effect took back. */
export function findUndone(checkpoints: readonly Checkpoint[]): ReadonlySet<ChangeSetId> {
  const standing = findStanding(checkpoints)
  const undone = checkpoints.flatMap(({ changeSetId, undoes }) =>
    undoes !== undefined && standing.has(changeSetId) ? [undoes] : [],
  )
  return new Set(undone)
}

/** Those that no change set in effect took back. */
export function findStanding(newestFirst: readonly Checkpoint[]): Set<ChangeSetId> {
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
    const sha256 = await hashOpen(kept).finally(() => kept.close())
    if (sha256 !== file.before) return file
  }
  return undefined
}

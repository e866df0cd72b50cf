import type { Sha256 } from '@filewright/protocol'
import { type Folder, isErrno, type NodeStatus } from '../workspace/paths/folder.ts'
import type { Tree } from '../workspace/paths/local-path.ts'
import { splitPath } from '../workspace/paths/split-path.ts'
import { type TempNames, tempNames } from '../workspace/paths/temp-names.ts'
import type { CheckpointStore, Displaced } from './checkpoints.ts'
import {
  ignoreGone,
  makeFolders,
  openIfThere,
  removeFolderIfEmpty,
  syncFolders,
} from './folders.ts'
import { forEachInTurn } from './in-turn.ts'
import type { IntendedFile, Intent } from './journal.ts'
import { findKept } from './kept.ts'
import { hasOldSpelling } from './old-spelling.ts'
import { createLinker, isSameFile, type Linker } from './swap.ts'

export interface TakeBackPorts {
  readonly tree: Tree
  readonly checkpoints: CheckpointStore
  readonly now: () => number
  /** New files were renamed into place: only their hash identifies them as ours. */
  readonly renames: boolean
  readonly noteRenames: () => Promise<void>
  /** Files whose bytes the disk did not keep as written: the bytes in place belong to nobody. */
  readonly spoilt?: ReadonlySet<number>
  /**
   * The bases, by index, of files whose new bytes were visible for a moment. A program that read those may save over
   * the restored base, so a copy is kept without a report.
   */
  readonly shown?: ReadonlyMap<number, Uint8Array>
}

/**
 * Restores the workspace to its state before an undecided apply, from any state: right after a failure, or after a
 * crash in any step of the apply or of this function. Bytes that are not ours are put back or kept separately. Two
 * rounds with a sync between them: a file durably has its old name before it loses the temporary one.
 */
export async function takeBack(intent: Intent, ports: TakeBackPorts): Promise<Displaced[]> {
  const link = createLinker(ports)
  const files = []
  for (const [index, file] of [...intent.files.entries()].reverse()) {
    const temp = tempNames(intent.token, index)
    const folder = await openIfThere(ports.tree, splitPath(file.path)[0])
    const tempIn = await openIfThere(ports.tree, file.tempIn)
    files.push({ index, intent, file, temp, folder, tempIn, name: splitPath(file.path)[1] })
  }
  const displaced: Displaced[] = []
  await forEachInTurn(files, each => withdraw(each, ports, link))
  for (const path of [...intent.folders].reverse()) await removeFolderIfEmpty(ports.tree, path)
  await forEachInTurn(files, each => putBack(each, intent, ports, link))
  await syncFolders(ports.tree, intent)
  await forEachInTurn(files, async each => {
    displaced.push(...(await clear(each, intent, ports)))
  })
  for (const [index, bytes] of ports.shown ?? []) {
    const shown = toDisplaced(intent, index, 'before', {
      sha256: intent.files[index]!.base,
      sizeBytes: bytes.length,
    })
    if (displaced.some(each => each.index === index && each.was === 'before')) continue
    displaced.push({ ...shown, time: ports.now() })
    await ports.checkpoints.keepCopy(displaced.at(-1)!, bytes)
  }
  await Promise.all([syncFolders(ports.tree, intent), ports.checkpoints.sync()])
  return displaced.filter(each => each.isReported)
}

interface Flying {
  readonly index: number
  readonly intent: Intent
  readonly file: IntendedFile
  readonly temp: TempNames
  /** Null when it does not exist: not created yet, or already removed. */
  folder: Folder | null
  readonly tempIn: Folder | null
  readonly name: string
}

/** Moves our new file out, to the folder it was staged in, unless another program wrote to it. */
async function withdraw(flying: Flying, ports: TakeBackPorts, link: Linker): Promise<void> {
  const { folder, tempIn, temp, name, file } = flying
  if (folder === null || tempIn === null || file.sha256 === null) return
  if (await isOurs(flying, await folder.statusOf(name), ports))
    await folder.rename(name, tempIn, temp.withdrawn)
  if ((await tempIn.statusOf(temp.withdrawn)) !== null && !(await isUntouched(flying, ports)))
    await link(tempIn, temp.withdrawn, folder, name)
}

/** Puts the original file back, unless another program's file is there now. */
async function putBack(
  flying: Flying,
  { changeSetId }: Intent,
  { tree, checkpoints }: TakeBackPorts,
  link: Linker,
): Promise<void> {
  const { name, file } = flying
  const kept = await findKept({ ...flying, changeSetId }, checkpoints)
  if (kept === null) return
  flying.folder = await makeFolders(tree, splitPath(file.path)[0])
  if (flying.folder) await link(kept.folder, kept.name, flying.folder, name)
}

/** Removes the temporary names; a file without another name is kept separately. */
async function clear(flying: Flying, intent: Intent, ports: TakeBackPorts): Promise<Displaced[]> {
  const { folder, tempIn, temp, name, index } = flying
  const displaced: Displaced[] = []
  const { changeSetId } = intent
  for (const was of ['after', 'before'] as const) {
    const withdrawn = tempIn && { folder: tempIn, name: temp.withdrawn }
    const place =
      was === 'after' ? withdrawn : await findKept({ ...flying, changeSetId }, ports.checkpoints)
    const status = (await place?.folder.statusOf(place.name)) ?? null
    if (place === null || status === null) continue
    if (isSameFile(status, (await folder?.statusOf(name).catch(ignoreGone)) ?? null)) {
      await place.folder.remove(place.name)
      continue
    }
    const digest = status.kind === 'file' ? await place.folder.digest(place.name) : null
    const found = toDisplaced(intent, index, was, digest ?? { sha256: null, sizeBytes: 0 })
    displaced.push({ ...found, time: ports.now() })
    await ports.checkpoints.keepDisplaced(displaced.at(-1)!, place.folder, place.name)
  }
  if (tempIn && (await tempIn.statusOf(temp.staged)) !== null) await tempIn.remove(temp.staged)
  return displaced
}

function toDisplaced(
  { changeSetId, files }: Intent,
  index: number,
  was: Displaced['was'],
  { sha256, sizeBytes }: Pick<Displaced, 'sha256' | 'sizeBytes'>,
): Omit<Displaced, 'time'> {
  const { path, base, sha256: after } = files[index]!
  const isReported = sha256 !== (was === 'before' ? base : after)
  return { changeSetId, index, was, path, sha256, sizeBytes, isReported, reason: REASONS[was] }
}

const REASONS = {
  before: 'another program saved the file, and then put a new one in its place',
  after: 'another program wrote into the new file before it was taken back',
}

async function isOurs(
  { folder, tempIn, temp, name, file, intent, index }: Flying,
  target: NodeStatus | null,
  { renames }: TakeBackPorts,
): Promise<boolean> {
  if (target?.kind !== 'file') return false
  const staged = (await tempIn?.statusOf(temp.staged)) ?? null
  if (staged) return isSameFile(staged, target)
  if (!renames || (await hashIfThere(folder, name)) !== file.sha256) return false
  return !(await hasOldSpelling(intent, index, folder!))
}

/** Whether the withdrawn file is our new file as we wrote it. */
async function isUntouched(
  { tempIn, temp, file, index }: Flying,
  { spoilt }: TakeBackPorts,
): Promise<boolean> {
  return spoilt?.has(index) || (await hashIfThere(tempIn, temp.withdrawn)) === file.sha256
}

async function hashIfThere(folder: Folder | null, name: string): Promise<Sha256 | null> {
  try {
    return (await folder?.digest(name))?.sha256 ?? null
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ELOOP', 'EISDIR', 'EINVAL')) return null
    throw error
  }
}

import {
  type Folder,
  inodeOf,
  isErrno,
  NO_EXCHANGE,
  type NodeStatus,
  PIECE_BYTES,
  readPieces,
  readWhole,
} from '../../workspace/paths/folder.ts'
import type { Tree } from '../../workspace/paths/local-path.ts'
import { splitPath } from '../../workspace/paths/split-path.ts'
import { tempNames } from '../../workspace/paths/temp-names.ts'
import type { CheckpointStore, Displaced, KeptPlace } from '../checkpoints.ts'
import {
  ignoreGone,
  makeFolders,
  openIfThere,
  removeFolderIfEmpty,
  syncFolders,
} from '../folders.ts'
import { forEachInTurn } from '../in-turn.ts'
import type { Intent, Pair } from '../journal.ts'
import { type Away, findKept, hashIfThere, hashOpen, isExchangedOut } from '../kept.ts'
import { createLinker, isSameFile, type Linker } from '../swap.ts'
import { hasOldSpelling } from './old-spelling.ts'

export interface TakeBackPorts {
  readonly tree: Tree
  readonly checkpoints: CheckpointStore
  readonly now: () => number
  /** New files were renamed into place: only their hash identifies them as ours. */
  readonly renames: boolean
  readonly pairs: readonly Pair[]
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
  const files: Flying[] = []
  const { changeSetId } = intent
  for (const [index, file] of [...intent.files.entries()].reverse()) {
    const temp = tempNames(intent.token, index)
    const folder = await openIfThere(ports.tree, splitPath(file.path)[0])
    const tempIn = await openIfThere(ports.tree, file.tempIn)
    const pair = ports.pairs.find(each => each.index === index)
    const isShown = ports.shown?.has(index) ?? false
    const own = { intent, changeSetId, index, file, name: splitPath(file.path)[1], pair }
    files.push({ ...own, temp, folder, tempIn, isShown })
  }
  const displaced: Displaced[] = []
  await forEachInTurn(files, each => withdraw(each, ports, link))
  for (const path of [...intent.folders].reverse()) await removeFolderIfEmpty(ports.tree, path)
  await forEachInTurn(files, each => putBack(each, ports, link))
  await syncFolders(ports.tree, intent)
  await forEachInTurn(files, async each => {
    displaced.push(...(await clear(each, intent, ports)))
  })
  for (const [index, bytes] of ports.shown ?? []) {
    const { base } = intent.files[index]!
    if (displaced.some(each => each.index === index && each.sha256 === base)) continue
    const shown = toDisplaced(intent, index, 'base', { sha256: base, sizeBytes: bytes.length })
    await ports.checkpoints.keepCopy({ ...shown, time: ports.now() }, [bytes])
  }
  await ports.checkpoints.dropBases(changeSetId, intent.files.keys())
  await Promise.all([syncFolders(ports.tree, intent), ports.checkpoints.sync()])
  return displaced.filter(each => each.isReported)
}

interface Flying extends Away {
  readonly intent: Intent
  /** Null when it does not exist: not created yet, or already removed. */
  folder: Folder | null
  /** Another program may have written into our new file. */
  isShown: boolean
}

/** Moves our new file out, to the folder it was staged in, unless another program wrote to it. */
async function withdraw(flying: Flying, ports: TakeBackPorts, link: Linker): Promise<void> {
  const { folder, tempIn, temp, name, file } = flying
  if (folder === null || tempIn === null || file.sha256 === null) return
  if (await exchangeBack(flying, ports)) return
  if (await isOurs(flying, await folder.statusOf(name), ports))
    await folder.rename(name, tempIn, temp.withdrawn)
  if (
    (await tempIn.statusOf(temp.withdrawn)) !== null &&
    !(await isUntouched(flying, { folder: tempIn, name: temp.withdrawn }, ports))
  )
    await link(tempIn, temp.withdrawn, folder, name)
}

/**
 * Lets both files change places again, unless another program wrote to ours. If what then comes out is not ours, it
 * was saved in that moment: it goes back in, and the older file is kept separately. False: it was not exchanged, or the
 * disk no longer does that.
 */
async function exchangeBack(flying: Flying, ports: TakeBackPorts): Promise<boolean> {
  const { folder, tempIn, temp, name } = flying
  if (!folder || !tempIn || !(await isExchangedOut(flying))) return false
  const target = await folder.statusOf(name)
  if (!(await isOurs(flying, target, ports))) return false
  if (!(await isUntouched(flying, { folder, name }, ports))) return true
  const exchange = () => tempIn.exchange(temp.staged, folder, name, temp.kept)
  const keepSaved = await readSaved(flying, ports)
  try {
    await exchange()
    flying.isShown = true
    if (!isSameFile(target, await tempIn.statusOf(temp.staged))) await exchange()
  } catch (error) {
    if (isErrno(error, ...NO_EXCHANGE, 'ENOENT')) return false
    throw error
  }
  await keepSaved?.()
  return true
}

/**
 * What another program saved right before the exchange goes back in place, but a program that read our bytes in between
 * may save over it. So a copy is kept, without a report: read before, and written after, for the moment to be short.
 */
async function readSaved(
  flying: Flying,
  { checkpoints, now }: TakeBackPorts,
): Promise<(() => Promise<void>) | undefined> {
  const { intent, index, file, tempIn, temp } = flying
  const out = await tempIn?.openFile(temp.staged).catch(ignoreNoFile)
  if (!out) return undefined
  try {
    const sha256 = await hashOpen(out)
    if (sha256 === file.base) return undefined
    const { sizeBytes } = out.status
    const saved = { ...toDisplaced(intent, index, 'saved', { sha256, sizeBytes }), time: now() }
    if (sizeBytes > PIECE_BYTES) return void (await checkpoints.keepCopy(saved, readPieces(out)))
    const bytes = await readWhole(out)
    return () => checkpoints.keepCopy(saved, [bytes])
  } finally {
    out.close()
  }
}

function ignoreNoFile(error: unknown): null {
  if (isErrno(error, 'ENOENT', 'ELOOP', 'EISDIR', 'EINVAL')) return null
  throw error
}

/** Puts the original file back, unless another program's file is there now. */
async function putBack(
  flying: Flying,
  { tree, checkpoints }: TakeBackPorts,
  link: Linker,
): Promise<void> {
  const { name, file } = flying
  const kept = await findKept(flying, checkpoints)
  if (kept === null) return
  flying.folder = await makeFolders(tree, splitPath(file.path)[0])
  if (flying.folder) await link(kept.folder, kept.name, flying.folder, name)
}

/** Removes the temporary names; a file without another name is kept separately. */
async function clear(flying: Flying, intent: Intent, ports: TakeBackPorts): Promise<Displaced[]> {
  const { folder, tempIn, temp, name, index } = flying
  const displaced: Displaced[] = []
  const isInPlace = async (status: NodeStatus) =>
    isSameFile(status, (await folder?.statusOf(name).catch(ignoreGone)) ?? null)
  for (const was of ['after', 'before'] as const) {
    const withdrawn = tempIn && { folder: tempIn, name: temp.withdrawn }
    const place = was === 'after' ? withdrawn : await findKept(flying, ports.checkpoints)
    const status = (await place?.folder.statusOf(place.name)) ?? null
    if (place === null || status === null) continue
    if (await isInPlace(status)) await place.folder.remove(place.name)
    else await keep(was, place, status)
  }
  const staged = tempIn && { folder: tempIn, name: temp.staged }
  const status = (await staged?.folder.statusOf(temp.staged)) ?? null
  if (!staged || !status) return displaced
  const hasOtherName = (await isInPlace(status)) || displaced.some(({ was }) => was === 'after')
  const isOnlyOurs = !flying.isShown || (await isUntouched(flying, staged, ports))
  if (hasOtherName || isOnlyOurs) await tempIn.remove(temp.staged)
  else await keep('after', staged, status)
  return displaced

  async function keep(was: Displaced['was'], place: KeptPlace, { kind }: NodeStatus) {
    const digest = kind === 'file' ? await place.folder.digest(place.name) : null
    const found = toDisplaced(intent, index, was, digest ?? { sha256: null, sizeBytes: 0 })
    displaced.push({ ...found, time: ports.now() })
    await ports.checkpoints.keepDisplaced(displaced.at(-1)!, place.folder, place.name)
  }
}

function toDisplaced(
  { changeSetId, files }: Intent,
  index: number,
  was: Displaced['was'],
  { sha256, sizeBytes }: Pick<Displaced, 'sha256' | 'sizeBytes'>,
): Omit<Displaced, 'time'> {
  const { path, base, sha256: after } = files[index]!
  const isCopy = was === 'base' || was === 'saved' // the original is in place
  const isReported = !isCopy && sha256 !== (was === 'before' ? base : after)
  return { changeSetId, index, was, path, sha256, sizeBytes, isReported, reason: REASONS[was] }
}

const REASONS = {
  before: 'another program saved the file, and then put a new one in its place',
  after: 'another program wrote into the new file before it was taken back',
  base: 'it was back in place when the change set was taken back',
  saved: 'another program saved it right before the change set was taken back',
}

async function isOurs(
  flying: Flying,
  target: NodeStatus | null,
  { renames }: TakeBackPorts,
): Promise<boolean> {
  const { folder, tempIn, temp, name, file, intent, index, pair } = flying
  if (target?.kind !== 'file') return false
  const staged = (await tempIn?.statusOf(temp.staged)) ?? null
  if (isSameFile(staged, target)) return true
  if (inodeOf(target) === pair?.staged) return true
  const isKnownByHash = (renames && !staged) || (await isExchangedOut(flying))
  if (!isKnownByHash || (await hashIfThere(folder, name)) !== file.sha256) return false
  return !(await hasOldSpelling(intent, index, folder!))
}

/** Whether it is our new file as we wrote it. */
async function isUntouched(
  { file, index }: Flying,
  { folder, name }: KeptPlace,
  { spoilt }: TakeBackPorts,
): Promise<boolean> {
  return spoilt?.has(index) || (await hashIfThere(folder, name)) === file.sha256
}

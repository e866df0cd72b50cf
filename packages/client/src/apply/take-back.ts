import type { Sha256 } from '@filewright/protocol'
import type { CheckpointStore, Displaced } from '../checkpoints.ts'
import { type Folder, isErrno, type NodeStatus } from '../workspace/folder.ts'
import { splitPath, type Tree } from '../workspace/local-path.ts'
import { type TempNames, tempNames } from '../workspace/temp-names.ts'
import type { IntendedFile, Intent } from './journal.ts'
import { createLinker, isSameFile, type Linker } from './swap.ts'

export interface TakeBackPorts {
  readonly tree: Tree
  readonly checkpoints: CheckpointStore
  readonly now: () => number
  /** New files were renamed into place: only their hash tells that they are ours. */
  readonly renames: boolean
  readonly noteRenames: () => Promise<void>
  /** Files whose bytes the disk did not keep as written: what stands there is nobody's. */
  readonly spoilt?: ReadonlySet<number>
}

/**
 * Makes the workspace as it was before an apply that was not decided, from whatever state it is in: right after a
 * failure, or after a crash in any step of the apply or of this. Bytes that are not ours are put back or kept apart.
 * Two rounds with a sync between them: a file has its old name durably before it loses the temporary one.
 */
export async function takeBack(intent: Intent, ports: TakeBackPorts): Promise<Displaced[]> {
  const link = createLinker(ports)
  const files = []
  for (const [index, file] of [...intent.files.entries()].reverse()) {
    const temp = tempNames(intent.token, index)
    const folder = await openIfThere(ports.tree, splitPath(file.path)[0])
    const stagedIn = await openIfThere(ports.tree, file.stagedIn)
    files.push({ index, file, temp, folder, stagedIn, name: splitPath(file.path)[1] })
  }
  const displaced: Displaced[] = []
  for (const each of files) await putBack(each, ports, link)
  await syncFolders(ports.tree, intent)
  for (const each of files) displaced.push(...(await clear(each, intent, ports)))
  for (const path of [...intent.folders].reverse()) await removeFolderIfEmpty(ports.tree, path)
  await Promise.all([
    syncFolders(ports.tree, intent),
    displaced.length > 0 && ports.checkpoints.sync(),
  ])
  return displaced.filter(each => each.isReported)
}

interface Flying {
  readonly index: number
  readonly file: IntendedFile
  readonly temp: TempNames
  readonly folder: Folder | null
  readonly stagedIn: Folder | null
  readonly name: string
}

/** Our new file goes out, then what stood there before comes back, unless somebody else's file stands there now. */
async function putBack(flying: Flying, ports: TakeBackPorts, link: Linker): Promise<void> {
  const { folder, temp, name, file } = flying
  if (folder === null) return
  if (file.sha256 !== null && (await isOurs(flying, await folder.statusOf(name), ports)))
    await folder.rename(name, folder, temp.withdrawn)
  if ((await folder.statusOf(temp.withdrawn)) !== null && !(await isUntouched(flying, ports)))
    await link(folder, temp.withdrawn, folder, name)
  if ((await folder.statusOf(temp.kept)) !== null) await link(folder, temp.kept, folder, name)
}

/** Removes the temporary names; what has no other name is kept apart. */
async function clear(flying: Flying, intent: Intent, ports: TakeBackPorts): Promise<Displaced[]> {
  const { folder, stagedIn, temp, name, file, index } = flying
  const displaced: Displaced[] = []
  for (const was of ['after', 'before'] as const) {
    const tempName = was === 'before' ? temp.kept : temp.withdrawn
    const status = folder && (await folder.statusOf(tempName))
    if (!folder || !status) continue
    if (isSameFile(status, await folder.statusOf(name))) await folder.remove(tempName)
    else {
      const { sha256, sizeBytes } = await folder.digest(tempName)
      const known = was === 'before' ? file.base : file.sha256
      const { changeSetId } = intent
      const { path } = file
      const isReported = sha256 !== known
      const reason = REASONS[was]
      const found = { changeSetId, index, was, path, sha256, sizeBytes, reason, isReported }
      displaced.push({ ...found, time: ports.now() })
      await ports.checkpoints.keepDisplaced(displaced.at(-1)!, folder, tempName)
    }
  }
  if (stagedIn && (await stagedIn.statusOf(temp.staged)) !== null)
    await stagedIn.remove(temp.staged)
  return displaced
}

const REASONS = {
  before: 'another program saved the file, and then put a new one in its place',
  after: 'another program wrote into the new file before it was taken back',
}

async function isOurs(
  { folder, stagedIn, temp, name, file }: Flying,
  target: NodeStatus | null,
  { renames }: TakeBackPorts,
): Promise<boolean> {
  if (target?.kind !== 'file') return false
  const staged = (await stagedIn?.statusOf(temp.staged)) ?? null
  if (staged) return isSameFile(staged, target)
  return renames && (await hashIfThere(folder, name)) === file.sha256
}

/** Whether what was withdrawn is our new file as we wrote it. */
async function isUntouched(
  { folder, temp, file, index }: Flying,
  { spoilt }: TakeBackPorts,
): Promise<boolean> {
  return spoilt?.has(index) || (await hashIfThere(folder, temp.withdrawn)) === file.sha256
}

async function hashIfThere(folder: Folder | null, name: string): Promise<Sha256 | null> {
  try {
    return (await folder?.digest(name))?.sha256 ?? null
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ELOOP', 'EISDIR', 'EINVAL')) return null
    throw error
  }
}

/** Every folder that holds or held a name of this apply, once. */
export async function syncFolders(tree: Tree, intent: Intent): Promise<void> {
  const paths = new Set<string>()
  for (const { path, stagedIn } of intent.files) paths.add(splitPath(path)[0]).add(stagedIn)
  for (const path of [...intent.folders, ...intent.emptied]) paths.add(splitPath(path)[0])
  await Promise.all(
    [...paths].map(async path => (await openIfThere(tree, path))?.sync().catch(ignoreGone)),
  )
}

export async function removeFolderIfEmpty(tree: Tree, path: string): Promise<void> {
  const [parent, name] = splitPath(path)
  try {
    await (await openIfThere(tree, parent))?.removeFolder(name)
  } catch (error) {
    if (!isErrno(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EBUSY')) throw error
  }
}

export async function openIfThere(tree: Tree, path: string): Promise<Folder | null> {
  return tree.folder(path).catch(ignoreGone)
}

function ignoreGone(error: unknown): null {
  if (isErrno(error, 'ENOENT', 'ENOTDIR')) return null
  throw error
}

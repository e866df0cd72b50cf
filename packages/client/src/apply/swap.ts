import type { Sha256 } from '@filewright/protocol'
import { type Folder, isErrno, NO_EXCHANGE, type NodeStatus } from '../workspace/paths/folder.ts'
import type { Tree } from '../workspace/paths/local-path.ts'
import { splitPath } from '../workspace/paths/split-path.ts'
import type { CheckpointStore, KeptPlace } from './checkpoints.ts'
import { ApplyStop, about, conflict } from './failures.ts'
import { removeFolderIfEmpty, syncFolders } from './folders.ts'
import { forEachInTurn } from './in-turn.ts'
import type { Intent } from './journal.ts'
import { createKeeper, type Keeper } from './kept.ts'
import type { PlannedFile } from './plan.ts'

export interface SwapPorts {
  readonly tree: Tree
  readonly checkpoints: CheckpointStore
  /** Called, durably, before the first file is renamed into place because the disk has no hard links. */
  readonly noteRenames: () => Promise<void>
  /** The journal names both files of each exchange. */
  readonly mayExchange: boolean
  readonly done: Swapped
}

/** How far the swap came, by index. */
export interface Swapped {
  readonly moved: Map<number, Moved>
  /** Files whose new bytes were visible to others. */
  readonly shown: Set<number>
}

export interface Moved {
  /** The file's status right before it was moved away and compared. */
  readonly status: NodeStatus
  readonly kept: KeptPlace
}

/**
 * Puts the staged files in place. Each target changes places with its staged file in one step, so that its name is
 * never missing; what came out is compared once more, so bytes that an editor saved since the check are found, and
 * taken back in. Where the disk has no such step, the target is moved away, compared, and the staged file linked in,
 * which never overwrites: a file that appeared meanwhile is a collision. For that moment the name is missing; no part of
 * a file is ever seen. Deletions come first, so that their names are free for what takes their place.
 */
export async function swapAll(
  files: readonly PlannedFile[],
  intent: Intent,
  ports: SwapPorts,
): Promise<void> {
  const { tree, checkpoints } = ports
  const moving: Moving = {
    ...ports,
    keep: createKeeper(checkpoints, intent.changeSetId),
    link: createLinker(ports),
    exchange: createExchanger(ports),
  }
  const deletions = files.filter(file => file.wanted.content === null)
  const others = files.filter(file => file.wanted.content !== null)
  await forEachInTurn(deletions, file => about(file.path, moveAway(file, moving)))
  if (intent.emptied.length > 0) await syncFolders(tree, intent) // out of a folder durably before it goes
  for (const path of intent.emptied) await about(path, removeFolderIfEmpty(tree, path))
  for (const path of intent.folders) await about(path, makeFolder(path, tree))
  await forEachInTurn(others, file => about(file.path, replace(file, moving)))
}

interface Moving extends SwapPorts {
  readonly keep: Keeper
  readonly link: Linker
  readonly exchange: Exchanger
}

async function replace(file: PlannedFile, moving: Moving): Promise<void> {
  const { tree, done, link, exchange } = moving
  if (file.status && (await exchange(file))) return
  if (file.status) await moveAway(file, moving)
  const from = await tree.folder(file.tempIn)
  const to = await tree.folder(file.folderPath)
  if (!(await link(from, file.temp.staged, to, file.name))) {
    const found = await to.digest(file.name).catch(() => null)
    throw collision(file, found?.sha256 ?? null, 'has since been created by another program')
  }
  done.shown.add(file.index)
}

/** False: this disk cannot. */
type Exchanger = (file: PlannedFile) => Promise<boolean>

function createExchanger({ tree, done, mayExchange }: SwapPorts): Exchanger {
  let canExchange = mayExchange
  return async file => {
    if (!canExchange) return false
    const { folderPath, name, tempIn, temp } = file
    const [from, to] = [await tree.folder(tempIn), await tree.folder(folderPath)]
    const status = await statusInPlace(file, to)
    try {
      await from.exchange(temp.staged, to, name, temp.kept)
    } catch (error) {
      if (isErrno(error, 'ENOENT')) throw collision(file, null, DISAPPEARED)
      if (!isErrno(error, ...NO_EXCHANGE)) throw error
      canExchange = false
      return false
    }
    done.shown.add(file.index)
    const kept = { folder: from, name: temp.staged }
    done.moved.set(file.index, { status, kept })
    await compareMoved(file, kept)
    return true
  }
}

async function moveAway(file: PlannedFile, { tree, done, keep }: Moving): Promise<void> {
  const folder = await tree.folder(file.folderPath)
  const status = await statusInPlace(file, folder)
  const kept = await keep(file, folder, await tree.folder(file.tempIn))
  done.moved.set(file.index, { status, kept })
  await compareMoved(file, kept)
}

const DISAPPEARED = 'has since disappeared'
const NO_FILE = 'was replaced by a folder or a link'

async function statusInPlace(file: PlannedFile, folder: Folder): Promise<NodeStatus> {
  const there = await folder.statusOf(file.name)
  if (there === null) throw collision(file, null, DISAPPEARED)
  if (there.kind !== 'file') throw collision(file, null, NO_FILE)
  return there
}

/** What was moved away must be the base. */
async function compareMoved(file: PlannedFile, { folder, name }: KeptPlace): Promise<void> {
  try {
    if (file.base && (await folder.holds(name, [file.base]))) return
    const { sha256 } = await folder.digest(name)
    if (sha256 !== file.wanted.base)
      throw collision(file, sha256, 'has since been saved by another program')
  } catch (error) {
    if (isErrno(error, 'ELOOP', 'EISDIR', 'EINVAL')) throw collision(file, null, NO_FILE)
    throw error
  }
}

async function makeFolder(path: string, tree: Tree): Promise<void> {
  const [parent, name] = splitPath(path)
  try {
    await (await tree.folder(parent)).makeFolder(name)
  } catch (error) {
    // another program has since created the same folder; if it is something else, opening it reports that
    if (!isErrno(error, 'EEXIST')) throw error
  }
}

const NO_HARD_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL']

/** Gives a file a name that must be free; false: it is taken. */
export type Linker = (from: Folder, name: string, to: Folder, toName: string) => Promise<boolean>

/**
 * On a disk without hard links the file is renamed after a check that the name is free: between the two, another
 * program could create a file there and lose it. Only such disks (exFAT, some network ones) have this gap.
 */
export function createLinker({ noteRenames }: Pick<SwapPorts, 'noteRenames'>): Linker {
  let hasLinks = true
  return async (from, name, to, toName) => {
    if (hasLinks)
      try {
        await from.link(name, to, toName)
        return true
      } catch (error) {
        if (isErrno(error, 'EEXIST')) return false
        if (!isErrno(error, ...NO_HARD_LINKS)) throw error
        hasLinks = false
        await noteRenames()
      }
    if ((await to.statusOf(toName)) !== null) return false
    await to.sync() // the file that was moved away must not come back under a name that is now taken
    await from.rename(name, to, toName)
    return true
  }
}

export function isSameFile(a: NodeStatus | null, b: NodeStatus | null): boolean {
  return a !== null && b !== null && a.identity === b.identity
}

function collision({ wanted }: PlannedFile, found: Sha256 | null, why: string): ApplyStop {
  const { docPath, path, base } = wanted
  return new ApplyStop(conflict([{ docPath, path, expected: base, found, why }]))
}

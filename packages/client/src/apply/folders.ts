import { type Folder, isErrno } from '../workspace/paths/folder.ts'
import type { Tree } from '../workspace/paths/local-path.ts'
import { splitPath } from '../workspace/paths/split-path.ts'
import { sideBySide } from './in-turn.ts'
import type { Intent } from './journal.ts'

/** Every folder that holds or held a name of this apply, once. */
export async function syncFolders(tree: Tree, intent: Intent): Promise<void> {
  const paths = new Set<string>()
  for (const { path, tempIn } of intent.files) paths.add(splitPath(path)[0]).add(tempIn)
  for (const path of [...intent.folders, ...intent.emptied]) paths.add(splitPath(path)[0])
  await sideBySide(
    ...[...paths].map(async path => (await openIfThere(tree, path))?.sync().catch(ignoreGone)),
  )
}

export async function removeFolderIfEmpty(tree: Tree, path: string): Promise<void> {
  const [parent, name] = splitPath(path)
  try {
    await (await openIfThere(tree, parent))?.removeFolder(name)
    tree.forget(path)
  } catch (error) {
    if (!isErrno(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EBUSY')) throw error
  }
}

export async function openIfThere(tree: Tree, path: string): Promise<Folder | null> {
  return tree.folder(path).catch(ignoreGone)
}

export function ignoreGone(error: unknown): null {
  if (isErrno(error, 'ENOENT', 'ENOTDIR')) return null
  throw error
}

/** For a file that comes back: its folder may be gone by then. Null when something else has the folder's name. */
export async function makeFolders(tree: Tree, path: string): Promise<Folder | null> {
  const found = await openIfThere(tree, path)
  if (found || path === '') return found
  const [parentPath, name] = splitPath(path)
  const parent = await makeFolders(tree, parentPath)
  if (!parent || (await parent.statusOf(name)) !== null) return null
  await parent.makeFolder(name)
  return tree.folder(path)
}
